#!/bin/bash
# How large the library is, in tokens of C: what a reader has to take in, whatever the lines look like.
#   scripts/tokens.sh [FILE...]      of the sources (src/*/*.[ch], irlayout.h, irlayout_ocl.h) by room, the sum last; or of the files
# Comments and white space count nothing. A name, a number, a string and a character constant count one each, every other
# character one too (so -> counts two); a backslash that only joins lines counts nothing.
cd "$(dirname "$0")/.." || exit 1

count() {
    awk '
    FNR == 1 { comment = 0 }
    {
        line = $0
        while (line != "") {
            if (comment) {
                if (!(k = index(line, "*/"))) break
                comment = 0
                line = substr(line, k + 2)
            } else if (match(line, /^[ \t\r]+/)) line = substr(line, RLENGTH + 1)
            else if (line == "\\" || substr(line, 1, 2) == "//") break
            else if (substr(line, 1, 2) == "/*") {
                comment = 1
                line = substr(line, 3)
            } else {
                n++
                if (match(line, /^[A-Za-z_][A-Za-z_0-9]*/) || match(line, /^[.]?[0-9]([eEpP][-+]|[A-Za-z_0-9.])*/) ||
                    match(line, /^"([^"\\]|\\.)*"/) || match(line, /^\047([^\047\\]|\\.)*\047/)) line = substr(line, RLENGTH + 1)
                else line = substr(line, 2)
            }
        }
    }
    END { print n + 0 }' "$@"
}

if [ $# != 0 ]; then
    count "$@"
    exit
fi
sum=0
for room in src/*/; do
    n=$(count "$room"*.[ch])
    sum=$((sum + n))
    printf '%-20s %8d\n' "$room" "$n"
done
n=$(count irlayout.h irlayout_ocl.h)
printf '%-20s %8d\n%-20s %8d\n' "public headers" "$n" "all" $((sum + n))
