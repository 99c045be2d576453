#!/bin/sh
# Prints the completion of irlc for a shell, made of what `irlc --help` and `irlc COMMAND --help` say.
#   scripts/completion.sh bash|zsh|fish IRLC
shell=$1 irlc=$2
commands=$("$irlc" --help | sed -n '/^$/,/^$/ s/^    irlc \([a-z]*\) .*/\1/p' | tr '\n' ' ' | sed 's/ $//')
targets=$("$irlc" target | sed -n 's/^target `\{0,1\}\([a-z0-9-]*\).*/\1/p' | tr '\n' ' ')
steps=$("$irlc" steps | sed -n 's/^[^ ].* = \([a-z_]*\)(.*/\1/p; s/^\([a-z_]*\)(.*/\1/p' | sort -u | tr '\n' ' ')
passes=$(printf 'func f(x: f32[4]) { x[0] = 0.0f; }\n' | "$irlc" lower - --trace 2>&1 | sed -n 's/^.*after \([a-z_]*\)$/\1/p' |
    grep -v '^reading$' | tr '\n' ' ')
# One line for each option of each command: COMMAND OPTION KIND VALUES. KIND is flag; words, which follow; file; or else.
table() {
    for c in $commands; do
        "$irlc" "$c" --help | awk -v c="$c" -v targets="$targets" -v passes="$passes" '
            /^    --/ {
                value = ""
                if (match($0, /^    --[a-z-]+ [^ ]/)) value = $2
                sub(/\[.*/, "", $1) # a value that may be left out is part of the same word
                words = value
                if (!gsub(/\|/, " ", words)) words = ""
                if ($1 == "--target") words = targets
                if ($1 == "--after" || $1 == "--without") words = passes
                sub(/ $/, "", words)
                kind = value == "" ? "flag" : words != "" ? "words" : value == "FILE" ? "file" : "else"
                print c, $1, kind, words
            }'
    done
}
options_of() { table | awk -v c="$1" '$1 == c { printf "%s%s", n++ ? " " : "", $2 }'; }
values() { table | awk -v form="$1" '$3 == "words" { words = $0; sub(/^[^ ]+ [^ ]+ words /, "", words); printf form, $1, $2, words }'; }

case $shell in
bash)
    cat << X
# bash completion of irlc
_irlc() {
    local word=\${COMP_WORDS[COMP_CWORD]} words="$commands help --help --version"
    if [ "\$COMP_CWORD" -gt 1 ]; then
        case \${COMP_WORDS[1]} in
X
    for c in $commands; do printf '        %s) words="%s" ;;\n' "$c" "$(options_of "$c")"; done
    cat << X
        *) words= ;;
        esac
        [ "\${word#-}" != "\$word" ] || words=
        case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD - 1]}" in
        'help help') words="$commands" ;;
        'target target') words="$targets" ;;
        'steps steps') words="$steps" ;;
X
    values "        '%s %s') words=\"%s\" ;;\n"
    cat << 'X'
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _irlc irlc
X
    ;;
zsh)
    cat << X
#compdef irlc
# zsh completion of irlc
_irlc() {
    if (( CURRENT == 2 )); then
        compadd -- $commands help --help --version
        return
    fi
    case "\$words[2] \$words[CURRENT-1]" in
    'help help') compadd -- $commands; return ;;
    'target target') compadd -- $targets; return ;;
    'steps steps') compadd -- $steps; return ;;
X
    values "    '%s %s') compadd -- %s; return ;;\n"
    printf '    esac\n    if [[ $PREFIX != -* ]]; then _files; return; fi\n    case $words[2] in\n'
    for c in $commands; do printf '    %s) compadd -- %s ;;\n' "$c" "$(options_of "$c")"; done
    printf '    esac\n}\n_irlc "$@"\n'
    ;;
fish)
    cat << X
# fish completion of irlc
complete -c irlc -n __fish_use_subcommand -f -a '$commands help'
complete -c irlc -n __fish_use_subcommand -l help
complete -c irlc -n __fish_use_subcommand -l version
complete -c irlc -n '__fish_seen_subcommand_from help' -f -a '$commands'
complete -c irlc -n '__fish_seen_subcommand_from target' -f -a '$targets'
complete -c irlc -n '__fish_seen_subcommand_from steps' -f -a '$steps'
X
    table | while read -r c option kind words; do
        case $kind in
        flag) value= ;;
        words) value=" -x -a '$words'" ;;
        file) value=' -r' ;;
        else) value=' -x' ;;
        esac
        printf "complete -c irlc -n '__fish_seen_subcommand_from %s' -l %s%s\n" "$c" "${option#--}" "$value"
    done
    ;;
*)
    echo "usage: $0 bash|zsh|fish IRLC" >&2
    exit 2
    ;;
esac
