#!/bin/bash
# Each switch of the manual's table WHAT CAN BE LEFT OUT, each pair of them and all together, each without an allocator or files: what is declared is what the object defines, what
# the switch names is gone, a program of what is left compiles with gcc, clang, tcc and g++ without a warning and runs, and the table's numbers are so.
. "$(dirname "$0")/common"
needs clang tcc g++

cat > "$T/rest.c" << 'END'
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout_ocl.h"
#include <stdio.h>
#include <string.h>
static int failed;
static void say(const char *part, int good)
{
    if (!good) failed = 1, printf("%s does not work\n", part);
}
IRL_LAYOUT(page, (y, x), (y / 8, x, y % 8));
int main(void)
{
    irl_ctx       *cx = irl_ctx_create(NULL);
    const irl_map *map = irl_layout(cx, &page);
    irl_verdict    v = irl_map_check(cx, map, IRL_SHAPE(16, 8));
    const char    *text = "func f(x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i] * 2.0; }";
    irl_func      *f = irl_func_parse(cx, text, IRL_TO_NUL, NULL);
    say("the verdict", !strcmp(irl_verdict_text(cx, &v), "bijective onto [2, 8, 8]"));
    say("the function", irl_func_param_count(f) == 2);
#ifndef IRLAYOUT_MAPS_ONLY
    say("C", strstr(irl_c_source(irl_func_lower(f, &irl_target_c99)), "y") != NULL);
    say("OpenCL C", strstr(irl_ocl_source(irl_func_lower(f, &irl_target_opencl12)), "__kernel") != NULL);
    say("a layout", irl_func_set_layout(f, "x", irl_map_parse(cx, "(i) -> (7 - i)")) != NULL);
#endif
#ifndef IRLAYOUT_NO_SCHEDULES
    say("a schedule", irl_schedule_do(f, "split(%s, %d)", "y.i", 4) != NULL && irl_step_name(0) != NULL);
#endif
#ifndef IRLAYOUT_NO_AUTO
    say("an automatic schedule", irl_schedule_auto(f, &irl_target_opencl12)[0] == '{');
#endif
#ifndef IRLAYOUT_NO_GRAPHS
    {
        const char *net = "graph net { func f(x: f32[8], y: f32[8]) { for (i: 8) y[i] = x[i] * 2.0; }"
                          " input x: f32[8]; t = f(x); y = f(t); output y; }";
        irl_graph  *g = irl_graph_parse(cx, net, IRL_TO_NUL, NULL);
        say("a graph", irl_graph_lower(g, &irl_target_c99) != NULL);
#ifndef IRLAYOUT_NO_SCHEDULES
        say("fusion", irl_graph_node_count(irl_graph_fuse(g, NULL)) == 1);
#endif
    }
#endif
#ifndef IRLAYOUT_NO_DMA
    say("DMA", irl_dma_text(cx, irl_dma_new(cx, map, IRL_SHAPE(16, 8), NULL))[0] != 0);
#endif
#ifndef IRLAYOUT_NO_PICTURES
    say("a picture", irl_map_picture(cx, map, IRL_SHAPE(16, 8))[0] != 0);
#endif
#ifndef IRLAYOUT_NO_GLSL
    say("GLSL", strstr(irl_glsl_source(irl_func_lower(f, &irl_target_glsl), 0), "#version") != NULL);
#endif
#ifndef IRLAYOUT_NO_INTERPRETER
    {
        float x[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, y[8];
        say("the interpreter", irl_func_interpret(f, IRL_ARGS(x, y)) && y[7] > 15.0f && y[7] < 17.0f);
    }
#endif
#ifndef IRLAYOUT_NO_PROOF
    say("the proof", irl_map_roundtrip_proof(cx, map, IRL_SHAPE(16, 8))[0] != 0);
#endif
    say("the library", irl_ok(cx));
    if (!irl_ok(cx)) puts(irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return failed;
}
END
declared() { # SWITCHES..: the public functions that the header declares; all but the runtime's, which only IRLAYOUT_OCL_RUNTIME defines
    printf '#include "single_include/irlayout_ocl.h"\n' | gcc -std=c99 -E -P $INC "$@" - | tr -d '\n' | tr ';{}' '\n\n\n' |
        grep -oE '^ *extern [^(]*\birl_[a-z0-9_]+ ?\(' | grep -oE 'irl_[a-z0-9_]+ ?\($' | tr -d ' (' | sort -u |
        comm -23 - "$T/runtime"
}
build() { # COMPILER SWITCHES..
    local cc=$1
    shift
    $cc -Isingle_include $INC "$@" -c -o "$T/o.o" "$T/rest.c" > "$T/said" 2>&1 || { head -5 "$T/said"; fail "it does not compile with $cc $*"; }
    [ ! -s "$T/said" ] || { head -5 "$T/said"; fail "$cc $* warns"; }
    ${cc%% *} -o "$T/rest" "$T/o.o" -lm && "$T/rest" || fail "what is left does not work with $cc $*"
    builds=$((builds + 1))
}
judge() { # SWITCHES..: declared and defined are the same
    declared "$@" > "$T/declared"
    build 'tcc -w' "$@"
    nm "$T/o.o" | awk '$2 == "T" && $3 ~ /^irl_/ { print $3 }' | sort > "$T/defined"
    diff "$T/declared" "$T/defined" > "$T/differ" || { cat "$T/differ"; fail "with $* (<) is declared and not defined, (>) defined and not declared"; }
}
gone() { # SWITCH FUNCTION..: the switch leaves them out
    local switch=$1
    shift
    judge "-DIRLAYOUT_$switch"
    for f; do
        grep -qx "$f" "$T/all" || fail "there is no $f"
        ! grep -qx "$f" "$T/declared" || fail "IRLAYOUT_$switch does not leave out $f"
        printf '#include "single_include/irlayout.h"\nvoid *use(void) { return (void *)(size_t)%s; }\n' "$f" > "$T/use.c"
        ! gcc -std=c99 -w $INC "-DIRLAYOUT_$switch" -fsyntax-only "$T/use.c" 2> "$T/said" && grep -q "'$f'\|‘$f’" "$T/said" || fail "IRLAYOUT_$switch: a use of $f is not refused by its name"
    done
    [ "$(comm -13 "$T/all" "$T/declared" | wc -l)" = 0 ] || fail "IRLAYOUT_$switch declares more"
}
builds=0
sed -n '/>>the runtime/,/>>implementation/p' irlayout_ocl.h | grep -oE '\birl_ocl_[a-z0-9_]+\(' | tr -d '(' | sort -u > "$T/runtime"
declared > "$T/all"
[ "$(wc -l < "$T/all")" -gt 300 ] || fail "only $(wc -l < "$T/all") functions are found"
judge
gone NO_SCHEDULES irl_schedule irl_schedule_parse irl_schedule_do irl_schedule_try irl_schedule_text irl_step_name irl_func_parse_scheduled irl_schedule_auto irl_schedule_auto_why irl_graph_fuse
gone NO_AUTO irl_schedule_auto irl_schedule_auto_why
gone NO_GRAPHS irl_graph_parse irl_graph_lower irl_graph_fuse irl_graph_text
gone NO_DMA irl_dma_new irl_dma_text irl_dma_c
gone NO_PICTURES irl_map_picture irl_record_picture irl_func_picture irl_plan_svg
gone NO_GLSL irl_glsl_source irl_glsl_emit irl_glsl_kernel_groups
gone NO_INTERPRETER irl_func_interpret irl_module_interpret
gone NO_PROOF irl_map_roundtrip_proof
gone MAPS_ONLY irl_func_lower irl_c_source irl_schedule irl_graph_parse irl_glsl_source irl_func_interpret irl_func_dependence
bash scripts/compile_times.sh --counts > "$T/counts" || fail "the rows of the table do not compile"
single=$(cut -d'|' -f1 "$T/counts" | grep '^IRLAYOUT_')
for switch in $single; do grep -q "^gone ${switch#IRLAYOUT_} " "$0" || fail "nothing says what $switch leaves out"; done
awk -F'|' '$2 < 0.95 * $3 || $2 > 1.05 * $3 { print "the table says " $2 " functions for " $1 ", gcc compiles " $3; bad = 1 } END { exit bad }' "$T/counts" ||
    fail "the manual's table is stale: make compile-times"
none=$(sed -n 's/^(none).*|//p' "$T/counts")
awk -F'|' -v none="$none" '$1 ~ /^IRLAYOUT/ && $3 >= none { print $1; bad = 1 } END { exit bad }' "$T/counts" || fail "leaves nothing out"

all=$(for switch in $single; do [ $switch = IRLAYOUT_MAPS_ONLY ] || echo "-D$switch"; done)
judge $all
for a in $single; do
    for b in $single; do
        [[ ! $a < $b ]] || judge -D$a -D$b
    done
done
for switch in '' $single; do
    for without in IRL_NO_LIBC_ALLOCATOR IRL_NO_FILES; do
        clang $STRICT -Isingle_include $INC ${switch:+-D$switch} -D$without -fsyntax-only "$T/rest.c" > "$T/said" 2>&1 ||
            { head -5 "$T/said"; fail "it does not compile with clang $switch $without"; }
    done
done
for switch in $single; do
    build "gcc $STRICT -DIRL_STATIC" -D$switch
    for cc in "clang $STRICT" "g++ $STRICT_CPP"; do
        $cc -Isingle_include $INC -D$switch -fsyntax-only "$T/rest.c" > "$T/said" 2>&1 || { head -5 "$T/said"; fail "it does not compile with $cc -D$switch"; }
    done
done
for cc in "clang $STRICT" "g++ $STRICT_CPP"; do build "$cc" $all; done
ok "$(echo $single | wc -w) switches, $builds programs"
