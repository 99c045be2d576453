#!/bin/bash
# Prints a Markdown file with what its blocks print today; with --update writes it into the files.
#   scripts/blocks.sh FILE.md          scripts/blocks.sh --update FILE.md...
# ```console   each line `$ COMMAND` is run; what follows it is its output
# ```c         is compiled and run as it stands if it has a main. Otherwise the lines up to the first blank one are
#              put before main and the others into it, with a context cx; it is called kernel.c
# ```irl       is written to a file, which its first line names: // NAME.irl
# ```          the output of the C block above it
# Commands run in a folder that looks like the root of the repository. A program that does not compile ends the script.

root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
make -s -C "$root" irlc lib > /dev/null || exit 1
export PATH=$root/build:$PATH
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
ln -s "$root"/* "$T"

run_c() {
    if grep -q 'int main' "$T/block"; then
        { echo '#line 1 "program.c"'; sed '/define IRLAYOUT_IMPLEMENTATION/s/.*//' "$T/block"; } > "$T/program.c"
        program=program
    else
        cp "$T/block" "$T/kernel.c"
        program=wrapped
        awk 'BEGIN { print "#include \"irlayout_ocl.h\"\n#include <stdio.h>\n#line 1 \"kernel.c\"" }
            NR == 1 && !/^(IRL_|#|static)/ { body() }
            /^$/ && !inside { body(); next }
            { print }
            function body() { inside = 1; print "int main(void) { irl_ctx *cx = irl_ctx_create(NULL);\n#line " NR + (/^$/ ? 1 : 0) " \"kernel.c\"" }
            END { if (!inside) body(); print "irl_ctx_destroy(cx); return 0; }" }' "$T/block" > "$T/wrapped.c"
    fi
    gcc -std=c99 -pedantic -Wall -Wextra -I"$root" -I/usr/include/stb -o "$T/a" "$T/$program.c" "$root/build/split/libirlayout.a" -lOpenCL -lm &&
        (cd "$T" && ./a | sed -e '${/^$/d}') > "$T/output"
}

print() {
    local in=text written= at=$PWD
    while IFS= read -r line; do
        case $in:$line in
        text:'```c' | text:'```irl') in=${line#'```'}; : > "$T/block"; echo "$line" ;;
        text:'```console') in=console; echo "$line" ;;
        text:'```') in=block; echo "$line"; [ ! "$written" ] || { in=output written=; cat "$T/output"; } ;;
        c:'```') in=text written=1; echo "$line"; run_c >&2 || return 1 ;;
        irl:'```') in=text; echo "$line"; cp "$T/block" "$T/$(sed -n '1s,^// *,,p' "$T/block")" || return 1 ;;
        *:'```') in=text; echo "$line" ;;
        c:* | irl:*) echo "$line" | tee -a "$T/block" ;;
        console:'$ '*) echo "$line"; cd "$T"; eval "${line#\$ }" 2>&1 < /dev/null; cd "$at" ;;
        console:* | output:*) ;; # what it printed when it was written
        *) echo "$line" ;;
        esac
    done < "$1"
}

if [ "$1" != --update ]; then
    print "$1"
    exit
fi
shift
for file; do
    print "$file" > "$T/new.md" && cat "$T/new.md" > "$file" || exit 1
done
