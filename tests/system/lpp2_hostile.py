"""Hostile clients of LPP v2, against a server in whose session an honest Entry converses.

    lpp2_hostile.py PORT PID SECRET

The Entry answers each line of the judge's only when another attack is over, so that every answer
shows that the session goes on after it. It prints "0 WHAT" for what holds and "1 WHAT: WHAT CAME"
for what does not; the process PID is that of the server."""
import json
import os
import select
import sys
import time

sys.path.insert(0, "tests/support")
from lpp2_client import (BINARY, CLOSE, PATIENCE, PING, TEXT, Client, Connection,  # noqa: E402
                         Gone, WebSocket, event, frame, payload)

PORT, PID, SECRET = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
POLLING = Client.TARGET + "polling"
SOCKET = Client.TARGET + "websocket"
IN_MAX = 65536  # bytes of a request or a message that are taken
held = []  # connections that stay open
attacks = []


def attack(function):
    attacks.append(function)
    return function


def holds(good, what, came=""):
    print(f"0 {what}" if good else f"1 {what}: {came}", flush=True)


def is_same(what, came, expected):
    holds(came == expected, what, f"{came!r}, not {expected!r}")


def status_of(method, target, body=None, headers=()):
    """Of the answer to a request; "closed": there was none."""
    connection = Connection(PORT)
    try:
        connection.ask(method, target, body, headers)
        return connection.answer()[0]
    except Gone:
        return "closed"
    finally:
        connection.close()


def raw(data):
    """The status that is answered to these bytes; "closed": none."""
    connection = Connection(PORT)
    try:
        connection.send(data)
        return connection.answer()[0]
    except Gone:
        return "closed"
    finally:
        connection.close()


def is_let_in():
    """Can one more client speak?"""
    try:
        client = Client(PORT, "polling")
        client.send(event("control", {"status": "register", "id": "ai9", "secret": "no"}))
        told = client.receive()
        client.close()
        return told
    except Gone as gone:
        return str(gone)


REFUSED = ("AuthError", "Invalid secret")


def posted(body, kind="text/plain;charset=UTF-8"):
    """The status of a body of a client that is let in, and whether he is there afterwards."""
    client = Client(PORT, "polling")
    try:
        client.post.ask("POST", client.target("polling"), body, (f"Content-Type: {kind}",))
        status = client.post.answer()[0]
    except Gone:
        status = "closed"
    client.close()
    return status


def framed(*frames, **how):
    """What comes of frames of a client who is let in: an event, or "closed"."""
    client = Client(PORT, "websocket")
    try:
        for frame in frames:
            client.web_socket.frame(*frame, **how)
        return client.receive()
    except Gone:
        return "closed"
    finally:
        client.close()


@attack
def no_http():
    holds(raw(b"\0\1\2\3 nonsense\r\n\r\n") in (403, "closed"), "bytes that are no HTTP")
    is_same("a line that never ends", raw(b"GET /" + b"x" * 200000), "closed")
    is_same("a header that never ends", raw(b"GET / HTTP/1.1\r\nX: " + b"x" * 200000), "closed")
    is_same("a path of nobody's", status_of("GET", "/etc/passwd"), 404)


@attack
def handshakes():
    is_same("no revision", status_of("GET", "/socket.io/?transport=polling"), 400)
    is_same("another revision", status_of("GET", "/socket.io/?EIO=4&transport=polling"), 400)
    is_same("another transport", status_of("GET", "/socket.io/?EIO=3&transport=flash"), 400)
    is_same("a handshake by POST", status_of("POST", POLLING, b"2:40"), 400)
    is_same("another method", status_of("DELETE", POLLING), 400)
    for sid in ("", "0" * 24, "0" * 500, "..%2F"):
        target = f"&sid={sid}"
        is_same(f"a poll with the sid {sid:.9}", status_of("GET", POLLING + target), 400)
        is_same(f"a POST with the sid {sid:.9}", status_of("POST", POLLING + target, b"1:2"), 400)
        is_same(f"a WebSocket with the sid {sid:.9}", WebSocket(PORT, SOCKET + target).status, 400)


