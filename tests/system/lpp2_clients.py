"""Clients of LPP v2 beside socket.io's own, over TCP: lpp2_clients.py PORT WHAT prints what comes."""
import encodings.idna  # what another user may not read is read before
import os
import socket
import sys
import time

sys.path.insert(0, "tests/support")
from lpp2_client import WebSocket  # noqa: E402  # pylint: disable=wrong-import-position

PORT = int(sys.argv[1])
POLLING = "/socket.io/?EIO=3&transport=polling&b64=1"


def ask(target, *headers):
    with socket.create_connection(("127.0.0.1", PORT)) as line:
        line.sendall("\r\n".join((f"GET {target} HTTP/1.1", "Host: x", *headers, "", "")).encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            more = line.recv(4096)
            if not more:
                break
            answer += more
    return answer.decode("latin-1")


def upgrade(target):
    return ask(target, "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
               "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")


def are_apart():
    """Is time left between the two frames of the greeting?"""
    line = WebSocket(PORT, "/socket.io/?EIO=3&transport=websocket")
    line.receive()
    first = time.monotonic()
    line.receive()
    line.close()
    return time.monotonic() - first >= 0.01


what = sys.argv[2]
if what == "cookie":
    print("\n".join(name for name in ("Set-Cookie: io=", "Content-Type: ", "Content-Length: ")
                    if name in ask(POLLING)))
elif what == "revision":
    print(upgrade("/socket.io/?EIO=4&transport=websocket").split()[1])
elif what == "script":
    print(ask("/socket.io/socket.io.js").split()[1])
elif what == "null":
    print(ask(POLLING, "Origin: null").split()[1])
elif what == "frames":  # who reads late gets both at once: it is tried again
    print(any(are_apart() for _ in range(100)))
elif what == "stranger":
    os.setuid(65534)
    print(ask(POLLING).split()[1])
