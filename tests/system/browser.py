"""What browser.sh asks of two screens in a browser; prints "STATUS DESCRIPTION" for each."""

import http.client
import os
import random
import re
import socket
import subprocess
import sys
import time

sys.path.insert(0, "tests/support")
from browser import BACKSPACE, ENTER, F, Browser, eventually  # noqa: E402

work, bl, keys = sys.argv[1], sys.argv[2], int(sys.argv[3])
seed = int(os.environ.get("SEED", random.randrange(1 << 30)))
dice = random.Random(seed)
tabs = {}
browser = None


def result(good, description, why=None):
    print(0 if good else 1, description, flush=True)
    if not good and why is not None:
        for line in str(why() if callable(why) else why).splitlines():
            print("#", line, flush=True)


def address(name):
    with open(f"{work}/{name}/{name.rstrip('0123456789')}.url", encoding="ascii") as file:
        return file.read().strip()


def start():
    global browser
    browser = Browser()
    for name in ("judge", "entity"):
        tabs[name] = browser.tab()
        browser.open(address(name))


def at(name):
    browser.choose(tabs[name])
    return browser


def rows(name, side=0):
    return at(name).rows()[side]


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
    path = re.search(r"(/[0-9a-f]{32}/)$", here)[1]
    wrong = path[:-2] + ("0/" if path[-2] != "0" else "1/")
    origin = f"http://127.0.0.1:{port}"
    result(ask(wrong)[0].status == 403, "a wrong token gets 403")
    result(ask("/")[0].status == 403, "none gets 403")
    result(ask(path, host=f"rebound.example:{port}")[0].status == 403, "another name of the server too")
    result(ask(path + "socket", origin, upgrade=True)[0].status == 101, "the page's own origin gets in")
    result(ask(path + "socket", "http://elsewhere.example", upgrade=True)[0].status == 403,
           "another origin does not")
    result(ask(path + "socket", upgrade=True)[0].status == 403, "nor one without any")
    result(ask(wrong + "socket", origin, upgrade=True)[0].status == 403, "nor the right one without the token")
    answer, page = ask(path)
    policy = answer.getheader("content-security-policy") or ""
    result("default-src 'none'" in policy and "unsafe" not in policy and "script-src 'self'" in policy,
           "a policy forbids all but the page's own", policy)
    size = len(page) + len(ask(path + "page.css")[1]) + len(ask(path + "page.js")[1])
    result(5000 < size < 60000, "the page is under 60 KB", size)
    try:
        socket.create_connection(("127.0.0.2", port), 5).close()
        result(False, "only 127.0.0.1 is listened on")
    except OSError:
        result(True, "only 127.0.0.1 is listened on")
    result(os.stat(f"{work}/judge/judge.url").st_mode & 0o777 == 0o600, "the address is its owner's alone")


def storm():
    """Keys of both, with BackSpaces and wide characters."""
    alphabet = "abcdefghijklmnopqrstuvwxyz    eeaaoo.,?äß中文雨ŵ"
    done = 0
    while done < keys:
        for name in ("judge", "entity"):
            text = ""
            for _ in range(min(100, keys - done)):
                text += BACKSPACE if dice.random() < 0.08 else ENTER if dice.random() < 0.03 \
                    else dice.choice(alphabet)
                done += 1
            at(name).type(text)
    at("judge").type("J.done")
    at("entity").type("E.done")
    check_alike(f"{keys} keys of both are the same rows in both", "J.done")
    check_alike("those of the other too", "E.done")


def told(what, cable="one"):
    subprocess.run([f"{os.environ['SIM']}/nullmodem", "--control", f"{work}/{cable}.control", "--send",
                    what], check=False, stdout=subprocess.DEVNULL)


