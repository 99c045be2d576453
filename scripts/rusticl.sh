#!/bin/sh
# Unpacks Mesa's OpenCL driver, rusticl on the CPU, without installing it: an installed one would be a platform for everybody.
#   so=$(scripts/rusticl.sh [DIR]) && RUSTICL_ENABLE=llvmpipe OCL_ICD_VENDORS=$so build/split/tests/ocl_lanes
# Prints the library's path. Fails, and says why on stderr, where the Debian packages cannot be had. DIR: build/rusticl.

cd "$(dirname "$0")/.." || exit 1
dir=${1:-build/rusticl}
say() { echo "rusticl: $1" >&2; exit 1; }
library() { find "$dir" -name 'libRusticlOpenCL.so.1' 2> /dev/null | head -n 1; }

if [ -z "$(library)" ]; then
    command -v dpkg > /dev/null && command -v apt-get > /dev/null || say "not a Debian machine"
    sh scripts/deps.sh rusticl >&2 || say "its libraries are not installed"
    mkdir -p "$dir" || say "no folder $dir"
    (cd "$dir" && apt-get download -qq mesa-opencl-icd > download.log 2>&1) || say "mesa-opencl-icd cannot be downloaded"
    dpkg -x "$dir"/mesa-opencl-icd_*.deb "$dir" || say "mesa-opencl-icd cannot be unpacked"
fi
so=$(library)
[ -n "$so" ] || say "the package has no libRusticlOpenCL.so.1"
! ldd "$so" 2> /dev/null | grep -q 'not found' || say "it needs $(ldd "$so" | awk '/not found/ { print $1 }' | tr '\n' ' ')"
[ -d /usr/lib/clc ] || say "/usr/lib/clc is missing"
echo "$PWD/$so"
