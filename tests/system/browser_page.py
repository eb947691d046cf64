"""The page of a judge as a page: what it does at rest, what a screen reader has of it, whether the
keyboard is enough, light and dark. Prints "STATUS DESCRIPTION" for each; asks the script for what is
of terminals."""

import os
import re
import signal
import sys
import time

sys.path.insert(0, "tests/support")
from browser import ENTER, F, TAB, Browser, contrast, eventually, result, told, whole  # noqa: E402

work, pids = sys.argv[1], [int(pid) for pid in sys.argv[2:]]
REST_S = 6
LEAST = 7.0
COUNT = """window.seen = {timers: 0, frames: 0, messages: 0};
    for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback']) {
        const real = window[name];
        window[name] = (...all) => {
            window.seen[name === 'requestAnimationFrame' ? 'frames' : 'timers']++;
            return real.apply(window, all);
        };
    }
    const Real = window.WebSocket;
    window.WebSocket = class extends Real {
        constructor(...all) { super(...all); this.addEventListener('message', () => window.seen.messages++); }
    };
    window.WebSocket.OPEN = Real.OPEN;"""
# What the live regions were given, each in turn.
HEAR = """window.heard = [];
    document.querySelectorAll('.side [aria-live]').forEach((live, side) => new MutationObserver((all) =>
        all.forEach((one) => one.addedNodes.forEach((node) => window.heard.push([side, node.textContent])))
    ).observe(live, {childList: true, characterData: true, subtree: true}));"""


def switches(pid):
    """How often a process has gone to sleep."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", file.read(), re.M)[1])


def at_rest():
    """Nothing wakes but the heartbeat: as often as at a console. Until that is seen once, for a busy machine
    still draws what was before."""
    looks = []

    def rests():
        looks.append(rest())
        web, bare, seen, now = looks[-1]
        return bare > 0 and web <= bare * 1.5 + 8 and now == seen

    result(eventually(rests), "at rest a judge with a page wakes as often as one at a console, and the page not at all: "
           "no timer, no frame, no message", looks)


def rest():
    """The wake-ups of the judge with a page and of that at a console, the page's counts before and behind."""
    before, seen = [switches(pid) for pid in pids], browser.run("return {...window.seen}")
    time.sleep(REST_S)  # how often a second is what is measured
    after = [switches(pid) for pid in pids]
    web, bare = (b - a for a, b in zip(before, after))
    now = browser.run("return window.seen")
    print(f"# in {REST_S} s: {web} wake-ups of the judge with a page, {bare} of one at a console; of the page "
          f"{[now[name] - seen[name] for name in ('timers', 'frames', 'messages')]} timers, frames, messages", flush=True)
    return web, bare, seen, now


def tree():
    nodes = browser.cdp("Accessibility.getFullAXTree")["nodes"]
    return [{"role": node.get("role", {}).get("value"), "name": node.get("name", {}).get("value") or "",
             **{each["name"]: each["value"].get("value") for each in node.get("properties", [])},
             "id": node["nodeId"], "parent": node.get("parentId")} for node in nodes if not node.get("ignored")]


def roles():
    """Names and roles, in the tree that a screen reader gets."""
    browser.cdp("Accessibility.enable")
    nodes = tree()
    by_id = {node["id"]: node for node in nodes}
    named = [(node["role"], node["name"]) for node in nodes]
    result(any(role == "RootWebArea" and name for role, name in named), "the page has a name", named[:1])
    fields = [node for node in nodes if node["role"] == "textbox"]
    result(len(fields) == 1 and fields[0]["name"].startswith("Type here") and fields[0].get("focused"),
           "one field to type in, named, with the focus", fields)
    result([name for role, name in named if role == "region" and name in ("LEFT", "RIGHT")] == ["LEFT", "RIGHT"],
           "a region for each side, by its name", named)
    panes = [name for role, name in named if role == "group"]
    result(panes == ["LEFT, Entity", "LEFT, Judge", "RIGHT, Entity", "RIGHT, Judge"], "a group for each page", panes)
    result(("time", "time left") in named or any(name == "time left" for _, name in named), "a clock with its name")
    blank = [node for node in nodes if node.get("focusable") and not node["name"] and node["role"] != "RootWebArea"]
    result(not blank, "whatever may have the focus has a name", blank)

    def side_of(node):
        while node:
            if node["role"] == "region" and node["name"] in ("LEFT", "RIGHT"):
                return node["name"]
            node = by_id.get(node["parent"])
        return None

    roots = [node for node in nodes if node.get("live") == "polite" and node["role"] == "status"]
    sides = sorted(side_of(node) or "" for node in roots)
    result(sides.count("LEFT") == 1 and sides.count("RIGHT") == 1, "one polite live region for each side", roots)
    result(not [node for node in nodes if node["role"] == "group" and node.get("live")],
           "and the pages announce nothing by themselves")


