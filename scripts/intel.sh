#!/bin/sh
# Unpacks Intel's OpenCL driver for CPUs, without installing it: an installed one would be a platform for everybody.
#   so=$(scripts/intel.sh [DIR]) && OCL_ICD_VENDORS=$so build/split/tests/ocl_functions
# Prints the library's path. Fails, and says why on stderr, where the packages of Python's index cannot be had (270 MB). DIR: build/intel.

cd "$(dirname "$0")/.." || exit 1
dir=${1:-build/intel}
so=$dir/lib/libintelocl.so
say() { echo "intel: $1" >&2; exit 1; }

if [ ! -e "$so" ]; then
    [ "$(uname -m)" = x86_64 ] || say "not an x86-64 machine"
    command -v pip > /dev/null || say "there is no pip"
    pip install -q --no-input --ignore-installed --no-warn-script-location --prefix "$dir" intel-opencl-rt intel-cmplr-lib-rt > "$dir.log" 2>&1 ||
        say "intel-opencl-rt cannot be downloaded: $(tail -n 1 "$dir.log")"
    rm -f "$dir"/lib/libOpenCL.so* # the driver must not replace the loader
fi
[ -e "$so" ] || say "the package has no libintelocl.so"
! ldd "$so" 2> /dev/null | grep -q 'not found' || say "it needs $(ldd "$so" | awk '/not found/ { print $1 }' | tr '\n' ' ')"
echo "$PWD/$so"
