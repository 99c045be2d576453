#!/bin/bash
# No test program reads memory that was never set, as valgrind's memcheck sees it, and the programs pass where gcc and clang compile them and the library
# without optimization. A sample, which SAMPLE names; IRL_SOAK=1: all programs of the core.
. "$(dirname "$0")/common"
needs valgrind gcc clang

SAMPLE=${SAMPLE:-graph lowering races}
[ -z "$IRL_SOAK" ] || SAMPLE=$(ls tests/test_*.c | sed 's,^tests/test_,,; s,\.c$,,')
unset IRL_SOAK
export IRL_SLOW=40
make -s -k -j"$JOBS" $(printf 'build/split/tests/test_%s ' $SAMPLE) || fail "the tests do not build"
RUN="valgrind -q --error-exitcode=99" bash tests/run.sh $(printf 'build/split/tests/test_%s ' $SAMPLE) > "$T/log" ||
    { cat "$T/log"; fail "a program does not pass under valgrind"; }
cat "$T/log"

# the library as one file, in which each of its files has the names that it has where it is compiled alone
grep -ohE '^#include "src/[a-z_]+/[a-z_0-9]+\.c"' irlayout.h irlayout_ocl.h | grep -v runtime > "$T/library.c"
for cc in gcc clang; do
    flags="-std=c99 -O0 -w -DIRL_SPLIT_BUILD $INC"
    mkdir "$T/$cc"
    $cc $flags -c "$T/library.c" -o "$T/$cc.o" || fail "the library does not build with $cc -O0"
    for name in $SAMPLE; do
        $cc $flags "tests/test_$name.c" "$T/$cc.o" -o "$T/$cc/test_$name" -pthread -lm || fail "test_$name does not build with $cc -O0"
    done
    bash tests/run.sh "$T/$cc"/test_* > "$T/log" || { cat "$T/log"; fail "a program does not pass with $cc -O0"; }
    cat "$T/log"
done
ok "no read of memory that was never set; $(echo $SAMPLE | wc -w) programs with gcc -O0 and clang -O0"
