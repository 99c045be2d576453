#!/bin/bash
# Prints README.md with what its program and its irlc commands print today; tests/checks/readme.sh compares. To bring the
# README and the examples' outputs up to date:  scripts/readme.sh --update

cd "$(dirname "$0")/.." || exit 1
make -s irlc || exit 1
export PATH=$PWD/build:$PATH
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT

print_readme() {
    in=text has_program=
    while IFS= read -r line; do
        case $in:$line in
        text:'```c') in=program; : > "$T/program.c"; echo "$line" ;;
        text:'```console') in=console; echo "$line" ;;
        text:'```') if [ "$has_program" ]; then in=output has_program=; echo "$line"; run_program || return 1; else in=block; echo "$line"; fi ;;
        program:'```') in=text has_program=1; echo "$line" ;;
        *:'```') in=text; echo "$line" ;;
        program:*) echo "$line" | tee -a "$T/program.c" ;;
        console:'$ '*) echo "$line"; eval "${line#\$ }" 2>&1 < /dev/null ;;
        console:* | output:*) ;; # what it printed when it was written
        *) echo "$line" ;;
        esac
    done < README.md
}

run_program() {
    gcc -std=c99 -pedantic -Wall -Wextra -I. -I/usr/include/stb -o "$T/program" "$T/program.c" -lm && "$T/program" | sed -e '${/^$/d}'
}

if [ "$1" != --update ]; then
    print_readme
    exit
fi
print_readme > "$T/README.md" && cp "$T/README.md" README.md
make -s examples || exit 1
for out in examples/*.out; do "build/examples/$(basename "$out" .out)" > "$out" || exit 1; done
