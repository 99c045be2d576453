#!/bin/bash
# IRLAYOUT_MAPS_ONLY and IRLAYOUT_NO_INTERPRETER compile without a warning, link, run, and leave out what they say, static too.
. "$(dirname "$0")/common"

cat > "$T/maps.c" <<'END'
#define IRLAYOUT_IMPLEMENTATION
#define IRLAYOUT_MAPS_ONLY
#include "irlayout.h"
#include <string.h>
IRL_LAYOUT(page, (y, x), (y / 8, x, y % 8));
int main(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_verdict v = irl_check(cx, irl_layout(cx, &page), IRL_SHAPE(64, 128));
    const char *text = irl_verdict_text(cx, &v);
    int         good = text && strcmp(text, "bijective onto [8, 128, 8]") == 0;
    irl_ctx_destroy(cx);
    return !good;
}
END
cat > "$T/lean.c" <<'END'
#define IRLAYOUT_IMPLEMENTATION
#define IRLAYOUT_NO_INTERPRETER
#include "irlayout_ocl.h"
#include <string.h>
IRL_KERNEL(twice, (x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i] * 2.0f; });
int main(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_parse(cx, &twice);
    const char *source = irl_ocl_source(irl_lower(f, &irl_target_opencl12));
    int         good = source && strstr(source, "__kernel") && irl_param_count(f) == 2;
    irl_ctx_destroy(cx);
    return !good;
}
END
sed 's/#include "irl/#define IRLAYOUT_OCL_RUNTIME\n&/' "$T/lean.c" > "$T/runtime.c"

n=0
for f in maps lean runtime; do
    for cc in "gcc $STRICT" "clang $STRICT" "g++ $STRICT_CPP"; do
        for linkage in "" -DIRL_STATIC; do
            $cc $linkage $INC -c -o "$T/o" "$T/$f.c" || fail "$f.c with ${cc%% *} $linkage"
            ${cc%% *} -o "$T/run" "$T/o" -lOpenCL -lm && "$T/run" || fail "$f.c with ${cc%% *} $linkage does not run"
            n=$((n + 1))
        done
    done
    gcc -std=c99 $INC -c -o "$T/o" "$T/$f.c"
    nm "$T/o" | grep -q ' T irl_interpret' && fail "$f.c holds the interpreter"
    [ $f != maps ] || ! nm "$T/o" | grep -qE ' T irl_(lower|run_pass)' || fail "$f.c holds the passes"
done
sed 's/irlayout.h/irlayout_ocl.h/' "$T/maps.c" > "$T/both.c"
gcc -std=c99 $INC -fsyntax-only "$T/both.c" 2> "$T/log" && fail "OpenCL without the passes is not refused"
grep -q 'IRLAYOUT_MAPS_ONLY leaves out' "$T/log" || fail "OpenCL without the passes has no clear message"
ok "$n programs"
