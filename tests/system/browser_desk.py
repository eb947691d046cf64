"""The manager's page: browser_desk.py DIR ADDRESS_FILE. DIR has a folder of records for each place with a
courier. Prints "STATUS DESCRIPTION" for each check; asks the script for what is of processes."""

import os
import re
import sys

sys.path.insert(0, "tests/support")
from browser import ENTER, Browser, contrast, eventually, result, told, whole  # noqa: E402
from journal import ENTITY, FINISHED, JUDGE, LEFT, LINE, OPEN, RIGHT, STEWARD, Journal  # noqa: E402

work, address_file = sys.argv[1:]
pictures = os.environ.get("KEPT_PICTURES")
LEAST = 7.0
UNPLUGGED = "nothing was heard from it for 3 s: look whether its cable is plugged"
TILES = """return [...document.querySelectorAll('.tile')].map((tile) => tile.querySelector('h3 span').textContent +
    ' ' + tile.className)"""


browser = Browser(size=(1920, 1080))


def address():
    with open(address_file, encoding="ascii") as file:
        return file.read().strip()


def shot(name, *size):
    if pictures:
        browser.picture(f"{pictures}/desk-{name}.png", *size)


def tile(booth):
    """All that a booth's tile says."""
    return browser.run("const at = document.getElementById(arguments[0]); return at ? at.parentElement.innerText : ''",
                       f"booth-{booth}")


def shows(booth, *texts):
    return bool(eventually(lambda: all(text in tile(booth) for text in texts)))


def press(text, within="body"):
    """Chooses a button by its words, and presses it with the keyboard."""
    browser.run("""[...document.querySelector(arguments[1]).querySelectorAll('button')].find((at) =>
        at.textContent === arguments[0]).focus()""", text, within)
    browser.type(ENTER)


def outcome(title):
    return bool(eventually(lambda: browser.text("#outcome-title") == title))


def tiles():
    """Booths from their records."""
    result(browser.says("#contest", "A contest"), "the page has the contest's name", lambda: browser.text("body"))
    result(shows(1, "No session yet") and shows(2, "No session yet"), "and a tile for each booth", lambda: tile(1))
    one, two = Journal(f"{work}/booth-1-judge", "r1-j1"), Journal(f"{work}/booth-2-judge", "r1-j2")
    for journal in (one, two):
        journal.note(LEFT, LINE, "the line is up")
        journal.note(RIGHT, LINE, "the line is up")
        journal.segment(OPEN, 1500)
    one.keys(LEFT, JUDGE, "Hello there")
    one.keys(LEFT, ENTITY, "Hi")
    result(shows(1, "r1-j1: under way", "J1 The judge 1"), "a session is under way, with its judge", lambda: tile(1))
    result(shows(1, "11 + 2"), "the keys of both parties are counted", lambda: tile(1))
    result(bool(re.search(r"LEFT\s+([EC])\d The .*RIGHT\s+(?!\1)[EC]\d The ", tile(1), re.S)),
           "both sides have their entities", lambda: tile(1))
    left = browser.text("#booth-1 .clock")
    result(bool(re.fullmatch(r"2[34]:\d\d", left)), "the clock shows the time left", left)
    result(bool(eventually(lambda: browser.text("#booth-1 .clock") not in ("", left))), "and runs")
    result(browser.text("#wrong") == "All is well", "nothing is wrong", lambda: browser.text("#wrong"))
    shot("well", 1920, 1080)
    return one, two


def quiet():
    """A machine whose records do not grow is heard all the same."""
    seen = []

    def heard():
        seen.append(browser.run("return told.tiles.find((tile) => tile.booth === 1).machines[0].heard"))
        return seen[-1] < max(seen)

    result(bool(eventually(heard)), "a machine is heard while nobody types there", seen[-1:])


