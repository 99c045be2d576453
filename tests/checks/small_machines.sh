#!/bin/bash
# Emitted functions of eleven layouts, and five of bits, are right on Cortex-M0, Cortex-M4 and AVR under qemu; at -Os each layout's
# are at most 1.1 times those by hand, and so are those of bits together. Generated functions of integers are right on AVR under
# simavr (tests/test_c_int16.c), at each level of optimization.
. "$(dirname "$0")/common"
needs arm-none-eabi-gcc avr-gcc qemu-system-arm qemu-system-avr simavr

gcc -std=c99 $INC -o "$T/small_machines" bench/small_machines.c -lm || fail "the bench does not build"
"$T/small_machines" 1.1 1.1 > "$T/out" 2>&1 || { cat "$T/out"; fail "a function is wrong, or they are too large"; }
make -s -j"$JOBS" build/split/tests/test_c_int16 || fail "the test does not build"
build/split/tests/test_c_int16 > "$T/int16" 2>&1 || { cat "$T/int16"; fail "emitted C is wrong where int has 16 bits"; }
ok "$(awk '/^(layouts|bits) / {printf "%s%s", n++ ? ", " : "emitted / by hand in bytes: ", $2 " / " $4}' "$T/out")"
