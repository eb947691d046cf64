"""What browser.sh asks of two screens in a browser; prints "STATUS DESCRIPTION" for each."""

import glob
import http.client
import json
import os
import random
import re
import socket
import subprocess
import sys

sys.path.insert(0, "tests/support")
from browser import BACKSPACE, ENTER, F, Browser, eventually, result, told  # noqa: E402
from page import Page  # noqa: E402

work, bl, keys, cables = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
seed = int(os.environ.get("SEED", random.randrange(1 << 30)))
dice = random.Random(seed)
browsers = {}  # of each screen that is in one


def address(name):
    with open(glob.glob(f"{work}/{name}/*.url")[0], encoding="ascii") as file:
        return file.read().strip()


def start(name):
    browsers[name] = Browser()
    browsers[name].open(address(name))


def at(name):
    return browsers[name]


def rows(name, side=0):
    return at(name).rows()[side]


def trimmed(panes):
    return [[row.rstrip() for row in pane] for pane in panes]


def console(name):
    """The cells of the two panes of a console with one side, as tmux has them."""
    screen = told("screen", name) and open(f"{work}/screen", encoding="utf-8").read().splitlines()
    heads = [(i, line.index(label) - 2) for label in ("Entity", "Judge") for i, line in enumerate(screen)
             if line.startswith("─") and f" {label} ─" in line]
    (upper, left), (lower, _) = heads
    end = next(i for i, line in enumerate(screen) if line.startswith(" F1 "))
    return [[line[left:].rstrip() for line in screen[upper + 1:lower]],
            [line[left:].rstrip() for line in screen[lower + 1:end]]]


def filled(lines):
    """Without the empty ones at the end, where a console has notices or nothing."""
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


LEAST_ROWS = 20  # that a pane of these consoles has room for


def same_cells(panes, name):
    """The newest rows of a page are those of a console, which may not have room for all of them."""
    for page, cells in zip(map(filled, trimmed(panes)), map(filled, console(name))):
        if cells != page[len(page) - len(cells):] or len(cells) < min(len(page), LEAST_ROWS):
            return False
    return True


def check_cells(description, panes, name):
    result(eventually(lambda: same_cells(panes(), name)), description,
           lambda: f"seed {seed}\npage    {trimmed(panes())}\nconsole {console(name)}")


def alike(text=None):
    """Both pages show the same rows; and text, if there is one, without its wraps."""
    judge, entity = rows("judge"), rows("entity")
    whole = "".join("".join(pane) for pane in judge)
    return judge == entity and (text is None or text.replace(" ", "") in whole.replace(" ", ""))


def check_alike(description, text=None):
    result(eventually(lambda: alike(text)), description,
           lambda: f"seed {seed}\nmissing {text!r}\njudge  {rows('judge')}\nentity {rows('entity')}")


