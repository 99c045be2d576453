#!/bin/bash
# A third OpenCL implementation gives the same numbers: tests/ocl_images, ocl_textures, ocl_padding, ocl_lanes and ocl_generated on Mesa's rusticl.
. "$(dirname "$0")/common"

so=$(sh scripts/rusticl.sh 2> "$T/why") || skip "$(tail -n 1 "$T/why")"
make -s -j"$JOBS" programs || fail "the tests do not build"

known=
for name in ocl_images ocl_textures ocl_padding ocl_lanes ocl_generated; do
    RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=$so timeout "${LIMIT:-600}" "build/split/tests/$name" > "$T/out" 2>&1 < /dev/null
    rc=$?
    # where it fails beside "MESA: warning: Treating load_kernel_arg in control flow as uniform, results may be incorrect", they are
    [ $rc = 0 ] || { tail -n 60 "$T/out"; fail "$name: exit status $rc"; }
    ! grep -q '^skipped' "$T/out" || { cat "$T/out"; fail "$name found no device"; }
    grep -E '^left out|^seeds|^known fault' "$T/out" | sort -u # what this device has not, and what it does wrong without us
    tail -n 2 "$T/out"
    known="$known $(sed -nE 's/^seed ([0-9]+), target [^ ]*, is known to differ.*/\1/p' "$T/out" | sort -nu | tr '\n' ' ')"
done
known=$(echo $known)
ok "5 programs${known:+; seeds $known differ by a fault of the driver that tests/known_faults.h names and one statement shows}"
