#!/bin/bash
# Every order of including irlayout and the user's own stb_ds works, twice too, in C99 and C++11, and leaks no stb symbol.
. "$(dirname "$0")/common"
needs clang g++ clang++ tcc CL/cl.h

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

# Each order is read as C and as C++, of either header by a compiler of its own; the text is the same (the check `single` compares),
# and `warnings` has each compiler read it. What object code exports and that it runs: in C of both, by tcc, which makes it in a
# tenth of a second, and in C++ two of the single header.
n=0 programs=0
compiles() { # COMPILER FILE OPTION...
    n=$((n + 1))
    $1 -pedantic -Wall -Wextra -Werror $SYS "${@:3}" "$2" || fail "$(basename "$2" .c) of $headers with ${1%% *} does not compile"
}
runs() { # LINKER FILE: $T/o, the object that was compiled of it
    leaked=$(nm -g --defined-only "$T/order.o" | grep -E 'stbds|irl__' | awk '{print $NF}' | tr '\n' ' ')
    grep -q STB_DS_IMPLEMENTATION "$2" && leaked=$(echo $leaked | tr ' ' '\n' | grep irl__)
    [ -z "$leaked" ] || fail "$(basename "$2" .c) of $headers exports $leaked"
    $1 -o "$T/run" "$T/order.o" -lOpenCL -lm || fail "$(basename "$2" .c) of $headers does not link with $1"
    "$T/run" || fail "$(basename "$2" .c) of $headers with $1 does not run"
    programs=$((programs + 1))
}
for headers in . single_include; do
    orders $headers
    for f in "$T"/order-*.c; do
        tcc $SYS -w -c -o "$T/order.o" "$f" || fail "$(basename "$f" .c) of $headers with tcc does not compile"
        runs tcc "$f"
        if [ $headers = . ]; then
            compiles "gcc -std=c99" "$f" -fsyntax-only
        else
            case $f in
            */order-alone.c | */order-ocl-stb-last.c) # an object takes six times as long as reading
                compiles "clang++ -std=c++11 -x c++" "$f" -c -o "$T/order.o"
                runs clang++ "$f"
                ;;
            *) compiles "clang++ -std=c++11 -x c++" "$f" -fsyntax-only ;;
            esac
        fi
    done
done

# two files with IRL_STATIC, and a third with the user's own stb_ds, make one program
printf '%s\n' '#define IRL_STATIC' "$IMPL" '#include "irlayout.h"' 'int other(void);' "$USE" 'good = good && other() == 0;' "$END" > "$T/a.c"
sed 's/int main(void)/int other(void)/; /int other(void);/d; /good && other/d' "$T/a.c" | sed '1,3!b;3a int other(void);' > "$T/b.c"
printf '#define STB_DS_IMPLEMENTATION\n%s\n' "$STB" > "$T/c.c"
gcc -std=c99 $SYS -Wall -Wextra -Werror -o "$T/run" "$T/a.c" "$T/b.c" "$T/c.c" -lm && "$T/run" || fail "two static copies in one program"

# macros that other headers define (windows.h, complex.h, sys/sysmacros.h, attribute wrappers) do no harm
cat > "$T/macros.c" <<'END'
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <CL/cl.h>
#include "stb_ds.h"
#ifndef __cplusplus
#include <complex.h> /* I, complex */
#define bool int
#endif
#define unused 1 +
#define small char
#define hidden 2 +
#define interface struct
#define near
#define far
#define IN
#define OUT
#define CONST const
#define VOID void
#define ERROR 0
#define NO_ERROR 0L
#define DELETE (0x00010000L)
#define STRICT 1
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define assert(x) ((void)0, 1 +)
#define major 3 +
#define minor 4 +
#define linux 1
#define unix 1
#define index strchr
#define IRLAYOUT_IMPLEMENTATION
#define IRLAYOUT_OCL_RUNTIME
#include "irlayout_ocl.h"
END
for cc in "gcc -std=c99" "clang -std=c99" "g++ -std=c++11 -x c++"; do
    # strchr is hidden by members and variables of that name, which is what the macro asks for
    $cc -pedantic -Wall -Wextra -Werror -Isingle_include $SYS -DCL_TARGET_OPENCL_VERSION=120 -fsyntax-only "$T/macros.c" ||
        fail "a macro of the user's breaks the header"
done

# what is missing is said in one line
printf '#define IRL_STATIC\n#include "irlayout.h"\n' > "$T/static.c"
gcc -std=c99 -I. -fsyntax-only "$T/static.c" 2> "$T/said" && fail "IRL_STATIC without an implementation compiles"
[ "$(grep -c 'error:' "$T/said")" = 1 ] && grep -q 'define IRLAYOUT_IMPLEMENTATION' "$T/said" || fail "what is said of IRL_STATIC"
printf '%s\n' "$IMPL" '#include "irlayout.h"' > "$T/alone.c"
mkdir -p "$T/no_stb" && gcc -std=c99 -I. -nostdinc -isystem "$T/no_stb" -fsyntax-only "$T/alone.c" 2> /dev/null && fail "there is no libc"
headers=$(gcc -E -v -x c /dev/null 2>&1 | sed -n '/^#include </,/^End/p' | grep '^ ')
# (a copy of the system's headers without stb: links to all but that folder)
for d in $headers; do
    mkdir -p "$T/no_stb/$d"
    for f in "$d"/*; do [ "$(basename "$f")" = stb ] || ln -s "$f" "$T/no_stb/$d/" 2> /dev/null; done
done
gcc -std=c99 -I. -nostdinc $(for d in $headers; do echo "-isystem $T/no_stb/$d"; done) -fsyntax-only "$T/alone.c" 2> "$T/said" &&
    fail "there is no stb_ds.h"
grep -q 'irlayout needs stb_ds.h: install' "$T/said" || fail "what is said of a missing stb_ds.h: $(head -3 "$T/said")"

# the linkage of a shared library
printf '#define IRL_API __attribute__((visibility("default")))\n%s\n#include "irlayout.h"\n' "$IMPL" > "$T/shared.c"
clang -std=c99 -fvisibility=hidden $SYS -shared -fPIC -o "$T/shared.so" "$T/shared.c" -lm || fail "no shared library"
nm -D --defined-only "$T/shared.so" | grep -q ' irl_map_check$' || fail "a public function is hidden"
ok "$n orders, $programs of them run"
