"""The form of 2003 in a browser, with a person's answers and with a program's; prints
"STATUS DESCRIPTION" for each."""

import sys

sys.path.insert(0, "tests/support")
from browser import ENTER, Browser, eventually  # noqa: E402

work = sys.argv[1]
LEAST_MS = 5000
SAID = "Fine, thank you."
WATCH = """let sent = 0;
    document.getElementById('keys').addEventListener('keydown', (event) => {
        if (event.key === 'Enter') sent = event.timeStamp;
    }, true);
    new MutationObserver(() => {
        const partner = [...document.querySelectorAll('.row')].filter((row) => row.dataset.party === '1')
            .map((row) => row.textContent.replace(/^Partner:? */, '')).join('');
        if (sent && partner && window.waited === undefined) window.waited = performance.now() - sent;
    }).observe(document.getElementById('sides'), {childList: true, subtree: true, characterData: true});"""


def result(good, description, why=""):
    print(0 if good else 1, description, flush=True)
    if not good:
        print("#", why, flush=True)


def address(name, role):
    return open(f"{work}/{name}/{role}.url", encoding="ascii").read().strip()


browser = Browser()
try:
    tabs = {}
    for name, role in (("person", "entity"), ("judge1", "judge"), ("judge2", "judge")):
        tabs[name] = browser.tab()
        browser.open(address(name, role))
        result(browser.says(".side .word", "connected"), f"{name} is connected", browser.text("body"))
    for name in ("judge1", "judge2"):
        browser.choose(tabs[name])
        browser.run(WATCH)
        browser.type("How are you?" + ENTER)
    browser.choose(tabs["person"])
    browser.says("#sides", "How are you?")
    browser.type(SAID + ENTER)
    shots = {}
    for name, who in (("judge1", "a person"), ("judge2", "a program")):
        browser.choose(tabs[name])
        wanted = [[["Judge:   How are you?", "Partner: " + SAID], ["Partner:", "Judge:"]]]
        good = eventually(lambda: [[[row.rstrip() for row in pane] for pane in side]
                                   for side in browser.rows()] == wanted)
        result(bool(good), f"{who} has answered", browser.rows())
        waited = browser.run("return window.waited")
        result(waited is not None and waited >= LEAST_MS, f"not sooner than 5 s after the submission: {who}",
               f"{waited} ms")
        shots[name] = browser.picture(f"{work}/{name}.png", 1024, 768)
    result(shots["judge1"] == shots["judge2"], "and both pages are the same pixels")
    browser.choose(tabs["judge1"])
    browser.type("x")
    browser.says(".row.cursor", "x")
    result(browser.picture(f"{work}/other.png", 1024, 768) != shots["judge2"], "which one more key would change")
finally:
    browser.close()
