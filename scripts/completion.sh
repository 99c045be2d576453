#!/bin/sh
# Prints the completion of irlc for bash, made of what `irlc --help` and `irlc COMMAND --help` say.
#   scripts/completion.sh IRLC
irlc=$1
commands=$("$irlc" --help | sed -n '/^$/,/^$/ s/^    irlc \([a-z]*\) .*/\1/p' | tr '\n' ' ')
cat << X
# bash completion of irlc
_irlc() {
    local word=\${COMP_WORDS[COMP_CWORD]} words="$commands--help"
    if [ "\$COMP_CWORD" -gt 1 ]; then
        case \${COMP_WORDS[1]} in
X
for c in $commands; do
    printf '        %s) words="%s" ;;\n' "$c" \
        "$("$irlc" "$c" --help | sed -n 's/^    \(--[a-z-]*\).*/\1/p' | tr '\n' ' ' | sed 's/ $//')"
done
cat << 'X'
        *) words= ;;
        esac
        [ "${word#-}" != "$word" ] || words=
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _irlc irlc
X
