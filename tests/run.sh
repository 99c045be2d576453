#!/bin/bash
# Runs test programs and checks: a line for each, then the output of what failed, and last `N passed, N failed`
# (`, N skipped` behind it where something was left out).
#   tests/run.sh [PROGRAM | CHECK.sh]...
# A program counts with the numbers of its own last line, a check as one. The times are of the processor, and of
# the clock in brackets; only those of the processor are limited, because on a busy machine the clock says nothing.
# From the environment:
#   JOBS         how many run at a time (2)
#   LIMIT        seconds of the processor after which a program is stopped (600); CHECK_LIMIT the same for each
#                process of a check (1800)
#   HANG         seconds of the clock after which anything is stopped, for what waits and never ends (7200)
#   TOOK         a folder: its file `tests` gets a line for each program and check with its seconds of the processor
#   CACHE        a folder where each program's kernel cache stays (default: thrown away)
#   RUN          a command put before each program, an emulator for example
#   IRL_SOAK=1   passed on to the programs: run the large counts; the lines show their seeds
#   IRL_SLOW=k   passed on to the programs: run a k-th of the counts; IRL_SLOW=1: a tenth

cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL # a check calls make afresh

# The library that a program asks for and this machine has not; nothing if it has all.
lacks() { # NAME
    while read -r mark header package; do
        grep -q "$mark" "tests/$1.c" 2> /dev/null || continue
        echo "#include <$header>" | ${CC:-cc} -E - > /dev/null 2>&1 || echo "there is no $header (Debian: $package)"
    done << 'X'
IRLAYOUT_OCL_RUNTIME CL/cl.h opencl-c-headers
isl/ctx.h isl/ctx.h libisl-dev
X
}

# Runs a command with a limit on the processor time of each of its processes. Sets rc, and cpu and wall in tenths of
# a second.
TIMEFORMAT='%U %S %R'
timed() { # LIMIT LOG COMMAND...
    local limit=$1 log=$2
    shift 2
    { time { (ulimit -t "$limit"; exec timeout -k 10 "${HANG:-7200}" "$@" > "$log" 2>&1 < /dev/null); }; } 2> "$log.time"
    rc=$?
    read -r cpu wall <<< "$(awk '{ cpu = ($1 + $2) * 10; wall = $3 * 10 } END { printf "%d %d", cpu, wall }' "$log.time")"
}

# One job: leaves $DIR/number.{log,sum}.
one() { # NUMBER PROGRAM|CHECK.sh
    local log=$DIR/$1.log name passed=0 failed=0 skipped=0 limit=0 rc=0 cpu=0 wall=0 note last cache seeds word
    name=$(basename "$2" .sh)
    if [ "${2%.sh}" != "$2" ]; then
        limit=${CHECK_LIMIT:-1800}
        JOBS=1 timed "$limit" "$log" bash "$2"
        last=$(tail -n 1 "$log")
        if [ "$rc" = 0 ] && [ "${last#ok "$name"}" != "$last" ]; then
            passed=1 note=${last#ok "$name"} note=${note#: }
        elif [ "$rc" = 0 ] && [ "${last#skipped "$name": }" != "$last" ]; then
            skipped=1 note="skipped: ${last#skipped "$name": }"
        else
            failed=1 note=${last#FAIL "$name": }
        fi
    elif [ ! -e "$2" ] && note=$(lacks "$name") && [ -n "$note" ]; then
        skipped=1 note="skipped: $note"
    else
        limit=${LIMIT:-600} cache=${CACHE:+$CACHE/$name} # a kernel cache shared between programs races
        [ -n "$cache" ] || cache=$(mktemp -d)
        POCL_CACHE_DIR=$cache timed "$limit" "$log" $RUN "$2"
        note=$(tail -n 1 "$log")
        [ -n "$CACHE" ] || rm -rf "$cache"
        numbers='^([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$'
        if [[ $note =~ $numbers ]]; then
            passed=${BASH_REMATCH[1]} failed=${BASH_REMATCH[2]} skipped=${BASH_REMATCH[4]:-0}
            [ "$rc" = 0 ] || [ "$failed" != 0 ] || { failed=1; note="$note, but exit status $rc"; }
            [ "$passed$failed$skipped" != 000 ] || { failed=1; note="$note: nothing was tested"; }
            [ "$skipped" = 0 ] || note="$note$(sed -n 's/^skipped: /: /p' "$log" | head -n 1)"
        else
            failed=1 note="no last line 'N passed, N failed'"
        fi
    fi
    seeds=$([ -z "$IRL_SOAK" ] || grep -h '^seeds ' "$log" | tail -n 1)
    note=${seeds:+$seeds: }$note
    case $rc in
    124) note="stopped: it had not ended after ${HANG:-7200} s of the clock" ;;
    127) note="was not built" ;;
    137 | 152) note="stopped after its limit of $limit s of the processor" ;;
    *) [ "$rc" -lt 128 ] || note="crashed, exit status $rc" ;;
    esac
    # a tool that was told to write there has put a file in its place, which other checks then read
    [ -c /dev/null ] || { failed=1; note="/dev/null is not a device (seen after this one or one beside it): $note"; }
    echo "$passed $failed $skipped $cpu" > "$DIR/$1.sum"
    word=ok
    [ "$skipped" = 0 ] || [ "$passed" != 0 ] || word=skip
    [ "$failed" = 0 ] || word=FAIL
    printf '%-4s  %-18s %4d.%d s (%d.%d s)   %s\n' $word "$name" $((cpu / 10)) $((cpu % 10)) $((wall / 10)) $((wall % 10)) "$note"
}

case $1 in
--one) one "$2" "$3" ;;
-*) echo "usage: tests/run.sh [PROGRAM | CHECK.sh]..." ;;
esac
case $1 in
-*) exit 0 ;;
'') echo "nothing to run"; exit 1 ;;
esac

DIR=$(mktemp -d)
export DIR
trap 'rm -rf "$DIR"' EXIT

start=$(date +%s) n=0
for what; do printf '%d %s\n' $((n++)) "$what"; done | xargs -P "${JOBS:-2}" -L 1 bash tests/run.sh --one

passed=0 failed=0 skipped=0 cpu=0 n=0
[ -z "$TOOK" ] || : > "$TOOK/tests"
for what; do
    p=0 f=1 s=0 c=0
    [ ! -f "$DIR/$n.sum" ] || read -r p f s c < "$DIR/$n.sum"
    [ -z "$TOOK" ] || echo "$(basename "$what") $((c / 10)).$((c % 10))" >> "$TOOK/tests"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s)) cpu=$((cpu + c))
    if [ "$f" != 0 ]; then
        echo "---- the end of what $what said:"
        tail -n 40 "$DIR/$n.log" 2> /dev/null | sed 's/^/     /'
    fi
    n=$((n + 1))
done
echo "$((cpu / 10)) s of the processor, $(($(date +%s) - start)) s of the clock"
if [ $skipped = 0 ]; then echo "$passed passed, $failed failed"; else echo "$passed passed, $failed failed, $skipped skipped"; fi
[ $failed = 0 ]
