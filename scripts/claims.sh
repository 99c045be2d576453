#!/bin/bash
# Runs the commands of the first table of docs/claims.md and prints what each claims beside what it measured.
# Exit status 1 where they differ.
#   scripts/claims.sh [WORD]      only the claims that hold WORD

cd "$(dirname "$0")/.." || exit 1
status=0 count=0
holds() { # EXPECTED MEASURED
    local n=${2%% *}
    case $1 in
    'at most '*) awk -v a="$n" -v b="${1#at most }" 'BEGIN { exit !(a != "" && a + 0 <= b + 0) }' ;;
    'at least '*) awk -v a="$n" -v b="${1#at least }" 'BEGIN { exit !(a != "" && a + 0 >= b + 0) }' ;;
    *) [[ $2 == *"$1" ]] ;;
    esac
}
while IFS=$'\t' read -r claim command expected; do
    [[ $claim == *$1* ]] || continue
    for program in $(grep -oE 'build/split/tests/[a-z0-9_]+|build/bench/[a-z]+|build/irlc' <<< "$command" | sort -u); do
        make -s "$program" || exit 1 # current, not just there
    done
    measured=$(eval "$command" 2>&1 < /dev/null)
    count=$((count + 1))
    mark=ok
    holds "$expected" "$measured" || { mark=DIFFERS; status=1; }
    printf '%-8s%s\n        claimed   %s\n        measured  %s\n' "$mark" "$claim" "$expected" "$measured"
done < <(awk '/^## /{quick = /Quick/} quick && /^\| / && !/^\| claim/' docs/claims.md |
    sed -E 's/^\| (.*) \| `(.*)` \| (.*) \|$/\1\t\2\t\3/; s/\\\|/|/g')
[ "$count" -gt 0 ] || { echo "no claim found"; exit 1; }
exit $status
