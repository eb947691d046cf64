"""Photographs the page in a browser: each style at the sizes of screens that are met, light, dark and in
forced colours.

  browser.py WORK PICTURES SIMULATORS     the terminals' addresses are in WORK/NAME/*.url"""

import subprocess
import sys

sys.path.insert(0, "tests/support")
from browser import BACKSPACE, ENTER, F, TAB, Browser, eventually  # noqa: E402

work, pictures, simulators = sys.argv[1:]
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
    with open(f"{work}/{name}/{'judge' if name.startswith('judge') else 'entity'}.url", encoding="ascii") as file:
        return file.read().strip()


# What is said on the other side, where there is one.
OTHER = (
    ("judge", "And you, what is your weather?" + ENTER),
    ("right", "Nice weather. Do you like weather?" + ENTER),
    ("judge", "I prefer climate. Where are you?" + ENTER),
    ("right", "I am here, I think. What do you think about it?" + ENTER),
)


def talk(browser, tabs, words, side, double=False):
    for who, text in words:
        browser.choose(tabs[who])
        browser.type(text.replace(ENTER, ENTER * 2) if double else text)
        browser.choose(tabs["judge"])
        last = text.rstrip(ENTER)[-3:]
        eventually(lambda: any(last in row for pane in browser.rows()[side] for row in pane[-2:]), 3)


def forced(browser, name):
    browser.force_colours()
    browser.picture(f"{pictures}/browser-{name}-forced-1024x768.png", 1024, 768)
    browser.force_colours(False)


def main():
    # Each conversation by the names of its two terminals, see browser.sh.
    browser = Browser((1100, 860))
    dark = Browser((1100, 860), dark=True)
    for number, style in enumerate(("split", "scroll", "web", "two")):
        tabs = {}
        for who in ("judge", "entity", "right") if style == "two" else ("judge", "entity"):
            tabs[who] = browser.tab()
            browser.open(address(who if who == "right" else f"{who}{number}"))
            browser.says(".side .word", "connected")
        if style == "two":
            browser.choose(tabs["judge"])
            browser.says(".label", "open")
            browser.type(F[2])
            talk(browser, tabs, OTHER, 1)
            browser.choose(tabs["judge"])
            browser.type(F[2])
        talk(browser, tabs, TALK, 0, double=style == "scroll")
        for who in ("judge", "entity"):
            browser.choose(tabs[who])
            forced(browser, f"{style}-{who}")
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
                browser.type("l" + TAB + "The left one knows how to change the subject.")
                browser.says("#form", "subject.")
                browser.picture(f"{pictures}/browser-{style}-ballot-1024x768.png", 1024, 768)
                browser.picture(f"{pictures}/browser-{style}-ballot-800x480.png", 800, 480)
                forced(browser, f"{style}-ballot")
                browser.type(F[3])
                for cable in ("c3", "other"):
                    subprocess.run([f"{simulators}/nullmodem", "--control", f"{work}/{cable}.control", "--send", "unplug"],
                                   check=True, stdout=subprocess.DEVNULL)
                browser.says("#notices", "RIGHT CANNOT")
                for width, height in SIZES:
                    browser.picture(f"{pictures}/browser-{style}-unreachable-{width}x{height}.png", width, height)
                forced(browser, f"{style}-unreachable")
        dark.open(address(f"judge{number}"))
        dark.says(".side .word", "NOT REACHABLE" if style == "two" else "connected")
        dark.picture(f"{pictures}/browser-{style}-dark-1024x768.png", 1024, 768)
    browser.close()
    dark.close()


main()
