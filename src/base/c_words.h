/* c_words.h - names that C and C++ have taken, to C23 and C++20: IRL_C_WORDS(first, "word word
   ..."), one row per first letter.

   Keywords, macros, types and functions of the standard library, and what <math.h> has beside them
   in GNU's dialect, but for `gamma`, which is a parameter's name more often, and for functions of
   types with a width (sinf32). `word*` is everything that starts so. Words that C reserves by their
   form (_X, __x) are not listed. Re-includable; undefines its macro. */
/* re-includable table */
IRL_C_WORDS('B', "BUFSIZ")
IRL_C_WORDS('C', "CHAR_* CLOCKS_PER_SEC CX_*")
IRL_C_WORDS('D', "DBL_* DECIMAL_DIG")
IRL_C_WORDS('E', "EDOM EILSEQ EOF ERANGE EXIT_FAILURE EXIT_SUCCESS")
IRL_C_WORDS('F', "FE_* FILE FILENAME_MAX FLT_* FOPEN_MAX FP_*")
IRL_C_WORDS('H', "HUGE_VAL HUGE_VALF HUGE_VALL")
IRL_C_WORDS('I', "INFINITY INT16_* INT32_* INT64_* INT8_* INTMAX_* INTPTR_* INT_* IRL_*")
IRL_C_WORDS('L', "LC_* LDBL_* LLONG_* LONG_* L_tmpnam")
IRL_C_WORDS('M', "MATH_* MAXFLOAT MB_* M_*")
IRL_C_WORDS('N', "NAN NDEBUG NULL")
IRL_C_WORDS('P', "PRI* PTRDIFF_*")
IRL_C_WORDS('R', "RAND_MAX")
IRL_C_WORDS('S', "SCHAR_* SCN* SEEK_* SHRT_* SIG* SIZE_MAX")
IRL_C_WORDS('T', "TMP_MAX")
IRL_C_WORDS('U', "UCHAR_MAX UINT16_* UINT32_* UINT64_* UINT8_* UINTMAX_* UINTPTR_* UINT_* "
            "ULLONG_MAX ULONG_MAX USHRT_MAX")
IRL_C_WORDS('W', "WCHAR_* WEOF WINT_*")
IRL_C_WORDS('a', "abort abs acos acosf acosh acoshf acoshl acosl alignas aligned_alloc alignof "
            "and and_eq asctime asin asinf asinh asinhf asinhl asinl asm assert "
            "at_quick_exit atan atan2 atan2f atan2l atanf atanh atanhf atanhl atanl atexit "
            "atof atoi atol atoll auto")
IRL_C_WORDS('b', "bitand bitor bool break bsearch btowc")
IRL_C_WORDS('c', "cabs* cacos* calloc canonicalize* carg* case casin* catan* catch cbrt cbrtf "
            "cbrtl ccos* ceil ceilf ceill cexp* char char16_t char32_t char8_t cimag* class "
            "clearerr clock clock_t clog* co_await co_return co_yield compl complex concept "
            "conj* const const_cast consteval constexpr constinit continue copysign copysignf "
            "copysignl cos cosf cosh coshf coshl cosl cpow* cproj* creal* csin* csqrt* ctan* "
            "ctime")
IRL_C_WORDS('d', "daddl ddivl decltype default defined delete dfmal difftime div div_t dmull "
            "do double double_t drem dremf dreml dsqrtl dsubl dynamic_cast")
IRL_C_WORDS('e', "else enum environ erf erfc erfcf erfcl erff erfl errno exit exp exp10* exp2 "
            "exp2f exp2l expf expl explicit expm1 expm1f expm1l export extern")
IRL_C_WORDS('f', "fabs fabsf fabsl fadd faddl false fclose fdim fdimf fdiml fdiv fdivl feof "
            "ferror fflush ffma ffmal fgetc fgetpos fgets fgetw* finite finitef finitel float "
            "float_t floor floorf floorl fma fmaf fmal fmax fmaxf fmaximum* fmaxl fmaxmag* "
            "fmin fminf fminimum* fminl fminmag* fmod fmodf fmodl fmul fmull fopen for "
            "fpclassify fpos_t fprintf fputc fputs fputw* fread free freopen frexp frexpf "
            "frexpl friend fromfp* fscanf fseek fsetpos fsqrt fsqrtl fsub fsubl ftell fwide "
            "fwprintf fwrite fwscanf")
