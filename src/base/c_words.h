/* c_words.h - names that C and C++ have taken, to C23 and C++20: IRL_C_WORDS(first, "word word
   ..."), one row per first letter.

   Keywords, macros, types and functions of the standard library; the types of POSIX that <math.h>
   brings with it in C++; and the other names of <math.h> in GNU's dialect, but for `gamma`, which
   is a parameter's name more often, and for functions of types with a width (sinf32). `word*` is
   every name that starts so. Names that C reserves by their form (_X, __x) are not listed.
   Re-includable; undefines its macro. */
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
IRL_C_WORDS('b', "bitand bitor blkcnt64_t blkcnt_t blksize_t bool break bsearch btowc")
IRL_C_WORDS('c', "cabs* cacos* caddr_t calloc canonicalize* carg* case casin* catan* catch "
            "cbrt cbrtf cbrtl ccos* ceil ceilf ceill cexp* char char16_t char32_t char8_t "
            "cimag* class clearerr clock clock_t clockid_t clog* co_await co_return "
            "co_yield comparison_fn_t compl complex concept conj* const const_cast "
            "consteval constexpr constinit continue copysign copysignf copysignl cos cosf "
            "cosh coshf coshl cosl cpow* cproj* creal* csin* csqrt* ctan* ctime")
IRL_C_WORDS('d', "daddl daddr_t ddivl decltype default defined delete dev_t dfmal difftime div "
            "div_t dmull do double double_t drem dremf dreml dsqrtl dsubl dynamic_cast")
IRL_C_WORDS('e', "else enum environ erf erfc erfcf erfcl erff erfl errno exit exp exp10* exp2 "
            "exp2f exp2l expf expl explicit expm1 expm1f expm1l export extern")
IRL_C_WORDS('f', "fabs fabsf fabsl fadd faddl false fclose fd_mask fd_set fdim fdimf fdiml "
            "fdiv fdivl feof ferror fflush ffma ffmal fgetc fgetpos fgets fgetw* finite "
            "finitef finitel float float_t floor floorf floorl fma fmaf fmal fmax fmaxf "
            "fmaximum* fmaxl fmaxmag* fmin fminf fminimum* fminl fminmag* fmod fmodf "
            "fmodl fmul fmull fopen for fpclassify fpos_t fprintf fputc fputs fputw* "
            "fread free freopen frexp frexpf frexpl friend fromfp* fsblkcnt64_t "
            "fsblkcnt_t fscanf fseek fsetpos fsfilcnt64_t fsfilcnt_t fsid_t fsqrt fsqrtl "
            "fsub fsubl ftell fwide fwprintf fwrite fwscanf")
IRL_C_WORDS('g', "gammaf gammal getc getchar getenv getpayload* gets getwc getwchar gid_t "
            "gmtime goto")
IRL_C_WORDS('h', "hypot hypotf hypotl")
IRL_C_WORDS('i', "id_t if ilogb ilogbf ilogbl imaxabs imaxdiv inline ino64_t ino_t int int16_t "
            "int32_t int64_t int8_t int_* intmax_t intptr_t irl_* isalnum isalpha isblank "
            "iscntrl isdigit isfinite isgraph isgreater isgreaterequal isinf isinff "
            "isinfl isless islessequal islessgreater islower isnan isnanf isnanl isnormal "
            "isprint ispunct isspace isunordered isupper isw* isxdigit")
IRL_C_WORDS('j', "j0 j0f j0l j1 j1f j1l jmp_buf jn jnf jnl")
IRL_C_WORDS('k', "key_t kill_dependency")
IRL_C_WORDS('l', "labs lconv ldexp ldexpf ldexpl ldiv ldiv_t lgamma lgamma_r lgammaf lgammaf_r "
            "lgammal lgammal_r linux llabs lldiv lldiv_t llogb* llrint* llround* locale_t "
            "localeconv localtime loff_t log log10 log10f log10l log1p log1pf log1pl log2 "
            "log2f log2l logb logbf logbl logf logl long longjmp lrint* lround*")
IRL_C_WORDS('m', "main malloc math_errhandling max_align_t mblen mbr* mbs* mbtowc memccpy "
            "memchr memcmp memcpy memmove mempcpy memset mktime mode_t modf modff modfl "
            "mutable")
IRL_C_WORDS('n', "namespace nan nanf nanl nearbyint* new nextafter* nextdown* nexttoward* "
            "nextup* nlink_t noexcept not not_eq nullptr nullptr_t")
IRL_C_WORDS('o', "off64_t off_t offsetof operator or or_eq")
IRL_C_WORDS('p', "perror pid_t pow powf powl printf private protected pthread_* ptrdiff_t "
            "public putc putchar puts putwc putwchar")
IRL_C_WORDS('q', "qsort quad_t quick_exit")
IRL_C_WORDS('r', "raise rand realloc register reinterpret_cast remainder* remove remquo* "
            "rename requires restrict return rewind rint rintf rintl round roundeven* roundf "
            "roundl")
IRL_C_WORDS('s', "scalb scalbf scalbl scalbln* scalbn* scanf setbuf setjmp setlocale "
            "setpayload* setvbuf short sig_atomic_t signal signbit signed signgam "
            "significand significandf significandl sigset_t sin sincos* sinf sinh sinhf "
            "sinhl sinl size_t sizeof snprintf sprintf sqrt sqrtf sqrtl srand sscanf "
            "ssize_t static static_assert static_cast std stderr stdin stdout strcat strchr "
            "strcmp strcoll strcpy strcspn strdup strerror strftime strlen strncat "
            "strncmp strncpy strndup strpbrk strrchr strspn strstr strtod strtof "
            "strtoimax strtok strtol strtold strtoll strtoul strtoull strtoumax struct "
            "strxfrm suseconds_t switch swprintf swscanf system")
IRL_C_WORDS('t', "tan tanf tanh tanhf tanhl tanl template tgamma* this thread_local throw time "
            "time_t timer_t timespec tm tmpfile tmpnam tolower totalorder* toupper "
            "towctrans towlower towupper true trunc truncf truncl try typedef typeid "
            "typename typeof typeof_unqual")
IRL_C_WORDS('u', "u_char u_int u_int16_t u_int32_t u_int64_t u_int8_t u_long u_quad_t u_short "
            "ufromfp* uid_t uint uint16_t uint32_t uint64_t uint8_t uint_* uintmax_t "
            "uintptr_t ulong ungetc ungetwc union unix unsigned useconds_t ushort using")
IRL_C_WORDS('v', "va_* vfprintf vfscanf vfwprintf vfwscanf virtual void volatile vprintf vscanf "
            "vsnprintf vsprintf vsscanf vswprintf vswscanf vwprintf vwscanf")
IRL_C_WORDS('w', "wchar_t wcrtomb wcs* wctob wctomb wctrans wctype while win_t wint_t wmem* "
            "wprintf wscanf")
IRL_C_WORDS('x', "xor xor_eq")
IRL_C_WORDS('y', "y0 y0f y0l y1 y1f y1l yn ynf ynl")
#undef IRL_C_WORDS
