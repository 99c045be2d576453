/* ds_begin.h - takes the array macros of stb_ds.h from its package, under names of our own;
   ds_end.h gives the names back.

   needs     IRL_STB_DS_H, the header's name (default: "stb_ds.h"; <stb/stb_ds.h> where the compiler
             says that it has that one alone)
   promises  no stb_ds symbol leaves this translation unit and no stb_ds macro of ours reaches the
             user's code; the user's own stb_ds in the same file keeps working, before or after,
             with or without its implementation

   stb_ds's own implementation is never compiled here: it aborts when memory is out and carries a
   mutable hash seed. Its one function that arrays need, the growth function, is ours
   (irl__array_room in memory.c reserves before stbds_arrput looks, so the replacement below is
   never reached). Between begin and end only stbds_* spellings are used. Re-includable: the names
   are defined every time, the header is included once. */

#ifndef IRL_STB_DS_H
#if defined(__has_include)
#if !__has_include("stb_ds.h")
#if !__has_include(<stb/stb_ds.h>)
#error "irlayout needs stb_ds.h: install libstb-dev, or put it next to the header"
#endif
#define IRL_STB_DS_H <stb/stb_ds.h>
#endif
#endif
#ifndef IRL_STB_DS_H
#define IRL_STB_DS_H "stb_ds.h"
#endif
#endif

/* what stb_ds includes must be seen first without the renames */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define stbds_array_header irl__ds_array_header
#define stbds_string_arena irl__ds_string_arena
#define stbds_string_block irl__ds_string_block
#define stbds_arrgrowf irl__ds_arrgrowf
#define stbds_arrfreef irl__ds_arrfreef
#define stbds_hmfree_func irl__ds_hmfree_func
#define stbds_hmget_key irl__ds_hmget_key
#define stbds_hmget_key_ts irl__ds_hmget_key_ts
#define stbds_hmput_default irl__ds_hmput_default
#define stbds_hmput_key irl__ds_hmput_key
#define stbds_hmdel_key irl__ds_hmdel_key
#define stbds_shmode_func irl__ds_shmode_func
#define stbds_stralloc irl__ds_stralloc
#define stbds_strreset irl__ds_strreset
#define stbds_rand_seed irl__ds_rand_seed
#define stbds_hash_string irl__ds_hash_string
#define stbds_hash_bytes irl__ds_hash_bytes
#define stbds_unit_tests irl__ds_unit_tests
#define STBDS_SH_NONE irl__ds_sh_none
#define STBDS_SH_DEFAULT irl__ds_sh_default
#define STBDS_SH_STRDUP irl__ds_sh_strdup
#define STBDS_SH_ARENA irl__ds_sh_arena
#ifdef __cplusplus
#define stbds_arrgrowf_wrapper irl__ds_arrgrowf_wrapper
#define stbds_hmget_key_wrapper irl__ds_hmget_key_wrapper
#define stbds_hmget_key_ts_wrapper irl__ds_hmget_key_ts_wrapper
#define stbds_hmput_default_wrapper irl__ds_hmput_default_wrapper
#define stbds_hmput_key_wrapper irl__ds_hmput_key_wrapper
#define stbds_hmdel_key_wrapper irl__ds_hmdel_key_wrapper
#define stbds_shmode_func_wrapper irl__ds_shmode_func_wrapper
#endif

#ifndef IRL__DS_INCLUDED
#define IRL__DS_INCLUDED

#ifdef INCLUDE_STB_DS_H
#define IRL__DS_USER_WAS_FIRST
#undef INCLUDE_STB_DS_H
#endif
#ifdef STB_DS_IMPLEMENTATION
#define IRL__DS_USER_IMPLEMENTS
#undef STB_DS_IMPLEMENTATION
#endif
#ifndef STBDS_NO_SHORT_NAMES
#define IRL__DS_HIDE_SHORT_NAMES
#define STBDS_NO_SHORT_NAMES
#endif
#ifndef STBDS_REALLOC
#define IRL__DS_OWN_REALLOC
#endif

#ifdef __cplusplus
extern "C" {
#endif
/* static before stb_ds declares it extern: the earlier linkage stays (C99 6.2.2p4) */
#if defined(__GNUC__)
__attribute__((__unused__))
#endif
static void *stbds_arrgrowf(void *a, size_t elemsize, size_t addlen, size_t min_cap);
#ifdef __cplusplus
}
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wundef" /* stb_ds asks #if __clang__ */
#endif
#include IRL_STB_DS_H
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

static void *stbds_arrgrowf(void *a, size_t elemsize, size_t addlen, size_t min_cap)
{
    (void)elemsize, (void)addlen, (void)min_cap;
    return a;
}

#ifndef IRL__DS_USER_WAS_FIRST
#undef INCLUDE_STB_DS_H
#endif
#ifdef IRL__DS_USER_IMPLEMENTS
#define STB_DS_IMPLEMENTATION
#undef IRL__DS_USER_IMPLEMENTS
#endif
#ifdef IRL__DS_HIDE_SHORT_NAMES
#undef STBDS_NO_SHORT_NAMES
#undef IRL__DS_HIDE_SHORT_NAMES
#endif
#ifdef IRL__DS_OWN_REALLOC
#undef STBDS_REALLOC
#undef STBDS_FREE
#undef IRL__DS_OWN_REALLOC
#endif
#undef IRL__DS_USER_WAS_FIRST

#endif
