#!/bin/bash
# No test program reads memory that was never set, and the programs pass where gcc and clang compile them and the library without
# optimization. A sample, which SAMPLE names, under valgrind's memcheck; IRL_SOAK=1: all programs of the core, under clang's
# MemorySanitizer, which takes minutes where valgrind takes hours.
. "$(dirname "$0")/common"
needs valgrind gcc clang

[ -z "$IRL_SOAK" ] || ALL=$(ls tests/test_*.c | sed 's,^tests/test_,,; s,\.c$,,')
SAMPLE=${SAMPLE:-${ALL:-graph lowering races}}
unset IRL_SOAK
export IRL_SLOW=40
# the library as one file, in which each of its files has the names that it has where it is compiled alone
grep -ohE '^#include "src/[a-z_]+/[a-z_0-9]+\.c"' irlayout.h irlayout_ocl.h | grep -v runtime > "$T/library.c"

passes() { # FORM PROGRAM...
    bash tests/run.sh "${@:2}" > "$T/log" || { cat "$T/log"; fail "a program does not pass with $1"; }
    cat "$T/log"
}
as() { # FORM COMPILER FLAG...: the library and the programs of the sample, compiled so, pass
    local form=$1 cc="${*:2} -std=c99 -w -DIRL_SPLIT_BUILD $INC"
    mkdir "$T/$form"
    $cc -c "$T/library.c" -o "$T/$form.o" || fail "the library does not build with $form"
    for name in $SAMPLE; do
        $cc "tests/test_$name.c" "$T/$form.o" -o "$T/$form/test_$name" -pthread -lm || fail "test_$name does not build with $form"
    done
    passes "$form" "$T/$form"/test_*
}

if [ -n "$ALL" ]; then
    as MemorySanitizer clang -gline-tables-only -O1 -fsanitize=memory -fno-omit-frame-pointer
    # memory of an arena counts as never set before it is handed out, and again when it was taken back
    printf '%s\n' '#include "src/base/base.h"' 'int main(void) {' \
        'irl_ctx *cx = irl_ctx_create(NULL); irl__arena_mark m = irl__scratch_begin(cx);' \
        'const int *p = (const int *)irl__scratch_alloc(cx, 4, sizeof *p); irl__scratch_end(cx, m); return p[1] == 7; }' > "$T/stale.c"
    clang -std=c99 -w -DIRL_SPLIT_BUILD $INC -fsanitize=memory "$T/stale.c" "$T/MemorySanitizer.o" -o "$T/stale" -lm || fail "stale.c does not build"
    ! "$T/stale" 2> /dev/null || fail "a read of memory that an arena took back is not reported"
else
    make -s -k -j"$JOBS" $(printf 'build/split/tests/test_%s ' $SAMPLE) || fail "the tests do not build"
    RUN="valgrind -q --error-exitcode=99" passes valgrind $(printf 'build/split/tests/test_%s ' $SAMPLE)
fi
as gcc-O0 gcc -O0
as clang-O0 clang -O0
ok "no read of memory that was never set; $(echo $SAMPLE | wc -w) programs with gcc -O0 and clang -O0"
