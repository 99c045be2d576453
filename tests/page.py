#!/usr/bin/env python3
"""Drives the page in a headless Chromium, from a file: python3 tests/page.py build/page/index.html

Opens each lesson, presses a key at the end of its first field and takes it back, and looks at what the page
says it took, at the picture and at the console. Speaks the browser's own protocol over a pipe: nothing but
Python's library is needed. The last line says how many key presses there were and how long the slowest took."""
import json, os, shutil, subprocess, sys, tempfile, time

MOST_MS = 50

class Browser:
    def __init__(self, profile):
        down, self.write = os.pipe()
        self.read, up = os.pipe()
        name = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        # the browser reads from 3 and writes to 4
        script = f"exec {name} --headless --no-sandbox --disable-gpu --remote-debugging-pipe --user-data-dir={profile} about:blank 3<&{down} 4>&{up}"
        self.process = subprocess.Popen(["bash", "-c", script], pass_fds=(down, up), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(down), os.close(up)
        self.number, self.buffer, self.session, self.errors = 0, b"", None, []

    def message(self):
        while b"\0" not in self.buffer:
            more = os.read(self.read, 1 << 20)
            if not more:
                sys.exit("the browser has gone")
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **parameters):
        self.number += 1
        question = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            question["sessionId"] = self.session
        os.write(self.write, json.dumps(question).encode() + b"\0")
        while True:
            m = self.message()
            if m.get("method") == "Runtime.exceptionThrown" or \
               m.get("method") == "Runtime.consoleAPICalled" and m["params"]["type"] in ("error", "warning") or \
               m.get("method") == "Log.entryAdded" and m["params"]["entry"]["level"] in ("error", "warning"):
                self.errors.append(json.dumps(m["params"])[:400])
            if m.get("id") == self.number:
                if "error" in m:
                    sys.exit(f"{method}: {m['error']}")
                return m["result"]

    def value(self, expression):
        r = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in r:
            sys.exit(f"{expression}: {r['exceptionDetails']}")
        return r["result"].get("value")

    def press(self, key, **more):
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
        more.pop("text", None)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, **more)

