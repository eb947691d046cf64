"""The desk of a rehearsal: `boothlink desk` with its nats-server, and a courier beside each board. With the
rights for it each machine, and the manager's, has a namespace of its own; a bridge is all that they share."""

import ctypes
import filecmp
import os
import signal
import socket
import subprocess

from page import Page

PORT = 4222
CLONE_NEWNET = 0x40000000


def ip(*words):
    return subprocess.run(["ip", *words], capture_output=True, text=True).returncode == 0


class Network:
    """One hub, a cable to each place; without the rights all are on this machine's loopback."""

    def __init__(self, places):
        self.name = f"rehearsal-{os.getpid()}"
        self.made = []
        self.apart = self.add("hub") and \
            ip("-n", f"{self.name}-hub", "link", "add", "hub", "type", "bridge") and \
            ip("-n", f"{self.name}-hub", "address", "add", "10.77.0.1/16", "dev", "hub") and \
            ip("-n", f"{self.name}-hub", "link", "set", "hub", "up") and \
            all(self.plug_in(place, number) for number, place in enumerate(places))
        self.address = "10.77.0.1" if self.apart else "127.0.0.1"
        self.port = PORT if self.apart else free_port()

    def add(self, place):
        name = f"{self.name}-{place}"
        if not ip("netns", "add", name):
            return False
        self.made.append(name)
        return ip("-n", name, "link", "set", "lo", "up")

    def plug_in(self, place, number):
        hub, name = f"{self.name}-hub", f"{self.name}-{place}"
        return self.add(place) and \
            ip("-n", hub, "link", "add", f"cable{number}", "type", "veth", "peer", "name", "eth0",
               "netns", name) and \
            ip("-n", hub, "link", "set", f"cable{number}", "master", "hub", "up") and \
            ip("-n", name, "address", "add", f"10.77.1.{number + 1}/16", "dev", "eth0") and \
            ip("-n", name, "link", "set", "eth0", "up")

    def switch(self, count, state):
        """All cables, by one process: whoever sits at the machines does not type meanwhile."""
        cables = "".join(f"link set cable{number} {state}\n" for number in range(count))
        subprocess.run(["ip", "-n", f"{self.name}-hub", "-batch", "-"], input=cables, text=True,
                       check=True)

    def enter(self, place):
        """This thread, or in the child, before it becomes the program."""
        if self.apart:
            with open(f"/run/netns/{self.name}-{place}", "rb") as other:
                if ctypes.CDLL(None, use_errno=True).setns(other.fileno(), CLONE_NEWNET):
                    raise OSError(ctypes.get_errno(), "setns")

    def connect(self, place, port):
        """To a port of the place's own 127.0.0.1, from here: a socket stays in the namespace it was made in."""
        if not self.apart:
            return socket.create_connection(("127.0.0.1", port), 10)
        with open("/proc/thread-self/ns/net", "rb") as own:
            self.enter(place)
            try:
                return socket.create_connection(("127.0.0.1", port), 10)
            finally:
                ctypes.CDLL(None).setns(own.fileno(), CLONE_NEWNET)

    def end(self):
        for name in self.made:
            ip("netns", "delete", name)


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class Desk:
    def __init__(self, build, work, machines):
        self.build, self.work, self.machines = build, work, machines
        self.network = Network([machine.place for machine in machines])
        self.couriers = {}
        self.desk = self.page = None

    def log(self, name):
        return open(os.path.join(self.work, f"{name}.err"), "ab")

    def begin(self):
        """The manager's command, which runs all day."""
        with self.log("desk") as log:
            self.desk = subprocess.Popen(
                [os.path.join(self.build, "boothlink"), "desk", "contest.db", "--listen",
                 f"{self.network.address}:{self.network.port}"], cwd=self.work, stderr=log,
                stdout=subprocess.DEVNULL, preexec_fn=lambda: self.network.enter("hub"))
        if not self.page:
            self.page = Page(self)

    def is_open(self):
        with open(os.path.join(self.work, "desk.err"), encoding="utf-8") as log:
            return "open for the places" in log.read()

    def begin_courier(self, machine):
        """Beside the board, all day: its place's key comes by the first stick."""
        with self.log(machine.place) as log:
            self.couriers[machine.place] = subprocess.Popen(
                [os.path.join(self.build, "boothlink-courier"), "--server",
                 f"nats://{self.network.address}:{self.network.port}", "--records",
                 machine.records, "--tell", machine.told], stderr=log,
                preexec_fn=lambda: self.network.enter(machine.place))

    # What goes wrong in a round. Each returns what undoes it when that is over, or nothing.

    KINDS = ("server_killed", "server_stopped", "desk_killed", "couriers_killed", "unplugged")
    SILENT = "Nothing came from the judge's machine"
    NAMED = dict(zip(KINDS, ("The nats-server is away", "The nats-server is away",
                             "The desk does not answer", SILENT, SILENT)))

    def server(self):
        """The process of the nats-server."""
        with open(f"/proc/{self.desk.pid}/task/{self.desk.pid}/children") as file:
            return next((int(pid) for pid in file.read().split()
                         if os.readlink(f"/proc/{pid}/exe").endswith("nats-server")), None)

    def signal_server(self, number):
        pid = self.server()
        if pid:
            os.kill(pid, number)

    def server_killed(self):
        self.signal_server(signal.SIGKILL)

    def server_stopped(self):
        """The desk misses its own echo, and begins another."""
        self.signal_server(signal.SIGSTOP)

    def desk_killed(self):
        self.desk.kill()
        self.desk.wait()
        return self.begin

    def couriers_killed(self):
        for machine in self.machines:
            self.couriers[machine.place].kill()
            self.couriers[machine.place].wait()
        return lambda: [self.begin_courier(machine) for machine in self.machines]

    def unplugged(self):
        """Every cable, for the round: nobody is told that a connection is gone."""
        if not self.network.apart:
            return None
        self.network.switch(len(self.machines), "down")
        return lambda: self.network.switch(len(self.machines), "up")

    def has_begun(self, number):
        """Whether keys of that round are at the desk."""
        inbox = os.path.join(self.work, "contest.db.inbox")
        return any(name.startswith(f"r{number}-") and name.endswith("-judge.journal") and
                   os.path.getsize(os.path.join(inbox, place, name)) > 400
                   for place in os.listdir(inbox) if place.endswith("-judge")
                   for name in os.listdir(os.path.join(inbox, place)))

    def copy(self, machine, name):
        """The path of the machine's record at the desk: a spare machine's is a further copy."""
        inbox, number = os.path.join(self.work, "contest.db.inbox"), 1
        path = os.path.join(inbox, machine.place, name)
        while os.path.exists(path) and \
                not filecmp.cmp(os.path.join(machine.records, name), path, shallow=False):
            number += 1
            path = os.path.join(inbox, f"{machine.place}-{number}", name)
        return path

    def records(self, machine):
        """The names of what a machine is to send."""
        return [name for name in os.listdir(machine.records)
                if name.endswith((".ballot", "-judge.journal", "-entity.journal"))]

    def missing(self):
        """The records whose copy at the desk is not yet, byte for byte, the machine's file."""
        return [f"{machine.place}/{name}" for machine in self.machines
                for name in self.records(machine) if not os.path.exists(self.copy(machine, name))]

    def others(self):
        """What is at the desk and nobody's record: a second copy, say."""
        inbox = os.path.join(self.work, "contest.db.inbox")
        known = {(machine.place, name) for machine in self.machines
                 for name in self.records(machine)}
        return [f"{place}/{name}" for place in os.listdir(inbox) if place.startswith("booth-")
                for name in os.listdir(os.path.join(inbox, place)) if (place, name) not in known]

    def end(self):
        if self.page:
            self.page.end()
        processes = [*self.couriers.values(), *([self.desk] if self.desk else [])]
        for process in processes:
            process.send_signal(signal.SIGTERM)
        for process in processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.network.end()
