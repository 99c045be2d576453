#!/bin/bash
# Emitted C gives the interpreter's numbers on big-endian s390x and on 32-bit ARM: generated functions, under qemu.
. "$(dirname "$0")/common"
# (gcc for s390x computes floats as doubles under -std=c99, which the emitted text refuses)
needs s390x-linux-gnu-gcc qemu-s390x arm-linux-gnueabihf-gcc qemu-arm

make -s build/split/tests/test_c_generated || fail "the test does not build"
for machine in "s390x-linux-gnu-gcc qemu-s390x" "arm-linux-gnueabihf-gcc qemu-arm"; do
    set -- $machine
    for seeds in "1 30" "1 10 lanes" "10001 5"; do
        IRL_C_COMPILER="$1 -std=gnu99 -O2 -w -static -ffp-contract=off" IRL_C_RUNNER="$2" build/split/tests/test_c_generated $seeds > "$T/out" 2>&1 ||
            { tail -n 20 "$T/out"; fail "$1, seeds $seeds"; }
    done
done
ok "45 functions on two machines"
