"""The audience's page: browser_audience.py DIR ADDRESS. Prints "STATUS DESCRIPTION" for each check; asks the
script for what is of processes."""

import json
import os
import sys
import urllib.error
import urllib.request

sys.path.insert(0, "tests/support")
from browser import Browser, contrast, eventually, result, told, whole  # noqa: E402
from journal import ENTITY, JUDGE, LEFT, RIGHT, Journal  # noqa: E402

work, address = sys.argv[1:]
pictures = os.environ.get("KEPT_PICTURES")
DELAY_US = 5e6
LEAST = 7.0

browser = Browser(size=(1920, 1080))
journal = Journal(f"{work}/booth-1-judge", "r1-j1")


def shot(name, *size):
    if pictures:
        browser.picture(f"{pictures}/audience-{name}.png", *size)


def said():
    return browser.run("return [...document.querySelectorAll('.said')].map((at) => at.textContent)")


def status(path, method="GET"):
    try:
        with urllib.request.urlopen(urllib.request.Request(address + path, method=method), timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def conversation():
    """Keys, as an audience sees them."""
    result(browser.says("#standing", "Nothing is to be seen yet."), "at first there is nothing")
    journal.keys(LEFT, JUDGE, "Hello thx\bere\r")
    journal.keys(LEFT, ENTITY, "Hi, who ")
    result(bool(eventually(lambda: said() == ["Judge: Hello there", "Entity: Hi, who "])), "keys come, with corrections", said)
    journal.keys(LEFT, ENTITY, "<b>are</b> you?\r")
    journal.keys(RIGHT, JUDGE, "The other one")
    result(bool(eventually(lambda: said() == ["Judge: Hello there", "Entity: Hi, who <b>are</b> you?", "Judge: The other one"])),
           "and go on, as text and no more", said)
    result(browser.text("h2") == "Round 1, judge 1", "a conversation has its round and judge", lambda: browser.text("h2"))
    result(browser.run("return [...document.querySelectorAll('h3')].map((at) => at.textContent)") == ["LEFT", "RIGHT"],
           "and its two sides")


def given():
    """The recorded input of the process."""
    with open(f"{work}/input", encoding="utf-8") as file:
        lines = [line.split(" ", maxsplit=1) for line in file]
    keys = [(int(at), json.loads(text)) for at, text in lines]
    ages = [at - journal.written[key["first"] + len(key["text"]) - 1] for at, key in keys]
    result(len(ages) == 4 and min(ages) >= DELAY_US, "its process is given nothing that is younger than the delay", ages)
    result(all(set(key) == {"place", "session", "side", "party", "first", "text"} for _, key in keys), "and no name", keys)
    result(told("files"), "it has none of the files")


def looks():
    for width, height in ((1920, 1080), (390, 844)):
        browser.picture("/dev/null", width, height)
        wide = browser.wide()
        result(not wide, f"{width} by {height}: nothing is wider than the screen", wide)
        shot(f"{width}x{height}", width, height)
    for scheme in ("light", "dark"):
        browser.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        low = [(pair, text) for pair, text in browser.colours() if contrast(pair) < LEAST]
        result(not low, f"{scheme}: each text is 7 to 1 or more on its ground", low)


def strangers():
    """Anybody may ask; there is nothing else."""
    for path, method, wanted in (("/", "GET", 200), ("/keys?from=99999999999999999999", "GET", 200), ("/keys?from=-1", "GET", 200),
                                 ("/contest.db", "GET", 404), ("/../input", "GET", 404), ("/", "POST", 404)):
        result(status(path, method) == wanted, f"{method} {path}: {wanted}", lambda path=path, method=method: status(path, method))


def again():
    """A process that is killed is started again, and has all again."""
    before = said()
    browser.run("window.old = true")
    told("kill")
    result(bool(eventually(lambda: browser.run("return !window.old") and said() == before)), "a killed one comes back with all", said)
    told("sealed")
    result(browser.says("#standing", "Nothing is to be seen yet."), "without a delay there is nothing before the seal",
           lambda: browser.text("body"))


with whole("the page's test", browser):
    eventually(lambda: status("/") == 200)
    browser.open(address)
    conversation()
    given()
    looks()
    strangers()
    again()
