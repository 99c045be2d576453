#!/bin/bash
# The tests that need no device pass on a 32-bit ARM machine (under an emulator).
. "$(dirname "$0")/common"
needs arm-linux-gnueabihf-gcc qemu-arm
. tests/checks/cross
cross arm-linux-gnueabihf qemu-arm
