#!/bin/sh
# Prints irlc's manual page, made of what `irlc --help` and `irlc COMMAND --help` say.
#   scripts/man.sh IRLC VERSION
irlc=$1
# help without the breaks of its lines: what is indented so far goes on with the line before
joined() { "$irlc" "$@" | awk '/^                    / && NR > 1 { sub(/^ +/, " "); line = line $0; next }
    NR > 1 { print line } { line = $0 } END { print line }'; }
escape() { sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'; }
commands() { "$irlc" --help | sed -n '/^$/,/^$/ s/^    irlc \([a-z]*\) .*/\1/p'; }

printf '.TH IRLC 1 "" "irlayout %s" "User Commands"\n' "$2"
printf '.SH NAME\nirlc \\- memory layouts stated as index maps: proved, lowered, emitted\n'
printf '.SH SYNOPSIS\n.B irlc\n.I COMMAND\n[\\fIARGUMENT\\fR]... [\\fIOPTION\\fR]...\n.SH COMMANDS\n'
for c in $(commands); do
    "$irlc" "$c" --help | sed -n '1s/^irlc //p' | escape | sed 's/^/.SS "/; s/$/"/'
    joined "$c" --help | sed -n '2,${/^    --/!s/^ *//p}' | escape
    joined "$c" --help | sed -n 's/^    \(--.*[^ ]\)  *\( [^ ].*\)$/\1\n\2/p' | sed 's/^ //' | escape |
        awk 'NR % 2 { sub(/ +$/, ""); print ".TP\n\\fB" $0 "\\fR" } !(NR % 2)'
done
printf '.SH EXIT STATUS\n.nf\n'
"$irlc" --help | sed -n '/^Exit status/,$p' | sed 1d | escape
printf '.fi\n'
