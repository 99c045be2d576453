/* ds_end.h - gives back the names that ds_begin.h took; the user's own stb_ds is as it was.
   Re-includable. */

#undef stbds_array_header
#undef stbds_string_arena
#undef stbds_string_block
#undef stbds_arrgrowf
#undef stbds_arrfreef
#undef stbds_hmfree_func
#undef stbds_hmget_key
#undef stbds_hmget_key_ts
#undef stbds_hmput_default
#undef stbds_hmput_key
#undef stbds_hmdel_key
#undef stbds_shmode_func
#undef stbds_stralloc
#undef stbds_strreset
#undef stbds_rand_seed
#undef stbds_hash_string
#undef stbds_hash_bytes
#undef stbds_unit_tests
#undef STBDS_SH_NONE
#undef STBDS_SH_DEFAULT
#undef STBDS_SH_STRDUP
#undef STBDS_SH_ARENA
#ifdef __cplusplus
#undef stbds_arrgrowf_wrapper
#undef stbds_hmget_key_wrapper
#undef stbds_hmget_key_ts_wrapper
#undef stbds_hmput_default_wrapper
#undef stbds_hmput_key_wrapper
#undef stbds_hmdel_key_wrapper
#undef stbds_shmode_func_wrapper
#endif