def alarms(one, two):
    """What is wrong comes first, with what to do, and is said once."""
    two.note(RIGHT, LINE, UNPLUGGED)
    result(shows(2, "RIGHT: " + UNPLUGGED, "Go to booth 2."), "a line that is out: the booth's words, and what to do",
           lambda: tile(2))
    result(browser.run(TILES) == ["Booth 2 tile grade2", "Booth 1 tile grade0"], "that booth comes first",
           lambda: browser.run(TILES))
    result(browser.text("#wrong") == "1 booth needs you", "the head says so", lambda: browser.text("#wrong"))
    result(browser.run("return document.title").startswith("(1) "), "and the title")
    one.note(LEFT, STEWARD, "the steward is called")
    result(shows(1, "LEFT: the steward is called."), "a steward's call", lambda: tile(1))
    heard = browser.text("#heard")
    drawn = int(browser.run("return document.body.dataset.drawn"))
    eventually(lambda: int(browser.run("return document.body.dataset.drawn")) > drawn + 2)
    result(heard == browser.text("#heard") and heard.count(UNPLUGGED) == 1, "a screen reader hears each once",
           lambda: browser.text("#heard"))
    shot("alarms", 1920, 1080)
    for width, height in ((1920, 1080), (390, 844), (844, 390)):
        browser.picture("/dev/null", width, height)
        wide = browser.wide()
        result(not wide, f"{width} by {height}: nothing is wider than the screen", wide)
        shot(f"{width}x{height}", width, height)
    browser.picture("/dev/null", 1920, 1080)
    light_and_dark()
    two.note(RIGHT, LINE, "the line is up")
    one.note(LEFT, STEWARD, "the call is taken back")
    result(bool(eventually(lambda: browser.text("#wrong") == "All is well")), "what is over is gone",
           lambda: browser.text("body"))


def light_and_dark():
    for scheme in ("light", "dark"):
        browser.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        found = browser.colours()
        low = [(pair, text, round(contrast(pair), 2)) for pair, text in found if contrast(pair) < LEAST]
        result(len(found) >= 5 and not low, f"{scheme}: each text is 7 to 1 or more on its ground", low or found)
        shot(scheme)
    browser.cdp("Emulation.setEmulatedMedia", features=[])


