"""Opens a published transcript, or with --replay the page of a replay, in a browser, plays and jumps
in it; prints "STATUS DESCRIPTION"."""

import sys
import urllib.error
import urllib.request

sys.path.insert(0, "tests/support")
from browser import Browser, eventually  # noqa: E402

browser = Browser()


def result(good, description, why=""):
    print(0 if good else 1, description, flush=True)
    if not good:
        print("#", why, flush=True)


def texts():
    return browser.run("return [...document.querySelectorAll('.text')].map((at) => at.textContent)")


def seek(ms):
    browser.run("""const slide = document.querySelector('input[type=range]');
        slide.value = arguments[0]; slide.dispatchEvent(new Event('input'));""", ms)


def published():
    browser.open("file://" + page)
    result(texts() == ["", "<"], "it begins with the first key", texts())
    seek(1000000000)
    result("|".join(texts()) == wanted, "its end is what was said", texts())
    result(not browser.run("return document.querySelectorAll('.text *').length")
           and browser.run("return document.title") == "A <b>prize</b>", "markup is text")
    seek(120)
    result(texts() == ["", "<i>"], "and one can jump back", texts())
    browser.run("document.querySelector('button.main').click()")
    result(bool(eventually(lambda: "|".join(texts()) == wanted)), "it plays to its end", texts())
    result(bool(eventually(lambda: browser.text("button.main") == "Play")), "and stops there")


def shown(text):
    """Waits until the head of the page says so."""
    return browser.says("#segment", text, 20)


def replayed():
    """A conversation of 3 minutes: five keys, one after 12 s, one after 180 s."""
    browser.open(page)

    def rows():
        return [[row.rstrip() for row in pane] for pane in browser.rows()[0]]

    def check(wanted, description):
        result(bool(eventually(lambda: rows() == wanted, 30)), description, f"{rows()}, {browser.text('#segment')}")

    result(shown("Paused 1x"), "a replay begins paused when it is told to", browser.text("body"))
    browser.type("e")
    check([["AZ"], ["<b>Hi"]], "e: its end is what was said")
    result(shown("The end"), "and it says that this is the end")
    result(not browser.run("return document.querySelectorAll('.rows b').length"), "markup is text")
    result("human" in browser.text(".side .word"), "who it was is said", browser.text("body"))
    browser.type("w")
    result(browser.says(".side .word", "hidden"), "and hidden with w")
    browser.type("b")
    result(shown("00:00:00 of"), "b: its beginning")
    browser.type(" ")
    check([[""], ["<b>Hi"]], "Space: it plays what came within a second")
    browser.type(" " + "b" + "\ue014")
    check([[""], ["<b>Hi"]], "right: 10 seconds on")
    result(shown("00:00:10 of"), "which the head says", browser.text("#segment"))
    browser.type("\ue014")
    check([["A"], ["<b>Hi"]], "and 10 more, past the next key")
    browser.type("\ue012")
    check([[""], ["<b>Hi"]], "left: 10 seconds back")
    browser.type("..")
    result(shown("00:02:10 of"), "full stop: a minute on, twice", browser.text("#segment"))
    browser.type(",")
    result(shown("00:01:10 of"), "comma: one back", browser.text("#segment"))
    browser.type("n")
    check([["AZ"], ["<b>Hi"]], "n: the next key")
    browser.type("b++++++++++++")
    result(shown("50x"), "plus: up to 50 times as fast", browser.text("#segment"))
    browser.type(" ")
    check([["AZ"], ["<b>Hi"]], "which plays three minutes while one waits")
    browser.type("-")
    result(bool(eventually(lambda: "50x" not in browser.text("#segment"), 20)), "minus: slower", browser.text("#segment"))
    with urllib.request.urlopen(page) as answer:
        result("default-src 'none'" in answer.headers["content-security-policy"], "nothing but the page's own may run")
    try:
        urllib.request.urlopen(urllib.request.Request(page, headers={"Host": "rebound.example"})).close()
        result(False, "another name of the server gets 403")
    except urllib.error.HTTPError as error:
        result(error.code == 403, "another name of the server gets 403", error.code)
    browser.type("q")
    result(browser.says("#offline", "does not answer", 30), "q leaves")


page = sys.argv[2] if sys.argv[1] == "--replay" else sys.argv[1]
try:
    if sys.argv[1] == "--replay":
        replayed()
    else:
        wanted = sys.argv[2]
        published()
except Exception as error:  # pylint: disable=broad-except
    result(False, "the test goes to its end", f"{type(error).__name__}: {error}")
finally:
    browser.close()
