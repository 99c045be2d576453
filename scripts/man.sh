#!/bin/sh
# Prints irlc's manual page, made of what `irlc --help` and `irlc COMMAND --help` say.
#   scripts/man.sh IRLC VERSION
irlc=$1
escape() { sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'; }
commands() { "$irlc" --help | sed -n '/^$/,/^$/ s/^    irlc \([a-z]*\) .*/\1/p'; }

printf '.TH IRLC 1 "" "irlayout %s" "User Commands"\n' "$2"
printf '.SH NAME\nirlc \\- memory layouts stated as index maps: proved, lowered, emitted\n'
printf '.SH SYNOPSIS\n.B irlc\n.I COMMAND\n[\\fIARGUMENT\\fR]... [\\fIOPTION\\fR]...\n.SH COMMANDS\n'
for c in $(commands); do
    "$irlc" "$c" --help | sed -n '1s/^irlc //p' | escape | sed 's/^/.SS "/; s/$/"/'
    "$irlc" "$c" --help | sed -n '2,${/^    --/!s/^ *//p}' | escape
    "$irlc" "$c" --help | sed -n 's/^    \(--.*[^ ]\)  *\( [^ ].*\)$/\1\n\2/p' | sed 's/^ //' | escape |
        awk 'NR % 2 { sub(/ +$/, ""); print ".TP\n\\fB" $0 "\\fR" } !(NR % 2)'
done
printf '.SH EXIT STATUS\n.nf\n'
"$irlc" --help | sed -n '/^Exit status/,$p' | sed 1d | escape
printf '.fi\n'
