#!/bin/bash
# Words: no phrase that only this project had stands where the field has a term, and bound, note, split, table and eval have one meaning each in the names
# of the library (docs/conventions.md, "Words"); no file says when and by whom something was done, or cites what nobody has; and what users read is plain
# English: the words of a private dialect do not come back.
. "$(dirname "$0")/common"

if [ -d .git ] || [ -f .git ]; then git ls-files; else find . -type f | sed 's|^\./||'; fi |
    grep -E '^(src|docs|tests|tools|examples|bench|scripts|web|packaging)/|^[^/]*\.(h|md)$|^Makefile$|^meson\.build$|^\.ci/' |
    grep -vE '^tests/checks/words\.sh$|^tests/data/' > "$T/files"
[ "$(wc -l < "$T/files")" -gt 400 ] || fail "only $(wc -l < "$T/files") files were found"

# private phrases, and their kin
cat > "$T/phrases" << 'X'
shares? (a|one|the same) cell
sharing (a|one) cell
names in shapes
known by digits|(solved|proved|decided) by digits
caller should hear
target cannot do with vectors
host (function )?walks
host cannot walk
stretch
\blaws\b
\bnot so:
what to do:
nobody to wait
\bclose\.c\b
runtime_trust
tex_leaves_nothing
split_measure
X
phrases() { xargs grep -nEiH -f "$T/phrases" < "$1"; }
phrases "$T/files" > "$T/found"
[ ! -s "$T/found" ] || { head -20 "$T/found"; fail "$(wc -l < "$T/found") lines with a private phrase"; }

# the repository speaks of the project: no days, no sessions, no numbers of issues, no documents that are not in it
cat > "$T/diary" << 'X'
(^|[^-])\bseeds? [0-9]\b['a-z ]*(example|promise|rule|program)
\bseed documents
\bDESIGN\b
opencl-facts
recorded primitive
shared reference
reference schedules
\b20[0-9][0-9]-[01][0-9]-[0-3][0-9]\b
(first|second|third|[a-z]+th|last|this) session('s)? (tree|figure|work|of)
\bissue [0-9]+\b
X
diary() { xargs grep -nEH -f "$T/diary" < "$1"; }
diary "$T/files" > "$T/found"
[ ! -s "$T/found" ] || { head -20 "$T/found"; fail "$(wc -l < "$T/found") lines of a diary, or that cite what nobody has"; }

# what users read, in plain English: no word of a private dialect, also in no string of the sources (messages, reasons of schedules, emitted comments)
cat > "$T/dialect" << 'X'
\bbehind\b
\b(stands?|stood|standing)\b
\bl(ies?|ying)\b
\b(go(es|ing)?|went) on\b
\btold\b
\bwhat others\b
\bgone round\b
\breckoned\b
\bof (its|their|his|one's|ours) own\b
\bin front of\b
\bhanded\b
\bwhoever\b
\boftener\b
\bkin\b
X
dialect() { xargs grep -nEiH -f "$T/dialect" < "$1"; }
while read -r files; do
    grep -E "$files" "$T/files" > "$T/readers"
    dialect "$T/readers" > "$T/found"
    [ ! -s "$T/found" ] || { cut -c 1-160 "$T/found" | tail -20; fail "lines of $files have words of a private dialect: \"after\", \"is\", \"advances\" ... are plain"; }
done << 'X'
^(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$|^docs/[^/]*\.md$|^(tests|bench)/README\.md$
^examples/
^web/
^irlayout(_ocl)?\.h$
^tools/irlc/
X

# the strings of the files in the list $1: the preprocessor takes comments away; lines that begin with # go
strings() { xargs cat < "$1" | grep -v '^ *#' | cc -E -P -x c - 2> /dev/null | grep -oE '"([^"\\]|\\.)*"'; }
grep -E '^src/[^/]*/[^/]*\.[ch]$' "$T/files" > "$T/sources"
strings "$T/sources" > "$T/strings"
[ "$(wc -l < "$T/strings")" -gt 3000 ] || fail "only $(wc -l < "$T/strings") strings were found"
grep -nEi -f "$T/dialect" "$T/strings" > "$T/found"
[ ! -s "$T/found" ] || { cut -c 1-160 "$T/found" | tail -20; fail "$(wc -l < "$T/found") strings have words of a private dialect"; }

# homonyms, in the names of the library. What stands behind each word is what conventions.md says.
names() { grep -ohE "\b(irl|IRL)_+[A-Za-z0-9_]*" "${@:2}" | grep -iE "$1" | sort -u; }
source=$(find src -name '*.[ch]')
# eval is the interpreter, whose room stands below these: in them nothing is called so but what they declare of it
rooms=$(find src/base src/ir src/text src/func src/target src/arith src/map src/sets src/access src/analysis src/plan src/schedule src/pass src/emit src/show -name '*.[ch]')
names '(^|_)eval_' $rooms | grep -vxE 'IRL__STMT_EVALUATE' > "$T/eval"
# a table has rows; what is looked up by a hash is a map or a hash
names '(^|_)table(_|$)' $source | grep -vxE 'irl_(access|part)_table|irl__(dependence|evaluate|explain|dma_c)_table|IRL__(DMA_C|EXPLAIN)_TABLE' > "$T/table"
# a note is an annotation of a loop or block, or irl_note, which attributes are too; to keep in mind is see, keep, tell
names '(^|_)note(_|$)' $source |
    grep -vxE '(irl_note|irl__note|IRL__NOTE)(_[A-Za-z_]*)?|irl_stmt_(set_)?note(_count)?|irl__(arrange|builders|in_place|layouts|sched|check_bounds)_note|irl__(parse_arg|print)_note(_count)?|IRL__(WORD|ARG|FIELD)_NOTE' > "$T/note"
# a split makes two loops, axes or functions of one, which together are the whole
names '(^|_)split(_|$)' $source | grep -E '_(panel|texture|picture)_split' > "$T/split"
# a bound is a limit; a loop is bound to an axis; a name is declared
names '(UN)?BOUND_(VAR|BUFFER|CONSTANT)|IRL__UNBOUND|equal_are_bound' $source > "$T/bound"
for word in eval table note split bound; do
    [ ! -s "$T/$word" ] || { cat "$T/$word"; fail "names in which '$word' means something else (docs/conventions.md, Words)"; }
done

# the check has teeth
echo '/* two points share a cell */' > "$T/wrong.h"
echo "$T/wrong.h" > "$T/wrong"
[ -n "$(phrases "$T/wrong")" ] || fail "a private phrase was not found"
echo '/* decided on 2026-11-21 */' > "$T/wrong.h"
[ -n "$(diary "$T/wrong")" ] || fail "a line of a diary was not found"
echo '/* what stands behind it */' > "$T/wrong.h"
[ -n "$(dialect "$T/wrong")" ] || fail "a word of the dialect was not found"
printf '%s\n' '/* behind "a" */' '    irl__fail(cx, "a barrier stands in it");' > "$T/wrong.h"
[ "$(strings "$T/wrong" | grep -cEi -f "$T/dialect")" = 1 ] || fail "a word of the dialect in a string was not found"
echo 'int irl__eval_min(int a); irl__hash_table_grow' > "$T/wrong.h"
[ "$(names '(^|_)eval_' "$T/wrong.h")" = irl__eval_min ] || fail "a homonym was not found"
ok "$(wc -l < "$T/files") files, $(wc -l < "$T/phrases") phrases, 5 words"
