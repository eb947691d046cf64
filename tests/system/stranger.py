"""Another local user at the port of a screen in a browser; prints "STATUS DESCRIPTION" for each check.
stranger.py WORK: the booth's folder; the shell starts and kills it."""

import json
import os
import re
import socket
import sys
import threading
import time

sys.path.insert(0, "tests/support")
from browser import eventually, result, told  # noqa: E402
from page import Page, open_page  # noqa: E402

work = sys.argv[1]
F2, F10 = "\x1bOQ", "\x1b[21~"
HUSH_S = 1.1  # a key at the board counts once nobody has typed for a second


def address():
    with open(f"{work}/records/booth.url", encoding="ascii") as file:
        return file.read()


def port():
    return int(re.search(r":(\d+)/", address())[1])


def token():
    return re.search(r"#([0-9a-f]+)", address())[1]


def listening():
    """The sockets that listen at the port."""
    with open("/proc/net/tcp", encoding="ascii") as table:
        rows = [line.split() for line in table]
    return {row[9] for row in rows if row[1] == f"0100007F:{port():04X}" and row[3] == "0A"}


def come():
    page = eventually(lambda: open_page(address()))
    if not page:
        raise RuntimeError("no page opens")
    return page


def is_over(page):
    try:
        while True:
            page.hear()
    except OSError:
        return True


def is_told_nothing(page):
    """Not even a word before it is over."""
    try:
        page.hear()
        return False
    except OSError:
        return True


def at_board(scene):
    return bool(scene.get("board"))


class Binder(threading.Thread):
    """Takes the port as soon as it is free."""

    def __init__(self, number):
        super().__init__(daemon=True)
        self.number, self.done, self.got = number, threading.Event(), None

    def take(self):
        attempt = socket.socket()
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind(("127.0.0.1", self.number))
            attempt.listen(16)
            self.got = attempt
        except OSError:
            attempt.close()
        return self.got

    def run(self):
        while not self.take() and not self.done.wait(0.001):
            pass


def unproven():
    """Nobody without the token is told anything, or listened to."""
    page = Page(address())
    page.send(F2)
    result(is_told_nothing(page), "who types without a proof is let go, and has been told nothing")
    for name, wrong in (("a wrong token's", "0" * 32), ("the server's own", None)):
        page = Page(address())
        asked = "ab" * 16
        page.send(asked)
        said = page.hear()
        if wrong:
            page.close()
            page = Page(address())
            page.prove(wrong)
        else:
            page.send(said["proof"])
        result(is_told_nothing(page), f"{name} proof opens nothing")
    silent = [Page(address()) for _ in range(20)]
    page = come()
    page.see(at_board)
    result(True, "twenty who say nothing keep the page from nobody")
    for each in silent:
        each.close()
    return page


def practised(page):
    """From the board to a practice and back; the page goes from one terminal to the next."""
    while page.scene is None or at_board(page.scene):
        time.sleep(HUSH_S)
        page.send(F2)
        try:
            page.see(lambda scene: not at_board(scene))
        except OSError:
            page = come()
            page.see(lambda scene: True)
    listens = listening()
    page.send("typed")
    page.see(lambda scene: scene["sides"][0]["state"] == "open")
    page.send(F10)
    page.see(lambda scene: scene.get("dialog"))
    typed = json.dumps(page.rows)
    result(not re.search("[0-9a-f]{16}", typed), "a proof is nothing that was typed", typed)
    page.send("leave\r")
    is_over(page)
    page = come()
    page.see(at_board)
    return page, listens


def in_arguments():
    """Processes whose arguments or environment have the token."""
    found = []
    for each in filter(str.isdigit, os.listdir("/proc")):
        for what in ("cmdline", "environ"):
            try:
                with open(f"/proc/{each}/{what}", "rb") as file:
                    if token().encode() in file.read():
                        found.append(f"{each} {what}")
            except OSError:
                pass
    return found


def main():
    page = unproven()
    before, known = listening(), address()
    binder = Binder(port())
    binder.start()
    page, between = practised(page)
    binder.done.set()
    binder.join()
    result(len(before) == 1 and before == between == listening(),
           "one socket listens all day: board, practice, board", (before, between, listening()))
    result(binder.got is None, "nobody else gets the port in between")
    result(address() == known, "nor is the address another one")
    result(not in_arguments(), "no process has the token in its arguments", in_arguments)

    told("kill", "judge")
    result(is_over(page), "the booth is killed")
    told("begin", "judge")
    page = come()
    result(address() == known, "it is there again at the address of before")

    told("kill", "judge")
    taken, old = Binder(port()), token()
    result(bool(eventually(taken.take)), "it is killed, and a stranger takes its port")
    told("begin", "judge")
    result(bool(eventually(lambda: address() != known)), "it is there at another address")
    result(token() != old, "with another token")
    come().see(at_board)
    result(True, "which has the page")
    told("kiosk", known.strip())  # at which the stranger accepts, and says nothing of use
    taken.got.close()
    told("kiosk", address().strip())


try:
    main()
except Exception as error:  # pylint: disable=broad-except
    result(False, "the strangers' test goes to its end", f"{type(error).__name__}: {error}")
    raise SystemExit(1) from error
