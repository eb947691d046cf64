"""A client of LPP v2 with nothing but Python's standard library: Engine.IO 3 by polling, over a
WebSocket, or from the one to the other.

    lpp2_client.py URL NAME SECRET TRANSPORTS [--name WORD]

is an Entry that answers each line of the judge's, and prints what tests/npm/entry.js prints; with a
name it says first that it is so called (2004 A3). The
parts of it send anything else, too, for tests/system/lpp2_hostile.py."""
import base64
import json
import os
import select
import socket
import struct
import sys
import time

PATIENCE = 120.0  # seconds for an answer of the server's
AGAIN = 0.1  # and between two tries to connect

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Gone(Exception):
    """The connection is over."""


class Connection:
    """One connection of HTTP/1.1."""

    def __init__(self, port):
        self.waiting = b""
        try:
            self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        except OSError as error:
            raise Gone(str(error)) from error

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Gone(str(error)) from error

    def ask(self, method, target, body=None, headers=()):
        """Sends a request."""
        head = [f"{method} {target} HTTP/1.1", "Host: localhost", *headers]
        if body is not None:
            head.append(f"Content-Length: {len(body)}")
        self.send("\r\n".join(head).encode() + b"\r\n\r\n" + (body or b""))

    def more(self, patience=PATIENCE):
        self.socket.settimeout(patience)
        try:
            data = self.socket.recv(65536)
        except OSError as error:
            raise Gone(str(error) or "silent") from error
        if not data:
            raise Gone("closed")
        self.waiting += data

    def take(self, count, patience=PATIENCE):
        while len(self.waiting) < count:
            self.more(patience)
        data, self.waiting = self.waiting[:count], self.waiting[count:]
        return data

    def answer(self, patience=PATIENCE):
        """The status and the body of the answer to what was asked first."""
        while b"\r\n\r\n" not in self.waiting:
            self.more(patience)
        head, self.waiting = self.waiting.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        body = self.take(int(fields.get("content-length", 0)), patience)
        return int(lines[0].split()[1]), body

    def readable(self, patience):
        return bool(self.waiting) or bool(select.select([self.socket], [], [], patience)[0])

    def is_closed(self, patience=PATIENCE):
        """Has the server hung up, or does it within that time?"""
        try:
            while True:
                self.more(patience)
        except Gone as gone:
            return "timed out" not in str(gone)

    def close(self):
        self.socket.close()


