#!/bin/bash
# Public names are regular, as the paragraph NAMES of irlayout.h says: the noun first, `_with` takes options, `_let` constants.
. "$(dirname "$0")/common"

nouns='array|axis|bit|buffer|c|code|ctx|diag|dma|expr|for|func|glsl|graph|json|map|module|name|ocl|op|pass|plan|record|scalar|schedule|scope|shape|step|stmt|target|texture|type|verdict'
# what stands beside a macro of the same name or is no object's
short='irl_(ok|version|layout|layout_let|kernel|kernel_let|kernel_using|schedule)'

# The prototypes of header $1, one a line.
prototypes() { sed 's|/\*.*\*/||' "$1" | awk '/^IRL_API / { on = 1 } on { printf "%s ", $0 } on && /;/ { on = 0; print "" }' | tr -s ' ' | sed 's/ $//'; }
# Those among the prototypes on stdin that break a rule.
irregular() {
    while read -r line; do
        name=$(grep -oE '\birl_[a-z0-9_]+ ?\(' <<< "$line" | head -n 1 | tr -d ' (')
        [[ $name =~ ^irl_($nouns)(_[a-z0-9_]+)?$ || $name =~ ^$short$ ]] || echo "$name: begins with no noun"
        [[ $name != *_with || $line =~ const\ irl_[a-z_]*_(options|desc)\ \*[a-z_]+\)\;$ ]] || echo "$name: its last argument is no options"
        [[ $name != *_let || $name == irl_*_let && ( $line =~ irl_constants\ [a-z]+\)\;$ || $name =~ ^irl_(expr|stmt)_let$ ) ]] ||
            echo "$name: its last argument is no constants"
    done
}
for header in irlayout.h irlayout_ocl.h; do prototypes $header; done > "$T/prototypes"
count=$(wc -l < "$T/prototypes")
[ "$count" -gt 100 ] || fail "only $count prototypes were found"
irregular < "$T/prototypes" > "$T/irregular"
[ ! -s "$T/irregular" ] || { cat "$T/irregular"; fail "$(wc -l < "$T/irregular") names are not regular"; }

# the rules have teeth
for wrong in 'IRL_API int irl_check(irl_ctx *cx);' 'IRL_API int irl_map_check_with(irl_ctx *cx, int k);' \
             'IRL_API int irl_map_of_let(irl_ctx *cx, int k);'; do
    [ -n "$(irregular <<< "$wrong")" ] || fail "not found: $wrong"
done

# no word of the code is a macro of other headers (windows.h, attribute wrappers), which `include_orders` compiles with
words() { gcc -fpreprocessed -dD -E -P - 2> "$T/words" | sed 's/"\([^"\\]\|\\.\)*"//g' | grep -nwE 'near|far|small|hidden|unused|interface|major|minor|linux|unix'; }
[ -n "$(words <<< 'int near; /* far */')" ] && [ -z "$(words <<< 'int nearly; /* far */ char *s = "near";')" ] || fail "the words of other headers are not found"
for header in single_include/irlayout.h single_include/irlayout_ocl.h; do
    words < $header > "$T/taken" && { head -n 5 "$T/taken"; fail "$header has names that are macros elsewhere"; }
done
ok "$count prototypes"
