#!/bin/bash
# Every order of including irlayout and the user's own stb_ds works, twice too, in C99 and C++11, and leaks no stb symbol.
. "$(dirname "$0")/common"
needs clang g++ clang++ CL/cl.h

SYS="-I. -isystem /usr/include/stb" # the user's stb_ds may warn in his code; ours may not
IMPL='#define IRLAYOUT_IMPLEMENTATION'
STB='#include "stb_ds.h"'
USE='int main(void) { irl_ctx *cx = irl_ctx_create(NULL); int good = cx != NULL && irl_ok(cx); irl_ctx_destroy(cx);'
ARRAY='{ int *a = NULL, i; for (i = 0; i < 99; i++) arrput(a, i); good = good && arrlen(a) == 99 && a[98] == 98; arrfree(a); }
       { struct { char *key; int value; } *h = NULL; shput(h, "k", 7); good = good && shget(h, "k") == 7; shfree(h); }'
END='return good ? 0 : 1; }'
NONE='#ifdef arrput
#error "short names of stb_ds are left over"
#endif'

orders() { # writes $T/order-*.c with the headers in folder $1
    I="#include \"$1/irlayout.h\"" O="#include \"$1/irlayout_ocl.h\""
    w() { f=$T/order-$1.c; shift; printf '%s\n' "$@" > "$f"; }
    w alone "$IMPL" "$I" "$NONE" "$USE" "$END"
    w user-first '#define STB_DS_IMPLEMENTATION' "$STB" "$IMPL" "$I" "$USE" "$ARRAY" "$END"
    w user-last "$IMPL" "$I" '#define STB_DS_IMPLEMENTATION' "$STB" "$USE" "$ARRAY" "$END"
    w user-defined-before '#define STB_DS_IMPLEMENTATION' "$IMPL" "$I" "$STB" "$USE" "$ARRAY" "$END"
    w twice "$I" "$I" "$IMPL" "$I" "$I" "$USE" "$END"
    w implemented-late "$I" '#define STB_DS_IMPLEMENTATION' "$STB" "$USE" "$ARRAY" "$END" "$IMPL" "$I"
    w ocl "$IMPL" "$O" "$USE" "$END"
    w ocl-twice "$O" "$I" "$IMPL" "$O" "$O" "$I" "$USE" "$END"
    w ocl-after-core "$IMPL" "$I" "$O" "$USE" "$END"
    w ocl-stb-first '#define STB_DS_IMPLEMENTATION' "$STB" "$IMPL" "$O" "$USE" "$ARRAY" "$END"
    w ocl-stb-between "$I" '#define STB_DS_IMPLEMENTATION' "$STB" "$IMPL" "$O" "$I" "$USE" "$ARRAY" "$END"
    w ocl-stb-last '#define IRLAYOUT_OCL_RUNTIME' "$IMPL" "$O" '#define STB_DS_IMPLEMENTATION' "$STB" "$USE" "$ARRAY" "$END"
    w only-runtime-late "$I" '#define IRLAYOUT_OCL_RUNTIME' "$IMPL" "$O" "$USE" "$END"
}

# Every compiler reads every order. What object code shows, what is exported and that it runs, is the same for both headers,
# whose text is the same: the sources show it in C, the single header in C++.
n=0 programs=0
for headers in . single_include; do
    orders $headers
    if [ $headers = . ]; then linked="gcc -std=c99"; else linked="g++ -std=c++11 -x c++"; fi
    for f in "$T"/order-*.c; do
        for cc in "gcc -std=c99" "clang -std=c99" "g++ -std=c++11 -x c++" "clang++ -std=c++11 -x c++"; do
            what="$(basename "$f" .c) of $headers with ${cc%% *}"
            n=$((n + 1))
            if [ "$cc" != "$linked" ]; then
                $cc -pedantic -Wall -Wextra -Werror $SYS -fsyntax-only "$f" || fail "$what does not compile"
                continue
            fi
            $cc -pedantic -Wall -Wextra -Werror $SYS -c -o "$T/o" "$f" || fail "$what does not compile"
            leaked=$(nm -g --defined-only "$T/o" | grep -E 'stbds|irl__' | awk '{print $NF}' | tr '\n' ' ')
            grep -q STB_DS_IMPLEMENTATION "$f" && leaked=$(echo $leaked | tr ' ' '\n' | grep irl__)
            [ -z "$leaked" ] || fail "$what exports $leaked"
            ${cc%% *} -o "$T/run" "$T/o" -lOpenCL -lm || fail "$what does not link"
            "$T/run" || fail "$what does not run"
            programs=$((programs + 1))
        done
    done
done

# two files with IRL_STATIC, and a third with the user's own stb_ds, make one program
printf '%s\n' '#define IRL_STATIC' "$IMPL" '#include "irlayout.h"' 'int other(void);' "$USE" 'good = good && other() == 0;' "$END" > "$T/a.c"
sed 's/int main(void)/int other(void)/; /int other(void);/d; /good && other/d' "$T/a.c" | sed '1,3!b;3a int other(void);' > "$T/b.c"
printf '#define STB_DS_IMPLEMENTATION\n%s\n' "$STB" > "$T/c.c"
gcc -std=c99 $SYS -Wall -Wextra -Werror -o "$T/run" "$T/a.c" "$T/b.c" "$T/c.c" -lm && "$T/run" || fail "two static copies in one program"
ok "$n orders, $programs of them run"
