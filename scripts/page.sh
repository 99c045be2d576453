#!/bin/sh
# Makes build/page/index.html, one file that works offline: the library as WebAssembly in a page (web/).
# Needs clang, wasm-ld (lld) and wasi-libc with its builtins (scripts/deps.sh page).
#   scripts/page.sh --hash      prints the hash of what the page is made from, which is part of the page

cd "$(dirname "$0")/.." || exit 1
hash=$(export LC_ALL=C; cat scripts/page.sh web/* irlayout.h irlayout_ocl.h src/*/*.[ch] | sha256sum | cut -c 1-64)
[ "$1" != --hash ] || { echo "$hash"; exit; }
to=build/page
mkdir -p $to || exit 1
clang --target=wasm32-wasi ${WEB_OPT:--Os} -mexec-model=reactor -I. -I/usr/include/stb -Wl,--strip-all -Wl,-z,stack-size=4194304 \
    -o $to/irlayout.wasm web/page.c || exit 1
gzip -9 -n -c $to/irlayout.wasm | base64 -w 0 > $to/irlayout.b64
awk -v wasm=$to/irlayout.b64 -v lessons=web/lessons.json '
    function all(file,  line, text) { while ((getline line < file) > 0) text = text line "\n"; close(file); return text }
    { while ((k = index($0, "@WASM@")) || (k = index($0, "@LESSONS@"))) {
          is_wasm = substr($0, k, 6) == "@WASM@"
          printf "%s%s", substr($0, 1, k - 1), all(is_wasm ? wasm : lessons)
          $0 = substr($0, k + (is_wasm ? 6 : 9))
      }
      print }
    END { print "<!-- made from " hash " -->" }' hash="$hash" web/page.html > $to/index.html || exit 1
echo "$to/index.html: $(($(wc -c < $to/index.html) / 1024)) KiB"
