#!/bin/bash
# The core with a caller's block links for a Cortex-M4 with no allocator of the C library, no stdio and no system call.
. "$(dirname "$0")/common"
needs arm-none-eabi-gcc

cat > "$T/firmware.c" <<'X'
#define IRLAYOUT_IMPLEMENTATION
#define IRL_NO_LIBC_ALLOCATOR
#define IRL_INDEX_TYPE int32_t
#include "irlayout.h"

IRL_LAYOUT(ssd1306, (y, x), (y / 8, x, y % 8));
static unsigned char memory[65536];
static irl_ctx_desc      desc; /* all of it zero: fields may be added */

int main(void)
{
    irl_index at[3];
    irl_ctx  *cx;
    irl_verdict v;
    IRL_AT(ssd1306, at, 13, 5);
    desc.block = memory;
    desc.block_bytes = sizeof memory;
    cx = irl_ctx_create(&desc);
    v = irl_map_check(cx, irl_layout(cx, &ssd1306), IRL_SHAPE(64, 128));
    irl_ctx_destroy(cx);
    return v.kind != IRL_BIJECTIVE || at[0] != 1;
}
X
# everything is kept (no --gc-sections), so a call of malloc anywhere would show
arm-none-eabi-gcc -std=c99 -O0 -mcpu=cortex-m4 -mthumb -Wall -Wextra -Werror -Isingle_include -I/usr/include/stb -nostartfiles \
    --specs=nosys.specs -Wl,-e,main -o "$T/firmware.elf" "$T/firmware.c" -lm || fail "it does not link"
used=$(arm-none-eabi-nm "$T/firmware.elf" | awk '{print $NF}' | grep -E '^_?(malloc|calloc|realloc|free|printf|sbrk|write|exit)(_r)?$' | tr '\n' ' ')
[ -z "$used" ] || fail "it needs $used"
# and the same program runs here
gcc -std=c99 $INC -DIRL_STATIC -o "$T/host" "$T/firmware.c" -lm && "$T/host" || fail "the program does not work on this machine"
ok "$(arm-none-eabi-size "$T/firmware.elf" | awk 'END {print $1 " bytes of code at -O0"}')"