def frame(kind, payload=b"", end=True, masked=True, reserved=0, length=None):
    """The bytes of a frame; length: what it says of its payload."""
    length = len(payload) if length is None else length
    head = bytes([(0x80 if end else 0) | reserved << 4 | kind])
    mask_bit = 0x80 if masked else 0
    if length < 126:
        head += bytes([mask_bit | length])
    elif length < 65536:
        head += bytes([mask_bit | 126]) + struct.pack(">H", length)
    else:
        head += bytes([mask_bit | 127]) + struct.pack(">Q", length)
    if masked:
        mask = os.urandom(4)
        head += mask
        long_mask = (mask * (len(payload) // 4 + 1))[:len(payload)]
        payload = (int.from_bytes(payload, "big") ^ int.from_bytes(long_mask, "big")).to_bytes(
            len(payload), "big")
    return head + payload


class WebSocket(Connection):
    """A WebSocket; status is that of the server's answer, 101 if it is open."""

    def __init__(self, port, target, headers=None):
        super().__init__(port)
        key = base64.b64encode(os.urandom(16)).decode()
        self.ask("GET", target, None, headers or (
            "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}"))
        self.status, _ = self.answer()

    def frame(self, *what, **how):
        self.send(frame(*what, **how))

    def packet(self, text):
        self.frame(TEXT, text.encode())

    def receive(self, patience=PATIENCE):
        """The next message of text; None: none came."""
        while self.readable(patience):
            kind, length = self.take(2)
            if length == 126:
                length = struct.unpack(">H", self.take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.take(8))[0]
            payload = self.take(length)
            if kind & 15 == PING:
                self.frame(PONG, payload)
            elif kind & 15 == CLOSE:
                raise Gone("closed by a frame")
            elif kind & 15 == TEXT:
                return payload.decode()
        return None


def payload(*packets):
    """Packets as the body of a request, as text."""
    return "".join(f"{len(p.encode('utf-16-le')) // 2}:{p}" for p in packets).encode()


def packets(body):
    """The packets of a body that came as text."""
    text, found = body.decode(), []
    while text:
        count, text = text.split(":", 1)
        found.append(text[:int(count)])
        text = text[int(count):]
    return found


def event(name, body):
    return "42" + json.dumps([name, body if isinstance(body, str) else json.dumps(body)])


class Client:
    """One connection of Engine.IO, by transports "polling", "websocket" or "polling,websocket"."""

    TARGET = "/socket.io/?EIO=3&b64=1&transport="

    def __init__(self, port, transports):
        self.port, self.sid, self.come, self.web_socket = port, "", [], None
        self.poll = self.post = None
        self.polls = False  # a poll is under way
        self.pinged = time.monotonic()
        if transports == "websocket":
            self.web_socket = WebSocket(port, self.TARGET + "websocket")
            if self.web_socket.status != 101:
                raise Gone(f"status {self.web_socket.status}")
            self.greeted(self.web_socket.receive() or "")
            return
        self.poll, self.post = Connection(port), Connection(port)
        self.poll.ask("GET", self.TARGET + "polling")
        self.take_poll()
        if transports == "polling,websocket":
            self.upgrade()

    def target(self, transport):
        return f"{self.TARGET}{transport}&sid={self.sid}"

    def greeted(self, packet):
        if packet[:1] != "0":
            raise Gone("no greeting")
        told = json.loads(packet[1:])
        self.sid, self.interval = told["sid"], told["pingInterval"] / 1000

    def take_poll(self):
        status, body = self.poll.answer()
        self.polls = False
        if status != 200:
            raise Gone(f"status {status}")
        for packet in packets(body):
            if packet[:1] == "0":
                self.greeted(packet)
            else:
                self.come.append(packet)

    def ask_poll(self):
        if not self.polls:
            self.poll.ask("GET", self.target("polling"))
            self.polls = True

    def upgrade(self):
        self.ask_poll()
        trial = WebSocket(self.port, self.target("websocket"))
        trial.packet("2probe")
        if trial.receive() != "3probe":
            raise Gone("no answer to a probe")
        self.take_poll()  # which the probe has ended
        trial.packet("5")
        self.web_socket = trial

    def send(self, *sent):
        if self.web_socket:
            for packet in sent:
                self.web_socket.packet(packet)
            return
        self.post.ask("POST", self.target("polling"), payload(*sent),
                      ("Content-Type: text/plain;charset=UTF-8",))
        status, body = self.post.answer()
        if status != 200:
            raise Gone(f"status {status}: {body.decode()}")

    def tick(self):
        """Says at times that it is there; the server may be sent nothing for longer."""
        if time.monotonic() - self.pinged >= self.interval:
            self.pinged = time.monotonic()
            self.send("2")

    def receive(self, patience=PATIENCE):
        """The next event as (NAME, TEXT); None: none came."""
        until = time.monotonic() + patience
        while True:
            while self.come:
                packet = self.come.pop(0)
                if packet.startswith("42"):
                    name, text = json.loads(packet[2:])
                    return name, text
            self.tick()
            left = min(until - time.monotonic(), 1.0)
            if left <= 0:
                return None
            if self.web_socket:
                packet = self.web_socket.receive(left)
                if packet is not None:
                    self.come.append(packet)
            else:
                self.ask_poll()
                if self.poll.readable(left):
                    self.take_poll()

    def close(self):
        for each in (self.poll, self.post, self.web_socket):
            if each:
                each.close()


class Entry:
    """Answers each line, and prints what happens."""

    def __init__(self, port, name, secret, transports, *called):
        self.port, self.name, self.secret, self.transports = port, name, secret, transports
        self.called = called[1] if called else None
        self.partner, self.heard, self.client = None, 0, None

    def say(self, what, **body):
        self.client.send(event(what, {**body, "id": self.name, "secret": self.secret}))

    def register(self):
        self.client = Client(self.port, self.transports)
        self.say("control", status="register")
        self.say("control", status="roundInformation")

    def on_event(self, what, text):
        if what in ("AuthError", "TargetError", "recap"):
            print(what, text, flush=True)
            return
        told = json.loads(text)
        if what == "roundInformation":
            print("round", told["roundNumber"], told["status"], flush=True)
            if told["roundNumber"] >= 0:
                self.partner = told["partners"][self.name][0]
            if told["status"] == "Running":
                self.say("control", status="recap")
        elif what == "control":
            print("control", told["status"], flush=True)
            if told["status"] == "newRound":
                self.partner = told["partners"][self.name][0]
            elif told["status"] == "startRound" and self.called:
                self.say("message", to=self.partner,
                         content=f"Hello, my name is {self.called} and I am the human")
        elif what == "message":
            print("message", text, flush=True)
            self.heard += 1
            self.say("message", to=self.partner,
                     content=f"Answer {self.heard}: you said \"{told['content']}\".")

    def run(self):
        while True:
            try:
                self.register()
                print("connect", flush=True)
                while True:
                    told = self.client.receive()
                    if told:
                        self.on_event(*told)
            except Gone as gone:
                if self.client:
                    print("disconnect", gone, flush=True)
                    self.client.close()
                    self.client = None
                time.sleep(AGAIN)


if __name__ == "__main__":
    Entry(int(sys.argv[1].rsplit(":", 1)[1]), *sys.argv[2:]).run()
