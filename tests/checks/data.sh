#!/bin/bash
# No object of the library is writable: nothing in .data or .bss (tables of pointers count as const).
. "$(dirname "$0")/common"
needs clang CL/cl.h

# by gcc the sources' own objects, by clang the whole
make -s -j"$JOBS" lib || fail "the split sources do not build"
units
clang -std=c99 $INC -fno-pie -O0 -c -o "$T/single_runtime.o" "$T/single_runtime.c" || fail "the single header does not compile with clang"
objects=$(echo build/split/*/*.o)
[ "$(wc -w <<< "$objects")" -gt 100 ] || fail "the objects of the sources are not found"
for o in $objects "$T/single_runtime.o"; do
    [ "$o" = "$T/single_runtime.o" ] || [ -f "src/$(basename "$(dirname "$o")")/$(basename "$o" .o).c" ] || continue # of a file that is gone
    bytes=$(size -A "$o" | awk '$1 ~ /^\.(data|bss|tdata|tbss|sdata|sbss)/ && $1 !~ /^\.data\.rel\.ro/ { n += $2 } END { print n + 0 }')
    [ "$bytes" = 0 ] || fail "$o: $bytes writable bytes: $(nm "$o" | awk '$(NF-1) ~ /^[dDbBCgGsS]$/ {print $NF}' | tr '\n' ' ')"
done
ok "$(echo $objects | wc -w) objects"
