#!/usr/bin/python3
"""A disk that is honest about power: what is written stays in its memory until the machine asks for a
flush, and is lost if the power goes before (SIGTERM). A network block device for one QEMU.

    tests/venue/disk.py SOCKET FILE"""

import os
import signal
import socket
import struct
import sys

SECTOR = 512
OPTION, REPLY = 0x49484156454F5054, 0x3E889045565A9
REQUEST, ANSWER = 0x25609513, 0x67446698
GO, ABORT = 7, 2
READ, WRITE, DISCONNECT, FLUSH = range(4)
HAS_FLAGS, SENDS_FLUSH, SENDS_FUA = 1, 4, 8


class Disk:
    def __init__(self, path):
        self.file = os.open(path, os.O_RDWR)
        self.size = os.fstat(self.file).st_size
        self.held = {}  # sector: what is not flushed yet

    def read(self, offset, length):
        data = os.pread(self.file, length, offset)
        if self.held:
            data = bytearray(data)
            for sector in range(offset // SECTOR, (offset + length) // SECTOR):
                if sector in self.held:
                    at = sector * SECTOR - offset
                    data[at:at + SECTOR] = self.held[sector]
        return bytes(data)

    def write(self, offset, data):
        for at in range(0, len(data), SECTOR):
            self.held[(offset + at) // SECTOR] = data[at:at + SECTOR]

    def flush(self):
        for sector, data in self.held.items():
            os.pwrite(self.file, data, sector * SECTOR)
        self.held.clear()


def receive(connection, length):
    data = bytearray()
    while len(data) < length:
        got = connection.recv(length - len(data))
        if not got:
            raise EOFError
        data += got
    return bytes(data)


def greet(connection, disk):
    connection.sendall(b"NBDMAGIC" + struct.pack(">QH", OPTION, 3))
    receive(connection, 4)
    while True:
        magic, option, length = struct.unpack(">QII", receive(connection, 16))
        receive(connection, length)
        if magic != OPTION or option == ABORT:
            raise EOFError

        def reply(kind, data=b""):
            connection.sendall(struct.pack(">QIII", REPLY, option, kind, len(data)) + data)

        if option == GO:
            reply(3, struct.pack(">HQH", 0, disk.size, HAS_FLAGS | SENDS_FLUSH | SENDS_FUA))
            reply(1)
            return
        reply(1 << 31 | 1)  # not known here


def serve(connection, disk):
    while True:
        magic, flags, kind, cookie, offset, length = struct.unpack(">IHHQQI", receive(connection, 28))
        if magic != REQUEST or kind == DISCONNECT:
            raise EOFError
        error, data = 0, b""
        if kind in (READ, WRITE) and (offset % SECTOR or length % SECTOR or offset + length > disk.size):
            error = 22
        elif kind == READ:
            data = disk.read(offset, length)
        if kind == WRITE:
            got = receive(connection, length)
            if not error:
                disk.write(offset, got)
        if kind == FLUSH or flags & 1:
            disk.flush()
        elif kind not in (READ, WRITE):
            error = 22
        connection.sendall(struct.pack(">IIQ", ANSWER, error, cookie) + data)


def main():
    disk = Disk(sys.argv[2])

    def power_cut(*_):
        print(f"power cut: {len(disk.held)} sectors were not flushed, and are lost", flush=True)
        os._exit(0)

    signal.signal(signal.SIGTERM, power_cut)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen()
    print("ready", flush=True)
    connection, _ = listener.accept()
    try:
        greet(connection, disk)
        serve(connection, disk)
    except (EOFError, OSError):
        # QEMU ended by itself, which flushes before; by a kill it is the test that ends us.
        signal.pause()


if __name__ == "__main__":
    main()
