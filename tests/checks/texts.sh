#!/bin/bash
# No public function that returns a text returns NULL: for NULL arguments, in a context that has failed, and where memory
# runs out. The list is that of the headers; the three that end an enumeration by NULL say so under RULES in irlayout.h.
. "$(dirname "$0")/common"

ENDS_BY_NULL="irl_target_name irl_pass_name irl_func_param_name"

# NAME(parameters) of each function of header $1 that returns a text, one a line
texts() {
    sed 's|/\*.*\*/||' "$1" | tr '\n' ' ' | grep -oE 'IRL_API +const +char +\*irl_[a-z0-9_]+\([^)]*\)' |
        sed -E 's/IRL_API +const +char +\*//; s/  +/ /g'
}

# What stands for a parameter: $1 its declaration, $2 the object or NULL.
argument() {
    case "$1" in
    *"const char *"*) echo NULL ;;
    *\**) if [ "$2" = NULL ]; then echo NULL; else
        type=$(echo "$1" | grep -oE 'irl_[a-z0-9_]+' | head -1)
        case $type in
        irl_ctx) echo cx ;;
        irl_func) echo f ;;
        irl_module) case "$name" in irl_c_*) echo c ;; *) echo m ;; esac ;;
        irl_map) echo map ;;
        irl_expr) case "$1" in *'*const *'*) echo '&e' ;; *) echo e ;; esac ;;
        irl_stmt) echo s ;;
        irl_buffer) echo b ;;
        irl_target) echo 'irl_target_find("opencl12")' ;;
        irl_verdict) echo '&v' ;;
        *) echo NULL ;;
        esac; fi ;;
    int*|size_t*|unsigned*|uint*|double*) echo 0 ;;
    irl_shape*|*" irl_shape"*) echo shape ;;
    irl_type*) echo type ;;
    irl_*) echo "($(echo "$1" | grep -oE '^irl_[a-z0-9_]+'))$([ "$2" = NULL ] && echo 99 || echo 0)" ;;
    *) echo "unknown" ;;
    esac
}
calls() { # lines of C for each text: $1 NULL or object
    while IFS= read -r line; do
        name=${line%%(*} list=${line#*(} made=
        case " $ENDS_BY_NULL " in *" $name "*) continue ;; esac
        list=${list%)}
        [ "$list" = void ] && list=
        IFS=',' read -ra parts <<< "$list"
        for part in "${parts[@]}"; do
            part=$(echo "$part" | sed 's/^ *//; s/^const //; s/^struct //')
            case "$part" in char*) part="const $part" ;; esac
            made="$made${made:+, }$(argument "$part" "$1")"
        done
        echo "    LOOK($name($made));"
    done
}
{ texts irlayout.h; texts irlayout_ocl.h; } | sort -u > "$T/texts"
count=$(wc -l < "$T/texts")
[ "$count" -ge 28 ] || fail "only $count functions that return a text were found in the headers"

cat > "$T/texts.c" <<END
#define IRLAYOUT_OCL_RUNTIME
#include "irlayout_ocl.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static size_t total;
static int    wrong, refuses;
/* a texts that a puts would take */
static void look(const char *text, const char *call)
{
    if (text) total += strlen(text);
    else if (++wrong < 40) printf("NULL: %s\n", call);
}
#define LOOK(call) look(call, #call)
static void *allocate(void *user, size_t bytes) { (void)user; return refuses ? NULL : malloc(bytes); }
static void release(void *user, void *memory, size_t bytes) { (void)user, (void)bytes; free(memory); }

static void with_nothing(void)
{
    irl_shape shape = IRL_SHAPE(8);
    irl_type  type = irl_type_of((irl_scalar)99, 3);
$(calls NULL < "$T/texts")
}
/* each: all, or the one of this number */
static int with_objects(irl_ctx *cx, irl_func *f, irl_module *m, irl_module *c, const irl_map *map, const irl_expr *e, int number)
{
    irl_shape   shape = IRL_SHAPE(8);
    irl_type    type = irl_type_of(IRL_F32, 1);
    irl_verdict v = irl_map_check(cx, map, shape);
    const irl_stmt   *s = irl_func_body(f);
    const irl_buffer *b = irl_func_param_buffer(f, 1);
    int         k = 0;
$(calls object < "$T/texts" | sed 's/^ *LOOK\(.*\);$/    if (number < 0 || number == k) LOOK\1;\n    k++;/')
    (void)f, (void)m, (void)c, (void)e, (void)s, (void)b, (void)type;
    return k;
}
/* how: 0 in a context that is well, 1 in one that failed, 2 where memory runs out */
static int round_of(int how, int number)
{
    static const char text[] = "func f(n: index, x: f32[n]) { for (i: n) x[i] = x[i] + 1.0f; }";
    irl_ctx_desc desc;
    irl_ctx     *cx;
    irl_func    *f;
    irl_module  *m, *c;
    const irl_map  *map;
    const irl_expr *e;
    int             k, many;
    memset(&desc, 0, sizeof desc);
    desc.allocator.allocate = allocate, desc.allocator.release = release;
    cx = irl_ctx_create(&desc);
    f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    m = irl_func_lower(f, &irl_target_opencl12);
    c = irl_func_lower(f, &irl_target_c99);
    map = irl_map_parse(cx, "(i) -> (i / 4, i % 4)");
    e = irl_expr_index(cx, 7);
    if (!irl_ok(cx)) return puts(irl_diag_text(cx)), 0;
    if (how == 1) irl_map_parse(cx, "(");
    refuses = how == 2;
    many = with_objects(cx, f, m, c, map, e, number);
    for (k = 0; how == 2 && k < 100000 && irl_ok(cx); k++) with_objects(cx, f, m, c, map, e, number);
    refuses = 0;
    irl_ctx_destroy(cx);
    return many;
}
int main(void)
{
    int k, many;
    with_nothing();
    many = round_of(0, -1);
    round_of(1, -1);
    for (k = 0; k < many; k++) round_of(2, k);
    printf("%d functions, %zu characters\n", many, total);
    return wrong || !many || !total;
}
END
needs CL/cl.h
make -s -j"$JOBS" lib || fail "the split sources do not build"
gcc -std=c99 -g $INC -w -o "$T/texts_run" "$T/texts.c" build/split/libirlayout.a -lOpenCL -lm > "$T/log" 2>&1 || { cat "$T/log"; fail "does not compile: a parameter that this check does not know?"; }
timeout 300 "$T/texts_run" > "$T/log" || { cat "$T/log"; fail "a text is NULL"; }
for name in $ENDS_BY_NULL; do
    grep -q "$name" "$T/texts" || fail "$name returns no text any more"
    sed -n '/RULES THAT HOLD/,/LICENCE/p' irlayout.h | grep -q "$name" || fail "RULES in irlayout.h do not name $name, which ends by NULL"
done

# the rule has teeth: a new function is on the list
echo 'IRL_API const char *irl_new_text(irl_ctx *cx, const irl_map *map);' > "$T/header.h"
texts "$T/header.h" | calls NULL | grep -q 'LOOK(irl_new_text(NULL, NULL));' || fail "a new function is not on the list"
ok "$(tail -1 "$T/log")"
