#!/bin/bash
# -o FILE of each command of irlc writes FILE as any program does: a link, a hard link, a mode, a pipe, a terminal, a device
# and a file in a folder that may not be written stay what they are. What fails before that leaves FILE as it was, and
# what cannot be written whole is said, with status 2.
. "$(dirname "$0")/common"

make -s irlc || fail "irlc does not build"
irlc=$PWD/build/irlc
export POCL_CACHE_DIR=$T/cache
cd "$T" || fail "no folder to work in"

cat > relu.irl << 'END'
func relu(x: f32[64], y: f32[64]) { for (i: 64) y[i] = max(x[i], 0.0f); }
END
# with one schedule alone, so that the fastest is always the same
echo 'func one(x: f32[4], y: f32[4]) { y[0] = x[3]; }' > one.irl
cat > two.irl << 'END'
graph two {
    func relu(x: f32[64], y: f32[64]) { for (i: 64) y[i] = max(x[i], 0.0f); }
    input x: f32[64];
    y = relu(x);
    z = relu(y);
    output z;
}
END
cat > packet.irl << 'END'
record packet bytes(2) { kind: u4; size: u12; }
END
cat > verbs << 'END'
map '(y, x) -> (y/8, x, y%8)' 64,128
check '(y, x) -> (y/8, x, y%8)' 64,128
check '(y, x) -> (y/8, x, y%8)' 64,128 --json
inverse '(y, x) -> (y/8, x, y%8)' 64,128
show '(y, x) -> (y/8, x, y%8)' 16,8
show '(y, x) -> (y/8, x, y%8)' 16,8 --svg
pack '(y, x) -> (y/8, x, y%8)' 64,128
dma '(y, x) -> (x, y)' 6,6
simplify '(i * 4 + 3) / 4' i=0..8
texture 1x64x56x56
target opencl12
steps split
fmt relu.irl
graph two.irl
graph two.irl --json
schedule relu.irl --auto
lower relu.irl
lower relu.irl --emit opencl
emit '(y, x) -> (y/8, x, y%8)' 64,128 --name display
emit relu.irl --as opencl
run relu.irl
plan relu.irl
explain relu.irl
check packet.irl
show packet.irl
pack packet.irl
emit packet.irl
END
# what needs a device to compute on
"$irlc" time relu.irl > /dev/null 2>&1 && printf '%s\n' 'time relu.irl' 'tune one.irl' >> verbs
# a folder that may not be written, and a file in it that may
mkdir shut other; chmod 777 other; : > shut/file; chmod 666 shut/file; chmod 555 shut; chmod 755 "$T"; cp "$irlc" irlc
as_user=
if [ "$(id -u)" = 0 ]; then command -v setpriv > /dev/null && as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"; fi
$as_user ./irlc --version > /dev/null 2>&1 || as_user=-
# a device of the test's own, where it may make one
device=
mknod null c 1 3 2> /dev/null && : 2> /dev/null > null && device=null
n=0
timeless() { sed -E 's/ *[0-9.]+ ([mu]s|G[A-Z]+)//g; s/median [0-9.]+//' "$1"; }
# each: runs the command of this line of the list with more arguments
run() { eval "${BY-\"$irlc\"} $verb $*"; }
while read -r verb; do
    n=$((n + 1))
    rm -f want real link hard mode fifo got
    run '> want 2> err < /dev/null' || { cat err; fail "irlc $verb: status $?"; }
    [ -s want ] || fail "irlc $verb prints nothing"
    says() { # FILE: it holds what is printed without -o, but for the times
        cmp -s <(timeless want) <(timeless "$1") || fail "irlc $verb -o: $2 holds something else"
    }
    echo old > real; ln -s real link; ln real hard
    run -o link || fail "irlc $verb: status $?"
    [ -L link ] || fail "irlc $verb -o: a link is replaced"
    says real "what a link leads to"; says hard "a hard link"
    echo old > mode; chmod 600 mode
    run -o mode && says mode "a file of mode 600"
    [ "$(stat -c %a mode)" = 600 ] || fail "irlc $verb -o: mode 600 becomes $(stat -c %a mode)"
    mkfifo fifo
    timeout 60 cat fifo > got & reader=$!
    run -o fifo
    wait $reader || fail "irlc $verb -o: the reader of a pipe waits"
    [ -p fifo ] || fail "irlc $verb -o: a pipe is replaced"
    says got "a pipe"
    run -o /dev/full '2> err'
    rc=$?
    [ $rc = 2 ] && grep -q 'cannot write' err || fail "irlc $verb -o: a full disk is status $rc"
    echo kept > kept
    run --no-such-option -o kept '> /dev/null 2>&1'
    [ "$(cat kept)" = kept ] || fail "irlc $verb: bad input, and the file is not left as it was"
    if [ "$as_user" != - ]; then
        BY="$as_user env POCL_CACHE_DIR=$T/other ./irlc" run -o shut/file || fail "irlc $verb -o a file in a folder that may not be written: status $?"
        says shut/file "a file in a folder that may not be written"
        BY="$as_user env POCL_CACHE_DIR=$T/other ./irlc" run -o shut/new '2> /dev/null'
        [ $? = 2 ] || fail "irlc $verb -o a new file in a folder that may not be written is no status 2"
    fi
    if [ -n "$device" ]; then
        run -o null || fail "irlc $verb -o a device: status $?"
        [ -c null ] || fail "irlc $verb -o replaces a device"
    fi
    if command -v script > /dev/null; then
        script -qec "\"$irlc\" $verb -o /dev/tty > /dev/null 2>&1" typed < /dev/null > /dev/null
        [ "$(timeless want)" = "$(sed '/^Script /d; s/\r$//' typed | timeless -)" ] ||
            fail "irlc $verb -o a terminal prints something else"
    fi
    ls | grep -q '\.part' && fail "irlc $verb -o leaves a temporary file"
done < verbs
verb='lower relu.irl'

# a command that is refused leaves the file
for verb in "lower relu.irl --layout 'x=(i) -> (i / 2)' --layout 'y=(i) -> (i / 2)'" "emit '(i) -> (i / 2' 4" "map '(y) -> ' 6"; do
    echo kept > kept
    run -o kept '> /dev/null 2>&1' && fail "irlc $verb is not refused"
    [ "$(cat kept)" = kept ] || fail "irlc $verb is refused, and the file is not left as it was"
done
verb='lower relu.irl'
run '> want'
# two runs at a time into one file leave one whole text
for k in 1 2 3 4; do run -o both & done; wait
says both "a file that four runs write at a time"
"$irlc" 2> brief
[ $? = 2 ] && [ "$(wc -l < brief)" -le 20 ] || fail "irlc alone prints $(wc -l < brief) lines"
ok "$n commands"
