#!/bin/bash
# The page in the browser (make page) loads from a file in a headless Chromium, answers each key press of its lessons in less than 50 ms,
# says nothing in the console, holds its state in its link, and is used by the keyboard alone (tests/page.py).
. "$(dirname "$0")/common"
needs clang wasm-ld chromium python3
[ -f /usr/include/wasm32-wasi/stdlib.h ] || skip "there is no wasi-libc"

make -s build/page/index.html > "$T/log" 2>&1 || { cat "$T/log"; fail "the page does not build"; }
grep -qE 'src="|href="|@import|url\(http' web/page.html && fail "web/page.html loads something from elsewhere"
timeout 280 python3 tests/page.py build/page/index.html > "$T/out" 2>&1 || { cat "$T/out"; fail "$(tail -n 1 "$T/out")"; }
ok "$(tail -n 1 "$T/out")"
