"""A page of a terminal without a browser: the proofs of host/web/proof.h and the messages of page.js, over the
least of a WebSocket's client (RFC 6455)."""

import hashlib
import hmac
import json
import os
import re
import socket
import struct

ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/#([0-9a-f]{32})\n?")


def proof(token, party, port, asked, drawn):
    return hmac.new(token.encode(), f"boothlink {party} {port} {asked} {drawn}".encode(), hashlib.sha256).hexdigest()


class Page:
    """Connects, and no more. ConnectionError: whoever answers let nobody in."""

    def __init__(self, address, patience=60):
        port, self.token = ADDRESS.fullmatch(address).groups()
        self.port, self.taken, self.scene = int(port), b"", None
        self.rows = []  # all that was told of them
        self.line = socket.create_connection(("127.0.0.1", self.port), patience)
        self.line.sendall((f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
                           "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                           "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.taken:
            self._take()
        head, self.taken = self.taken.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.split(b"\r\n")[0].decode())

    def _take(self):
        more = self.line.recv(65536)
        if not more:
            raise ConnectionError("closed")
        self.taken += more

    def send(self, text):
        """A text as one masked frame of up to 125 bytes."""
        data = text.encode()
        self.line.sendall(bytes([0x81, 0x80 | len(data)]) + bytes(4) + data)

    def hear(self):
        """The next text. ConnectionError: it is over, or nothing comes."""
        while True:
            size, at = (self.taken[1] if len(self.taken) > 1 else 0), 2
            if size == 126 and len(self.taken) >= 4:
                size, at = struct.unpack(">H", self.taken[2:4])[0], 4
            if len(self.taken) < 2 or (size == 126 and at == 2) or len(self.taken) < at + size:
                self._take()
                continue
            kind, text, self.taken = self.taken[0] & 15, self.taken[at:at + size], self.taken[at + size:]
            if kind == 8:
                raise ConnectionError("closed")
            if kind == 1:
                return json.loads(text)

    def prove(self, token=None):
        """Both prove themselves. False: the server is another one, and is told nothing more."""
        asked = os.urandom(16).hex()
        self.send(asked)
        told = self.hear()
        if told.get("proof") != proof(self.token, "server", self.port, asked, told.get("drawn")):
            return False
        self.send(proof(token or self.token, "page", self.port, asked, told["drawn"]))
        return True

    def see(self, has):
        """Reads on until a scene has it, as has(scene) says; the scene."""
        while not (self.scene and has(self.scene)):
            told = self.hear()
            self.scene = told.get("scene", self.scene)
            self.rows += told.get("rows", [])
        return self.scene

    def close(self):
        self.line.close()


def open_page(address):
    """One that has proved itself, or None while nobody is there."""
    try:
        page = Page(address)
        return page if page.prove() else None
    except OSError:
        return None
