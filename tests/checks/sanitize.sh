#!/bin/bash
# Every test passes under AddressSanitizer, LeakSanitizer and UndefinedBehaviorSanitizer.
. "$(dirname "$0")/common"
needs clang

# With -O1 clang takes four times as long, so only the rooms in which the tests spend their time are compiled so. What clang warns
# of in the sources, one by one, is seen here.
B=build/asan
FLAGS="-gline-tables-only -Wall -Wextra -Werror -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer"
sanitized() { make -s -j"$JOBS" B=$B CC=clang CFLAGS="$FLAGS $1" TEST_OPT=-w "${@:2}" || fail "the tests do not build"; }
sanitized -O1 $(ls src/{base,ir,arith,map,proof,sets,access,analysis,eval}/*.c | sed "s,^src,$B,; s,c\$,o,")
sanitized -O0 programs
export IRL_SLOW=1 LIMIT=$((600 * $(pace))) UBSAN_OPTIONS=print_stacktrace=1

core=$(find $B/tests -name 'test_*' -type f -perm -u+x | sort)
ocl=$(find $B/tests -name 'ocl_*' -type f -perm -u+x | sort)
bash tests/run.sh $core > "$T/log" || { cat "$T/log"; fail "a test of the core does not pass"; }
cat "$T/log"

# The compiler inside PoCL leaks, and is slow here, so the kernels are those that programs without sanitizers have built:
# what then builds hardly anything is watched, and an OpenCL object that nobody released counts. PoCL 3.1 itself loses
# a few bytes with each image over a buffer, and the context: other objects are still watched.
if [ -n "$ocl" ]; then
    kernels
    export CACHE=$T/kernels
    printf 'leak:%s\n' libLLVM libclang pocl_check_kernel_disk_cache irl__image_over_buffer irl__runtime_create > "$T/supp"
    # Now and then LeakSanitizer itself falls while PoCL's threads end ("Tracer caught signal 11"), which says nothing about the
    # program: that one is run again. Whatever else fails, fails at once.
    for try in 1 2 3; do
        ASAN_OPTIONS=fast_unwind_on_malloc=0 LSAN_OPTIONS=suppressions=$T/supp:print_suppressions=0 \
            bash tests/run.sh $ocl > "$T/ocl.log" && break
        if [ $try = 3 ] || [ "$(grep -c '^FAIL ' "$T/ocl.log")" != "$(grep -c 'LeakSanitizer has encountered a fatal error' "$T/ocl.log")" ]; then
            cat "$T/ocl.log"
            fail "a test on a device does not pass"
        fi
        grep '^ok' "$T/ocl.log"
        ocl=$(awk -v tests="$B/tests/" '$1 == "FAIL" { print tests $2 }' "$T/ocl.log")
    done
    cat "$T/ocl.log"
fi
ok "$(cat "$T/log" "$T/ocl.log" 2> /dev/null | grep -E '^[0-9]+ passed' | awk '{p += $1} END {print p " passed"}')"
