#!/bin/bash
# No line of C is longer than 100 columns. In the manual a blank line precedes each comment and each function; functions that share a comment are a list.
. "$(dirname "$0")/common"

files=$(ls irlayout.h irlayout_ocl.h src/*/*.[ch] tools/*.c tools/*/*.[ch] tests/*.[ch] bench/*.[ch] examples/*.c)
awk 'length > 100 { print FILENAME ":" FNR }' $files > "$T/long"
[ ! -s "$T/long" ] || { cat "$T/long"; fail "$(wc -l < "$T/long") lines are longer than 100 columns"; }
crowded() {
    awk 'FNR == 1 { before = "" } /^\/\* =.*>>implementation/ { nextfile }
        (/^\/\*/ && !/==/ || /^IRL_API/) && before !~ /^$|^#if/ && !(/^IRL_API/ && (before ~ /\*\/$/ || list)) { print FILENAME ":" FNR ": " $0 }
        /^[^ ]/ { list = /^IRL_API/ } { before = $0 }' "$@"
}
crowded irlayout.h irlayout_ocl.h > "$T/crowded"
[ ! -s "$T/crowded" ] || { cat "$T/crowded"; fail "no blank line precedes these"; }
printf '%s\n' '} irl_a;' 'IRL_API int irl_b(void);' 'IRL_API int irl_c(void);' '/* more */' 'IRL_API int irl_d(void);' > "$T/wrong.h"
[ "$(crowded "$T/wrong.h" | wc -l)" = 2 ] || fail "a function without a blank line was not found"
ok "$(cat $files | wc -l) lines"
