#!/bin/sh
# Unpacks compilers for GPUs, without installing them: clang 22 with its OpenCL library, for AMD's, and ptxas, for NVIDIA's.
#   dir=$(scripts/gpu.sh [DIR])
# Prints the folder. Fails, and says why on stderr, where the packages of Debian 12 and of Python's index cannot be had (250 MB). DIR: build/gpu.

cd "$(dirname "$0")/.." || exit 1
dir=${1:-build/gpu}
say() { echo "gpu: $1" >&2; exit 1; }
debian="clang-22 llvm-22 llvm-22-linker-tools libllvm22 libclang-cpp22 libclang-common-22-dev libclc-22 libclc-22-dev"

if [ ! -e "$dir/done" ]; then
    command -v dpkg > /dev/null && command -v apt-get > /dev/null || say "not a Debian machine"
    command -v pip > /dev/null || say "there is no pip"
    mkdir -p "$dir" || say "no folder $dir"
    (cd "$dir" && apt-get download -qq $debian > download.log 2>&1) || say "clang 22 cannot be downloaded"
    for p in "$dir"/*.deb; do dpkg -x "$p" "$dir/debian" || say "$p cannot be unpacked"; done
    rm -f "$dir"/*.deb
    pip install -q --no-input --no-deps --target "$dir/python" nvidia-cuda-nvcc nvidia-cuda-nvdisasm nvidia-nvvm > "$dir/pip.log" 2>&1 ||
        say "ptxas cannot be downloaded: $(tail -n 1 "$dir/pip.log")"
    touch "$dir/done"
fi
echo "$PWD/$dir"
