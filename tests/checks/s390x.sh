#!/bin/bash
# The tests that need no device pass on a big-endian machine with unsigned char (s390x under an emulator).
. "$(dirname "$0")/common"
. tests/checks/cross
cross s390x-linux-gnu qemu-s390x
