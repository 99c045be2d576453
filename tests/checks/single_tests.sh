#!/bin/bash
# The tests pass with the single header in the place of the sources.
. "$(dirname "$0")/common"

# a tree that looks like this one, except that irlayout.h is the single header
S=build/single
mkdir -p $S && rm -rf $S/tests && cp -pr tests $S/tests && cp -p single_include/*.h Makefile $S/
for d in src examples tools docs; do ln -sfn "../../$d" $S/$d; done
make -C $S -s -j"$JOBS" FORM=header B=bin programs || fail "the tests do not build on the single header"
IRL_SLOW=1 bash tests/run.sh $(find $S/bin/tests -type f -perm -u+x | sort) > "$T/log" || { cat "$T/log"; fail "tests on the single header do not pass"; }
ok "$(tail -n 1 "$T/log")"
