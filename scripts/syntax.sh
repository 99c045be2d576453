#!/bin/sh
# Prints the colours of .irl files for an editor, made of the library's tables of types, scopes and operators.
#   scripts/syntax.sh vim | vscode      from the root of the repository
words() { tr '\n' ' ' | sed 's/ $//'; }
types="$(sed -nE 's/^IRL_[A-Z_]*\([A-Z0-9_]+, *"([a-z0-9]+)".*/\1/p' src/ir/types.h | words) ptr"
scopes=$(sed -nE 's/^IRL_SCOPE_ROW\([A-Z0-9_]+, *"([a-z]+)[":].*/\1/p' src/ir/scopes.h | sort -u | words)
calls=$(sed -nE 's/^IRL(_FLOAT)?_OPERATOR\([A-Z0-9_]+, "?([a-z][a-z_0-9]*)[",].*/\2/p' src/ir/ops.h | sort -u | words)
keywords="func host kernel module target graph schedule layout attr extern intrinsic for parallel vectorized unrolled bind if else
let alloc decl assume assert barrier evaluate launch block where reads writes note match init input output implicit pure logical pad
spatial reduce scope strides offset align sep texel data"
keywords=$(echo "$keywords" | words)
bar() { echo "$1" | sed 's/ /|/g'; }
case $1 in
vim)
    cat << X
" Syntax of irlayout's .irl files; made by scripts/syntax.sh.
if exists("b:current_syntax") | finish | endif
syn keyword irlStatement $keywords
syn keyword irlFunction sum prod $calls
syn keyword irlScope $scopes
syn keyword irlConstant true false undef
syn match irlType "\v<($(bar "$types"))(x[0-9]+)?>"
syn match irlNumber "\v<(0x[0-9a-fA-F]+|[0-9]+(\.[0-9]*)?([eE][-+]?[0-9]+)?f?)>"
syn match irlArrow "->"
syn region irlString start=+"+ skip=+\\\\.+ end=+"+ oneline
syn region irlName start=+\`+ skip=+\\\\.+ end=+\`+ oneline
syn match irlComment "//.*\$"
syn region irlComment start="/\*" end="\*/"
hi def link irlStatement Statement
hi def link irlFunction Function
hi def link irlScope StorageClass
hi def link irlConstant Constant
hi def link irlType Type
hi def link irlNumber Number
hi def link irlArrow Operator
hi def link irlString String
hi def link irlName Identifier
hi def link irlComment Comment
let b:current_syntax = "irl"
X
    ;;
vscode)
    cat << X
{
  "name": "irlayout",
  "scopeName": "source.irl",
  "fileTypes": ["irl"],
  "patterns": [
    { "name": "comment.line.double-slash.irl", "match": "//.*$" },
    { "name": "comment.block.irl", "begin": "/\\\\*", "end": "\\\\*/" },
    { "name": "string.quoted.double.irl", "begin": "\"", "end": "\"",
      "patterns": [{ "name": "constant.character.escape.irl", "match": "\\\\\\\\." }] },
    { "name": "variable.other.quoted.irl", "begin": "\`", "end": "\`" },
    { "name": "constant.numeric.irl", "match": "\\\\b(0x[0-9a-fA-F]+|[0-9]+(\\\\.[0-9]*)?([eE][-+]?[0-9]+)?f?)\\\\b" },
    { "name": "constant.language.irl", "match": "\\\\b(true|false|undef)\\\\b" },
    { "name": "storage.type.irl", "match": "\\\\b($(bar "$types"))(x[0-9]+)?\\\\b" },
    { "name": "storage.modifier.irl", "match": "\\\\b($(bar "$scopes"))\\\\b" },
    { "name": "keyword.control.irl", "match": "\\\\b($(bar "$keywords"))\\\\b" },
    { "name": "support.function.irl", "match": "\\\\b(sum|prod|$(bar "$calls"))\\\\b" },
    { "name": "keyword.operator.irl", "match": "->" }
  ]
}
X
    ;;
*) echo "usage: scripts/syntax.sh vim | vscode" >&2; exit 2 ;;
esac
