"""Chromium, driven by its driver over WebDriver's HTTP: no more of it than the tests need.
https://www.w3.org/TR/webdriver2/"""

import base64
import contextlib
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

PATIENCE = float(os.environ.get("PATIENCE", "120"))
PR_SET_PDEATHSIG = 1
ENTER, BACKSPACE, TAB = "\ue007", "\ue003", "\ue004"
F = {n: chr(0xE030 + n) for n in range(1, 13)}
ROWS = """return [...document.querySelectorAll('.side')].map((side) =>
    [...side.querySelectorAll('.rows')].map((pane) => [...pane.children].map((row) => row.textContent)))"""

# Each colour of a text that is seen, with the ground that it stands on.
COLOURS = """const found = new Map();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walk.nextNode());) {
        const at = node.parentElement;
        if (!node.data.trim() || !at.getClientRects().length || at.closest('.live, noscript, script, textarea')) continue;
        let ground = at;
        while (ground && /, 0\\)$|^transparent$/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
        const pair = getComputedStyle(at).color + ' on ' + getComputedStyle(ground || document.documentElement).backgroundColor;
        found.set(pair, node.data.trim().slice(0, 30));
    }
    return [...found];"""

# Elements wider than the page.
WIDE = """return [...document.querySelectorAll('main *, header *')].filter((at) => at.getClientRects().length &&
    at.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5).map((at) => at.outerHTML.slice(0, 80))"""


def missing():
    """Why there is no browser here; None: there is one."""
    for program, package in (("chromium", "chromium"), ("chromedriver", "chromium-driver")):
        if not shutil.which(program):
            return f"{package} is not installed; make deps BROWSER=1 does that"
    return None


def eventually(look, patience=None):
    """Waits until look() is true, and returns that; False when patience ends."""
    until = time.monotonic() + (patience or PATIENCE)
    while time.monotonic() < until:
        try:
            seen = look()
        except (OSError, RuntimeError):
            seen = None
        if seen:
            return seen
        time.sleep(0.05)
    return False


def result(good, description, why=""):
    """For tests/tap.sh: 0 or 1 and the description, then why not, which may be a function."""
    print(0 if good else 1, description, flush=True)
    if not good:
        print("#", str(why() if callable(why) else why).replace("\n", " "), flush=True)


def told(what, text=""):
    """Has the shell do something; whether it succeeded."""
    print(what, text, flush=True)
    return sys.stdin.readline().strip() == "0"


def luminance(colour):
    parts = [float(part) / 255 for part in re.findall(r"[\d.]+", colour)[:3]]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(pair):
    low, high = sorted(luminance(colour) for colour in pair.split(" on "))
    return (high + 0.05) / (low + 0.05)


@contextlib.contextmanager
def whole(name, browser):
    """A test that comes to its end, whatever goes wrong, and the browser with it."""
    try:
        yield
    except Exception as error:  # pylint: disable=broad-except
        result(False, f"{name} goes to its end", f"{type(error).__name__}: {error}")
        raise SystemExit(1) from error
    finally:
        browser.close()


class Browser:
    """One Chromium with its driver, with tabs; each call is about the tab that was chosen last. attach: the
    "HOST:PORT" at which one that runs already can be debugged."""

    def __init__(self, size=(1280, 900), dark=False, attach=None):
        self.folder = tempfile.mkdtemp(prefix="browser.")
        found = None
        for _ in range(10):  # it ends at once if another program takes the port that it has chosen
            self.driver = subprocess.Popen(
                ["chromedriver", "--port=0", "--log-level=SEVERE"], stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, start_new_session=True, text=True,
                # It ends its browsers when it is told to, also by the end of this process.
                preexec_fn=lambda: ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM))
            words = (re.search(r"started successfully on port (\d+)", line) for line in self.driver.stdout)
            found = next((word for word in words if word), None)
            if found:
                break
            self.driver.wait()
        self.base = f"http://127.0.0.1:{found[1]}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--force-device-scale-factor=1", "--hide-scrollbars", "--no-first-run",
                     "--disable-background-networking", "--disable-component-update",
                     f"--window-size={size[0]},{size[1]}", f"--user-data-dir={self.folder}"]
        if dark:
            arguments.append("--blink-settings=preferredColorScheme=0")
        options = {"debuggerAddress": attach} if attach else {"binary": shutil.which("chromium"), "args": arguments}
        answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:chromeOptions": options}}})
        self.session = f"/session/{answer['sessionId']}"

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    def post(self, path, body=None):
        return self.ask("POST", self.session + path, body or {})

    def tab(self):
        """A new tab, which is chosen."""
        name = self.post("/window/new", {"type": "tab"})["handle"]
        self.choose(name)
        return name

    def force_colours(self, forced=True):
        """Of this tab: few colours, those of the system, as a user with a contrast theme has them."""
        self.post("/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": [
            {"name": "forced-colors", "value": "active" if forced else "none"}]}})

    def choose(self, name):
        self.post("/window", {"handle": name})

    def open(self, address):
        self.post("/url", {"url": address})

    def reload(self):
        self.post("/refresh")

    def run(self, script, *arguments):
        return self.post("/execute/sync", {"script": script, "args": list(arguments)})

    def cdp(self, command, **parameters):
        return self.post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def type(self, text):
        """Keys, as of a keyboard, into what has the focus."""
        self.post("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": [
            step for point in text for step in ({"type": "keyDown", "value": point},
                                                {"type": "keyUp", "value": point})]}]})

    def compose(self, steps, text):
        """An input method: what it shows while one composes, then what is committed."""
        for step in steps:
            self.cdp("Input.imeSetComposition", text=step, selectionStart=len(step),
                     selectionEnd=len(step))
        self.cdp("Input.insertText", text=text)

    def paste(self, text):
        self.run("""const data = new DataTransfer();
            data.setData('text/plain', arguments[0]);
            document.activeElement.dispatchEvent(new ClipboardEvent('paste',
                {clipboardData: data, bubbles: true, cancelable: true}));""", text)

    def rows(self):
        """The text of each row of each pane of each side."""
        return self.run(ROWS)

    def text(self, selector):
        return self.run("const at = document.querySelector(arguments[0]);"
                        "return at ? at.textContent : ''", selector)

    def colours(self):
        """["COLOUR on GROUND", text] of what is in sight."""
        return self.run(COLOURS)

    def wide(self):
        """What is wider than the page."""
        return self.run(WIDE)

    def says(self, selector, text, patience=None):
        return bool(eventually(lambda: text in (self.text(selector) or ""), patience))

    def picture(self, path, width=None, height=None):
        if width:
            self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=False)
            self.run("window.dispatchEvent(new Event('resize')); return new Promise((done) =>"
                     "requestAnimationFrame(() => requestAnimationFrame(done)))")
        shot = base64.b64decode(self.ask("GET", self.session + "/screenshot"))
        with open(path, "wb") as out:
            out.write(shot)
        return shot

    def kill(self):
        """kill -9 of all of it."""
        subprocess.run(["pkill", "-9", "-f", f"user-data-dir={self.folder}"], check=False)
        os.killpg(self.driver.pid, signal.SIGKILL)
        self.driver.wait()
        self.driver.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def leave(self):
        """Lets one go on that was there before."""
        self.driver.kill()
        self.driver.wait()
        self.driver.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def close(self):
        try:
            self.ask("DELETE", self.session)
        except (OSError, RuntimeError):
            pass
        self.kill()