def ask(path, origin=None, host=None, upgrade=False):
    port = int(re.search(r":(\d+)/", address("judge"))[1])
    headers = {"Host": host or f"127.0.0.1:{port}"}
    if origin:
        headers["Origin"] = origin
    if upgrade:
        headers |= {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = b"" if answer.status == 101 else answer.read()
    connection.close()
    return answer, body


def guarded():
    """Who is let in."""
    here = address("judge")
    port = int(re.search(r":(\d+)/", here)[1])
    origin = f"http://127.0.0.1:{port}"
    result(ask("/", host=f"rebound.example:{port}")[0].status == 403, "another name of the server gets 403")
    result(ask("/secret")[0].status == 404, "there is nothing but the page")
    result(ask("/socket", origin, upgrade=True)[0].status == 101, "the page's own origin gets in")
    result(ask("/socket", "http://elsewhere.example", upgrade=True)[0].status == 403, "another origin does not")
    result(ask("/socket", upgrade=True)[0].status == 403, "nor one without any")
    answer, page = ask("/")
    policy = answer.getheader("content-security-policy") or ""
    result("default-src 'none'" in policy and "unsafe" not in policy and "script-src 'self'" in policy,
           "a policy forbids all but the page's own", policy)
    size = len(page) + len(ask("/page.css")[1]) + len(ask("/page.js")[1])
    result(5000 < size < 60000, "the page is under 60 KB", size)
    print(f"# the page is {size} bytes", flush=True)
    try:
        socket.create_connection(("127.0.0.2", port), 5).close()
        result(False, "only 127.0.0.1 is listened on")
    except OSError:
        result(True, "only 127.0.0.1 is listened on")
    result(os.stat(f"{work}/judge/judge.url").st_mode & 0o777 == 0o600, "the address is its owner's alone")


def type_console(name, text):
    with open(f"{work}/typed", "w", encoding="utf-8", newline="") as file:
        file.write(text)
    told("type", name)


ALPHABET = "abcdefghijklmnopqrstuvwxyz    eeaaoo.,?äß中文雨ŵ\u0301\u0302"


def some(count, back, enter):
    text = ""
    for _ in range(count):
        text += back if dice.random() < 0.08 else enter if dice.random() < 0.03 else dice.choice(ALPHABET)
    return text


def storm():
    """Keys of all, on both sides, with BackSpaces, wide characters and combining marks."""
    done = 0
    while done < keys:
        count = max(1, min(60, (keys - done) // 4))
        at("judge").type(some(count, BACKSPACE, ENTER))
        at("entity").type(some(count, BACKSPACE, ENTER))
        at("judge").type(F[2] + some(count, BACKSPACE, ENTER) + F[2])
        type_console("console", some(count, "\x7f", "\r"))
        done += 4 * count
    at("judge").type("J.done" + F[2] + "J.two" + F[2])
    at("entity").type("E.done")
    type_console("console", "C.done")
    check_alike(f"{done} keys of all: the same rows at both ends of a side", "J.done")
    check_alike("those of the other too", "E.done")
    result(eventually(lambda: "C.done" in "".join(rows("judge", 1)[0])), "the other side has the console's",
           lambda: rows("judge", 1))
    check_cells("and cell for cell what the console has", lambda: rows("judge", 1), "console")


GRID = """const probe = document.querySelector('.rows').appendChild(document.createElement('span'));
    probe.textContent = '0'.repeat(100);
    const ch = probe.getBoundingClientRect().width / 100;
    probe.remove();
    const seen = {ch, wide: 0, odd: 0, plain: 0, off: []};
    for (const row of document.querySelectorAll('.row')) {
        const left = row.getBoundingClientRect().left;
        let column = 0;
        const walk = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
        for (let node; (node = walk.nextNode());) {
            const cell = node.parentElement.closest('i'), range = document.createRange();
            if (cell && cell.firstChild !== node) continue; // its marks
            const columns = cell ? (cell.className === 'wide' ? 2 : 1) : node.length;
            range.selectNodeContents(node);
            const box = (cell || range).getBoundingClientRect();
            seen[cell ? (columns === 2 ? 'wide' : 'odd') : 'plain']++;
            if (Math.abs(box.width - columns * ch) > 0.02 || Math.abs(box.left - left - column * ch) > 0.05)
                seen.off.push([node.data, box.width / ch, (box.left - left) / ch, column]);
            if (columns === 2 && range.getBoundingClientRect().width > 2 * ch + 0.02)
                seen.off.push([node.data, 'its letter is wider than its cell']);
            column += columns;
        }
    }
    return seen;"""


def widths():
    """A wide character takes exactly two cells, and every cell stands in its column."""
    at("judge").type(ENTER + "wide 漢字かな한글中\u0302 and narrow, ŵ e\u0301 дом")
    check_alike("wide characters", "中\u0302 and narrow")
    seen = at("judge").run(GRID)
    result(not seen["off"] and seen["wide"] >= 6 and seen["odd"] > 0 and seen["plain"] > 0,
           "a wide one is exactly two cells wide, every other one, and each stands in its column", seen)
    cdp = at("judge").cdp
    cdp("DOM.enable")
    cdp("CSS.enable")
    root = cdp("DOM.getDocument")["root"]["nodeId"]
    fonts = [[font["familyName"] for font in cdp("CSS.getPlatformFontsForNode", nodeId=node)["fonts"]]
             for node in cdp("DOM.querySelectorAll", nodeId=root, selector="i.wide")["nodeIds"]]
    # A mark on it may be another font's.
    result(fonts and all(any("CJK" in name for name in names) for names in fonts),
           "in letters of a font that has them", fonts)


def comes_back(name, text):
    """A page that was there goes on by itself when its terminal is there again."""
    return bool(eventually(lambda: at(name).run(
        "return document.getElementById('offline').hidden && "
        "[...document.querySelectorAll('.row')].some((row) => row.textContent.includes(arguments[0]))", text)))


def in_mid_word():
    """Reload, kill -9 of either end and of either browser, in mid-word; at last the word is whole."""
    at("judge").type(ENTER)
    word = ""
    for name, what in (("judge", "reload"), ("entity", "reload"), ("judge", "kill"), ("entity", "kill"),
                       ("judge", "browser"), ("entity", "browser")):
        piece = "".join(dice.choice("bcdfgh") for _ in range(3))
        word += piece
        at("judge").type(piece)
        check_alike(f"the word so far, {len(word)} letters", word)
        if what == "reload":
            at(name).reload()
        elif what == "kill":
            told("kill", name)
            result(at(name).says("#offline", "does not answer"), f"the {name}'s end is killed in mid-word, its page says so")
            if name == "judge":  # as a terminal keeps what is typed while nobody reads it
                at(name).type("kept")
                word += "kept"
            told("start", name)
        else:
            at(name).kill()
            start(name)
        result(comes_back(name, word), f"and is there again: the {name}'s page after {what}",
               lambda: browsers[name].text("body"))
        result(at(name).says(".side .word", "connected"), "and connected")
    at("judge").type("s")
    check_alike("the word is whole at the end", word + "s")
    at("entity").type(ENTER + "after all")
    check_alike("and both go on", "after all")


LATE = """const fetched = window.fetch;
    window.fetch = (...what) => new Promise((good, bad) =>
        setTimeout(() => fetched(...what).then(good, bad), arguments[0]));"""
LATE_S, KEPT = 4, "keptwhileitwasaway"


def shown_at(party):
    """When each of one's keys got its place at the judge's end, s."""
    found = subprocess.run([bl, "journal", "show", "--json", f"{work}/judge/web-judge.journal"],
                           capture_output=True, check=True, encoding="utf-8").stdout
    return [(entry["time_us"] / 1e6, key) for entry in map(json.loads, found.splitlines())
            if entry["kind"] == "keys" and entry["party"] == party for key in entry["text"]]


def back_late():
    """What a page kept goes as what a keyboard keeps, though the page is back long after its terminal."""
    at("entity").type(ENTER)
    at("entity").run(LATE, LATE_S * 1000)
    told("kill", "entity")
    result(at("entity").says("#offline", "does not answer"), "the entity's end is killed, its page is slow to see another")
    at("entity").type(KEPT)
    told("start", "entity")
    result(comes_back("entity", KEPT), "what it kept is there", lambda: rows("entity"))
    check_alike("at both ends", KEPT)
    at("entity").reload()
    result(at("entity").says(".side .word", "connected"), "it is as before")
    last = shown_at("entity")[-len(KEPT):]
    result("".join(key for _, key in last) == KEPT and last[-1][0] - last[0][0] > len(KEPT) * 0.03,
           "and came no faster than a person types", last)


def out():
    """Cables that are out while both type."""
    for number in range(cables):
        told("cable", "unplug")
        result(at("judge").says("#notices", "CANNOT BE REACHED"), f"cable out {number + 1} of {cables}: it is said")
        at("entity").type(f" kept{number}")
        at("judge").type(f" said{number}")
        result(eventually(lambda: f"kept{number}" in at("entity").run(
            "return [...document.querySelectorAll('.waiting')].map((at) => at.textContent).join('')")),
            "keys wait beside the page", lambda: rows("entity"))
        told("cable", "plug")
        check_alike("they are placed when it is in", f"kept{number}")
        check_alike("and the judge's are there", f"said{number}")
        result(bool(eventually(lambda: not at("judge").text("#notices"))), "and the notice goes")
    whole = "".join(rows("judge")[1])
    result(all(f"said{number}" in whole for number in range(cables)) and whole.count("said") == cables,
           "nothing is lost, and nothing comes twice", whole)


def consoles():
    """A judge at a console with an entity in a browser."""
    at("guest").type("guest: 雨が降る e\u0301 <i>")
    type_console("bench", "judge: 中文 ŵ &amp;\r and a second row 漢")
    result(eventually(lambda: "second row 漢" in "".join(rows("guest")[1])), "what a judge types at a console",
           lambda: rows("guest"))
    check_cells("an entity's page in a browser is that of a judge's console, cell for cell",
                lambda: rows("guest"), "bench")


def dialogs():
    at("judge").type(F[1])
    result(at("judge").says("#dialog", "call the steward"), "F1 helps")
    at("judge").type("q")
    result(bool(eventually(lambda: not at("judge").text("#dialog"))), "any key returns")
    at("judge").type(F[12])
    result(at("judge").says("#notices", "You have called the steward"), "F12 calls the steward")
    result(at("entity").says("#notices", "The steward is coming"), "and the entity's page says it")
    at("judge").type(F[12])


def main():
    for name in ("judge", "entity", "guest"):
        start(name)
        result(at(name).says(".side .word", "connected"), f"the {name}'s page is connected",
               lambda: at(name).text("body"))
    result(at("judge").run("return document.activeElement.id") == "keys", "and one may type at once")
    guarded()
    result(not at("judge").text("#offline"), "who has not the token takes the page from nobody")
    other = Page(address("judge"))
    result(other.prove() and at("judge").says("#offline", "open in another window"), "one browser at a time: the latest")
    at("judge").type("\ue008")  # Shift
    result(bool(eventually(lambda: at("judge").run("return document.getElementById('offline').hidden"))),
           "a key takes it back")
    storm()
    widths()
    consoles()

    at("judge").type(ENTER)
    at("judge").paste("pasted words,\nin two lines 漢字")
    check_alike("what is pasted", "in two lines 漢字")
    at("judge").type(ENTER)
    at("judge").compose(["に", "にほ", "にほん"], "日本 ")
    check_alike("what an input method commits", "日本")
    result("にほん" not in str(rows("judge")), "and nothing of what it showed before")
    at("entity").compose(["や", "やま"], "山")
    check_alike("an entity's too", "山")
    at("entity").type(ENTER + "<b>bold</b><script>document.title='taken'</script>&amp;")
    check_alike("markup is text", "<b>bold</b><script>document.title='taken'</script>&amp;")
    for name in ("judge", "entity"):
        result(not at(name).run("return document.querySelectorAll('.rows b, .rows script').length")
               and at(name).run("return document.title") != "taken", f"and only text, at the {name}'s")

    in_mid_word()
    back_late()
    out()
    dialogs()
    check_alike("at the end both sides are alike")
    check_cells("cell for cell", lambda: rows("judge", 1), "console")
    for each in browsers.values():
        each.close()


try:
    main()
except Exception as error:  # pylint: disable=broad-except
    result(False, "the browser's test goes to its end", f"{type(error).__name__}: {error}, seed {seed}")
    for each in browsers.values():
        each.kill()
    raise SystemExit(1) from error
