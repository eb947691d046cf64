"""A booth's judge and back room, each at a page in a browser; prints "STATUS DESCRIPTION" for each check."""

import os
import re
import sys
import time

sys.path.insert(0, "tests/support")
from browser import ENTER, PATIENCE, Browser, F, eventually, result, told  # noqa: E402

work = sys.argv[1]
ROOMS = {"judge": "judges-room", "cable-a": "back-room", "cable-b": "back-room"}
# Of each part of the session: the least that a plan may have, as much more as this machine's speed asks for.
SIDE_S, REVIEW_S, MOST_S = 12, 5, 60
HUSH_S = 1.1  # a key at the board counts once nobody has typed for a second

browser = Browser()
tabs = {}


def at(place):
    browser.choose(tabs[place])


def words():
    """What is in sight, as one line."""
    return " ".join(browser.run("return document.body.innerText").split())


def reads(text, description, patience=None):
    result(bool(eventually(lambda: text in words(), patience)), description, words)


def rows():
    return [[[row.rstrip() for row in pane] for pane in side] for side in browser.rows()]


def press(key, place, gone):
    """At the board, whose words go by it."""
    at(place)
    browser.type(key)
    result(bool(eventually(lambda: gone not in words())), f"it is pressed: {place}", words)


def practise():
    """Returns how long it took on this machine, which may have more to do."""
    at("judge")
    time.sleep(HUSH_S)
    began = time.monotonic()
    press(F[2], "judge", "F2 practise")
    reads("Practice: a program of ours answers", "the judge practises")
    reads("you type here", "the line is open")
    drawn = "return Number(document.body.dataset.drawn)"
    counts = []

    def calm():
        """A second is looked at, and another one where the page was still drawn for what was before."""
        before, at_s = browser.run(drawn), time.monotonic()
        time.sleep(1)
        counts.append((browser.run(drawn) - before) / (time.monotonic() - at_s))
        return counts[-1] < 30

    result(eventually(calm), "with the clock running the page is told of its seconds, and no more", counts)
    began += len(counts)
    browser.type("I am here." + ENTER)
    result(bool(eventually(lambda: rows()[0][1] == ["I am here.", ""])), "what is typed stands there, and no more", rows)
    browser.type(F[10])
    reads("To leave", "F10 asks")
    browser.type("leave" + ENTER)
    reads("There are no tickets", "and the machine waits as before")
    return time.monotonic() - began


def carry(what):
    """Each room's stick goes to its machines and back."""
    for place, room in ROOMS.items():
        os.symlink(f"{work}/sticks/{room}", f"{work}/{place}/stick")
    for place in ROOMS:
        at(place)
        reads("The stick may be taken out.", f"the stick and the {what}: {place}")
        os.unlink(f"{work}/{place}/stick")


def ticket(place):
    with open(f"{work}/{place}/records/booth-1-{place}/001.ticket", encoding="utf-8") as file:
        return file.read()


def converse(number, side, confederate):
    """A question, and an answer if there is a person on that side."""
    at("judge")
    reads(f"{side.upper()} · part {number} of 3", f"the conversation on the {side}", MOST_S + PATIENCE)
    result(browser.says(".side.active .title", side.upper()), f"is typed to the {side}", words)
    asked = f"Are you {side}?"
    browser.type(asked + ENTER)
    result(bool(eventually(lambda: rows()[number - 1][1] == [asked, ""])), "on the judge's page", rows)
    if not confederate:
        result(bool(eventually(lambda: len(rows()[number - 1][0]) > 1)), "the Entry answers", rows)
        return
    at(confederate)
    result(bool(eventually(lambda: rows()[0][1] == [asked, ""])), "on the confederate's", rows)
    browser.type("I am here." + ENTER)
    result(bool(eventually(lambda: rows()[0] == [["I am here.", ""], [asked, ""]])), "his answer is on his own", rows)
    at("judge")
    result(bool(eventually(lambda: rows()[number - 1] == [["I am here.", ""], [asked, ""]])), "and on the judge's", rows)


def vote(side):
    reads("REVIEW · part 3 of 3", "the review", MOST_S + PATIENCE)
    reads("Your ballot", "with the ballot")
    browser.type(F[3])
    reads("Return give", "F3 opens it if it has not done so")
    browser.type(side[0] + ENTER)

    def given():
        seen = words()
        if "Press Return again" in seen:  # it is late by now
            browser.type(ENTER)
        return re.search("GIVEN [0-9]", seen)

    result(bool(eventually(given)), "it is given", words)


def session():
    person = next(place for place in ("cable-a", "cable-b") if "\nkeyboard" in ticket(place))
    cables = dict(re.findall(r"\[line\.(\w+)\][^\[]*?\ncable = (\w)", ticket("judge")))
    print("# the confederate is at", person, cables, flush=True)
    time.sleep(HUSH_S)
    for place in ROOMS:
        press(ENTER, place, "Enter begins")
    for number, side in enumerate(("left", "right"), 1):
        converse(number, side, person if person == f"cable-{cables[side]}" else None)
    vote("left")
    for place in ROOMS:
        at(place)
        reads("are over.", f"the day is over: {place}", MOST_S + PATIENCE)
    at("judge")
    result("GIVEN" not in words(), "nothing of the ballot stays on the judge's screen", words)


try:
    for each in ROOMS:
        tabs[each] = browser.tab()
        with open(f"{work}/{each}/records/booth.url", encoding="ascii") as url:
            browser.open(url.read().strip())
        reads("There are no tickets", f"a machine without tickets: {each}")
    took_s = practise()
    told("setup", " ".join(str(min(MOST_S, max(least_s, round(took_s * 3)))) for least_s in (SIDE_S, REVIEW_S)))
    carry("tickets")
    session()
    carry("records")
except Exception as error:  # pylint: disable=broad-except
    result(False, "the booth's test goes to its end", f"{type(error).__name__}: {error}")
    raise SystemExit(1) from error
finally:
    browser.close()
