"""The referees' pages: browser_referee.py DIR KEYS HUMAN ENTRY NEXT, two sessions that are held, and the next
one of the human. Prints "STATUS DESCRIPTION" for
each check; asks the script for what is of processes."""

import os
import sys

sys.path.insert(0, "tests/support")
from browser import ENTER, Browser, contrast, eventually, result, told, whole  # noqa: E402
from journal import ENTITY, JUDGE, LEFT, Journal  # noqa: E402

work, keys, human, entry, following = sys.argv[1:]
pictures = os.environ.get("KEPT_PICTURES")
LEAST = 7.0
SILENT = "The desk does not answer. Sessions go on without it"
LIMIT = "Do not name your employer."

browser = Browser(size=(1920, 1080))
journal, other = Journal(f"{work}/booth-1-judge", human), Journal(f"{work}/booth-1-judge", entry)
tabs = {}


def title(session):
    number, judge = session[1:].split("-j")
    return f"Round {number}, judge {judge}"


def later(a, b):
    """Whether the session is of a later round, or judge."""
    return [int(part[1:]) for part in a.split("-")] > [int(part[1:]) for part in b.split("-")]


def arranged(last):
    """What is said in both sessions, in the page's order."""
    said = ["Judge: Hello there", last]
    return [*said, "Entity: Another"] if later(human, entry) else ["Entity: Another", *said]


def shot(name, *size):
    if pictures:
        browser.picture(f"{pictures}/referee-{name}.png", *size)


def texts(selector):
    return browser.run("return [...document.querySelectorAll(arguments[0])].map((at) => at.textContent)", selector)


def opened(room):
    """A tab with the page of a room's referee."""
    with open(f"{keys}/{room}-referee.key.url", encoding="ascii") as file:
        address = file.read().strip()
    tabs[room] = browser.tab()
    browser.open(address)


def shows(room, wanted, description):
    browser.choose(tabs[room])
    result(bool(eventually(lambda: texts(".said") == wanted)), f"{room}: {description}", lambda: texts(".said"))


def conversation():
    """Keys as they come, at both pages."""
    for room in ("judges-room", "back-room"):
        opened(room)
        result(browser.says("#standing", "Nothing is to be seen yet."), f"{room}: at first there is nothing",
               lambda: browser.text("body"))
    journal.keys(LEFT, JUDGE, "Hello thx\bere\r")
    journal.keys(LEFT, ENTITY, "<b>Hi")
    for room in tabs:
        shows(room, ["Judge: Hello there", "Entity: <b>Hi"], "keys come, with corrections, as text and no more")
    journal.keys(LEFT, ENTITY, "!")
    shows("judges-room", ["Judge: Hello there", "Entity: <b>Hi!"], "and go on key by key")
    other.keys(LEFT, ENTITY, "Another")
    shows("judges-room", arranged("Entity: <b>Hi!"), "of all sessions, the last round first")


def kinds():
    """Nobody's kind in the judges' room, everybody's in the back."""
    browser.choose(tabs["judges-room"])
    result(texts("h3") == ["LEFT", "LEFT"], "in the judges' room sides have no names", lambda: texts("h3"))
    result(not browser.run("return /The (entry|confederate)|[CE]\\d/.test(document.body.textContent)"),
           "and the page nobody's", lambda: browser.text("body"))
    result(browser.run("return document.getElementById('limits').hidden"), "nor has it a limit")
    browser.run("socket.send(JSON.stringify({who: 'C1', text: 'no', why: 'from the wrong room'}))")
    browser.choose(tabs["back-room"])
    named = ["LEFT: C1 The confederate 1", "LEFT: E2 The entry 2"][::1 if later(human, entry) else -1]
    result(bool(eventually(lambda: texts("h3") == named)),
           "in the back room sides have them", lambda: texts("h3"))
    result(texts("#who option") == ["C1 The confederate 1"], "and the confederate can be chosen", lambda: texts("#who option"))


def limit():
    browser.run("document.getElementById('text').focus()")
    browser.type(LIMIT)
    browser.run("document.getElementById('why').focus()")
    browser.type("a judge was told" + ENTER)
    result(browser.says("#outcome", f"Done: C1 is limited (2003 r53): {LIMIT} From session {following} on."),
           "a wish is done, and the limit's own words say from where on", lambda: browser.text("#outcome"))
    result(bool(eventually(lambda: not browser.run("return document.getElementById('do').disabled"))), "and another may follow")
    browser.run("""document.getElementById('text').value = 'a; b';
        document.getElementById('why').value = 'x'; document.getElementById('limit').requestSubmit()""")
    result(browser.says("#outcome", "has a semicolon"), "a refused one says why", lambda: browser.text("#outcome"))
    wish("x" * 1024)
    result(browser.says("#outcome", "Not done: A word of this act is too long"), "one that is too long is another fault",
           lambda: browser.text("#outcome"))
    told("hide")
    wish(LIMIT)
    result(browser.says("#outcome", f"Done: C1 is limited (2003 r53): {LIMIT} No ticket has it yet, so tell the manager: "),
           "a limit that is in no ticket is done, and says so", lambda: browser.text("#outcome"))
    told("unhide")


