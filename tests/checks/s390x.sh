#!/bin/bash
# The tests that need no device pass on a big-endian machine with unsigned char (s390x under an emulator).
. "$(dirname "$0")/common"
needs s390x-linux-gnu-gcc qemu-s390x
. tests/checks/cross
cross s390x-linux-gnu qemu-s390x
