#!/bin/bash
# IRLAYOUT_MAPS_ONLY, IRLAYOUT_NO_INTERPRETER, IRLAYOUT_NO_PROOF and IRLAYOUT_NO_PICTURES, of the sources and of the single header, compile without a warning, link, run, and leave out what they say, static too.
. "$(dirname "$0")/common"
needs clang g++ CL/cl.h

cat > "$T/maps.c" <<'END'
#define IRLAYOUT_IMPLEMENTATION
#define IRLAYOUT_MAPS_ONLY
#include "irlayout.h"
#include <string.h>
IRL_LAYOUT(page, (y, x), (y / 8, x, y % 8));
int main(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_verdict v = irl_map_check(cx, irl_layout(cx, &page), IRL_SHAPE(64, 128));
    const char *text = irl_verdict_text(cx, &v);
    int         good = text && strcmp(text, "bijective onto [8, 128, 8]") == 0;
    irl_ctx_destroy(cx);
    return !good;
}
END
cat > "$T/lean.c" <<'END'
#define IRLAYOUT_IMPLEMENTATION
#define IRLAYOUT_NO_INTERPRETER
#define IRLAYOUT_NO_PROOF
#define IRLAYOUT_NO_PICTURES
#include "irlayout_ocl.h"
#include <string.h>
IRL_KERNEL(twice, (x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i] * 2.0f; });
int main(void)
{
    irl_ctx    *cx = irl_ctx_create(NULL);
    irl_func   *f = irl_kernel(cx, &twice);
    const char *source = irl_ocl_source(irl_func_lower(f, &irl_target_opencl12));
    int         good = source && strstr(source, "__kernel") && irl_func_param_count(f) == 2;
    irl_ctx_destroy(cx);
    return !good;
}
END
sed 's/#include "irl/#define IRLAYOUT_OCL_RUNTIME\n&/' "$T/lean.c" > "$T/runtime.c"

make -s build/amalgamate && mkdir "$T/single" && build/amalgamate . "$T/single" > /dev/null || fail "no single header"
n=0
try() { # file, -I of the header, compiler with its options
    $3 $2 -I/usr/include/stb -c -o "$T/o" "$T/$1.c" || fail "$1.c with $3 $2"
    ${3%% *} -o "$T/run" "$T/o" -lOpenCL -lm && "$T/run" || fail "$1.c with $3 $2 does not run"
    n=$((n + 1))
}
for f in maps lean runtime; do
    for cc in "g++ $STRICT_CPP -DIRL_STATIC" "gcc $STRICT -DIRL_STATIC"; do try $f -I. "$cc"; done
    try $f "-I$T/single" "clang $STRICT" # the object stays for what follows
    nm "$T/o" | grep -q ' T irl_func_interpret' && fail "$f.c holds the interpreter"
    [ $f = maps ] || ! nm "$T/o" | grep -q ' T irl_roundtrip' || fail "$f.c holds the proof"
    [ $f = maps ] || ! nm "$T/o" | grep -q ' T irl_map_picture' || fail "$f.c holds the pictures"
    [ $f != maps ] || ! nm "$T/o" | grep -qE ' T irl_(lower|run_pass|ocl)' || fail "$f.c holds the passes"
done
ok "$n programs"
