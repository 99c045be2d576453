#!/bin/bash
# The amalgamator keeps its rules: what is inlined once, what every time, and which trees it refuses.
. "$(dirname "$0")/common"

gcc $STRICT -o "$T/amalgamate" tools/amalgamate.c || fail "tools/amalgamate.c does not compile"

tree() { # a fresh small tree in $T/tree
    rm -rf "$T/tree" "$T/out" && mkdir -p "$T/tree/src/a" "$T/tree/src/b" "$T/out" && cd "$T/tree" || exit 1
    cat > irlayout.h <<'X'
/* manual: #include "irlayout.h" in a comment is no include */
#ifndef LIB_H
#define LIB_H
#define IRL_VERSION_MAJOR 1
#define IRL_VERSION_MINOR 2
#define IRL_VERSION_PATCH 3
enum code {
#define ROW(x) CODE_##x,
#include "src/a/rows.h"
    CODES };
const char *name(int code); int later(void);
#endif
#if defined(IRLAYOUT_IMPLEMENTATION) && !defined(LIB_DONE)
#define LIB_DONE
#include "src/a/a.c"
#include "src/b/b.c"
#endif
X
    cat > irlayout_ocl.h <<'X'
#ifndef OCL_H
#define OCL_H
#include "irlayout.h"
int ocl(void);
#endif
#if defined(IRLAYOUT_IMPLEMENTATION) && !defined(OCL_DONE)
#define OCL_DONE
#include "irlayout.h"
#ifdef RUNTIME
#include "src/b/runtime.c"
#endif
#include "src/b/ocl.c"
#endif
X
    printf '/* re-includable table */\nROW(one) ROW(two)\n#undef ROW\n' > src/a/rows.h
    printf '/* a */\n#ifndef A_H\n#define A_H\n#include "../../irlayout.h"\n#include <stddef.h>\nenum { A_ONCE = 1 };\n#endif\n' > src/a/a.h
    printf '#ifndef B_H\n#define B_H\n#include "../a/a.h"\nenum { B_ONCE = 1 };\n#endif' > src/b/b.h # no newline at its end
    printf '#ifndef R_H\n#define R_H\nenum { R_TWICE = 1 };\n#endif\n' > src/b/r.h
    printf '#include "a.h"\n#define ROW(x) #x,\nstatic const char *const names[] = {\n#include "rows.h"\n};\nconst char *name(int c) { return names[c]; }\n' > src/a/a.c
    printf '#include "b.h"\r\nint later(void) { return A_ONCE + B_ONCE; }\r\n' > src/b/b.c
    printf '#include "r.h"\nint runtime(void);\nint runtime(void) { return R_TWICE; }\n' > src/b/runtime.c
    printf '#include "b.h"\n#include "r.h"\nint ocl(void) { return R_TWICE; }\n' > src/b/ocl.c
}
run() { "$T/amalgamate" "$T/tree" "$T/out" > "$T/log" 2>&1; }
times() { [ "$(grep -c "$1" "$T/out/irlayout.h")" = "$2" ] || fail "'$1' should stand $2 times in the output"; }
refuses() { ! run || fail "$1 was accepted"; grep -q "$2" "$T/log" || fail "$1: the message should say '$2': $(cat "$T/log")"; }

tree
run || fail "a good tree was refused: $(cat "$T/log")"
times 'A_ONCE = 1' 1
times 'B_ONCE = 1' 1
times 'R_TWICE = 1' 2 # the first copy stands under RUNTIME only
times 'ROW(one)' 2
times '^#include "' 0
times GENERATED 1
times 'irlayout 1.2.3' 1
times $'\r' 0
cp "$T/out/irlayout.h" "$T/first" && mv "$T/tree" "$T/elsewhere" && "$T/amalgamate" "$T/elsewhere" "$T/out" && mv "$T/elsewhere" "$T/tree"
cmp -s "$T/first" "$T/out/irlayout.h" || fail "the output depends on where the tree lies"
for define in "" -DRUNTIME; do
    printf '#include "irlayout_ocl.h"\n#include "irlayout.h"\n#define IRLAYOUT_IMPLEMENTATION\n#include "irlayout_ocl.h"\n#include "irlayout.h"\nint main(void) { return name(1)[1] == 119 && ocl() == 1 && later() == 2 ? 0 : 1; }\n' > "$T/main.c"
    for dir in tree out; do
        gcc -std=c99 -Wall -Wextra -Werror $define -I"$T/$dir" -o "$T/main" "$T/main.c" && "$T/main" || fail "$dir with '$define' does not work"
    done
done

tree; echo '#include "b.h"' >> src/b/r.h; sed -i 's/^enum/#include "r.h"\nenum/' src/b/b.h; refuses "an include cycle" 'src/b/b.h includes'
tree; touch src/b/lost.c; refuses "a file that nothing includes" 'nothing includes src/b/lost.c'
tree; echo '#include "gone.h"' >> src/a/a.c; refuses "a missing file" 'cannot find "gone.h"'
tree; echo '#include "b.c"' >> src/b/ocl.c; refuses "a source twice" 'second time'
tree; echo '#if 1' >> src/a/a.c; refuses "an open condition" 'balance'
tree; echo '/* open' >> src/a/a.c; refuses "an open comment" 'not closed'
tree; sed -i /MINOR/d irlayout.h; refuses "no version" 'IRL_VERSION_MINOR'
ok
