"""A lesson in Chromium: the class's page and the hidden human's; prints "STATUS DESCRIPTION" for each check."""

import sys

sys.path.insert(0, "tests/support")
from browser import ENTER, TAB, Browser, F, eventually, result, told, whole  # noqa: E402

work = sys.argv[1]
browser = Browser()
SIDES = ("left", "right")


def pages(session):
    """The tabs of the class and of the human."""
    with open(f"{work}/{session}.said", encoding="utf-8") as file:
        for line in file.read().splitlines()[:2]:
            yield browser.tab()
            browser.open(line.split()[-1])


def words():
    return " ".join(browser.run("return document.body.innerText").split())


def reads(text, description):
    result(bool(eventually(lambda: text in words())), description, words)


def sides():
    """What stands above the two conversations, less who is typed to."""
    text = words().partition("LEFT")[2].replace("» you type here ", "")
    left, _, right = text.partition("RIGHT")
    return [part.split()[:3] for part in (left, right)]


def conversation(side):
    return " ".join(row.strip() for pane in browser.rows()[side] for row in pane)


def alike(when):
    result(bool(eventually(lambda: sides()[0] == sides()[1])), f"the sides are alike {when}", sides)


def leave():
    browser.type(F[10])
    reads("To leave", "the class leaves")
    browser.type("leave" + ENTER)


with whole("a lesson", browser):
    result(told("lesson", "one"), "a lesson begins")
    judge, human = pages("one")
    browser.choose(judge)
    result(bool(eventually(lambda: words().count("type to begin") == 2)), "both are there", words)
    alike("before the first word")
    browser.type("Hello left?" + ENTER + F[2] + "Hello right?" + ENTER)
    browser.choose(human)
    reads("Hello", "the human reads it")
    browser.type("I am here." + ENTER)
    browser.choose(judge)
    result(bool(eventually(lambda: "I am here." in words() and "You say: Hello" in words())), "both answer", words)
    alike("when both have answered")
    result(told("untold", "one"), "nothing is told yet")
    mine = next(side for side in (0, 1) if "I am here." in conversation(side))
    browser.type(F[3])
    reads("Which of the two is the human?", "the class votes")
    browser.type(SIDES[mine][0] + TAB + "5" + TAB + "it said I" + ENTER)
    reads("it ends the conversation", "is asked once more")
    browser.type(ENTER)
    reads("The session is over", "and has ended the time by it")
    alike("when it is over")
    leave()
    result(told("over", "one"), "the command ends")
    result(told("lesson", "two"), "another round begins")
    judge, human = pages("two")
    browser.choose(judge)
    reads("type to begin", "another class is there")
    leave()
    result(told("over", "two"), "and it ends without a vote")
