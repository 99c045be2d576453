#!/bin/bash
# The functions of floats are within OpenCL's bounds on Intel's OpenCL driver for CPUs too.
. "$(dirname "$0")/common"

so=$(sh scripts/intel.sh 2> "$T/why") || skip "$(tail -n 1 "$T/why")"
make -s -j"$JOBS" build/split/tests/ocl_functions || skip "ocl_functions cannot be built"
OCL_ICD_VENDORS=$so timeout "${LIMIT:-600}" build/split/tests/ocl_functions > "$T/out" 2>&1 < /dev/null
rc=$?
cat "$T/out"
[ $rc = 0 ] || fail "exit status $rc"
! grep -q '^skipped' "$T/out" || fail "no device"
ok
