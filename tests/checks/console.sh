#!/bin/bash
# What stands in the console blocks of the documents and of the exercises' solutions is what irlc prints today (scripts/blocks.sh --update).
. "$(dirname "$0")/common"
needs tcc python3

make -s irlc || fail "irlc does not build"
n=0
for f in docs/how-it-works.md docs/workshop.md docs/dma.md examples/exercises/solutions/*.md; do
    grep -q '^```console' "$f" || fail "$f has no console block"
    bash scripts/blocks.sh "$f" > "$T/now"
    diff "$f" "$T/now" > "$T/diff" || { head -20 "$T/diff"; fail "$f is not current: scripts/blocks.sh --update $f"; }
    n=$((n + 1))
done
# each sheet of exercises has its solutions, and as many
for f in examples/exercises/*.md; do
    s=examples/exercises/solutions/$(basename "$f")
    [ -f "$s" ] || fail "$f has no solutions"
    [ "$(grep -c '^[0-9]\. ' "$f")" = "$(grep -c '^[0-9]\. ' "$s")" ] || fail "$s has not as many as $f"
done
# and each lesson has two
for f in examples/[0-9][0-9]_*.c; do
    sheet=examples/exercises/$(basename "$f" .c).md
    [ -f "$sheet" ] || fail "$f has no exercises"
    [ "$(grep -c '^[0-9]\. ' "$sheet")" -ge 2 ] || fail "$sheet has less than two"
done
ok "$n documents"
