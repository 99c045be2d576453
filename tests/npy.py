#!/usr/bin/env python3
"""Numbers in files, as `irlc run` takes and gives them: npy.py IRLC COUNT FOLDER [--mutate]

Each case draws a type, a shape, an order of axes and of bytes, a version, a form of the header, a layout and a way in and out, and
compares what irlc writes with what it was given. Files are written with struct alone and, where numpy is there, by numpy in half of the
cases; numpy then reads each result too. With --mutate each file is also changed, and irlc must refuse it or run (exit status 2 or 0).
"""
import random
import struct
import subprocess
import sys

try:
    import numpy as np
except ImportError:
    np = None

irlc, count, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
mutates = "--mutate" in sys.argv
rnd = random.Random(count)
# irlayout's type, numpy's kind and size, struct's letter
TYPES = [("bool", "b", 1, "B"), ("i8", "i", 1, "b"), ("i16", "i", 2, "h"), ("i32", "i", 4, "i"), ("i64", "i", 8, "q"), ("u8", "u", 1, "B"),
         ("u16", "u", 2, "H"), ("u32", "u", 4, "I"), ("u64", "u", 8, "Q"), ("f16", "f", 2, "e"), ("bf16", "u", 2, "H"), ("f32", "f", 4, "f"),
         ("f64", "f", 8, "d"), ("unorm8", "u", 1, "B"), ("snorm8", "i", 1, "b"), ("unorm16", "u", 2, "H"), ("snorm16", "i", 2, "h")]


def value(t):
    name, kind, size, _ = t
    if name == "bool":
        return rnd.randrange(2)
    if name == "bf16":  # no NaN: its bits are free
        return rnd.choice([0, 0x8000, 0x7F80, 0x3F80, rnd.randrange(0x7F80)])
    if name.startswith("snorm"):  # two integers stand for -1
        return rnd.randrange(1 - (1 << 8 * size - 1), 1 << 8 * size - 1)
    if kind == "f":
        return rnd.choice([0.0, -0.0, float("inf"), 1.5, -2.0, rnd.randrange(-2048, 2048) / 16])
    low = -(1 << 8 * size - 1) if kind == "i" else 0
    return rnd.choice([low, low + (1 << 8 * size) - 1, rnd.randrange(low, low + (1 << 8 * size))])


def places(shape, fortran):
    """The row-major numbers of the elements, in the order of the file."""
    order = [0]
    axes = list(range(len(shape)))
    step = [1] * len(shape)
    for k in reversed(axes[:-1]):
        step[k] = step[k + 1] * shape[k + 1]
    for k in (reversed(axes) if fortran else axes):  # the slowest axis first
        order = [at + i * step[k] for at in order for i in range(shape[k])]
    return order


def npy(t, shape, values, fortran, big, version, form):
    order = "|" if t[2] == 1 else ">" if big else "<"
    descr = order + t[1] + str(t[2])
    extents = "(" + ", ".join(map(str, shape)) + (",)" if len(shape) == 1 else ")")
    header = "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, extents)
    if form == 1:
        header = '{"shape":%s,"descr":"%s","fortran_order":%s}' % (extents, descr, fortran)
    before = 10 if version == 1 else 12
    if form != 2:
        header += " " * ((-before - len(header) - 1) % 64)
    header += "\n"
    head = b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(header)) + header.encode()
    data = [values[at] for at in places(shape, fortran)]
    return head + struct.pack((">" if big else "<") + str(len(data)) + t[3], *data)


