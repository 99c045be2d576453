#!/bin/bash
# No line of C is longer than 100 columns.
. "$(dirname "$0")/common"

files=$(ls irlayout.h irlayout_ocl.h src/*/*.[ch] tools/*.c tools/*/*.[ch] tests/*.[ch] bench/*.[ch] examples/*.c)
awk 'length > 100 { print FILENAME ":" FNR }' $files > "$T/long"
[ ! -s "$T/long" ] || { cat "$T/long"; fail "$(wc -l < "$T/long") lines are longer than 100 columns"; }
ok "$(cat $files | wc -l) lines"