def reader():
    """The tree of a screen reader."""
    browser.cdp("Accessibility.enable")
    nodes = [{"role": node["role"]["value"], "name": node.get("name", {}).get("value") or "",
              **{each["name"]: each["value"].get("value") for each in node.get("properties", [])}}
             for node in browser.cdp("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]
    names = {role: [node["name"] for node in nodes if node["role"] == role] for role in
             ("heading", "region", "article", "button", "table", "columnheader", "status")}
    result({"Next", "Booths", "People and Entries"} <= set(names["region"]), "regions by their names", names)
    result(any(name.startswith("Booth 1") for name in names["article"]), "an article for each booth", names["article"])
    result(names["columnheader"][:4] == ["Side", "Entity", "Keys: judge + entity", "Last key"], "a table with its heads",
           names["columnheader"])
    result("Hold again: the session in booth 1" in names["button"], "a button says of what it is", names["button"])
    blank = [node for node in nodes if node.get("focusable") and not node["name"] and node["role"] != "RootWebArea"]
    result(not blank, "whatever may have the focus has a name", blank)
    outside = browser.run("return performance.getEntriesByType('resource').map((at) => at.name)"
                          ".filter((name) => !name.startsWith(location.origin))")
    result(not outside, "nothing comes from elsewhere", outside)


def acts():
    """Buttons, by the keyboard; each act is its command's."""
    press("Begin a round")
    result(browser.run("return document.activeElement.closest('dialog') !== null"), "a dialog takes the focus")
    result(browser.run("return document.querySelector('#fields input').value") == "1", "and knows the round")
    browser.type(ENTER)
    result(outcome("Done") and browser.says("#round", "Round 1 of"), "a round begins", lambda: browser.text("#outcome"))
    result("boothlink contest begin" in browser.text("#command"), "the command is shown", lambda: browser.text("#command"))
    press("Begin a round")
    browser.run("document.querySelector('#fields input').value = '7'")
    browser.type(ENTER)
    result(outcome("Not done") and browser.text("#said").startswith("boothlink contest begin: "),
           "a refused act says why in the command's words", lambda: browser.text("#outcome"))
    shot("refused", 1920, 1080)
    press("Hold again", "#tiles .tile:has(#booth-1)")
    result(browser.run("return document.querySelector('#fields input').value") == "r1-j1", "a booth's button knows its session")
    shot("dialog", 1920, 1080)
    browser.run("document.querySelectorAll('#fields input')[2].focus()")
    browser.type(ENTER)
    result(browser.run("return document.getElementById('dialog').open"), "without a reason nothing is sent")
    browser.type("the cable was broken" + ENTER)
    result(outcome("Done"), "with one it is done", lambda: browser.text("#outcome"))
    result(told("logged", "the cable was broken"), "and is on the contest's record")
    browser.run("document.querySelector('#persons button').focus()")
    browser.type(ENTER)
    browser.type("\ue00c")
    result(not browser.run("return document.getElementById('dialog').open"), "Escape leaves it")


def refused():
    """Whatever a browser sends: the desk's table of verbs, and no word that is an option."""
    typed, unknown, unfit, long = ("its name must be typed", "The desk does not know this act.", "These are not the words of this act.",
                                   "A word of this act is too long: at most 1,023 bytes.")
    for verb, words, options, fault in (("seal", [], {}, typed), ("publish", [], {}, typed), ("vote", ["r1-j1"], {}, unknown),
                                        ("../x", [], {}, unknown), ("begin", ["--help"], {}, unfit), ("begin", [], {}, unfit),
                                        ("begin", ["1", "2"], {}, unfit), ("begin", [7], {}, unfit),
                                        ("begin", ["1" * 1024], {}, long), ("begin", ["1"], {"why": "x" * 1024}, long)):
        before = browser.run("return told.act.number")
        browser.run("send(arguments[0], arguments[1], arguments[2])", verb, words, options)
        result(bool(eventually(lambda before=before: browser.run("return told.act.number") > before)) and
               browser.says("#said", fault), f"not an act: {verb} {str(words)[:20]}",
               lambda: browser.text("#outcome"))


def closing():
    """One after another; what is not taken back wants its word."""
    press("Take in the records")
    browser.type(ENTER)
    result(outcome("Done") and browser.says("#said", "missing"), "records are taken in, and what is missing is said",
           lambda: browser.text("#outcome"))
    press("Seal")
    browser.run("document.querySelectorAll('#fields input')[1].focus()")
    browser.type("a rehearsal" + ENTER)
    result(browser.run("return document.getElementById('dialog').open"), "without its word nothing is sealed")
    browser.run("document.querySelectorAll('#fields input')[2].focus()")
    browser.type("seel" + ENTER)
    result(browser.run("return document.getElementById('dialog').open"), "nor by another word")
    browser.type("\ue003\ue003al" + ENTER)
    result(outcome("Done") and browser.says("#next", "transcript convert"), "with it the contest is", lambda: browser.text("#outcome"))
    shot("sealed", 1920, 1080)
    for title, words, made in (("Write the transcripts", [], "transcripts/r1-j1.txt"), ("Publish", ["publish"], "published/contest.json"),
                               ("Write the report", [], "report.html"), ("Say the result", [], None)):
        number = browser.run("return told.act.number")
        press(title)
        browser.type("".join(words) + ENTER)
        done = eventually(lambda number=number: browser.run(
            "return told.act.number > arguments[0] && told.act.status === 0", number))
        result(bool(done) and (made is None or told("there", made)), f"then: {title}", lambda: browser.text("#outcome"))


def over(one):
    """The end of a session, and its records."""
    one.segment(FINISHED, 0)
    result(shows(1, "r1-j1: over", "2 of 2 entities' records"), "what is not at the desk yet is said", lambda: tile(1))
    Journal(f"{work}/booth-1-cable-a", "r1-j1", entity=True)
    result(shows(1, "1 of 2 entities' records"), "less of it as records come", lambda: tile(1))
    Journal(f"{work}/booth-1-cable-b", "r1-j1", entity=True)
    result(bool(eventually(lambda: "entities' records" not in tile(1))), "until all are there", lambda: tile(1))


def away():
    """A desk that is killed and comes back; an address without its token."""
    told("kill")
    result(browser.says("#offline", "The desk does not answer."), "a desk that is away is said", lambda: browser.text("#offline"))
    shot("away", 1920, 1080)
    told("again")
    result(bool(eventually(lambda: browser.run("return document.getElementById('offline').hidden"))),
           "and found again", lambda: browser.text("#offline"))
    result(shows(1, "r1-j1: over"), "with all that it had")
    browser.open("about:blank")
    browser.open(address().split("#", maxsplit=1)[0])
    result(browser.says("#offline", "This address is not complete"), "without the token there is no page")
    result(browser.run("return document.querySelectorAll('.tile').length") == 0, "and nothing on it")


with whole("the page's test", browser):
    browser.open(address())
    judges = tiles()
    quiet()
    alarms(*judges)
    reader()
    acts()
    refused()
    over(judges[0])
    closing()
    away()
