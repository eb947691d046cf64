"""The form of 2003 in a browser, with a person's answers and with a program's; prints
"STATUS DESCRIPTION" for each. Asks the script on standard input for what is of terminals."""

import sys

sys.path.insert(0, "tests/support")
from browser import ENTER, Browser, eventually, result, told, whole  # noqa: E402

work, least_ms, questions = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SAID = "Fine, thank you."
ASKED = "How are you?"
# Of each question the time from the key that submits it to the page that has its answer, by the
# page's clock; and whether the page ever had something of an answer before.
WATCH = """window.waited = [];
    let sent = 0, before = 0;
    const answers = () => [...document.querySelectorAll('.row')].filter((row) => row.dataset.party === '1').length;
    document.getElementById('keys').addEventListener('keydown', (event) => {
        if (event.key === 'Enter') { sent = event.timeStamp; before = answers(); }
    }, true);
    new MutationObserver(() => {
        if (!sent || answers() === before) return;
        window.waited.push(performance.now() - sent);
        sent = 0;
    }).observe(document.getElementById('sides'), {childList: true, subtree: true, characterData: true});"""
JUDGES = {"judge1": "a person", "judge2": "a program", "judge4": "an Entry behind a form"}

browser = Browser()
tabs = {}


def address(name, role):
    with open(f"{work}/{name}/{role}.url", encoding="ascii") as file:
        return file.read().strip()


def rows():
    return [[[row.rstrip() for row in pane] for pane in side] for side in browser.rows()]


def check_rows(wanted, description):
    result(bool(eventually(lambda: rows() == [wanted])), description, f"{browser.rows()}, expected {wanted}")


# What has changed last is drawn anew by itself, and a curve that its edge cuts comes out another way by
# a pixel or two, then stays so: so all of a page is drawn at once before a picture.
DRAW = """const ground = document.body.style;
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    ground.backgroundColor = 'black';
    return frame().then(() => { ground.backgroundColor = ''; return frame(); })"""


def shots(label):
    """A picture of each judge's page, once it is drawn."""
    taken = {}
    for name in JUDGES:
        browser.choose(tabs[name])
        browser.run(DRAW)
        taken[name] = browser.picture(f"{work}/{name}-{label}.png", 1024, 768)
    return taken


def check_pixels(label, description):
    result(bool(eventually(lambda: len(set(shots(label).values())) == 1)), description,
           f"{work}: judge*-{label}.png")


def conversation():
    """r29 and r30, for a person, a program and a form, whose pages are looked at in turn."""
    for name in JUDGES:
        browser.choose(tabs[name])
        browser.run(WATCH)
    check_pixels("begin", "before a word is said all pages are the same pixels")
    said = []
    for number in range(questions):
        for name in JUDGES:
            browser.choose(tabs[name])
            browser.type(ASKED + ENTER)
        said.append("Judge:   " + ASKED)
        browser.choose(tabs["person"])
        result(bool(eventually(lambda: str(rows()).count(ASKED) > number)),
               f"question {number + 1} is there", browser.rows())
        browser.type(SAID + ENTER)
        if number == 0:
            for name, who in JUDGES.items():
                browser.choose(tabs[name])
                check_rows([said, ["Judge:"]], f"nothing of an answer is seen while it is awaited: {who}")
            check_pixels("waits", "nor is there a difference of a pixel")
        said.append("Partner: " + SAID)
        for name, who in JUDGES.items():
            browser.choose(tabs[name])
            check_rows([said, ["Judge:"]], f"{who} has answered")
    for name, who in JUDGES.items():
        browser.choose(tabs[name])
        waited = browser.run("return window.waited")
        result(len(waited) == questions and min(waited) >= least_ms,
               f"each answer comes {least_ms / 1000:g} s after its submission or later: {who}", f"{waited} ms")
        print("#", who, ", ".join(f"{ms / 1000:.3f} s" for ms in waited), flush=True)
    check_pixels("end", "the same words are the same pixels")
    browser.choose(tabs["judge1"])
    browser.type("x")
    browser.says(".row.cursor", "x")
    pictures = shots("other")
    result(pictures["judge1"] != pictures["judge2"], "which one more key would change")


def fields():
    """A message at a time: what is not sent yet is on its writer's screen alone."""
    browser.choose(tabs["judge3"])
    result(told("type", "half a thought"), "a person at a console has written half a message")
    result("half" not in browser.text("body"), "which his own screen has, and the judge's has not",
           browser.text("body"))
    check_rows([[""], ["Judge:"]], "nor a field for it")
    browser.type("secret so far")
    check_rows([[""], ["Judge:   secret so far"]], "the judge's own field has what he writes")
    result(told("placed", "27"), "all of it is placed at both ends")
    result(told("lacks", "secret"), "which the console has not")
    browser.type(ENTER)
    result(told("has", "Judge: secret so far"), "until it is sent")
    told("enter")
    check_rows([["Judge:   secret so far", "Partner: half a thought"], ["Judge:"]],
               "nor has the judge's page a message before it is")


with whole("the form's test", browser):
    for role, names in (("entity", ["person"]), ("judge", ["judge1", "judge2", "judge3", "judge4"])):
        for each in names:
            tabs[each] = browser.tab()
            browser.open(address(each, role))
            result(browser.says(".side .word", "connected"), f"{each} is connected", browser.text("body"))
    conversation()
    fields()
