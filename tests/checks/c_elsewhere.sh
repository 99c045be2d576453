#!/bin/bash
# Emitted C gives the interpreter's numbers on big-endian s390x and on 32-bit ARM: generated functions, records and layouts of bits,
# both orders of bits, under qemu.
. "$(dirname "$0")/common"
# (gcc for s390x computes floats as doubles under -std=c99, which the emitted text refuses)
needs s390x-linux-gnu-gcc qemu-s390x arm-linux-gnueabihf-gcc qemu-arm

make -s build/split/tests/test_c_generated build/split/tests/test_bits build/split/tests/test_records || fail "the tests do not build"
for machine in "s390x-linux-gnu-gcc qemu-s390x" "arm-linux-gnueabihf-gcc qemu-arm"; do
    set -- $machine
    export IRL_C_COMPILER="$1 -std=gnu99 -O2 -w -static -ffp-contract=off" IRL_C_RUNNER="$2"
    for seeds in "1 30" "1 10 lanes" "10001 5"; do
        build/split/tests/test_c_generated $seeds > "$T/out" 2>&1 || { tail -n 20 "$T/out"; fail "$1, seeds $seeds"; }
    done
    # without seeds: real formats too
    for seeds in "" "101 200"; do
        build/split/tests/test_bits $seeds > "$T/out" 2>&1 || { tail -n 20 "$T/out"; fail "$1, layouts of bits $seeds"; }
        build/split/tests/test_records $seeds > "$T/out" 2>&1 || { tail -n 20 "$T/out"; fail "$1, records $seeds"; }
    done
done
ok "45 functions and 300 layouts of bits on two machines"