def heard():
    """Each word of the partner's is announced once, one's own never, and none again after a reload: also
    the first ones, which a judge's machine that was busy gives to the page all at once."""
    browser.run(HEAR)
    os.kill(pids[0], signal.SIGSTOP)
    try:
        told("type", "one two two four")
        told("enter")
        told("unplaced")
    finally:
        os.kill(pids[0], signal.SIGCONT)
    result(bool(eventually(lambda: "four" in str(browser.run("return window.heard")))), "what the partner says is announced")
    browser.type("my own words" + ENTER)
    browser.says("#sides", "my own words")
    said = browser.run("return window.heard")
    result(" ".join(text for _, text in said).split() == ["one", "two", "two", "four"] and {side for side, _ in said} == {0},
           "each word once, whole, on its side, and nothing of one's own", said)
    browser.reload()
    browser.says("#sides", "four")
    result(browser.run("return [...document.querySelectorAll('.side [aria-live]')].map((at) => at.textContent).join('')") == "",
           "nothing again when the page is loaded anew")


def keyboard():
    browser.type(TAB + "x" + TAB)
    result(browser.run("return document.activeElement.id") == "keys", "Tab leaves the field to nothing else")
    browser.type(F[2])
    result(bool(eventually(lambda: browser.run(
        "return [...document.querySelectorAll('.side')].map((side) => side.classList.contains('active'))") == [False, True])),
        "F2 turns to the other side")
    browser.type(F[2] + F[1])
    result(browser.says("#dialog", "steward"), "F1 helps")
    dialogs = [node for node in tree() if node["role"] == "dialog"]
    result(len(dialogs) == 1 and dialogs[0]["name"] and dialogs[0].get("modal"), "in a dialog that has a name", dialogs)
    browser.type("q")
    result(bool(eventually(lambda: not browser.text("#dialog"))), "and any key returns")


def scrolling():
    """Who looks back is left there; who types is at the newest row; the page itself never moves."""
    told("lines")
    browser.says("#sides", "line 39")
    top = "return document.querySelector('.rows').scrollTop"
    result(browser.run("const at = document.querySelector('.rows');"
                       "return at.scrollTop + at.clientHeight >= at.scrollHeight - 4 && at.scrollTop > 0"),
           "the newest row is in sight")
    whole = """const at = document.querySelector('.rows'), row = at.firstChild.getBoundingClientRect().height;
        return Math.abs(at.scrollTop / row - Math.round(at.scrollTop / row)) * row"""
    result(browser.run(whole) < 1, "no row is cut in two", lambda: browser.run(whole))
    browser.type("\ue00e")  # PageUp
    back = browser.run(top)
    result(browser.run(whole) < 1, "nor when one looks back", lambda: browser.run(whole))
    told("type", "more of it")
    browser.says("#sides", "more of it")
    result(browser.run(top) == back, "who looks back is left there when keys come", (back, browser.run(top)))
    browser.type("y")
    result(bool(eventually(lambda: browser.run("const at = document.querySelector('.rows');"
                                               "return at.scrollTop + at.clientHeight >= at.scrollHeight - 4"))),
           "a key of one's own goes to the newest")
    result(browser.run("return document.scrollingElement.scrollTop + document.body.scrollTop + "
                       "document.scrollingElement.scrollLeft") == 0, "and the page itself has not moved")


def light_and_dark():
    """As Chromium reckons the colours of what it shows."""
    grounds = set()
    for scheme in ("light", "dark"):
        browser.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        grounds.add(browser.run("return getComputedStyle(document.body).backgroundColor"))
        found = browser.colours()
        low = [(pair, text, round(contrast(pair), 2)) for pair, text in found if contrast(pair) < LEAST]
        result(len(found) >= 4 and not low, f"{scheme}: {len(found)} pairs of text and ground in sight, each 7 to 1 or more",
               low or found)
        print(f"# {scheme}: the least is {min(contrast(pair) for pair, _ in found):.2f} to 1", flush=True)
    result(len(grounds) == 2, "light and dark are two", grounds)


browser = Browser()
with whole("the page's test", browser):
    browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=COUNT)
    with open(f"{work}/judge/judge.url", encoding="ascii") as url:
        browser.open(url.read().strip())
    for number in (1, 2):
        result(browser.says(f".side:nth-child({number}) .word", "connected"), f"side {number} is connected",
               lambda: browser.text("body"))
    at_rest()
    roles()
    heard()
    keyboard()
    scrolling()
    light_and_dark()
