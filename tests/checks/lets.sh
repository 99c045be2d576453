#!/bin/bash
# IRL_LET takes each integer type without a warning; a value that is no integer is an error of each compiler.
. "$(dirname "$0")/common"
needs clang g++ clang++ tcc

program() { # the declaration of N
    printf '#include "irlayout.h"\nIRL_KERNEL(k, (y: i32[1]) { y[0] = N; });\n%s\n' "$1"
    printf 'const irl_func *of_n(irl_ctx *cx);\nconst irl_func *of_n(irl_ctx *cx) { return irl_kernel_let(cx, &k, IRL_LET(N)); }\n'
}
n=0
for cc in "gcc $STRICT" "clang $STRICT" "tcc -Wall -Werror" "g++ $STRICT_CPP" "clang++ $STRICT_CPP"; do
    for as in '#define N 8' '#define N 8u' '#define N (1L << 40)' '#define N sizeof(int)' "#define N 'a'" '#define N -1' \
        'enum { N = 8 };' 'enum e { N = 8 };' 'static const size_t N = 8;' 'extern short N; short N = 8;' \
        'extern unsigned char N; unsigned char N = 8;' 'extern uint64_t N; uint64_t N = 8;' '#define N (1 < 2)'; do
        program "$as" > "$T/n.c"
        $cc $INC -c -o "$T/o" "$T/n.c" 2> "$T/log" || { cat "$T/log"; fail "$cc: $as is refused"; }
        n=$((n + 1))
    done
    for as in '#define N 0.5f' '#define N 8.0' 'extern float N; float N = 8;' 'static const double N = 8;' '#define N "8"' \
        'static const int m = 8;
#define N &m'; do
        program "$as" > "$T/n.c"
        ! $cc $INC -c -o "$T/o" "$T/n.c" 2> "$T/log" || fail "$cc: $as is taken for an integer"
        [ -s "$T/log" ] || fail "$cc: nothing is said of $as"
        n=$((n + 1))
    done
done
ok "$n compilations"
