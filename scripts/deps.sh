#!/bin/sh
# Installs the Debian packages that a target of the Makefile needs and this machine lacks.
#   scripts/deps.sh demo|test|all|bench|rusticl|windows|page|page-test
# As root it says what it is about to install, asks where a person sits at a terminal, and installs; otherwise it prints the one line to type and
# fails.

demo="gcc libc6-dev make libstb-dev opencl-c-headers ocl-icd-opencl-dev pocl-opencl-icd"
test="$demo libmpfr-dev"
all="$test g++ clang llvm valgrind libclang-rt-dev tcc binutils git oclgrind qemu-user
     gcc-arm-linux-gnueabihf libc6-dev-armhf-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross
     gcc-arm-none-eabi libnewlib-arm-none-eabi libisl-dev libdlpack-dev
     gcc-avr avr-libc simavr qemu-system-arm qemu-system-misc
     glslang-tools spirv-tools mesa-vulkan-drivers libvulkan-dev
     cmake pkg-config meson ninja-build
     lld wasi-libc libclang-rt-dev-wasm32 chromium python3 python3-numpy python3-pip"
page="make clang lld wasi-libc libclang-rt-dev-wasm32 libstb-dev"
pagetest="$page chromium python3"
bench="$demo libdnnl-dev libopenblas-dev"
windows="gcc-mingw-w64-x86-64 wine64 wine"
rusticl="libclc-15 libllvmspirvlib15 libclang-cpp15 libdrm-amdgpu1 libdrm-nouveau2 libdrm-radeon1 libelf1 libsensors5"

case $1 in
demo) want=$demo ;;
test) want=$test ;;
all) want=$all ;;
bench) want=$bench ;;
rusticl) want=$rusticl ;;
windows) want=$windows ;;
page) want=$page ;;
page-test) want=$pagetest ;;
*) echo "usage: $0 demo|test|all|bench|rusticl|windows|page|page-test" >&2; exit 2 ;;
esac

if ! command -v dpkg-query > /dev/null; then
    echo "not a Debian machine; what these packages hold should be here:" $want
    exit 0
fi

missing=
for p in $want; do
    case $(dpkg-query -W -f='${Status}' "$p" 2> /dev/null) in
    *" installed") ;;
    *) missing="$missing $p" ;;
    esac
done
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" != 0 ]; then
    echo "missing packages; type:  sudo apt-get update && sudo $install" >&2
    exit 1
fi
echo "installing:$missing"
if [ -t 0 ] && [ -t 2 ]; then
    printf 'install these packages with apt-get? [y/N] ' >&2
    read -r answer
    case $answer in
    y | Y | yes | Yes) ;;
    *) echo "nothing is installed; type:  apt-get update && $install" >&2; exit 1 ;;
    esac
fi
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
for try in 1 2 3; do # a mirror may hiccup
    if apt-get update -qq > "$log" 2>&1 && $install -qq >> "$log" 2>&1; then
        rm -f "$log"
        exit 0
    fi
    sleep "$try"
done
cat "$log" >&2
echo "the packages could not be installed; type:  apt-get update && $install" >&2
rm -f "$log"
exit 1