def from_npy(t, data):
    """Shape and values of what irlc wrote, read by means of its own header."""
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    n = struct.unpack("<H", data[8:10])[0]
    assert (10 + n) % 64 == 0 and data[10 + n - 1] == 10
    head = eval(data[10:10 + n], {"__builtins__": {}})
    assert sorted(head) == ["descr", "fortran_order", "shape"] and head["fortran_order"] is False
    assert head["descr"][1:] == t[1] + str(t[2]), head
    letter = "<" if head["descr"][0] == "|" else head["descr"][0]
    values = struct.unpack(letter + str((len(data) - 10 - n) // t[2]) + t[3], data[10 + n:])
    return tuple(head["shape"]), list(values)


def run(arguments, stdin=b""):
    r = subprocess.run([irlc, "run"] + arguments, input=stdin, capture_output=True)
    if r.returncode not in (0, 1, 2) or b"runtime error" in r.stderr or b"Sanitizer" in r.stderr:
        sys.exit("irlc run %s: exit status %d\n%s" % (" ".join(arguments), r.returncode, r.stderr.decode(errors="replace")))
    return r


def fails(arguments, words):
    r = run(arguments)
    text = r.stderr.decode(errors="replace")
    if r.returncode != 2 or not all(w in text for w in words):
        sys.exit("irlc run %s: exit status %d, and %s are not all in: %s" % (" ".join(arguments), r.returncode, words, text))


def mutated(data):
    data = bytearray(data)
    for _ in range(rnd.randrange(1, 4)):
        at = rnd.randrange(min(len(data), 140)) if data else 0
        what = rnd.randrange(5)
        if what == 0 and data:
            data[at] = rnd.randrange(256)
        elif what == 1:
            del data[at:at + rnd.randrange(1, 8)]
        elif what == 2:
            data[at:at] = rnd.choice([b"(", b")", b",", b"9", b"99999999999999999999", b"True", b"'", b"-1", b"[", b"{", b"\0"])
        elif what == 3:
            del data[at + rnd.randrange(200):]
        elif data:
            data[at] ^= 1 << rnd.randrange(8)
    return bytes(data)


def case(number):
    t = TYPES[number % len(TYPES)]
    rank = rnd.choice([0, 1, 1, 2, 2, 3, 4])
    shape = [rnd.choice([1, 2, 3, 4, 5]) for _ in range(rank)]
    if rank and rnd.randrange(20) == 0:
        shape[rnd.randrange(rank)] = 0
    lanes = rnd.choice([1] * 5 + [2, 4]) if t[0] in ("f32", "i32", "u8") and rank else 1
    named = rnd.randrange(2) and rank and 0 not in shape
    names = ["n%d" % k for k in range(rank)] if named else list(map(str, shape))
    element = t[0] + ("x%d" % lanes if lanes > 1 else "")
    index = ", ".join("i%d" % k for k in range(rank))
    axes = ", ".join("i%d: %s" % (k, names[k]) for k in range(rank))
    if rank:
        text = "func f(x: %s[%s], y: %s[%s]) { for (%s) y[%s] = x[%s]; }" % (element, ", ".join(names), element, ", ".join(names), axes, index, index)
    else:
        text = "func f(x: %s[], y: %s[]) { y[] = x[]; }" % (element, element)
    with open(folder + "/f.irl", "w") as f:
        f.write(text)
    full = shape + ([lanes] if lanes > 1 else [])
    elements = 1
    for e in full:
        elements *= e
    values = [value(t) for _ in range(elements)]
    fortran, big, version, form = rnd.randrange(2), t[2] > 1 and rnd.randrange(2), rnd.randrange(1, 4), rnd.randrange(3)
    data = npy(t, full, values, bool(fortran), big, version, form)
    if np is not None:
        array = np.array(values, dtype=np.dtype((">" if big else "<") + t[1] + str(t[2]))).reshape(full)
        with open(folder + "/x.npy", "wb") as f:
            np.lib.format.write_array(f, np.asfortranarray(array) if fortran and array.ndim else array, version=(version, 0))
        with open(folder + "/x.npy", "rb") as f:
            if number % 2:
                data = f.read()
    path = folder + "/x.npy"
    with open(path, "wb") as f:
        f.write(data)
    raw = struct.pack("=" + str(elements) + t[3], *values)
    arguments = [folder + "/f.irl"]
    way = rnd.choice(["npy", "npy", "pipe", "raw", "memory"])
    if way == "memory" and (rank < 2 or 0 in shape or named):
        way = "npy"
    # the last axis in parts, or the axes turned round
    if rank >= 2 and 0 not in shape and (way == "memory" or rnd.randrange(3) == 0):
        turned = ", ".join(reversed(["i%d" % k for k in range(rank)]))
        arguments += ["--layout", "x=(%s) -> (%s)" % (index, turned)]
        if rnd.randrange(2):
            arguments += ["--layout", "y=(%s) -> (%s)" % (index, turned)]
    stdin = b""
    if way == "memory":  # the file has the axes turned round, as memory does; of lanes the last axis stays
        place = places(shape, True)
        memory = [values[at * lanes + l] for at in place for l in range(lanes)]
        turned_shape = shape[::-1] + ([lanes] if lanes > 1 else [])
        with open(path, "wb") as f:
            f.write(npy(t, turned_shape, memory, False, big, version, form))
        arguments += ["--in-memory"]
        if arguments[3:4] and "y=" not in " ".join(arguments):
            arguments += ["--layout", "y=(%s) -> (%s)" % (index, turned)]
    source = path
    if way == "raw":
        source = folder + "/x.bin"
        with open(source, "wb") as f:
            f.write(raw)
        if named:
            arguments += [a for k in range(rank) for a in ("--set", "n%d=%d" % (k, shape[k]))]
    elif way == "pipe":
        source, stdin = "-", data
    out = folder + "/y.npy"
    files = ["--in", "x=" + source, "--out", "y=" + out, "--out", "x=" + folder + "/y.bin", "--expect", "y=" + (source if way != "pipe" else path)]
    r = run(arguments + files, stdin)
    if r.returncode or r.stderr:
        sys.exit("%s\nirlc run %s: exit status %d\n%s" % (text, " ".join(arguments), r.returncode, (r.stdout + r.stderr).decode()))
    if (t[0] == "bf16" or "norm" in t[0]) and ("written as %s%d" % (t[1], 8 * t[2])).encode() not in r.stdout:
        sys.exit("%s: what is written is not said: %s" % (t[0], r.stdout))
    with open(out, "rb") as f:
        got = from_npy(t, f.read())
    want = (tuple(turned_shape), memory) if way == "memory" else (tuple(full), values)
    if got != want:
        sys.exit("%s\nirlc run %s: wrote %s instead of %s" % (text, " ".join(arguments), got, want))
    if np is not None:
        again = np.load(out, allow_pickle=False)
        if again.shape != want[0] or [v.item() for v in again.ravel()] != want[1] and t[0] != "bool":
            sys.exit("%s: numpy reads %s instead of %s" % (text, again, want))
    with open(folder + "/y.bin", "rb") as f:
        bits = f.read()
    if way != "memory" and bits != raw:
        sys.exit("%s: raw bytes of x are %s instead of %s" % (text, bits.hex(), raw.hex()))
    # what differs is found: one element, and how many (halves may differ by one unit)
    if elements and way == "npy" and "f16" not in t[0]:
        other = list(values)
        at = rnd.randrange(elements)
        other[at] = next(v for v in iter(lambda: value(t), None) if v != other[at])
        with open(folder + "/other.npy", "wb") as f:
            f.write(npy(t, full, other, False, False, 1, 0))
        r = run(arguments + ["--in", "x=" + path, "--expect", "y=" + folder + "/other.npy"])
        point = []
        for e in reversed(full):
            point.insert(0, at % e)
            at //= e
        if r.returncode != 1 or ("different: y[%s] is" % ", ".join(map(str, point))).encode() not in r.stdout or \
                ("1 of %d elements differ" % (elements // lanes)).encode() not in r.stdout:
            sys.exit("%s: not found, element %s: %s" % (text, point, r.stdout.decode()))
    if way == "memory":
        return
    # what does not fit is refused, with what was found and expected
    wrong = folder + "/wrong.npy"
    kind = rnd.randrange(3)
    with open(wrong, "wb") as f:
        if kind == 0:
            f.write(data[:-1] if rnd.randrange(2) else data + b"\0")
        elif kind == 1:
            u = rnd.choice([u for u in TYPES if u[1:3] != t[1:3]])
            f.write(npy(u, full, [0] * elements, False, False, 1, 0))
        else:
            f.write(npy(t, full + [2], values * 2, False, False, 1, 0))
    fails([folder + "/f.irl", "--in", "x=" + wrong] + [a for k in range(rank) if named for a in ("--set", "n%d=%d" % (k, shape[k]))],
          [["found", "bytes"], ["expected elements", "found"], ["expected the shape", "found"]][kind])
    for _ in range(8 if mutates else 0):
        with open(wrong, "wb") as f:
            f.write(mutated(data))
        r = run([folder + "/f.irl", "--in", "x=" + wrong, "--out", "y=" + out])
        if r.returncode == 1:
            sys.exit("%s: a changed file ends in 1: %s" % (text, r.stderr.decode(errors="replace")))


for number in range(count):
    case(number)
print("%d files%s%s" % (count, ", with numpy" if np is not None else ", without numpy", ", and changed ones" if mutates else ""))
