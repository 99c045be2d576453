#!/bin/bash
# The shaders of generated functions, of images and of vectors too, are what glslang takes for Vulkan; and every sum, product and
# quotient of floats in them is one that no compiler may contract.
. "$(dirname "$0")/common"

needs glslangValidator
make -s build/split/tests/test_glsl || fail "test_glsl does not build"
count=${IRL_SOAK:+1000}
mkdir "$T/glsl"
build/split/tests/test_glsl "$T/glsl" 1 "${count:-40}" > "$T/out" || { tail -n 20 "$T/out"; fail "test_glsl fails"; }
n=$(ls "$T/glsl" | wc -l)
[ "$n" -gt 200 ] || fail "test_glsl wrote only $n shaders"
( cd "$T/glsl" && ls | xargs -P "$JOBS" -I{} sh -c 'glslangValidator -V --target-env vulkan1.1 {} -o {}.spv > {}.log 2>&1 || echo {}' ) > "$T/bad"
bad=$(head -n 1 "$T/bad")
[ -z "$bad" ] || { cat "$T/glsl/$bad" "$T/glsl/$bad.log"; fail "glslang does not take $(wc -l < "$T/bad") of $n shaders"; }
command -v spirv-dis > /dev/null || ok "$n shaders"
for f in "$T"/glsl/*.spv; do
    spirv-dis --no-color --raw-id "$f" | awk '/OpDecorate .* NoContraction/ { exact[$2] = 1 }
        / = OpF(Add|Sub|Mul|Div) / && !($1 in exact) { print; bad = 1 } END { exit bad }' > "$T/loose" ||
        { cat "${f%.spv}" "$T/loose"; fail "arithmetic that may be contracted"; }
    spirv-val --target-env vulkan1.1 --uniform-buffer-standard-layout --scalar-block-layout "$f" > "$T/log" 2>&1 || { cat "${f%.spv}" "$T/log"; fail "not valid SPIR-V"; }
done
ok "$n shaders, all arithmetic of floats exact"
