#!/bin/bash
# tcc builds both headers, the single header and every test, and the tests that need no device pass.
. "$(dirname "$0")/common"

units
# (never tcc -o /dev/null: it unlinks its output first, and as root that takes the device away)
for f in "$T"/*.c; do
    case $f in *runtime.c) werror= ;; *) werror=-Werror ;; esac # the OpenCL headers have a #warning for tcc
    tcc -Wall $werror $INC -c -o "$T/o" "$f" || fail "tcc does not build $(basename "$f")"
done
mkdir "$T/bin"
for f in tests/test_*.c; do
    tcc -Wall $INC -o "$T/bin/$(basename "$f" .c)" "$f" -lm -lpthread || fail "tcc does not build $f"
done
IRL_SLOW=1 bash tests/run.sh "$T"/bin/* > "$T/log" || { cat "$T/log"; fail "tests built with tcc do not pass"; }
ok "$(tail -n 1 "$T/log")"