# Everything by key events: what is asked of the page here is only read.
KEYS = {"Tab": 9, "Enter": 13, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Backspace": 8}
STOP = """(() => { const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect();
    return [e === document.body ? "" : e.id || (e.closest("#cards") ? "card" + [...document.querySelectorAll("#cards button")].indexOf(e)
                                               : e.localName + "." + (e.nextElementSibling?.id ?? "")),
            e.matches(":focus-visible") && s.outlineStyle === "solid" && parseFloat(s.outlineWidth) >= 2 && s.outlineColor !== getComputedStyle(document.body).backgroundColor,
            r.bottom > 0 && r.top < innerHeight] })()"""
FORMS = {"layout": ["map", "shape", "frame", "walk", "summary.c", "summary.opencl"], "kernel": ["func", "layouts", "auto", "summary.k-opencl", "summary.k-c"]}

def by_keys_alone(b, url, check):
    count = [0]
    def key(name, shift=False, times=1):
        for _ in range(times):
            text = {"Enter": "\r", " ": " "}.get(name, name if len(name) == 1 else None)
            b.press(name, windowsVirtualKeyCode=KEYS.get(name, ord(name[0])), **({"text": text} if text else {}), **({"modifiers": 8} if shift else {}))
            count[0] += 1
    def stop():
        return b.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(%s))))" % STOP)
    def at():
        return stop()[0]
    def walk(shift=False, most=60):
        """The stops of Tab from here on until the page is left."""
        stops = []
        while len(stops) < most:
            key("Tab", shift)
            name, is_seen, is_here = stop()
            if not name or name in stops: # behind the last one comes the first again
                break
            check(is_seen, f"the focus on {name} is seen")
            check(is_here, f"{name} is scrolled to")
            stops.append(name)
        return stops
    def load(hash):
        b.ask("Page.navigate", url="about:blank")
        b.ask("Page.navigate", url=url + hash)
        for _ in range(300):
            if b.value("document.body?.dataset.ready") == "yes":
                break
            time.sleep(0.1)
    expect = lambda stops, wanted, what: check([s for s in stops if not s.startswith(("figure.", "pre.", "picture", "boxes", "c", "way", "opencl", "k-", "error"))
                                                or s.startswith("card")] == wanted, f"{what}: {stops}")
    for scheme in ("light", "dark"):
        b.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        load("#layout?map=" + "%28y%2C%20x%29%20-%3E%20%28y%2F8%2C%20x%2C%20y%258%29&shape=16%2C8")
        stops = walk()
        expect(stops, ["t-layout"] + FORMS["layout"], "Tab goes through the layout in its order")
        while at() != stops[-1] and count[0] < 2000:
            key("Tab")
        back = walk(True)
        check(back[:len(stops) - 1] == stops[-2::-1], f"and Shift+Tab back: {back}")
    # every control does by keys what it does by a mouse
    load("")
    key("Tab", times=2)
    check(at() == "map", "Tab comes to the layout")
    key("End"), key("Backspace"), key("Backspace"), key("4"), key(")")
    check(b.value("$('map').value") == "(y, x) -> (y/8, x, y%4)" and b.value("$('verdict').textContent").startswith("lossy"), "typed: lossy")
    key("Backspace"), key("Backspace"), key("8"), key(")")
    check(b.value("$('verdict').textContent") == "bijective onto [2, 8, 8]", "typed back: bijective")
    key("Tab", times=3)
    before = b.value("$('picture').innerHTML")
    key(" ")
    check(b.value("$('walk').checked && $('picture').innerHTML") not in (False, before), "Space ticks the order of memory")
    for panel, name in (("layout", "opencl"), ("kernel", "k-c")):
        while at() != "summary." + name and count[0] < 2000:
            key("Tab")
        key("Enter")
        check(b.value(f"$('{name}').parentElement.open && $('{name}').textContent.length > 50"), f"Enter opens {name}")
        if panel == "layout":
            while at() != "t-layout" and count[0] < 2000:
                key("Tab", True)
            key("ArrowRight")
            check(b.value("tab") == "kernel" and at() == "t-kernel", "an arrow: the kernel")
    while at() != "t-kernel" and count[0] < 2000:
        key("Tab", True)
    expect(["t-kernel"] + walk(), ["t-kernel"] + FORMS["kernel"], "Tab goes through the kernel, and out of its texts")
    load("#kernel")
    key("Tab") # the link's #kernel is where it begins
    check(at() == "func", f"a text of several lines is come to: {at()}")
    key("Tab", times=2)
    text = b.value("$('k-opencl').textContent")
    key(" ")
    check(b.value("$('auto').checked") is True and len(text) > 100, "Space asks for a schedule")
    while at() != "t-kernel" and count[0] < 2000:
        key("Tab", True)
    key("End")
    check(b.value("tab") == "lessons" and at() == "t-lessons", "End: the last tab")
    key("Home")
    check(b.value("tab") == "layout" and at() == "t-layout", "Home: the first tab")
    key("ArrowLeft")
    check(b.value("tab") == "lessons", "an arrow to the left goes round")
    cards = b.value("LESSONS.length")
    check(walk() == ["card%d" % k for k in range(cards)], "Tab goes through all lessons")
    key("Tab", True), key("Enter")
    check(b.value("tab") == b.value(f"LESSONS[{cards - 1}].tab") and at() in ("map", "func"), "Enter opens the last lesson")
    # a picture that is larger than its place is scrolled by keys
    b.ask("Emulation.setDeviceMetricsOverride", width=500, height=700, deviceScaleFactor=1, mobile=False)
    load("#layout?map=%28i%2C%20j%29%20-%3E%20%28i%2C%20j%29&shape=16%2C24")
    stops = walk()
    check("picture" in stops, f"a large picture is come to: {stops}")
    while at() != "picture" and count[0] < 2000:
        key("Tab", True)
    key("ArrowRight", times=3)
    time.sleep(0.5)
    check(b.value("$('picture').scrollLeft") > 0, "and scrolled")
    b.ask("Emulation.clearDeviceMetricsOverride")
    print(f"by keys alone: {count[0]} keys")
    return count[0]

