#!/bin/bash
# Runs test programs and checks: a line for each, then the output of what failed, and last `N passed, N failed`.
#   tests/run.sh [PROGRAM | CHECK.sh]...
# A program counts with the numbers of its own last line, a check as one. From the environment:
#   JOBS         how many run at a time (2)
#   LIMIT        seconds a program may take (900); CHECK_LIMIT the same for a check (1500)
#   CACHE        a folder where each program's kernel cache stays (default: thrown away)
#   RUN          a command put before each program, an emulator for example
#   IRL_SOAK=1   passed on to the programs: run the large counts; the lines show their seeds
#   IRL_SLOW=1   passed on to the programs: emulator or sanitizer, run a tenth of the counts

cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MFLAGS MAKELEVEL # a check calls make afresh

if [ "$1" = --one ]; then # one job: number, command; leaves $DIR/number.{log,sum}
    log=$DIR/$2.log name=$(basename "$3" .sh) start=$(date +%s%N)
    if [ "${3%.sh}" != "$3" ]; then
        JOBS=1 timeout -k 10 "${CHECK_LIMIT:-1500}" bash "$3" > "$log" 2>&1 < /dev/null
        rc=$? last=$(tail -n 1 "$log") passed=0 failed=0 skipped=0
        if [ $rc = 0 ] && [ "${last#ok "$name"}" != "$last" ]; then
            passed=1 note=${last#ok "$name"} note=${note#: }
        else
            failed=1 note=${last#FAIL "$name": }
        fi
    else
        cache=${CACHE:+$CACHE/$name} # a kernel cache shared between programs races
        [ -n "$cache" ] || cache=$(mktemp -d)
        POCL_CACHE_DIR=$cache timeout -k 10 "${LIMIT:-900}" $RUN "$3" > "$log" 2>&1 < /dev/null
        rc=$? note=$(tail -n 1 "$log")
        [ -n "$CACHE" ] || rm -rf "$cache"
        numbers='^([0-9]+) passed, ([0-9]+) failed(, ([0-9]+) skipped)?$'
        if [[ $note =~ $numbers ]]; then
            passed=${BASH_REMATCH[1]} failed=${BASH_REMATCH[2]} skipped=${BASH_REMATCH[4]:-0}
            [ $rc = 0 ] || [ "$failed" != 0 ] || { failed=1; note="$note, but exit status $rc"; }
        else
            passed=0 failed=1 skipped=0 note="no last line 'N passed, N failed'"
        fi
    fi
    seeds=$([ -z "$IRL_SOAK" ] || grep -h '^seeds ' "$log" | tail -n 1)
    note=${seeds:+$seeds: }$note
    [ $rc != 124 ] && [ $rc != 137 ] || note="stopped after its time limit"
    [ $rc != 127 ] || note="was not built"
    [ $rc -lt 128 ] || [ $rc = 137 ] || note="crashed, exit status $rc"
    echo "$passed $failed $skipped $3" > "$DIR/$2.sum"
    word=ok
    [ "$failed" = 0 ] || word=FAIL
    t=$((($(date +%s%N) - start) / 100000000))
    printf '%-4s  %-18s %4d.%d s   %s\n' $word "$name" $((t / 10)) $((t % 10)) "$note"
    exit 0
fi

[ $# != 0 ] || { echo "nothing to run"; exit 1; }
DIR=$(mktemp -d)
export DIR
trap 'rm -rf "$DIR"' EXIT

n=0
for what; do printf '%d %s\n' $((n++)) "$what"; done | xargs -P "${JOBS:-2}" -L 1 bash tests/run.sh --one

passed=0 failed=0 skipped=0 n=0
for what; do
    p=0 f=1 s=0
    [ ! -f "$DIR/$n.sum" ] || read -r p f s _ < "$DIR/$n.sum"
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    if [ "$f" != 0 ]; then
        echo "---- the end of what $what said:"
        tail -n 40 "$DIR/$n.log" 2> /dev/null | sed 's/^/     /'
    fi
    n=$((n + 1))
done
if [ $skipped = 0 ]; then echo "$passed passed, $failed failed"; else echo "$passed passed, $failed failed, $skipped skipped"; fi
[ $failed = 0 ]
