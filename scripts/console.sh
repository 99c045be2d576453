#!/bin/bash
# Prints a Markdown file with what the commands of its ```console blocks print today; with --update it writes them into the files.
#   scripts/console.sh FILE.md          scripts/console.sh --update FILE.md...

export PATH=$PWD/build:$PATH
print() {
    in=text
    while IFS= read -r line; do
        case $in:$line in
        text:'```console') in=console; echo "$line" ;;
        console:'```') in=text; echo "$line" ;;
        console:'$ '*) echo "$line"; eval "${line#\$ }" 2>&1 < /dev/null ;;
        console:*) ;; # what it printed when it was written
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
    new=$(mktemp)
    print "$file" > "$new" && cat "$new" > "$file"
    rm -f "$new"
done
