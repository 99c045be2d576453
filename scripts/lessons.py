"""What each lesson introduces: the public functions and macros, the words of the language and the steps of schedules that no lesson
before it uses. A lesson lists them at the end of its head.

    python3 scripts/lessons.py            prints what a head lacks or has too much, or that a lesson has too many; exit status 1 then
    python3 scripts/lessons.py --update   writes the heads"""
import glob
import re
import subprocess
import sys
import textwrap

WIDTH = 100
FIRST = "This example is the first that uses these names. "


def words_of_language():
    vim = subprocess.run(["sh", "scripts/syntax.sh", "vim"], capture_output=True, text=True, check=True).stdout
    words = set()
    for kind in ("irlStatement", "irlFunction", "irlScope"):
        words |= set(re.search(r"^syn keyword %s (.*)$" % kind, vim, re.M).group(1).split())
    return words


def steps():
    return set(re.findall(r"^IRL_PRIMITIVE\((\w+)", open("src/schedule/primitives.h").read(), re.M))


def balanced(text, at):
    """The end of the parenthesis that opens at `at`."""
    depth = 0
    for k in range(at, len(text)):
        depth += (text[k] == "(") - (text[k] == ")")
        if depth == 0:
            return k
    return len(text)


def taken_apart(source):
    """The C outside of macros and strings, the text of functions, and that of schedules. (What a lesson explains in its own comments
    is no use of it.)"""
    source = re.sub(r"/\*.*?\*/", " ", source, flags=re.S)
    functions, schedules, rest, end = [], [], [], 0
    for m in re.finditer(r"\bIRL_(KERNEL|SCHEDULE)\(", source):
        if m.start() < end:
            continue
        close = balanced(source, m.end() - 1)
        (functions if m.group(1) == "KERNEL" else schedules).append(source[m.end():close])
        rest.append(source[end:m.end()])
        end = close
    rest = "".join(rest) + source[end:]
    # texts of the language stand in strings too: those with a statement, a map or a declaration in them
    whole = " ".join(re.findall(r'"((?:[^"\\]|\\.)*)"', rest))
    for text in re.findall(r"(?:func|graph|target) \w+.*?\}", whole):
        functions.append(text)
    return re.sub(r'"(?:[^"\\]|\\.)*"', '""', rest), " ".join(functions), " ".join(schedules)


def used(path, language, primitives):
    c, functions, schedules = taken_apart(open(path).read())
    names = set(re.findall(r"\b(irl_[a-z0-9_]+|IRL_[A-Z0-9_]+)\(", c))
    own = set(re.findall(r"\b([a-z_]+)\s*[\[:]", functions))  # buffers and loops
    words = set(re.findall(r"\b[a-z_]+\b", functions)) & language
    return names, words - own, set(re.findall(r"\b(\w+)\(", schedules)) & primitives


def introduced():
    language, primitives, seen = words_of_language(), steps(), (set(), set(), set())
    for path in sorted(glob.glob("examples/[0-9][0-9]_*.c")):
        new = []
        for known, now in zip(seen, used(path, language, primitives)):
            new.append(sorted(now - known))
            known |= now
        yield path, new


def line(new):
    parts = [", ".join(p) for p in new]
    parts = [label + p + "." for label, p in zip(("C: ", "Kernels: ", "Schedules: "), parts) if p]
    return FIRST + " ".join(parts) if parts else ""


def main():
    wrong, most = 0, 25
    for path, new in introduced():
        source = open(path).read()
        close = source.index("*/")
        head = source[:close]
        stated = re.search(r"\n\n?   This example is the first .*", head, re.S)
        want = line(new)
        have = " ".join(stated.group(0).split()) if stated else ""
        if sum(len(p) for p in new) > most:
            print("%s introduces more than %d names: split it" % (path, most))
            wrong = 1
        if have == want:
            continue
        if "--update" not in sys.argv:
            print("%s\n  says      %s\n  but has   %s" % (path, have, want))
            wrong = 1
            continue
        body = (head[:stated.start()] if stated else head).rstrip()
        filled = textwrap.fill(want, WIDTH - 3, initial_indent="   ", subsequent_indent="   ", break_on_hyphens=False)
        open(path, "w").write((body + "\n\n" + filled if want else body) + " " + source[close:])
    return wrong


sys.exit(main())
