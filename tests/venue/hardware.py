"""What is between the machines of the venue: cables, a hub, the controller."""

import json
import os
import selectors
import socket
import subprocess
import threading


class Cable:
    """A null-modem cable between the ends a and b: the simulator's, with its modem lines."""

    def __init__(self, venue, name):
        self.venue, self.name = venue, name
        self.shm = f"{venue.folder}/{name}.shm"
        self.control = f"{venue.folder}/{name}.control"
        self.process = subprocess.Popen(
            [f"{venue.build}/sim/nullmodem", "--a", self.end("a"), "--b", self.end("b"), "--shm", self.shm,
             "--control", self.control, "--keep"], stdout=subprocess.PIPE)
        self.process.stdout.readline()

    def end(self, which):
        return f"{self.venue.folder}/{self.name}.{which}"

    def send(self, *command):
        subprocess.run([f"{self.venue.build}/sim/nullmodem", "--control", self.control, "--send", *command],
                       check=True, stdout=subprocess.DEVNULL)

    def close(self):
        self.process.terminate()
        self.process.wait()


class Controller:
    """The controller's board: the firmware's own binary, at a serial port, its relay in one cable."""

    def __init__(self, venue, cable):
        self.venue = venue
        self.port = f"{venue.folder}/controller.port"
        self.control = f"{venue.folder}/controller.control"
        self.process = subprocess.Popen(
            [f"{venue.build}/sim/controller", "--elf", f"{venue.build}/firmware/uno/boothlink.elf", "--port", self.port,
             "--shm", self.shm(venue), "--control", self.control, "--left", cable.control], stdout=subprocess.PIPE)
        self.process.stdout.readline()

    @staticmethod
    def shm(venue):
        return f"{venue.folder}/controller.shm"

    def closes(self):
        """Whether its relay closes the line."""
        told = subprocess.run([f"{self.venue.build}/sim/controller", "--control", self.control, "--send", "status"],
                              check=True, stdout=subprocess.PIPE).stdout
        return bool(json.loads(told)["left"])

    def close(self):
        self.process.terminate()
        self.process.wait()


class Hub:
    """An Ethernet hub: what comes in at one socket goes out at every other. Each socket is a pair of
    datagram sockets, QEMU's and ours."""

    def __init__(self, venue):
        self.folder = venue.folder
        self.sockets = {}
        self.chosen = selectors.DefaultSelector()
        self.runs = True
        self.thread = threading.Thread(target=self.relay, daemon=True)
        self.thread.start()

    def netdev(self, name):
        """For a network card's cable: QEMU's words."""
        ours, theirs = (f"{self.folder}/hub.{name}.{side}" for side in ("hub", "card"))
        for path in (ours, theirs):
            if os.path.exists(path):
                os.unlink(path)
        if name in self.sockets:
            old = self.sockets.pop(name)
            self.chosen.unregister(old[0])
            old[0].close()
        one = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        one.bind(ours)
        one.setblocking(False)
        self.sockets[name] = (one, theirs)
        self.chosen.register(one, selectors.EVENT_READ, name)
        return (f"dgram,id={name},local.type=unix,local.path={theirs},"
                f"remote.type=unix,remote.path={ours}")

    def relay(self):
        while self.runs:
            for key, _ in self.chosen.select(0.5):
                try:
                    frame = key.fileobj.recv(65536)
                except OSError:
                    continue
                for name, (one, theirs) in list(self.sockets.items()):
                    if name != key.data:
                        try:
                            one.sendto(frame, theirs)
                        except OSError:
                            pass  # nobody there, or no room: a hub loses what it cannot carry

    def close(self):
        self.runs = False
        self.thread.join()