@attack
def web_handshakes():
    upgrade = ("Connection: Upgrade", "Upgrade: websocket")
    for what, headers in (("without a key", upgrade + ("Sec-WebSocket-Version: 13",)),
                          ("of another version", upgrade + (
                              "Sec-WebSocket-Version: 7", "Sec-WebSocket-Key: dGhlIHNhbXBsZQ=="))):
        try:
            came = WebSocket(PORT, SOCKET, headers).status
        except Gone:
            came = "closed"
        holds(came in (400, "closed"), f"a WebSocket {what}", came)
    is_same("an upgrade to something else",
            status_of("GET", SOCKET, None, ("Connection: Upgrade", "Upgrade: h2c")), "closed")


@attack
def lengths():
    head = b"POST /socket.io/?EIO=3&transport=polling&sid=%s HTTP/1.1\r\nHost: x\r\n"
    for what, field in (("more than is taken", b"Content-Length: 65537"),
                        ("more than there are numbers", b"Content-Length: " + b"9" * 40),
                        ("less than nothing", b"Content-Length: -1"),
                        ("no number", b"Content-Length: many"),
                        ("two lengths", b"Content-Length: 3\r\nContent-Length: 30"),
                        ("zeros before it", b"Content-Length: " + b"0" * 30 + b"3"),
                        ("pieces", b"Transfer-Encoding: chunked")):
        client = Client(PORT, "polling")
        connection = Connection(PORT)
        connection.send(head % client.sid.encode() + field + b"\r\n\r\n1:2")
        try:
            came = connection.answer()[0]
        except Gone:
            came = "closed"
        holds(came in (200, 400, "closed"), f"a length that is {what}", came)
        connection.close()
        client.close()
    is_same("a request of the greatest length is read", posted(payload("4" + "x" * (IN_MAX - 7))), 200)


@attack
def payloads():
    for what, body in (("no payload", b"hello"), ("a packet that is too short", b"9:2"),
                       ("a length of many digits", b"9" * 30 + b":2"),
                       ("a type that is none", b"1:7"), ("an empty packet", b"0:"),
                       ("no UTF-8", b"3:4\xff\xfe"), ("half a character", b"2:4\xc3")):
        is_same(f"{what} is refused", posted(body), 400)
    for what, body in (("a packet that is too short", b"\0\1\xff"), ("no end of a length", b"\0" * 9),
                       ("binary data", b"\1\1\xff4"), ("a digit that is none", b"\0\x10\xff2")):
        is_same(f"bytes: {what} is refused", posted(body, "application/octet-stream"), 400)
    is_same("packets that say nothing are passed over",
            posted(payload("", *["3"] * 100)[2:] + payload("4", "49", "42", "42[", "43[1]", "42/a,[]")),
            200)


@attack
def two_polls():
    # The server may read either of two connections first.
    client = Client(PORT, "polling")
    polls = [Connection(PORT) for _ in range(2)]
    for each in polls:
        each.ask("GET", client.target("polling"))
    ready = select.select([each.socket for each in polls], [], [], PATIENCE)[0]
    polls.sort(key=lambda each: each.socket not in ready)
    is_same("one of two polls ends", (len(ready), polls[0].answer()), (1, (200, b"1:6")))
    client.send("2")
    is_same("and the other has what comes", polls[1].answer(), (200, b"1:3"))
    for each in polls:
        each.close()
    client.close()


@attack
def requests_that_stop():
    for _ in range(4):
        for part in (b"", b"GET", b"GET /socket.io/?EIO=3&transport=polling HTTP/1.1\r\nHo",
                     b"POST /socket.io/?EIO=3&transport=polling HTTP/1.1\r\nContent-Length: 9\r\n\r\n1"):
            connection = Connection(PORT)
            connection.send(part)
            held.append(connection)
    is_same("half requests on every connection let one in", is_let_in(), REFUSED)


@attack
def drips():
    slow = [Connection(PORT) for _ in range(20)]
    head = b"GET /socket.io/?EIO=3&transport=polling HTTP/1.1\r\nHost: slow\r\nX-A: "
    for at in range(len(head)):
        for connection in list(slow):
            try:
                connection.send(head[at:at + 1])
            except Gone:
                slow.remove(connection)
    held.extend(slow)
    is_same("requests that come byte by byte let one in", is_let_in(), REFUSED)


