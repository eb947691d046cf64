"""Photographs the page in a browser: each style at the sizes of screens that are met, light and dark.

  browser.py WORK PICTURES     the terminals' addresses are in WORK/NAME/*.url"""

import sys

sys.path.insert(0, "tests/support")
from browser import BACKSPACE, ENTER, F, TAB, Browser, eventually  # noqa: E402

work, pictures = sys.argv[1:]
SIZES = ((1024, 768), (1920, 1080), (800, 480))
TALK = (
    ("entity", "Good morning. Is anybody there?" + ENTER),
    ("judge", "Good morning! I am. What is the weather like on your side of the wall?" + ENTER),
    ("entity", "It rains, as it has done since this morning. One hears it on the roof, and I rather like "
               "that. 雨, as they say" + ENTER),
    ("judge", "Then tell me what you had for breakfast, and be hones" + BACKSPACE * 3 + "nest about it." + ENTER),
    ("entity", "Two eggs and a newspaper, though I only ate the eggs. And you?" + ENTER),
    ("judge", "Coffee. Only coffee. Which of us is the better liar, do you think?" + ENTER),
    ("entity", "That depends on who is ask"),
    ("judge", "I a"),
)


def address(name):
    return open(f"{work}/{name}/{name.rstrip('0123456789')}.url", encoding="ascii").read().strip()


def talk(browser, tabs, double):
    for who, text in TALK:
        browser.choose(tabs[who])
        browser.type(text.replace(ENTER, ENTER * 2) if double else text)
        eventually(lambda: "".join("".join(pane) for pane in browser.rows()[0]).endswith(
            text.rstrip(ENTER)[-3:]) or text.endswith(ENTER), 3)


def main():
    # Each conversation by the names of its two terminals, see browser.sh.
    browser = Browser((1100, 860))
    dark = Browser((1100, 860), dark=True)
    for number, style in enumerate(("split", "scroll", "web", "two")):
        tabs = {}
        for who in ("judge", "entity"):
            tabs[who] = browser.tab()
            browser.open(address(f"{who}{number}"))
            browser.says(".side .word", "connected")
        talk(browser, tabs, style == "scroll")
        for who in ("judge", "entity"):
            browser.choose(tabs[who])
            for width, height in SIZES:
                browser.picture(f"{pictures}/browser-{style}-{who}-{width}x{height}.png", width, height)
        if style in ("split", "two"):
            browser.choose(tabs["judge"])
            browser.type(F[1])
            browser.says("#dialog", "Keys")
            browser.picture(f"{pictures}/browser-{style}-help-1024x768.png", 1024, 768)
            browser.type("q" + F[12])
            browser.says("#notices", "steward")
            browser.picture(f"{pictures}/browser-{style}-steward-800x480.png", 800, 480)
            if style == "two":
                browser.type(F[12] + F[3])
                browser.says("#form", "ballot")
                browser.type("60" + TAB + TAB + "The left one knows how to change the subject.")
                browser.says("#form", "subject.")
                browser.picture(f"{pictures}/browser-{style}-ballot-1024x768.png", 1024, 768)
                browser.picture(f"{pictures}/browser-{style}-ballot-800x480.png", 800, 480)
                browser.type(F[3])
        dark.open(address(f"judge{number}"))
        dark.says(".side .word", "connected")
        dark.picture(f"{pictures}/browser-{style}-dark-1024x768.png", 1024, 768)
    browser.close()
    dark.close()


main()
