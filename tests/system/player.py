"""Opens a published transcript in a browser, plays and jumps in it; prints "STATUS DESCRIPTION"."""

import sys

sys.path.insert(0, "tests/support")
from browser import Browser, eventually  # noqa: E402

page, wanted = sys.argv[1:]
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


try:
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
finally:
    browser.close()
