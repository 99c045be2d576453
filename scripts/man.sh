#!/bin/sh
# Prints irlc's manual page, made of what `irlc --help` and `irlc COMMAND --help` say. An option of several commands is described once.
#   scripts/man.sh IRLC VERSION
irlc=$1
# help in one line for each command or option: an indented line continues the one before
joined() { "$irlc" "$@" | awk '/^                    / && NR > 1 { sub(/^ +/, " "); line = line $0; next }
    NR > 1 { print line } { line = $0 } END { print line }'; }
escape() { sed 's/\\/\\e/g; s/-/\\-/g; s/^\([.'"'"']\)/\\\&\1/'; }
commands() { "$irlc" --help | sed -n '/^$/,/^$/ s/^    irlc \([a-z]*\) .*/\1/p'; }
# COMMAND, tab, option with the kind of its value, tab, what it means
options() {
    for c in $(commands); do
        joined "$c" --help | sed -n "s/^    \(--[a-z-]*\(\[[^ ]*\| [^ ][^ ]*\)\{0,1\}\)  *\(.*\)\$/$c	\1	\3/p"
    done
}
described() { escape | awk -F'\t' '{ printf ".TP\n\\fB%s\\fR\n%s\n", $1, $2 }'; }
all=$(options)
# those of more than two commands
common=$(printf '%s\n' "$all" | cut -f2,3 | awk '!seen[$0]++ { order[++n] = $0 } { count[$0]++ }
    END { for (k = 1; k <= n; k++) if (count[order[k]] > 2) print order[k] }')
# of_command own|common COMMAND: its options that are not, or are, among the common ones
of_command() {
    printf '%s\n' "$all" | grep "^$2	" | cut -f2- | grep $([ "$1" = common ] || echo -v) -xF -e "$common"
}

printf '.TH IRLC 1 "" "irlayout %s" "User Commands"\n' "$2"
printf '.SH NAME\nirlc \\- checks and draws memory layouts, schedules and runs kernels, emits code\n'
printf '.SH SYNOPSIS\n.B irlc\n.I COMMAND\n[\\fIARGUMENT\\fR]... [\\fIOPTION\\fR]...\n.SH COMMANDS\n'
for c in $(commands); do
    "$irlc" "$c" --help | sed -n '1s/^irlc //p' | escape | sed 's/^/.SS "/; s/$/"/'
    joined "$c" --help | sed -n '2,${/^    --/!s/^ *//p}' | escape | sed 's/^example:$/.PP\nExample:/'
    of_command own "$c" | described
    printf '.PP\nCommon options: %s\n' "$(of_command common "$c" | sed 's/[ 	].*//' | escape | paste -sd, | sed 's/,/, /g')"
done
printf '.SH COMMON OPTIONS\nEach command above names those that it takes.\n'
printf '%s\n' "$common" | described
printf '.SH EXIT STATUS\n.nf\n'
"$irlc" --help | sed -n '/^Exit status/,$p' | sed 1d | escape
printf '.fi\n'