def main(path):
    failed = []
    def check(ok, what):
        if not ok:
            failed.append(what)
            print("check failed:", what)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        b = Browser(profile)
        target = b.ask("Target.createTarget", url="about:blank")["targetId"]
        b.session = b.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page"):
            b.ask(domain + ".enable")
        url = "file://" + os.path.abspath(path)
        b.ask("Page.navigate", url=url)
        for _ in range(300):
            if b.value("document.body?.dataset.ready") == "yes":
                break
            time.sleep(0.1)
        check(b.value("document.body.dataset.ready") == "yes", "the page loads from a file")
        check(b.value("$('verdict').textContent") == "bijective onto [2, 8, 8]", "the first verdict")
        slowest, presses, count = 0.0, 0, b.value("LESSONS.length")
        for k in range(count):
            # by the keyboard alone: Enter on the card, then into its first field
            b.value("choose('lessons'); update(); document.querySelectorAll('#cards button')[%d].focus()" % k)
            b.press("Enter", text="\r", windowsVirtualKeyCode=13)
            title, tab = b.value(f"LESSONS[{k}].title"), b.value("tab")
            check(tab == b.value(f"LESSONS[{k}].tab"), f"{title}: its tab")
            check(b.value("document.activeElement.id") in ("map", "func"), f"{title}: the field has the focus")
            good = b.value("(tab === 'layout' ? $('picture') : $('boxes')).querySelector('svg') !== null")
            check(good, f"{title}: a picture")
            link = b.value("location.href")
            times = []
            for _ in range(3):
                b.value("{ const f = document.activeElement; f.setSelectionRange(f.value.length, f.value.length) }")
                for key, more in (("7", {"text": "7"}), ("Backspace", {"windowsVirtualKeyCode": 8})):
                    before = b.value("$(FIELDS[tab][0]).value")
                    b.press(key, **more)
                    check(b.value("$(FIELDS[tab][0]).value") != before, f"{title}: a key is typed")
                    times.append(float(b.value("document.body.dataset.took")))
                    presses += 1
            check(b.value("location.href") == link, f"{title}: the link is what it was")
            slowest = max(slowest, min(times[0::2]), min(times[1::2]))
            print(f"{title}: {min(times[0::2]):.1f} ms, {min(times[1::2]):.1f} ms")
        check(slowest < MOST_MS, f"a key press takes {slowest:.1f} ms, more than {MOST_MS}")
        # a link brings back what it was made of
        b.value("restore(LESSONS[1].state); update()")
        link = b.value("location.href")
        b.ask("Page.navigate", url="about:blank")
        b.ask("Page.navigate", url=link)
        for _ in range(300):
            if b.value("document.body?.dataset.ready") == "yes":
                break
            time.sleep(0.1)
        check(b.value("$('verdict').textContent").startswith("lossy: (0, 0) and (1, 0)"), "a link holds the state")
        # tabs by the keyboard
        b.value("$('t-layout').focus()")
        b.press("ArrowRight", windowsVirtualKeyCode=39)
        check(b.value("tab") == "kernel", "an arrow chooses the next tab")
        presses += by_keys_alone(b, url, check)
        # hostile input is an answer
        for field, text in (("map", "(i) -> ((((("), ("map", "(i) -> (i / 0)"), ("shape", "99999999999999999999"),
                            ("map", "(i) -> (i*i*i % 999983)"), ("shape", "<script>"), ("map", "(" * 5000)):
            b.value("choose('layout'); $('shape').value = '999983'; $('map').value = '(i) -> (i)';"
                    f"$({json.dumps(field)}).value = {json.dumps(text)}; update()")
            check(b.value("$('verdict').textContent") != "", f"an answer to {text[:30]}")
        # both schemes
        colours = []
        for scheme in ("light", "dark"):
            b.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            colours.append(b.value("getComputedStyle(document.body).backgroundColor"))
            if len(sys.argv) > 2:
                import base64
                b.value("restore(LESSONS[0].state); update()")
                b.ask("Emulation.setDeviceMetricsOverride", width=1200, height=1150, deviceScaleFactor=1, mobile=False)
                for name, index in (("layout", 0), ("kernel", 3), ("lessons", -1)):
                    b.value("choose('lessons'); update()" if index < 0 else f"restore(LESSONS[{index}].state); update()")
                    shot = b.ask("Page.captureScreenshot")["data"]
                    open(os.path.join(sys.argv[2], f"{name}_{scheme}.png"), "wb").write(base64.b64decode(shot))
        check(colours[0] != colours[1], "light and dark differ")
        for e in b.errors:
            check(False, "console: " + e)
        b.process.terminate()
        b.process.wait()
    print(f"{presses} key presses in {count} lessons, the slowest {slowest:.1f} ms; {len(failed)} checks failed")
    return 1 if failed else 0

sys.exit(main(sys.argv[1]))