@attack
def places():
    for _ in range(40):
        Client(PORT, "polling").close()
    is_same("handshakes of clients who are gone let one in", is_let_in(), REFUSED)
    for _ in range(20):
        try:
            held.append(Client(PORT, "websocket"))
        except Gone:
            pass
    is_same("WebSockets that say nothing let one in", is_let_in(), REFUSED)


@attack
def frames():
    word = event("control", {"status": "register", "id": "ai9", "secret": "no"}).encode()
    is_same("a message in one frame", framed((TEXT, word)), REFUSED)
    holds(framed((TEXT, word), masked=False) in (REFUSED, "closed"), "without a mask")
    is_same("with a reserved bit", framed((TEXT, word), reserved=4), "closed")
    is_same("of a reserved kind", framed((3, word)), "closed")
    is_same("one that begins in its middle", framed((0, word)), "closed")
    is_same("a ping in two frames", framed((PING, b"x"), end=False), "closed")
    is_same("a ping that is too long", framed((PING, b"x" * 126)), "closed")
    is_same("one that is too long", framed((TEXT, b"4" + b"x" * IN_MAX)), "closed")
    is_same("no UTF-8", framed((TEXT, b"42\xff\xfe")), "closed")
    is_same("an end", framed((CLOSE, b"\x03\xe8bye")), "closed")
    client = Client(PORT, "websocket")
    for at in range(len(word)):
        client.web_socket.frame(0 if at else TEXT, word[at:at + 1], end=at == len(word) - 1)
        if at % 20 == 0:
            client.web_socket.frame(PING, b"in between")
    is_same("a message in as many frames as bytes", client.receive(), REFUSED)
    client.web_socket.frame(BINARY, word)
    client.web_socket.frame(TEXT, b"")
    client.web_socket.frame(TEXT, word)
    is_same("bytes and nothing are passed over", client.receive(), REFUSED)
    client.close()
    for length in (IN_MAX + 1, 1 << 40, (1 << 63) - 1, 1 << 63):
        client = Client(PORT, "websocket")
        client.web_socket.frame(TEXT, b"4" * 100, length=length)
        try:
            for _ in range(IN_MAX // 4096 + 8):
                client.web_socket.send(b"4" * 4096)
            came = client.web_socket.is_closed()
        except Gone:
            came = True
        holds(came, f"a frame that says {length} bytes is not taken")
        client.close()


@attack
def upgrades():
    client = Client(PORT, "polling")
    trial = WebSocket(PORT, client.target("websocket"))
    is_same("a second WebSocket of one client", WebSocket(PORT, client.target("websocket")).status, 400)
    word = event("control", {"status": "register", "id": "ai9", "secret": "no"})
    trial.packet("5")
    trial.packet(word)
    client.send(word)
    is_same("an upgrade without a probe is none", client.receive(), REFUSED)
    trial.packet("2probe")
    is_same("a probe is answered", trial.receive(), "3probe")
    trial.packet(word)
    trial.close()
    client.send(word)
    is_same("what breaks off in the upgrade goes on by polling", client.receive(), REFUSED)
    client.upgrade()
    is_same("and may try again", status_of("GET", client.target("polling")), 400)
    is_same("a POST after it is not taken", status_of("POST", client.target("polling"), b"1:2"), 400)
    client.close()


@attack
def words():
    client = Client(PORT, "polling")
    for packet in ('42["message","{"]', '42["message","{}"]', '42["message",7]', '42{}', '42[]', '42',
                   '42["control",null]', "42" + "[" * 3000, '42["message","' + "[" * 30000 + '"]',
                   '42["shout","{}"]', '40/admin', '451-["message",{"_placeholder":true,"num":0}]'):
        client.send(packet)
    for body in ({"id": "a b", "status": "register"}, {"id": "x" * 999, "status": "register"},
                 {"id": 7, "status": "register"}, {"status": "register"}, {"id": "ai0", "status": 9},
                 {"id": "ai0", "to": "judge0"}, {"id": "ai0", "content": "x"}):
        client.send(event("message" if "status" not in body else "control", {**body, "secret": SECRET}))
    client.send(event("message", {"id": "ai0", "to": "judge0", "content": "Forged.", "secret": "no"}))
    is_same("what is no word of the protocol is passed over, and a forged one refused",
            client.receive(), REFUSED)
    client.send(event("message", {"id": "ai0", "to": "judge0", "content": "Forged.",
                                  "secret": SECRET}))
    is_same("a message of one who has not registered is refused", (client.receive() or ("",))[0],
            "TargetError")
    client.close()


@attack
def floods():
    word = event("message", {"id": "ai0", "to": "judge0", "content": "Flood.", "secret": "no"})
    for transport in ("polling", "websocket"):
        client = Client(PORT, transport)
        try:
            for _ in range(200):
                client.send(*[word] * (50 if transport == "websocket" else 200))
        except Gone:
            pass
        client.close()
    is_same("a flood lets one in", is_let_in(), REFUSED)
    client = Client(PORT, "websocket")
    client.web_socket.send(frame(TEXT, b'42["message","{"]') * 20000)
    client.close()
    is_same("and one of what needs no answer", is_let_in(), REFUSED)


@attack
def who_does_not_read():
    word = event("control", {"status": "roundInformation", "id": "ai0", "secret": SECRET}).encode()
    for _ in range(24):
        client = Client(PORT, "websocket")
        held.append(client)
        try:
            client.web_socket.send(frame(TEXT, word) * 1000)
        except Gone:
            pass
    is_same("those who do not read let one in", is_let_in(), REFUSED)


@attack
def in_the_middle():
    word = event("message", {"id": "ai0", "to": "judge0", "content": "Half.", "secret": SECRET})
    client = Client(PORT, "websocket")
    client.web_socket.frame(TEXT, word.encode()[:40], end=False)
    client.web_socket.frame(0, word.encode()[40:50], length=100)
    client.close()
    client = Client(PORT, "polling")
    client.post.ask("POST", client.target("polling"), None, ("Content-Length: 500",))
    client.post.send(payload(word))
    client.close()
    is_same("what is cut off in its middle is nothing", is_let_in(), REFUSED)


class Honest:
    """The Entry, which is there all the while."""

    def __init__(self):
        self.client = Client(PORT, "websocket")
        self.say("control", status="register")

    def say(self, what, **body):
        self.client.send(event(what, {**body, "id": "ai0", "secret": SECRET}))

    def answer(self, text):
        self.say("message", to="judge0", content=text)

    def line(self):
        """The judge's next line; None: the round is over."""
        while True:
            told = self.client.receive()
            if not told:
                raise Gone("silent")
            name, text = told
            if name == "message":
                return json.loads(text)["content"]
            if name == "control" and json.loads(text)["status"] == "endRound":
                return None


def memory():
    """The most that the server has had, in KiB."""
    with open(f"/proc/{PID}/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))


def is_sanitized():
    """Does it keep freed memory, to find who uses it?"""
    with open(f"/proc/{PID}/exe", "rb") as program:
        return b"__asan_init" in program.read()


def descriptors():
    return len(os.listdir(f"/proc/{PID}/fd"))


def main():
    entry = Honest()
    entry.line()
    had, had_fds = memory(), descriptors()
    for each in attacks:
        began = time.monotonic()
        try:
            each()
        except Gone as gone:
            holds(False, f"{each.__name__} is over", gone)
        print(f"# {each.__name__}: {time.monotonic() - began:.1f} s", flush=True)
        entry.answer(f"After {each.__name__}.")
        entry.line()
    grown = memory() - had
    print(f"# memory grew by {grown} KiB")
    holds(grown < 4096 or is_sanitized(), "memory is bounded", f"{grown} KiB more")
    for connection in held:
        connection.close()
    until = time.monotonic() + PATIENCE
    while descriptors() > had_fds and time.monotonic() < until:
        time.sleep(0.02)
    is_same("no connection is left", descriptors(), had_fds)
    entry.answer("After all.")
    while entry.line() is not None:
        pass
    print("over", flush=True)


if sys.argv[4:] == ["list"]:
    print("\n".join(each.__name__ for each in attacks))
else:
    main()
