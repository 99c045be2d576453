#!/bin/bash
# A third OpenCL implementation gives the same numbers: tests/ocl_textures, ocl_lanes and ocl_generated on Mesa's rusticl.
. "$(dirname "$0")/common"

so=$(sh scripts/rusticl.sh 2> "$T/why") || ok "skipped: $(tail -n 1 "$T/why")"
make -s -j"$JOBS" programs || fail "the tests do not build"

run() { # PROGRAM [FIRST COUNT]
    RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=$so timeout "${LIMIT:-600}" "build/split/tests/$1" $2 $3 > "$T/out" 2>&1 < /dev/null
    rc=$?
    [ $rc = 0 ] || { tail -n 30 "$T/out"; fail "$1 $2: exit status $rc"; }
    ! grep -q '^skipped' "$T/out" || { cat "$T/out"; fail "$1 found no device"; }
    tail -n 2 "$T/out"
}
run ocl_textures
run ocl_lanes
# not seed 160: "MESA: warning: Treating load_kernel_arg in control flow as uniform, results may be incorrect", and they are
run ocl_generated 1 159
run ocl_generated 161 140
ok "3 programs"
