"""Where the parts of the page stand when all that can be said is said at once.

  browser_notices.py WORK     the terminals' addresses are in WORK/NAME/NAME.url; KEPT_PICTURES=DIR keeps
                              what was looked at"""

import os
import sys

sys.path.insert(0, "tests/support")
from browser import ENTER, F, Browser, eventually, result, whole  # noqa: E402

work = sys.argv[1]
pictures = os.environ.get("KEPT_PICTURES")
SIZES = ((800, 480), (1024, 768), (1280, 720), (1366, 768), (1920, 1080))

# Each notice that a screen may have, see host/session/notice.c, with its reason at its longest.
SAY = """
socket = null; /* nothing that the terminal says changes it again */
const why = "this machine cannot use its cable: the steward has been called.";
scene.notices = arguments[0] === "judge"
    ? [[1, "LEFT CANNOT BE REACHED: " + why], [1, "RIGHT CANNOT BE REACHED: nothing heard for 3 s."]]
    : [[1, "THE JUDGE CANNOT BE REACHED: " + why]];
scene.notices.push([1, "What you type is kept. If this lasts, press F12: it calls the steward."],
    [2, "You have called the steward: raise your hand too, and wait."], [2, "The steward is coming."],
    [0, "LEFT: keys 1234 to 5678 are the other end's word alone."]);
scene.message = "This machine's clock is not set: times in the record are wrong. Tell the steward.";
scene.aside = "the last 30 seconds";
if (arguments[0] === "entity") scene.entry = "running, writing";
drawScene();
offline(STRANGER); /* the longest */
fit();
"""

# Boxes over one another: each pair of boxes that share a point, each that leaves the screen, each pane
# in which no whole row is seen, and each row of which another element is seen.
LOOK = """
const wrong = [], boxes = [];
const add = (name, element) => {
    const box = element.getBoundingClientRect();
    if (element.hidden || box.width === 0 || box.height === 0) return;
    boxes.push([name, box]);
    if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
        wrong.push(name + " leaves the screen");
    if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth) wrong.push(name + " is cut");
};
for (const id of ["offline", "top", "form", "message"]) add(id, document.getElementById(id));
document.querySelectorAll(".notice").forEach((element, i) => add("notice " + i, element));
document.querySelectorAll("#hints button").forEach((element, i) => add("hint " + i, element));
document.querySelectorAll(".head").forEach((element, i) => add("head " + i, element));
document.querySelectorAll(".label").forEach((element, i) => add("label " + i, element));
document.querySelectorAll(".rows:not(.probe)").forEach((element, i) => {
    add("pane " + i, element);
    const pane = element.getBoundingClientRect();
    let seen = 0;
    for (const row of element.children) {
        const box = row.getBoundingClientRect();
        if (box.top < pane.top - 1 || box.bottom > pane.bottom + 1) continue;
        seen++;
        for (const part of [.1, .5, .9]) {
            const at = document.elementFromPoint(pane.left + pane.width / 4, box.top + box.height * part);
            if (!at || !element.contains(at)) wrong.push("a row of pane " + i + " is covered by " + (at && (at.id || at.className)));
        }
    }
    if (!seen) wrong.push("no row of pane " + i + " is seen");
});
const said = document.querySelectorAll(".notice").length;
if (said < arguments[0]) wrong.push("only " + said + " notices");
boxes.forEach(([one, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        wrong.push(one + " covers " + other);
}));
return wrong.join("; ");
"""

# Columns of a page by all of the screen's.
WIDTH = """
const panes = document.querySelector(".panes");
const rows = document.querySelector(".rows:not(.probe)");
const cell = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--cell"));
return scene.columns * cell * (panes.classList.contains("beside") ? 2 : 1) / innerWidth;
"""


def size(browser, width, height):
    browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    browser.run("window.dispatchEvent(new Event('resize')); return new Promise((done) =>"
                "requestAnimationFrame(() => requestAnimationFrame(done)))")


def looks(browser, words, notices=0):
    for width, height in SIZES:
        size(browser, width, height)
        if pictures:
            browser.picture(f"{pictures}/{words.replace(' ', '-')}-{width}x{height}.png")
        wrong = browser.run(LOOK, notices)
        result(not wrong, f"{words}, {width}x{height}: nothing covers anything", wrong)


def main():
    browser = Browser((1280, 900))
    with whole("the page with its notices", browser):
        tabs = {}
        for name in ("judge", "entity"):
            tabs[name] = browser.tab()
            with open(f"{work}/{name}/{name}.url", encoding="ascii") as url:
                browser.open(url.read().strip())
            result(browser.says(".label", "open"), f"the {name}'s line is open")
            for number in range(9):
                browser.type(f"Line {number} of a conversation, by the {name}." + ENTER)
        result(eventually(lambda: "Line 8" in str(browser.rows())), "both have typed")
        for name in ("judge", "entity"):
            browser.choose(tabs[name])
            size(browser, 1920, 1080)
            share = browser.run(WIDTH)
            result(name == "judge" or share > 0.75, f"at 1920 the {name}'s pages take {share:.0%} of the width", share)
            looks(browser, f"the {name}'s page with nothing to say")
            browser.run(SAY, name)
            looks(browser, f"the {name}'s page with all to say", 5)
            if name == "judge":
                browser.reload()
                browser.says(".label", "open")
                browser.type(F[3])
                result(browser.says("#form", "LEFT is the human"), "the ballot is there")
                browser.run(SAY, name)
                looks(browser, "a ballot and all to say", 6)


main()
