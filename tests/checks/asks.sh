#!/bin/bash
# scripts/deps.sh, and so make demo: says what it is about to install, asks on a terminal and there alone, takes only a yes for one, and without the
# right to install prints the one line to type. apt-get, id and dpkg-query are stand-ins here: nothing is installed.
. "$(dirname "$0")/common"
needs script

mkdir "$T/bin"
stand_in() { printf '#!/bin/sh\n%s\n' "$2" > "$T/bin/$1"; chmod 755 "$T/bin/$1"; }
stand_in dpkg-query 'for p; do :; done; case $p in make | tcc) exit 1 ;; esac; echo "install ok installed"'
stand_in apt-get "echo \"\$*\" >> $T/called"
export PATH=$T/bin:$PATH

# on_terminal ANSWER: what a terminal shows, its answer being typed; the exit status in $rc
on_terminal() {
    : > "$T/called"
    printf '%s\n' "$1" | script -qec "make -s demo DEMO= MAKE=true" "$T/typed" > "$T/out" 2>&1
    rc=$?
}
as() { stand_in id "echo $1"; }

as 0
on_terminal n
grep -q "installing: make" "$T/out" && grep -qF "[y/N]" "$T/out" || { cat "$T/out"; fail "a terminal is not asked"; }
[ $rc != 0 ] && [ ! -s "$T/called" ] || fail "no is no yes"
on_terminal ''
[ ! -s "$T/called" ] || fail "nothing is no yes"
on_terminal y
grep -q "^install -y --no-install-recommends make -qq" "$T/called" || { cat "$T/out"; fail "yes installs nothing"; }

: > "$T/called"
sh scripts/deps.sh demo < /dev/null > "$T/out" 2>&1 || { cat "$T/out"; fail "without a terminal nothing is installed"; }
grep -q "installing: make" "$T/out" && ! grep -qF "[y/N]" "$T/out" || { cat "$T/out"; fail "without a terminal it is said, and not asked"; }
grep -q "^install" "$T/called" || fail "without a terminal nothing is installed"

as 1000
on_terminal y
[ "$(grep -c . "$T/called")" = 0 ] || fail "without the right to install it is tried"
grep -qF "type:  sudo apt-get update && sudo apt-get install -y --no-install-recommends make" "$T/out" || { cat "$T/out"; fail "the one line is not said"; }
[ $rc != 0 ] || fail "without the right to install it goes on"
ok "asked on a terminal alone"
