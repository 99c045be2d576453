#!/bin/bash
# single_include/irlayout_map.h is the layouts alone: small, clean with each compiler, and its verdicts, inverses, pictures,
# C and records are those of irlayout.h.
. "$(dirname "$0")/common"
needs clang tcc

cat > "$T/layouts.c" << 'END'
#define IRLAYOUT_IMPLEMENTATION
#include HEADER
#include <stdio.h>
IRL_LAYOUT(ssd1306, (y, x), (y / 8, x, y % 8));
static void show(irl_ctx *cx, const irl_map *map, irl_shape shape)
{
    irl_c_layout_options how = { 0 };
    irl_verdict          v = irl_map_check(cx, map, shape);
    puts(irl_verdict_text(cx, &v));
    puts(irl_verdict_json(cx, map, &v));
    if (v.inverse) puts(irl_map_text(cx, v.inverse));
    puts(irl_map_picture(cx, map, shape));
    if (irl_ok(cx)) {
        const char *source = irl_c_layout_source(cx, map, shape, &how);
        puts(irl_ok(cx) ? source : irl_diag_text(cx));
    } else puts(irl_diag_text(cx));
}
int main(void)
{
    static const char *const texts[] = { "(y, x) -> (y/8, x, y%8)", "(y, x) -> (y/8, x)", "(y, x) -> (x, 15 - y)",
                                         "(y, x) -> (x ^ y, y)", "(y, x) -> (y/4*4 + x%4, x/4, y%4)", "(y, x) -> (y -" };
    irl_index at[3];
    int       k;
    IRL_AT(ssd1306, at, 13, 5);
    printf("%d %d %d\n", (int)at[0], (int)at[1], (int)at[2]);
    for (k = 0; k < 7; k++) {
        irl_ctx *cx = irl_ctx_create(NULL);
        show(cx, k == 6 ? irl_layout(cx, &ssd1306) : irl_map_parse(cx, texts[k]), IRL_SHAPE(16, 8));
        irl_ctx_destroy(cx);
    }
    {
        irl_ctx           *cx = irl_ctx_create(NULL);
        const irl_record  *r = irl_record_parse(cx, "record packet { kind: u4; flags: u4[3]; size: u16; }", IRL_TO_NUL, NULL);
        irl_record_verdict v = irl_record_check(r);
        puts(irl_ok(cx) ? irl_record_verdict_text(r, &v) : irl_diag_text(cx));
        puts(irl_ok(cx) ? irl_c_record_source(r, "packet") : irl_diag_text(cx));
        irl_ctx_destroy(cx);
    }
    return 0;
}
END
run() { # HEADER OUTPUT COMPILER...
    local header=$1 out=$2
    shift 2
    "$@" $INC -DHEADER="\"$header\"" -o "$T/layouts" "$T/layouts.c" -lm || fail "$header does not compile with $*"
    "$T/layouts" > "$T/$out" || fail "the program over $header does not run ($*)"
}
run single_include/irlayout.h whole $QUICK -w
run single_include/irlayout_map.h part gcc $STRICT -Wno-missing-field-initializers
cmp -s "$T/whole" "$T/part" || { diff "$T/whole" "$T/part" | head -20; fail "the layouts alone say something else than the whole"; }
[ "$(wc -l < "$T/part")" -gt 100 ] || fail "the program says only $(wc -l < "$T/part") lines"
for cc in "clang $STRICT -Wno-missing-field-initializers" "tcc -w" "g++ -std=c++11 -pedantic -Wall -Wextra -Wno-missing-field-initializers -Werror -x c++"; do
    run single_include/irlayout_map.h other $cc
    cmp -s "$T/part" "$T/other" || fail "with $cc the program says something else"
done
echo '#include "single_include/irlayout_map.h"' > "$T/other.c"
gcc -std=c99 $STRICT $INC -DIRLAYOUT_IMPLEMENTATION -fdump-tree-original="$T/functions" -fsyntax-only "$T/other.c" || fail "it does not compile"
functions=$(grep -c '^;; Function' "$T/functions") bytes=$(wc -c < single_include/irlayout_map.h)
[ "$functions" -gt 1000 ] && [ "$functions" -le 1800 ] || fail "it has $functions functions"
[ "$bytes" -le 1230000 ] || fail "it has $bytes bytes"
# no function of a room that is about statements is in it: layouts do not need them
sed -n 's/^[a-z][^(]*\b\(irl_[a-z0-9_]*\)(.*/\1/p' src/{func,sets,access,analysis,pass,schedule,eval,graph,glsl,ocl}/*.c | sort -u > "$T/statements"
[ "$(wc -l < "$T/statements")" -gt 1000 ] || fail "only $(wc -l < "$T/statements") functions about statements are found"
grep '^;; Function' "$T/functions" | awk '{ print $3 }' | sort | comm -12 - "$T/statements" > "$T/found"
[ ! -s "$T/found" ] || { head -5 "$T/found"; fail "$(wc -l < "$T/found") functions about statements are in it"; }
ok "$functions functions, $bytes bytes"