IRL_C_WORDS('g', "gammaf gammal getc getchar getenv getpayload* gets getwc getwchar gmtime goto")
IRL_C_WORDS('h', "hypot hypotf hypotl")
IRL_C_WORDS('i', "if ilogb ilogbf ilogbl imaxabs imaxdiv inline int int16_t int32_t int64_t "
            "int8_t int_* intmax_t intptr_t irl_* isalnum isalpha isblank iscntrl isdigit "
            "isfinite isgraph isgreater isgreaterequal isinf isinff isinfl isless "
            "islessequal islessgreater islower isnan isnanf isnanl isnormal isprint ispunct "
            "isspace isunordered isupper isw* isxdigit")
IRL_C_WORDS('j', "j0 j0f j0l j1 j1f j1l jmp_buf jn jnf jnl")
IRL_C_WORDS('k', "kill_dependency")
IRL_C_WORDS('l', "labs lconv ldexp ldexpf ldexpl ldiv ldiv_t lgamma lgamma_r lgammaf lgammaf_r "
            "lgammal lgammal_r linux llabs lldiv lldiv_t llogb* llrint* llround* localeconv "
            "localtime log log10 log10f log10l log1p log1pf log1pl log2 log2f log2l logb logbf "
            "logbl logf logl long longjmp lrint* lround*")
IRL_C_WORDS('m', "main malloc math_errhandling max_align_t mblen mbr* mbs* mbtowc memccpy "
            "memchr memcmp memcpy memmove mempcpy memset mktime modf modff modfl mutable")
IRL_C_WORDS('n', "namespace nan nanf nanl nearbyint* new nextafter* nextdown* nexttoward* "
            "nextup* noexcept not not_eq nullptr")
IRL_C_WORDS('o', "offsetof operator or or_eq")
IRL_C_WORDS('p', "perror pow powf powl printf private protected ptrdiff_t public putc putchar "
            "puts putwc putwchar")
IRL_C_WORDS('q', "qsort quick_exit")
IRL_C_WORDS('r', "raise rand realloc register reinterpret_cast remainder* remove remquo* "
            "rename requires restrict return rewind rint rintf rintl round roundeven* roundf "
            "roundl")
IRL_C_WORDS('s', "scalb scalbf scalbl scalbln* scalbn* scanf setbuf setjmp setlocale "
            "setpayload* setvbuf short sig_atomic_t signal signbit signed signgam significand "
            "significandf significandl sin sincos* sinf sinh sinhf sinhl sinl size_t sizeof "
            "snprintf sprintf sqrt sqrtf sqrtl srand sscanf static static_assert static_cast "
            "stderr stdin stdout strcat strchr strcmp strcoll strcpy strcspn strdup strerror "
            "strftime strlen strncat strncmp strncpy strndup strpbrk strrchr strspn strstr "
            "strtod strtof strtoimax strtok strtol strtold strtoll strtoul strtoull strtoumax "
            "struct strxfrm switch swprintf swscanf system")
IRL_C_WORDS('t', "tan tanf tanh tanhf tanhl tanl template tgamma* this thread_local throw time "
            "time_t timespec tm tmpfile tmpnam tolower totalorder* toupper towctrans towlower "
            "towupper true trunc truncf truncl try typedef typeid typename typeof typeof_unqual")
IRL_C_WORDS('u', "ufromfp* uint uint16_t uint32_t uint64_t uint8_t uint_* uintmax_t uintptr_t "
            "ulong ungetc ungetwc union unix unsigned ushort using")
IRL_C_WORDS('v', "va_* vfprintf vfscanf vfwprintf vfwscanf virtual void volatile vprintf vscanf "
            "vsnprintf vsprintf vsscanf vswprintf vswscanf vwprintf vwscanf")
IRL_C_WORDS('w', "wchar_t wcrtomb wcs* wctob wctomb wctrans wctype while win_t wint_t wmem* "
            "wprintf wscanf")
IRL_C_WORDS('x', "xor xor_eq")
IRL_C_WORDS('y', "y0 y0f y0l y1 y1f y1l yn ynf ynl")
#undef IRL_C_WORDS
