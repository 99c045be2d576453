#!/bin/bash
# A third OpenCL implementation gives the same numbers: tests/ocl_images, ocl_textures, ocl_lanes and ocl_generated on Mesa's rusticl.
. "$(dirname "$0")/common"

so=$(sh scripts/rusticl.sh 2> "$T/why") || ok "skipped: $(tail -n 1 "$T/why")"
make -s -j"$JOBS" programs || fail "the tests do not build"

for name in ocl_images ocl_textures ocl_lanes ocl_generated; do
    RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=$so timeout "${LIMIT:-600}" "build/split/tests/$name" > "$T/out" 2>&1 < /dev/null
    rc=$?
    # where it fails beside "MESA: warning: Treating load_kernel_arg in control flow as uniform, results may be incorrect", they are
    [ $rc = 0 ] || { tail -n 60 "$T/out"; fail "$name: exit status $rc"; }
    ! grep -q '^skipped' "$T/out" || { cat "$T/out"; fail "$name found no device"; }
    grep '^left out' "$T/out" | sort -u # what this device has not
    tail -n 2 "$T/out"
done
ok "4 programs"
