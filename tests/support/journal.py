"""Journals of sessions that were not held, byte by byte: boothlink-formats(5)."""

import struct
import time

LEFT, RIGHT, JUDGE, ENTITY = 0, 1, 0, 1
OPEN, FINISHED = 1, 4  # of segments
LINE, STEWARD = 1, 4  # of notes


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


class Journal:
    """A judge's or an entity's journal in a folder, as it grows."""

    def __init__(self, folder, session, entity=False):
        self.path = f"{folder}/{session}-{'entity' if entity else 'judge'}.journal"
        self.count = 0
        self.written = {}  # when each key was, in microseconds
        self.put(1, LEFT, b"BLJ\1" + bytes([entity, 0]) + self.text(session) + self.text("split"))

    @staticmethod
    def text(text):
        data = text.encode()
        return struct.pack("<H", len(data)) + data

    def put(self, kind, side, fields):
        body = struct.pack("<BBQ", kind, side, int(time.time() * 1e6)) + fields
        record = struct.pack("<BH", 0xB1, len(body)) + body
        with open(self.path, "ab") as file:
            file.write(record + struct.pack("<I", crc32c(record)))

    def segment(self, state, left_s, sides=(LEFT, RIGHT)):
        for side in sides:
            self.put(6, side, struct.pack("<IBBQ", 1, 0, state, int(left_s * 1e6)))

    def keys(self, side, party, text):
        for number in range(self.count + 1, self.count + len(text) + 1):
            self.written[number] = time.time() * 1e6
        self.put(2, side, struct.pack("<IQB", 1, self.count + 1, party) + self.text(text))
        self.count += len(text)

    def note(self, side, code, text):
        self.put(8, side, struct.pack("<BI", code, 0) + self.text(text))
