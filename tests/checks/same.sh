#!/bin/bash
# What irlc is told with --scope and --layout gives the module, and its source, that the same words in the function's text give; in a graph too.
. "$(dirname "$0")/common"

make -s -j"$JOBS" build/irlc build/split/tests/test_same > /dev/null || fail "no irlc"
count=${IRL_SOAK:+5000}
count=${count:-40}
targets=(adreno opencl12 opencl12-gpu c99 glsl)
images=0
for number in $(seq "$count"); do
    build/split/tests/test_same write "$number" "$T" || fail "case $number: no files"
    mapfile -t options < "$T/options"
    target=${targets[number % 5]}
    emit=(--emit ir)
    [ "$target" = glsl ] || [ "$target" = c99 ] || [ $((number % 2)) = 0 ] || emit=(--emit opencl)
    # one name for both, for what is said of places
    cp "$T/said.irl" "$T/f.irl"
    build/irlc lower "$T/f.irl" --target "$target" "${emit[@]}" > "$T/said" 2> "$T/said.errors" || fail "case $number, in the text: $(head -1 "$T/said.errors")"
    cp "$T/bare.irl" "$T/f.irl"
    build/irlc lower "$T/f.irl" --target "$target" "${emit[@]}" "${options[@]}" > "$T/told" 2> "$T/told.errors" || fail "case $number, ${options[*]}: $(head -1 "$T/told.errors")"
    cmp -s "$T/said" "$T/told" || fail "case $number, target $target, ${options[*]}: $(diff "$T/said" "$T/told" | head -5)"
    grep -q "y=texture" "$T/options" && images=$((images + 1))
done
[ "$images" -gt $((count / 6)) ] || fail "only $images of $count results are images"
ok "$count functions, of which $images write an image"
