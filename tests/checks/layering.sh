#!/bin/bash
# Each source uses only rooms above its own, and in its room only files above it in the list of irlayout.h and irlayout_ocl.h,
# but for the functions that close a circle, whose prototypes say `forward`, on their line or above it, and the one `hook`, of a room below: by its includes, and by the symbols of its object file.
. "$(dirname "$0")/common"

make -s -j"$JOBS" lib || fail "the split sources do not build"
grep -hoE '^#include "src/[^"]+\.c"' irlayout.h irlayout_ocl.h | cut -d'"' -f2 > "$T/list"
rank=0
for room in $ROOMS; do
    rank=$((rank + 1))
    files=$(ls src/$room/*.[ch] src/$room/*.def 2> /dev/null)
    awk -v r=$rank 'FNR == 1 { print "file", r, FILENAME; mark = "" }
        /^ *# *include *"/ { split($0, part, "\"")
            if (part[2] != "../../irlayout.h" && part[2] != "../../irlayout_ocl.h") {
                to = FILENAME "/../" part[2]
                while (sub(/[^\/]+\/\.\.\//, "", to)) continue
                print "include", r, FILENAME, to } }
        /\/\* (forward|hook)/ { mark = /\/\* hook/ ? "hook" : "forward" }
        /^IRL__FN / && mark && match($0, /irl__[a-z0-9_]+\(/) {
            print mark, r, FILENAME, substr($0, RSTART, RLENGTH - 1) }
        /^IRL__FN / { mark = "" }' $files
    nm -A build/split/$room/*.o | awk -v r=$rank -v files="$files" '
        BEGIN { n = split(files, list, "\n"); while (n) known[list[n--]] }
        { f = $1; sub(/^build\/split/, "src", f); sub(/\.o:.*/, ".c", f) }
        f in known && $NF ~ /^irl_/ {
            if ($(NF-1) == "U") print "use", r, f, $NF; else if ($(NF-1) ~ /[A-Z]/) print "def", r, f, $NF }'
done > "$T/facts"

# What is wrong with the facts, the files standing in the order of list $1.
judge() {
    awk '
    NR == FNR { if ($1 in place) print $1 " is in the list twice"; place[$1] = NR; next }
    $1 == "file" { rank[$3] = $2; if ($3 ~ /\.c$/ && !($3 in place)) print $3 " is not in the list" }
    $1 == "def"  { if ($4 in where) print $4 " is defined in " where[$4] " and in " $3; where[$4] = $3 }
    $1 == "forward" || $1 == "hook" { forward[$4] = $3 }
    $1 == "hook" { hook[$4] = 1; if (++hooks > 1) print $3 " marks " $4 " as a hook: there is one" }
    { line[FNR] = $0; lines = FNR }
    END {
        for (i = 1; i <= lines; i++) {
            split(line[i], w, " ")
            if (w[1] == "include" && (!(w[4] in rank) || rank[w[4]] > w[2])) print w[3] " includes " w[4]
            if (w[1] != "use") continue
            if (!(w[4] in where)) { print w[3] " uses " w[4] ", which nothing defines"; continue }
            to = where[w[4]]
            if (w[4] in hook && rank[to] > w[2]) needed[w[4]] = 1
            else if (rank[to] > w[2]) print w[3] " uses " w[4] " of " to
            if (rank[to] != w[2] || place[to] <= place[w[3]]) continue
            if (w[4] in forward) needed[w[4]] = 1
            else print w[3] " uses " w[4] " of " to ", which stands below it"
        }
        for (s in forward) if (!(s in needed)) print forward[s] " marks " s " forward, but nothing above it uses it"
    }' "$1" "$T/facts"
}

# in these rooms nothing goes forward: their files make no circle
awk '$1 == "forward" && $3 ~ /^src\/(arith|map|sets|access|analysis)\// { print $3 " marks " $4 " forward, in a room without circles" }' "$T/facts" > "$T/bad"
[ ! -s "$T/bad" ] || { cat "$T/bad"; fail "there is a circle of files"; }
# every file of src/ is in a room of the list
awk '$1 == "file" { print $3 }' "$T/facts" | sort > "$T/placed"
ls src/*/*.[ch] src/*/*.def 2> /dev/null | sort | comm -23 - "$T/placed" | sed 's/$/ is in no room of the list/' > "$T/bad"
judge "$T/list" >> "$T/bad"
[ ! -s "$T/bad" ] || { cat "$T/bad"; fail "$(wc -l < "$T/bad") references go the wrong way"; }

# the rule has teeth: with any room's first and last file exchanged it is broken
for room in $(cut -d/ -f2 "$T/list" | sort | uniq -d); do
    first=$(grep -m1 "^src/$room/" "$T/list") last=$(grep "^src/$room/" "$T/list" | tail -1)
    sed "s|^$first\$|%|; s|^$last\$|$first|; s|^%\$|$last|" "$T/list" > "$T/exchanged"
    judge "$T/exchanged" | grep -q "which stands below it" || fail "$first and $last may be exchanged: what does the order of $room say?"
done
ok "$(grep -c '^use' "$T/facts") references, $(grep -c '^forward' "$T/facts") of them forward"
