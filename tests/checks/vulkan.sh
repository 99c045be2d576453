#!/bin/bash
# Shaders give the same numbers on a Vulkan device, Mesa's lavapipe, as the interpreter: functions large enough for tiles of groups, and
# generated ones.
. "$(dirname "$0")/common"

needs glslangValidator vulkan/vulkan.h
icd=$(ls /usr/share/vulkan/icd.d/lvp_icd.*.json 2> /dev/null | head -n 1)
[ -n "$icd" ] || skip "there is no lavapipe"
make -s -j"$JOBS" lib || fail "the library does not build"
gcc -std=c99 -O1 $STRICT -DIRL_SPLIT_BUILD $INC tests/vulkan_generated.c build/split/libirlayout.a -o "$T/run" -lvulkan -lm -pthread ||
    fail "vulkan_generated does not build"
VK_ICD_FILENAMES=$icd "$T/run" "$T" 1 "${IRL_SOAK:+1000}" > "$T/log" 2>&1 || { tail -n 60 "$T/log"; fail "a shader gives other numbers"; }
ok "$(grep "functions run" "$T/log")"