def wish(text):
    """Also where the page has no confederate to choose."""
    browser.run("socket.send(JSON.stringify({who: 'C1', text: arguments[0], why: 'x'}))", text)


def looks():
    for room in tabs:
        browser.choose(tabs[room])
        for width, height in ((1920, 1080), (390, 844)):
            browser.picture("/dev/null", width, height)
            wide = browser.wide()
            result(not wide, f"{room}: {width} by {height}: nothing is wider than the screen", wide)
            shot(f"{room}-{width}x{height}", width, height)
        for scheme in ("light", "dark"):
            browser.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            low = [(pair, text) for pair, text in browser.colours() if contrast(pair) < LEAST]
            result(not low, f"{room}: {scheme}: each text is 7 to 1 or more on its ground", low)
            shot(f"{room}-{scheme}")


def tree():
    """What a screen reader has."""
    nodes = browser.cdp("Accessibility.getFullAXTree")["nodes"]
    named = {(node["role"]["value"], node["name"]["value"]) for node in nodes if node.get("name") and node.get("role")}
    for role, name in (("combobox", "Show"), ("combobox", "Confederate"), ("textbox", "What the confederate is told"),
                       ("button", "Limit"), ("region", title(human))):
        result((role, name) in named, f"a screen reader has the {role} {name}",
               lambda role=role: sorted(each for each in named if each[0] == role))


def choice():
    browser.run("""const at = document.getElementById('shown'); at.value = 'booth-1-judge:' + arguments[0];
        at.dispatchEvent(new Event('change'))""", entry)
    result(browser.run("return document.querySelector('#sessions').innerText").strip().startswith(title(entry)) and
           "Hello" not in browser.run("return document.querySelector('#sessions').innerText"), "and is shown alone when it is chosen")
    browser.run("const at = document.getElementById('shown'); at.value = ''; at.dispatchEvent(new Event('change'))")


def alone():
    """Whether the chosen session is shown, and no other one."""
    return browser.run("""const boxes = [...document.querySelectorAll('#sessions section')];
        return boxes.length === 2 && boxes.every((box) => box.hidden === (box.querySelector('h2').textContent !== arguments[0])) &&
            document.getElementById('shown').value === 'booth-1-judge:' + arguments[1]""", title(entry), entry)


def away():
    """The desk goes and comes back; then the referee's own program."""
    browser.choose(tabs["back-room"])
    browser.run("document.getElementById('shown').value = 'booth-1-judge:' + arguments[0];"
                "document.getElementById('shown').dispatchEvent(new Event('change'))", entry)
    browser.choose(tabs["judges-room"])
    told("kill")
    result(browser.says("#fault", SILENT), "a desk that is away is told", lambda: browser.text("#fault"))
    browser.choose(tabs["back-room"])
    result(browser.says("#fault", SILENT), "to both referees")
    wish("Meanwhile.")
    result(browser.says("#outcome", "Not done: the desk does not answer."), "a wish of that time is not done, now or later",
           lambda: browser.text("#outcome"))
    browser.choose(tabs["judges-room"])
    journal.keys(LEFT, ENTITY, " typed meanwhile")
    told("again")
    wanted = arranged("Entity: <b>Hi! typed meanwhile")
    result(bool(eventually(lambda: texts(".said") == wanted)), "with all when it is back", lambda: texts(".said"))
    result(bool(eventually(lambda: browser.run("return document.getElementById('fault').hidden"))), "and the fault is over")
    browser.choose(tabs["back-room"])
    result(bool(eventually(alone)), "the session that was chosen is still shown alone", lambda: texts("#shown option"))
    browser.run("window.old = true")
    told("restart")
    result(bool(eventually(lambda: texts(".said") == wanted and len(texts("h3")) == 2)), "a program that is started again has all again",
           lambda: texts(".said"))


def pageless():
    """A desk without a contest does no acts, and says so."""
    told("pageless")

    def answered():
        if browser.text("#outcome").startswith("Not done: This desk has no page"):
            return True
        if not browser.run("return document.getElementById('do').disabled"):
            wish("Once more.")
        return False
    result(bool(eventually(answered)), "a desk without a page answers a wish", lambda: browser.text("#outcome"))


with whole("the pages' test", browser):
    conversation()
    kinds()
    limit()
    looks()
    tree()
    choice()
    away()
    pageless()
