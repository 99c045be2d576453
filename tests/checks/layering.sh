#!/bin/bash
# Each source uses only its own room and rooms above: by its includes, and by the symbols of its object file.
. "$(dirname "$0")/common"

make -s -j"$JOBS" lib || fail "the split sources do not build"
rank=0
for room in $ROOMS; do
    rank=$((rank + 1))
    for f in src/$room/*.[ch]; do
        [ -f "$f" ] || continue
        echo "file $rank $f"
        grep -oE '^ *# *include *"[^"]+"' "$f" | sed -E 's/.*"(.*)"/\1/' | while read -r inc; do
            case $inc in
            ../../irlayout.h | ../../irlayout_ocl.h) ;;
            *) echo "include $rank $f $(realpath -m --relative-to=. "$(dirname "$f")/$inc")" ;;
            esac
        done
    done
    for o in build/split/$room/*.o; do
        [ ! -f "$o" ] || [ ! -f "src/$room/$(basename "$o" .o).c" ] ||
            nm "$o" | awk -v r=$rank -v f="src/$room/$(basename "$o" .o).c" '$NF ~ /^irl_/ {
                if ($(NF-1) == "U") print "use", r, f, $NF; else if ($(NF-1) ~ /[A-Z]/) print "def", r, f, $NF }'
    done
done > "$T/facts"

# every file of src/ is in a room of the list
for f in src/*/*.[ch]; do grep -q "^file [0-9]* $f\$" "$T/facts" || echo "$f is in no room of the list"; done > "$T/bad"

awk '
    $1 == "file" { rank[$3] = $2 }
    $1 == "def"  { if ($4 in where) print $4 " is defined in " where[$4] " and in " $3; where[$4] = $3 }
    { line[NR] = $0 }
    END {
        for (i = 1; i <= NR; i++) {
            split(line[i], w, " ")
            if (w[1] == "include" && (!(w[4] in rank) || rank[w[4]] > w[2])) print w[3] " includes " w[4]
            if (w[1] == "use" && !(w[4] in where)) print w[3] " uses " w[4] ", which nothing defines"
            else if (w[1] == "use" && rank[where[w[4]]] > w[2]) print w[3] " uses " w[4] " of " where[w[4]]
        }
    }' "$T/facts" >> "$T/bad"

# pairs for tsort, which names the files of a cycle; inside a room a cycle is reported, not refused
awk '$1 == "def" { where[$4] = $3 } { l[NR] = $0 }
     END { for (i = 1; i <= NR; i++) { split(l[i], w, " "); if (w[1] == "use" && w[4] in where) print w[3], where[w[4]] } }' \
    "$T/facts" | sort -u > "$T/pairs"
tsort "$T/pairs" 2>&1 > /dev/null | sed 's/^tsort: //; s/.*input contains a loop:/files of one cycle:/'

uses=$(grep -c '^use' "$T/facts")
[ ! -s "$T/bad" ] || { cat "$T/bad"; fail "$(wc -l < "$T/bad") references go the wrong way"; }
ok "$uses references, $(awk '{split($1,a,"/");split($2,b,"/"); if (a[2]!=b[2]) print a[2],b[2]}' "$T/pairs" | sort -u | wc -l) pairs of rooms"
