#!/bin/bash
# No object of the library is writable: nothing in .data or .bss (without PIE, so that tables of pointers count as const).
. "$(dirname "$0")/common"
needs clang CL/cl.h

units
for cc in gcc clang; do
    for f in core runtime single_runtime; do
        $cc -std=c99 $INC -fno-pie -O0 -c -o "$T/o" "$T/$f.c" || fail "$f does not compile with $cc"
        bytes=$(size -A "$T/o" | awk '$1 ~ /^\.(data|bss|tdata|tbss|sdata|sbss)/ && $1 !~ /^\.data\.rel\.ro/ { n += $2 } END { print n + 0 }')
        [ "$bytes" = 0 ] || fail "$cc $f: $bytes writable bytes: $(nm "$T/o" | awk '$(NF-1) ~ /^[dDbBCgGsS]$/ {print $NF}' | tr '\n' ' ')"
    done
done
ok
