"""The manager at the desk's page: acts as its buttons send them, and what the page names. It speaks the page's
WebSocket, with both sides' proofs (host/web/proof.h); tests/system/browser_desk.sh clicks in Chromium."""

import base64
import hashlib
import hmac
import json
import os
import re
import secrets
import socket
import struct
import threading
import time

PATIENCE = 60
# The words of a command, as the page's acts have them: what follows the verb, without what the page fills in.
ACTS = {"begin", "collect", "exclude", "limit", "machine", "repeat", "seal", "substitute", "tickets", "undo",
        "withdraw"}
FIXED = {"transcript convert contest.db.records --output transcripts": "transcripts",
         "contest publish contest.db transcripts --out published": "publish",
         "contest publish contest.db --bundle bundle --records contest.db.records": "publish",
         "contest report contest.db --transcripts published": "report",
         "contest report contest.db --records contest.db.records": "report",
         "contest result contest.db": "result",
         "contest verify contest.db --records contest.db.records --transcripts published": "verify",
         "contest verify contest.db --records contest.db.records": "verify"}
FILLED_IN = {"contest.db.inbox"}  # by the page
TYPED = {"seal", "publish"}


def act_of(words):
    """The act that a command is; None: the page has no such act."""
    verb = FIXED.get(" ".join(words))
    act = {"verb": verb, "words": [], "options": {}}
    if not verb:
        if words[0] != "contest" or words[1] not in ACTS:
            return None
        act["verb"] = verb = words[1]
        rest = [word for word in words[3:] if word not in FILLED_IN]
        while rest:
            word = rest.pop(0)
            if not word.startswith("--"):
                act["words"].append(word)
            elif verb == "tickets":
                rest.pop(0)  # the paths are those of the setup
            else:
                act["options"][word[2:]] = rest.pop(0)
    if verb in TYPED:
        act["typed"] = verb
    return act


def address(desk):
    """The page's port and token."""
    with open(os.path.join(desk.work, "contest.db.inbox", "server", "page.url"), encoding="ascii") as file:
        return re.fullmatch(r"http://127.0.0.1:(\d+)/#([0-9a-f]{32})\n?", file.read()).groups()


def when_away(desk):
    """What the page that the desk gives says when its connection ends: the fault, and what to do."""
    port = address(desk)[0]
    with desk.network.connect("hub", int(port)) as line:
        line.settimeout(10)
        line.sendall(f"GET /page.js HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
        page = b"".join(iter(lambda: line.recv(65536), b"")).decode()
    name = re.search(r"closed: \(\) => \{ offline\((\w+)\);", page)[1]
    return re.search(rf'const {name} = "([^"]+\.) ([^"]+)";', page).groups()


class Line:
    """One page that is open."""

    def __init__(self, desk):
        port, token = address(desk)
        self.socket = desk.network.connect("hub", int(port))
        self.socket.settimeout(10)
        self.bytes = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
                             f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                             f"Sec-WebSocket-Key: {key}\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.bytes:
            self.more()
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n", maxsplit=1)[0]:
            raise OSError(head.decode())
        asked = secrets.token_hex(16)
        self.send(asked)
        told = json.loads(self.read())
        proofs = {party: hmac.new(token.encode(), f"boothlink {party} {port} {asked} {told['drawn']}".encode(),
                                  hashlib.sha256).hexdigest() for party in ("server", "page")}
        if told["proof"] != proofs["server"]:
            raise OSError("another program answers there")
        self.send(proofs["page"])

    def more(self):
        data = self.socket.recv(65536)
        if not data:
            raise OSError("the page's connection has ended")
        self.bytes += data

    def take(self, count):
        while len(self.bytes) < count:
            self.more()
        data, self.bytes = self.bytes[:count], self.bytes[count:]
        return data

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
        self.socket.sendall(b"\x81" + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def read(self):
        """One whole message."""
        text, final = b"", False
        while not final:
            kind, size = self.take(2)
            size &= 0x7F
            if size == 126:
                size = struct.unpack(">H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8))[0]
            data = self.take(size)
            if kind & 0xF in (0, 1, 2):
                text += data
                final = kind & 0x80
        return text.decode()

    def state(self):
        return json.loads(self.read())

    def close(self):
        self.socket.close()


class Page:
    def __init__(self, desk):
        self.desk = desk
        self.clicks = []  # verbs
        self.named = {}  # what the page says is wrong, with what to do; and when it was last said
        self.ended = False
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def open(self):
        """A desk that was killed is back soon."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return Line(self.desk)
            except (OSError, ValueError, AttributeError):
                if time.monotonic() > until:
                    raise
                time.sleep(0.1)

    def click(self, act):
        """Does it; its exit status and words."""
        line = self.open()
        last = line.state().get("act", {}).get("number", 0)
        line.send(json.dumps(act))
        done = {}
        until = time.monotonic() + PATIENCE
        while done.get("number", 0) <= last or "status" not in done:
            if time.monotonic() > until:
                raise OSError(f"{act}: not done, {done}")
            done = line.state().get("act", {})
        line.close()
        self.clicks.append(act["verb"])
        return done["status"], done["said"]

    def watch(self):
        """Another page, which is open all day; without a desk it has its own words."""
        away = None
        while not self.ended:
            try:
                away = away or when_away(self.desk)
                line = Line(self.desk)
                while not self.ended:
                    self.take(line.state())
            except (OSError, ValueError, AttributeError):
                if away:
                    self.name(*away)
                time.sleep(0.1)

    def take(self, state):
        if state.get("server"):
            self.name(state["server"], "The desk starts it again")
        for tile in state["tiles"]:
            for alarm in tile["alarms"]:
                self.name(alarm["text"], alarm["todo"])

    def name(self, text, todo):
        self.named[text, todo] = time.monotonic()

    def has_named(self, text, since):
        """Whether it was named after that moment, and with what to do."""
        return any(at >= since and text in said and todo for (said, todo), at in list(self.named.items()))

    def end(self):
        self.ended = True
