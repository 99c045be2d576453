#!/bin/bash
# irlc explain, and emit as C, take as many instructions for each nest of a long function as of a shorter one: of nests over the same memory, of a
# chain of temporaries, and of nests in one loop. Instructions are counted, which no other load on the machine changes.
. "$(dirname "$0")/common"
needs valgrind awk

make -s irlc || fail "irlc does not build"
nests() { # COUNT
    awk -v n="$1" 'BEGIN { print "func f(x: f32[64], y: f32[64]) {"; for (k = 0; k < n; k++) print " for (i: 64) y[i] = y[i] * 2 + x[i];"; print "}" }'
}
chain() { # COUNT
    awk -v n="$1" 'BEGIN { print "func f(x: f32[64], y: f32[64]) {"
        for (k = 1; k < n; k++) print " alloc t" k ": f32[64]; for (i: 64) t" k "[i] = " (k > 1 ? "t" k - 1 : "x") "[i] * 2;"
        print " for (i: 64) y[i] = t" n - 1 "[i]; }" }'
}
inside() { # COUNT: nests in one loop, which compute one function again and again
    awk -v n="$1" 'BEGIN { print "func f(x: f32[64], y: f32[64]) { for (r: 2) {"; for (k = 0; k < n; k++) print " for (i: 64) y[i] = y[i] + exp(x[i]);"
        print "} }" }'
}
for_each() { # COUNT VERB...: instructions for each nest of $T/f.irl
    valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file="$T/counts" build/irlc "${@:2}" "$T/f.irl" 2>&1 > "$T/out" |
        awk -v n="$1" '/I +refs/ { gsub(",", ""); printf "%d\n", $NF / n }'
}
few=${FEW:-250} many=${MANY:-1500} figures=
[ -z "$IRL_SOAK" ] || few=1000 many=32000
for verb in "explain" "emit --as c"; do
    for kind in nests chain inside; do
        [ "$verb $kind" != "emit --as c chain" ] || continue
        $kind "$few" > "$T/f.irl"
        one=$(for_each "$few" $verb)
        $kind "$many" > "$T/f.irl"
        other=$(for_each "$many" $verb)
        [ -n "$one" ] && [ -n "$other" ] || fail "$verb of a function of $kind does not run"
        figures="$figures, $verb $kind $one and $other"
        [ $((100 * other)) -le $((${MOST:-105} * one)) ] || fail "instructions for each of $few and of $many$figures"
    done
done
ok "instructions for each of $few and of $many${figures}"
