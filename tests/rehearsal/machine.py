"""One machine of a booth: `boothlink booth` on a pty of its own, its screen as a person sees it, and
its keyboard."""

import errno
import fcntl
import filecmp
import os
import pty
import re
import shutil
import signal
import struct
import termios

import pyte

ROWS, COLUMNS = 24, 80
KEYS = {"F1": "\x1b[[A", "F2": "\x1b[[B", "F3": "\x1b[[C", "F8": "\x1b[19~", "F9": "\x1b[20~", "F10": "\x1b[21~", "F12": "\x1b[24~", "Enter": "\r",
        "Tab": "\t"}


class Machine:
    def __init__(self, venue, place):
        self.venue, self.place = venue, place
        self.is_judge = place.endswith("judge")
        self.booth = int(place.split("-")[1])
        self.folder = os.path.join(venue.work, "machines", place)
        self.slot = os.path.join(self.folder, "stick")
        self.records = os.path.join(self.folder, "records")
        self.told = os.path.join(self.folder, "told", "courier")  # what its courier says to the board
        self.pid = self.fd = None
        self.enters = 0  # keys at the board: what the day costs a person
        self.starts = 0
        os.makedirs(os.path.join(self.folder, "entries"))
        os.makedirs(os.path.dirname(self.told))
        number = self.booth
        what = place.split("-", 2)[2]
        with open(os.path.join(self.folder, "place.ini"), "w") as file:
            file.write(f"[place]\nformat = 1\nbooth = {number}\nmachine = {what}\n")

    def install(self, program):
        """An Entry comes onto the machine."""
        shutil.copy(program, os.path.join(self.folder, "entries"))

    def environment(self):
        return dict(os.environ, TERM="linux", LC_ALL="C.UTF-8", TZ="UTC",
                    BOOTHLINK_SIM=self.venue.shared_of(self.booth), BOOTHLINK_SIM_PASS="1",
                    LD_PRELOAD=self.venue.sim("shim.so"), HOME=self.folder)

    def power_on(self):
        """Starts it as systemd would."""
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.changed, self.starts = True, self.starts + 1
        environment = self.environment()
        command = [self.venue.boothlink, "booth", "--place", "place.ini", "--tickets", "stick",
                   "--journal", "records", "--folder", "entries", "--kiosk"]
        desk = self.venue.desk
        if desk:
            command += ["--courier", self.told]
            if self.place not in desk.couriers:
                os.makedirs(self.records, exist_ok=True)
                desk.begin_courier(self)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
                os.chdir(self.folder)
                if desk:
                    desk.network.enter(self.place)
                os.execve(command[0], command, environment)
            finally:
                os._exit(127)
        os.set_blocking(self.fd, False)

    def kill(self, number=signal.SIGKILL):
        """Takes the power away from booth and session alike, or asks it to end."""
        if self.pid is None:
            return
        if number == signal.SIGKILL:
            for pid in self.children():
                os.kill(pid, number)
        os.kill(self.pid, number)
        os.waitpid(self.pid, 0)
        os.close(self.fd)
        self.pid = self.fd = None

    def children(self):
        """The session's own program, if one runs."""
        try:
            with open(f"/proc/{self.pid}/task/{self.pid}/children") as file:
                return [int(word) for word in file.read().split()]
        except OSError:
            return []

    def read(self):
        """Takes what has come to the screen. False: the machine has ended."""
        while True:
            try:
                data = os.read(self.fd, 65536)
            except BlockingIOError:
                return True
            except OSError as error:
                if error.errno == errno.EIO:
                    return False
                raise
            if not data:
                return False
            self.stream.feed(data)
            self.changed = True

    def type(self, text):
        os.write(self.fd, text.encode())

    def press(self, key):
        self.type(KEYS[key])

    def lines(self):
        return self.screen.display

    def words(self):
        """The screen as one line."""
        return " ".join(" ".join(self.lines()).split())

    def has(self, text):
        return text in self.words()

    def column(self, side, judge_sides):
        """What stands on one side's half of a judge's screen, as one line."""
        if judge_sides == 1:
            return self.words()
        half = COLUMNS // 2
        part = slice(0, half) if side == "left" else slice(half, COLUMNS)
        return " ".join(" ".join(line[part] for line in self.lines()).split())

    def is_waiting_for(self, ticket):
        """Does the board offer that very session (again)?"""
        again = ", held again" if ticket.repeat > 1 else ""
        return self.has(f"Round {ticket.round}{again} comes next.")

    def tickets(self):
        """Those that it has taken, in the order of play."""
        folder = os.path.join(self.records, self.place)
        names = os.listdir(folder) if os.path.isdir(folder) else []
        found = [Ticket(folder, name) for name in names if name.endswith(".ticket")]
        return sorted(found, key=lambda ticket: (ticket.round, ticket.repeat))

    def limits(self):
        """Of the confederate, in the tickets that it has taken."""
        folder = os.path.join(self.records, self.place)
        for name in os.listdir(folder):
            if name.endswith(".ticket"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield from re.findall(r"(?m)^limit = (.*)$", file.read())

    def has_all_of(self, stick):
        """Are its tickets those that its room's stick would bring now?"""
        theirs, ours = os.path.join(stick, "boothlink", self.place), os.path.join(self.records, self.place)
        names = [sorted(name for name in os.listdir(folder) if name.endswith(".ticket"))
                 if os.path.isdir(folder) else [] for folder in (theirs, ours)]
        return names[0] == names[1] and not any(filecmp.cmpfiles(theirs, ours, names[0], False)[1:])

    # The stick goes in and out.
    def put_in(self, stick):
        os.symlink(stick, self.slot)

    def take_out(self):
        os.unlink(self.slot)


class Ticket:
    """What a person could read on one."""

    def __init__(self, folder, name):
        self.name = name
        number, _, repeat = name[:-len(".ticket")].partition("-")
        self.round, self.repeat = int(number), int(repeat or 1)
        self.section = {}
        section = None
        with open(os.path.join(folder, name)) as file:
            for line in file:
                line = line.strip()
                if line.startswith("["):
                    section = line[1:-1]
                elif " = " in line:
                    key, _, value = line.partition(" = ")
                    self.section[section, key] = value
        self.session = self.section["ticket", "session"]
        self.keyboard = ("entity", "keyboard") in self.section
        self.cables = {side: self.section.get((f"line.{side}", "cable"))
                       for side in ("left", "right")}
