#!/bin/bash
# What each switch of the manual's table WHAT CAN BE LEFT OUT saves.
#   scripts/compile_times.sh --counts   prints, for each row, its number in the table and the functions that gcc compiles
#   scripts/compile_times.sh --write    writes these numbers into irlayout.h
#   scripts/compile_times.sh [RUNS]     the same, and the table of compile times of README.md: processor time at -O0, the
#                                       least of RUNS (3), and how many times as long it takes with -Wall -Wextra
cd "$(dirname "$0")/.." || exit 1
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
INC="-I. -I/usr/include/stb"

# row|number in the table, of each row
rows() {
    awk '/WHAT CAN BE LEFT OUT/ { on = 1 } on && /^$/ { exit }
         on && /^     (\(|IRLAYOUT_|irlayout_map)/ {
             name = $0; sub(/^ */, "", name); sub(/(  | all ).*/, "", name); print name "|" $NF }' irlayout.h
}
ALL=$(rows | sed -n '/^IRLAYOUT_NO/ s/|.*//p' | sed 's/^/-D/' | tr '\n' ' ')
options() { # of a row: the switches as the compiler takes them, and the header
    local file=irlayout.h switch=
    case $1 in
    irlayout_map.h) file=$1 ;;
    '(all'*) switch=$ALL ;;
    IRLAYOUT*) switch=-D$1 ;;
    esac
    echo "$switch -DHEADER=\"single_include/$file\""
}
printf '#define IRLAYOUT_IMPLEMENTATION\n#include HEADER\n' > "$T/whole.c"
printf '#include HEADER\nint unit;\n' > "$T/public.c"
counts() { # row|number in the table|functions
    rows | while IFS='|' read -r row said; do
        gcc -std=c99 -w $INC $(options "$row") -fdump-tree-original="$T/tree" -fsyntax-only "$T/whole.c" || exit 1
        echo "$row|$said|$(grep -c '^;; Function' "$T/tree")"
    done
}
write_counts() {
    counts | while IFS='|' read -r row said now; do
        awk -v row="     $row " -v now="$now" '/WHAT CAN BE LEFT OUT/ { on = 1 } on && /^$/ { on = 0 }
            on && index($0 " ", row) == 1 { sub(/ *[0-9]+$/, ""); $0 = sprintf("%-88s%8s", $0, now) } 1' irlayout.h > "$T/h" && cat "$T/h" > irlayout.h
    done
}
ms() { # the least processor time of $RUNS runs of this command
    local best=999999 t
    for _ in $(seq "$RUNS"); do
        t=$({ TIMEFORMAT='%U %S'; time "$@" > "$T/said" 2>&1; } 2>&1 | awk '{ printf "%d", ($1 + $2) * 1000 }')
        [ "$t" -ge "$best" ] || best=$t
    done
    echo "$best"
}
times() { # NAME FILE OPTIONS..: a row of the README's table
    local line="| $1 " file=$2 cc plain warned
    shift 2
    for cc in gcc clang tcc; do
        plain=$(ms $cc -std=c99 -O0 $INC "$@" -c -o "$T/o" "$T/$file.c")
        warned=$(ms $cc -std=c99 -O0 -Wall -Wextra $INC "$@" -c -o "$T/o" "$T/$file.c")
        line+=$(awk -v p="$plain" -v w="$warned" 'BEGIN { printf "| %.2f | %.2f ", p / 1000, w / (p ? p : 1) }')
    done
    echo "$line|"
}
table() {
    echo "| processor seconds | gcc | -Wall | clang | -Wall | tcc | -Wall |"
    echo "|---|---:|---:|---:|---:|---:|---:|"
    times '`irlayout.h`, declarations' public $(options '(none)')
    rows | while IFS='|' read -r row said; do
        case $row in
        '(none)') name='`irlayout.h`, all of it' ;;
        '(all'*) name='all `IRLAYOUT_NO_`...' ;;
        *) name="\`$row\`" ;;
        esac
        times "$name" whole $(options "$row")
    done
}

case $1 in
--counts) counts ;;
--write) write_counts ;;
*)
    RUNS=${1:-3}
    write_counts
    table > "$T/table" || exit 1
    awk -v table="$T/table" '/^<!-- end of compile times/ { inside = 0 } !inside
        /^<!-- compile times/ { inside = 1; while ((getline row < table) > 0) print row }' README.md > "$T/readme"
    grep -q '^<!-- end of compile times' "$T/readme" || { echo "README.md has no place for the table" >&2; exit 1; }
    cat "$T/readme" > README.md
    cat "$T/table"
    ;;
esac