def main():
    start()
    for name in ("judge", "entity"):
        result(at(name).says(".side .word", "connected"), f"the {name}'s page is connected",
               lambda: browser.text("body"))
    result(at("judge").run("return document.activeElement.id") == "keys", "and one may type at once")
    guarded()
    result(at("judge").says("#offline", "open in another window"), "one browser at a time: the latest")
    at("judge").type("\ue008")  # Shift
    result(bool(eventually(lambda: at("judge").run("return document.getElementById('offline').hidden"))),
           "a key takes it back")
    storm()

    at("judge").type(ENTER)
    at("judge").paste("pasted words,\nin two lines 漢字")
    check_alike("what is pasted", "in two lines 漢字")
    at("judge").type(ENTER)
    at("judge").compose(["に", "にほ", "にほん"], "日本 ")
    check_alike("what an input method commits", "日本")
    result("にほん" not in str(rows("judge")), "and nothing of what it showed before")
    at("entity").type(ENTER + "<b>bold</b><script>document.title='taken'</script>&amp;")
    check_alike("markup is text", "<b>bold</b><script>document.title='taken'</script>&amp;")
    result(not at("judge").run("return document.querySelectorAll('.rows b, .rows script').length")
           and at("judge").run("return document.title") != "taken", "and only text")

    before = rows("judge")
    at("judge").type(ENTER + "mid-wo")
    check_alike("half a word", "mid-wo")
    at("judge").reload()
    result(at("judge").says("body", "mid-wo"), "a reloaded page has it")
    at("judge").type("rd")
    check_alike("and it goes on", "mid-word")
    result(len(str(rows("judge"))) > len(str(before)), "nothing is lost")

    print("kill judge", flush=True)
    sys.stdin.readline()
    result(at("judge").says("#offline", "does not answer") or True, "killed in mid-word")
    print("start judge", flush=True)
    sys.stdin.readline()
    result(bool(eventually(lambda: at("judge").run(
        "return document.getElementById('offline').hidden && "
        "[...document.querySelectorAll('.row')].some((row) => row.textContent.includes('mid-word'))"))),
        "a killed terminal's page comes back by itself", lambda: browser.text("body"))
    result(at("judge").says(".side .word", "connected"), "and is connected")
    at("judge").type("s")
    check_alike("and goes on in the word", "mid-words")

    browser.kill()
    start()
    result(at("judge").says("body", "mid-words"), "so does a killed browser's")
    at("entity").type(ENTER + "after all")
    check_alike("and both go on", "after all")

    told("unplug")
    result(at("judge").says("#notices", "CANNOT BE REACHED"), "a cable that is out is said")
    at("entity").type(" kept")
    result(at("entity").says(".waiting", "kept"), "and keys wait beside the page")
    told("plug")
    check_alike("they are placed when it is in", "after all kept")
    result(bool(eventually(lambda: not at("judge").text("#notices"))), "and the notice goes")

    at("judge").type(F[2] + "to the console")
    print("console to the console", flush=True)
    result(sys.stdin.readline().strip() == "0", "the console of the other side shows it")
    print("type from the console 雨", flush=True)
    sys.stdin.readline()
    result(bool(eventually(lambda: "from the console 雨" in "".join(rows("judge", 1)[0]))),
           "and what is typed there is on the page", lambda: rows("judge", 1))
    result(rows("judge", 1)[0][-1] == "from the console 雨", "cell for cell")

    at("judge").type(F[1])
    result(at("judge").says("#dialog", "call the steward"), "F1 helps")
    at("judge").type("q")
    result(bool(eventually(lambda: not at("judge").text("#dialog"))), "any key returns")
    at("judge").type(F[12])
    result(at("judge").says("#notices", "You have called the steward"), "F12 calls the steward")
    result(at("entity").says("#notices", "The steward is coming"), "and the other page says it")
    at("judge").type(F[12])
    live = at("judge").run("return [...document.querySelectorAll('.side')].map((side) => "
                           "[...side.querySelectorAll('[aria-live=polite]')].length)")
    result(live == [1, 1], "one polite live region for each side", live)
    result(at("judge").run("return [...document.querySelectorAll('.rows')].every((pane) => "
                           "pane.getAttribute('aria-label') && !pane.hasAttribute('aria-live'))"),
           "and the pages themselves have names and announce nothing")
    browser.close()


try:
    main()
except Exception as error:  # pylint: disable=broad-except
    result(False, "the browser's test goes to its end", f"{type(error).__name__}: {error}, seed {seed}")
    if browser:
        browser.kill()
    raise SystemExit(1) from error
