#!/bin/bash
# A diagnostic of a macro's text shows the user's own line, with its file, line and column; and where the file is not what
# was compiled, is no regular file, or may not be read, the macro's text, without waiting. No memory is held after it.
. "$(dirname "$0")/common"

cat > "$T/user.c" <<'END'
#include "irlayout.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
IRL_KERNEL(kernel, (x: f32[4], y: f32[4]) {
    for (i: 4) /* all */
        y[i] = q[i]; // none
});
static int z;
IRL_LAYOUT(layout, (y, x), (y / 8),
           (x, z));
IRL_KERNEL(good, (x: f32[4], y: f32[4]) { for (i: 4) y[i] = x[i]; });
IRL_SCHEDULE(schedule, { (a, b) = split(y.i, 2); \
    unroll(nothing); });
static long held, left;
static void *allocate(void *user, size_t bytes)
{
    (void)user;
    if (left-- <= 0) return NULL;
    held += (long)bytes;
    return malloc(bytes);
}
static void release(void *user, void *memory, size_t bytes) { (void)user; held -= (long)bytes; free(memory); }
static void one(int k, int no_files, long most, int is_shown)
{
    irl_ctx_desc desc;
    irl_ctx     *cx;
    size_t       before;
    memset(&desc, 0, sizeof desc);
    desc.no_files = no_files;
    desc.allocator.allocate = allocate, desc.allocator.release = release;
    left = most;
    cx = irl_ctx_create(&desc);
    if (!cx) return;
    if (k == 0) irl_kernel(cx, &kernel);
    if (k == 1) irl_layout(cx, &layout);
    if (k == 2) irl_schedule(irl_kernel(cx, &good), &schedule);
    before = irl_ctx_memory(cx).in_use;
    if (irl_ok(cx) || before != (size_t)held) exit(9);
    if (is_shown) printf("%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    if (held != 0) exit(8);
}
int main(int argc, char **argv)
{
    int  k;
    long most;
    for (k = 0; k < 3; k++) one(k, argc > 1, 1 << 30, 1);
    for (most = 0; most < 40; most++) one(0, 0, most, 0); /* no memory for the file, or for anything */
    (void)argv;
    return 0;
}
END
make -s -j"$JOBS" lib || fail "the split sources do not build"
compile() { gcc -std=c99 -w $INC -o "$T/run" "$T/user.c" build/split/libirlayout.a -lm || fail "the program does not compile"; }
shows() { # $1 what the file is: the user's lines are shown
    timeout 120 "$T/run" > "$T/out" || fail "$1: it does not run ($?)"
    for place in 7:16 11:16 14:12; do grep -q "^$T/user.c:$place: error" "$T/out" || { cat "$T/out"; fail "$1: $place is not shown"; }; done
    for text in '        y[i] = q[i]; // none' '           (x, z));' '    unroll(nothing); });'; do
        grep -qxF "    $text" "$T/out" || { cat "$T/out"; fail "$1: '$text' is not shown"; }
    done
}
hides() { # the macro's text is shown, at the macro's line
    timeout 120 "$T/run" $2 > "$T/out" || fail "$1: it does not run ($?)"
    grep -qF '    (x: f32[4], y: f32[4]) { for (i: 4) y[i] = q[i]; }' "$T/out" || { cat "$T/out"; fail "$1: the macro's text is not shown"; }
}
compile
shows "the file"
hides "no_files" 1
(cd / && shows "from another folder")
cp "$T/user.c" "$T/kept.c"
sed 's/$/\r/' "$T/kept.c" > "$T/user.c"; compile; shows "CRLF"; grep -q $'\r' "$T/out" && fail "a carriage return is shown"
(printf '\xef\xbb\xbf'; cat "$T/kept.c") > "$T/user.c"; compile; shows "a byte order mark"
cp "$T/kept.c" "$T/user.c"; compile
{ cat "$T/kept.c"; echo '/* and more, edited since */'; } > "$T/user.c"; shows "more at the end"
sed 's/q\[i\]/p[i]/' "$T/kept.c" > "$T/user.c"; hides "another text"
: > "$T/user.c"; hides "an empty file"
rm "$T/user.c"; hides "no file"
mkdir "$T/user.c"; hides "a folder"; rmdir "$T/user.c"
mkfifo "$T/user.c"; hides "a pipe"; rm "$T/user.c"
ln -s /dev/zero "$T/user.c"; hides "a device without end"; rm "$T/user.c"
ln -s user.c "$T/user.c"; hides "a link to itself"; rm "$T/user.c"
{ head -c 5000000 /dev/zero; cat "$T/kept.c"; } > "$T/user.c"; hides "a file of 5 MB"
{ head -c 3000000 /dev/zero | tr '\0' '('; cat "$T/kept.c"; } > "$T/user.c"; timeout 120 "$T/run" > "$T/out" || fail "3 MB of parentheses"
if [ "$(id -u)" != 0 ]; then cp "$T/kept.c" "$T/user.c"; chmod 0 "$T/user.c"; hides "a file that may not be read"; rm -f "$T/user.c"; fi

# what is left out is left out
printf '#define IRLAYOUT_IMPLEMENTATION\n#include "irlayout.h"\n' > "$T/library.c"
reads() { # FLAG
    $QUICK -w $INC $1 -c -o "$T/library.o" "$T/library.c" || fail "the library does not compile with $1"
    nm -u "$T/library.o" | grep -qE ' (fopen|fread|fseek|ftell|fclose|stat)$'
}
for flag in -DIRL_NO_FILES -DIRL_NO_LIBC_ALLOCATOR; do ! reads $flag || fail "files are read with $flag"; done
reads || fail "the check looks for the wrong function"
ok
