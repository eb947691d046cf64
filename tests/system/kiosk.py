"""What the kiosk's screen shows, by its page and by the compositor's own picture; prints "STATUS DESCRIPTION"
for each check. kiosk.py RUNTIME_FOLDER SOCKET COMMAND...: the command before what talks to the compositor."""

import os
import re
import subprocess
import sys

sys.path.insert(0, "tests/support")
from browser import Browser, eventually  # noqa: E402

run, socket, alone = sys.argv[1], sys.argv[2], sys.argv[3:]
# While nothing else is on the screen the compositor hands the browser's picture on as it is, and then a
# picture of the screen has only what has changed since: so all of it changes.
CHANGING = """let turn = 0;
    setInterval(() => { document.documentElement.style.opacity = (turn = !turn) ? '1' : '.999'; }, 10);"""
GROUND = "return getComputedStyle(document.body).backgroundColor"


def result(good, description, why=""):
    print(0 if good else 1, description, flush=True)
    if not good:
        print("#", why, flush=True)


def picture():
    """The rows of the screen's pixels, each three bytes."""
    taken = subprocess.run([*alone, "env", f"XDG_RUNTIME_DIR={run}", f"WAYLAND_DISPLAY={socket}", "grim", "-t", "ppm", "-"],
                           capture_output=True, check=True).stdout
    head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", taken)
    width, height = int(head[1]), int(head[2])
    pixels = taken[head.end():]
    return [[tuple(pixels[at:at + 3]) for at in range(row * width * 3, (row + 1) * width * 3, 3)] for row in range(height)]


def near(colour, other):
    return all(abs(a - b) <= 2 for a, b in zip(colour, other))


def check_screen():
    with open(f"{run}/browser/DevToolsActivePort", encoding="ascii") as file:
        browser = Browser(attach=f"127.0.0.1:{file.readline().strip()}")
    result(browser.says("#board", "There are no tickets"), "the booth's page is on the screen", browser.text("body"))
    sizes = browser.run("return [[innerWidth, innerHeight], [outerWidth, outerHeight], [screen.width, screen.height]]")
    result(sizes[0] == sizes[1] == sizes[2], "the page is as large as the screen, with nothing around it", sizes)
    ground = tuple(int(part) for part in re.findall(r"\d+", browser.run(GROUND))[:3])
    browser.run(CHANGING)
    corners = []

    def filled():
        rows = picture()
        corners[:] = [rows[0][0], rows[0][-1], rows[-1][0], rows[-1][-1]]
        return [len(rows[0]), len(rows)] == sizes[2] and all(near(corner, ground) for corner in corners)

    result(bool(eventually(filled)), "and fills the screen to its corners", f"{corners}, expected {ground}, {sizes}")
    browser.leave()


check_screen()
