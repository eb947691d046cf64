"""One key from the keyboard to the page, in a browser and on a console, in turns; prints the row."""

import json
import os
import pty
import select
import statistics
import sys
import time

sys.path.insert(0, "tests/support")
from browser import Browser, eventually  # noqa: E402

work, bl, shim = sys.argv[1:]
KEYS = 200
FRAME_MS = 1000 / 60

# From the event's own time to the page's change, by the page's clock.
WATCH = """window.took = [];
    let pressed = 0;
    document.getElementById('keys').addEventListener('keydown', (event) => { pressed = event.timeStamp; }, true);
    new MutationObserver(() => {
        if (!pressed) return;
        window.took.push(performance.now() - pressed);
        pressed = 0;
    }).observe(document.getElementById('sides'), {childList: true, subtree: true, characterData: true});"""


def console():
    """A judge on a pseudo-terminal; what it draws is read and thrown away."""
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(work)
        os.environ.update(LD_PRELOAD=shim, TERM="xterm", LC_ALL="C.UTF-8", LINES="24", COLUMNS="80")
        os.execv(bl, [bl, "judge", "--left", f"serial:{work}/two.a", "--starts", "either", "--journal",
                      "console", "--session", "console"])
    return pid, fd


def read(fd, wait):
    seen = b""
    while select.select([fd], [], [], wait)[0]:
        seen += os.read(fd, 65536)
        wait = 0.01
    return seen


def press(fd):
    begun = time.monotonic()
    os.write(fd, b"k")
    select.select([fd], [], [], 10)
    took = (time.monotonic() - begun) * 1000
    read(fd, 0.02)
    return took


def main():
    pid, fd = console()
    browser = Browser()
    try:
        browser.open(open(f"{work}/judge/judge.url", encoding="ascii").read().strip())
        if not browser.says(".side .word", "connected"):
            raise SystemExit("the browser's line does not come up")
        seen = b""
        until = time.monotonic() + 60
        while b"connected" not in seen and time.monotonic() < until:
            seen += read(fd, 0.2)
        browser.run(WATCH)
        there = []
        for number in range(KEYS):
            there.append(press(fd))
            browser.type("k")
            eventually(lambda: browser.run("return window.took.length") > number, 5)
        here = browser.run("return window.took")
    finally:
        browser.close()
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    value, peer = statistics.median(here), statistics.median(there)
    goal = 1.5 * peer + FRAME_MS
    print(json.dumps({
        "name": "one key, browser to page, p50", "value": round(value, 2), "unit": "ms", "peer": "console",
        "peer_value": round(peer, 2), "ratio": round(value / peer, 2), "pairs": len(here),
        "goal": f"<= 1.5 x console + {FRAME_MS:.1f} ms", "ok": value <= goal}))


main()
