"""A machine of the venue: QEMU without KVM, its disk, its screen and its keyboard."""

import base64
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import time

from hardware import Controller

KEYS = {" ": "spc", ".": "dot", ",": "comma", "\n": "ret", "-": "minus", "'": "apostrophe", "\b": "backspace"}
SHIFTED = {"?": "slash", ":": "semicolon", '"': "2"}  # a British keyboard's


class Gone(Exception):
    """What was waited for did not come."""


def eventually(what, condition, patience):
    """Waits until condition() gives something true, and gives that; says what was waited for if not."""
    until = time.monotonic() + patience
    while True:
        got = condition()
        if got:
            return got
        if time.monotonic() > until:
            raise Gone(f"{what}: not within {patience} s")
        time.sleep(0.3)


TICKET = """[ticket]
format = 1
role = {role}
session = venue
round = 1
{lines}"""
LINES = {"judge": ("left", "right"), "entity": ("",)}


class Machine:
    """lines: which end of which cable each of its adapters has; plugged: how many of them are in the USB
    sockets 1, 2... from the start, and in the machine's ticket, the others being in a box; uarts: at its
    own pins and on a card (8250); cards: its network cards' cables to the hub; memory: MiB."""

    def __init__(self, venue, name, role, lines, uarts, cards, plugged=1, memory=512):
        self.venue, self.name, self.role, self.lines, self.uarts = venue, name, role, lines, uarts
        self.cards, self.memory, self.plugged = cards, memory, plugged
        self.sockets = {socket: socket for socket in range(1, plugged + 1)}  # of the adapters that are in one
        self.disk = f"{venue.folder}/{name}.img"
        self.process = self.qmp = self.probe = None
        self.server, self.lost = None, ""
        self.started = 0.0
        self.clock = "utc"
        self.unit = f"boothlink-{role}@tty1.service"
        self.main_process = f"systemctl show -P MainPID {self.unit}"
        self.text = b""
        image = f"{venue.build}/image/venue-{role}.img"
        subprocess.run(["cp", "--sparse=always", image, self.disk], check=True)
        if role in LINES:
            self.put_ticket(plugged)

    def put_ticket(self, plugged):
        """Writes its ticket to its disk, as whoever makes the image for one place does."""
        lines = ""
        for number, side in zip(range(1, plugged + 1), LINES[self.role]):
            lines += f"\n[line{'.' * bool(side)}{side}]\nport = serial:/dev/booth/usb1-{number}@115200\n"
        if self.role == "entity":
            lines += "\n[entity]\nkeyboard = yes\n"
        ticket = self.path("ticket")
        with open(ticket, "w", encoding="ascii") as file:
            file.write(TICKET.format(role=self.role, lines=lines))
        # The root begins after the partitions' table.
        told = subprocess.run(["/usr/sbin/debugfs", "-w", "-f", "-", f"{self.disk}?offset={1 << 20}"], check=True, text=True,
                              input=f"cd /etc/boothlink\nwrite {ticket} tty1.ini\nstat tty1.ini\n", capture_output=True)
        if "Inode:" not in told.stdout:
            raise Gone(f"{self.name}: no ticket on its disk: {told.stderr[-300:]}")

    # -- power

    def start(self):
        for path in (self.path("qmp"), self.path("probe"), self.path("disk")):
            if os.path.exists(path):
                os.unlink(path)
        image = f"{self.venue.build}/image/venue-{self.role}"
        self.server = subprocess.Popen([os.path.join(os.path.dirname(__file__), "disk.py"), self.path("disk"), self.disk],
                                       stdout=subprocess.PIPE, text=True)
        self.server.stdout.readline()
        command = [
            "qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53", "-accel", "tcg", "-smp", "1", "-m", str(self.memory),
            "-nodefaults", "-display", self.display(), "-name", self.name,
            "-kernel", image + ".vmlinuz", "-initrd", image + ".initramfs", "-append",
            self.venue.arguments,
            "-drive", f"file=nbd+unix:///?socket={self.path('disk')},format=raw,if=none,id=disk,cache=writeback",
            "-device", "virtio-blk-pci,drive=disk", "-device", "virtio-gpu-pci", "-device", "virtio-rng-pci",
            "-device", "qemu-xhci,id=usb", "-device", "usb-kbd,bus=usb.0,port=4",
            "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=probe,path={self.path('probe')},server=on,wait=off",
            "-device", "virtserialport,chardev=probe,name=venue",
            "-qmp", f"unix:{self.path('qmp')},server=on,wait=off",
            "-rtc", f"base={self.clock}",
        ]
        for number, (cable, end) in enumerate(self.uarts):
            command += ["-chardev", f"serial,id=uart{number},path={cable.end(end)}"]
            command += ["-device", f"pci-serial,chardev=uart{number}"] if number else ["-serial", f"chardev:uart{number}"]
        for number, (cable, end) in enumerate(self.lines, 1):
            command += ["-chardev", f"serial,id=line{number},path={cable.end(end)}"]
        for number, place in self.sockets.items():
            command += ["-device", f"usb-serial,id=adapter{number},chardev=line{number},bus=usb.0,port={place}"]
        for number, card in enumerate(self.cards):
            # Without the ROM that would start the machine from the network.
            command += ["-netdev", self.venue.hub.netdev(card), "-device",
                        f"e1000e,id={card}-card,netdev={card},mac={self.address(number)},romfile="]
        environment = dict(os.environ, LD_PRELOAD=os.path.abspath(f"{self.venue.build}/sim/shim.so"),
                           BOOTHLINK_SIM=":".join([*(cable.shm for cable, _ in [*self.lines, *self.uarts]),
                                                   Controller.shm(self.venue)]))
        self.log = open(self.path("qemu.log"), "ab")
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log)
        self.started = time.monotonic()
        self.qmp = self.connect("qmp")
        self.qmp_file = self.qmp.makefile("rb")
        self.qmp_file.readline()
        self.do("qmp_capabilities")
        self.probe = self.connect("probe")
        self.probe.settimeout(0.5)
        self.text = b""

    def display(self):
        """For whoever wants to look at it and type: what a VNC viewer opens."""
        return f"vnc=unix:{os.path.abspath(self.path('vnc'))}" if self.venue.looks else "none"

    def cut(self):
        """The power goes, in the middle of whatever it does."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.server.terminate()
            self.lost = self.server.stdout.read().strip()
            self.server.wait()
            self.qmp.close()
            self.probe.close()
            self.process = None

    def path(self, what):
        return f"{self.venue.folder}/{self.name}.{what}"

    def connect(self, what):
        connection = socket.socket(socket.AF_UNIX)

        def connected():
            if self.process.poll() is not None:
                with open(self.path("qemu.log"), encoding="utf-8", errors="replace") as log:
                    raise Gone(f"{self.name}: QEMU ended: {log.read()[-500:]}")
            try:
                connection.connect(self.path(what))
                return True
            except OSError:
                return False

        eventually(f"{self.name}: QEMU's {what}", connected, 60)
        return connection

    # -- what one does to it from outside

    def do(self, what, **arguments):
        """A command of QEMU's."""
        self.qmp.sendall(json.dumps({"execute": what, "arguments": arguments}).encode() + b"\n")
        while True:
            answer = json.loads(self.qmp_file.readline())
            if "return" in answer:
                return answer["return"]
            if "error" in answer:
                raise Gone(f"{self.name}: {what}: {answer['error']['desc']}")

    def press(self, *keys):
        self.do("send-key", keys=[{"type": "qcode", "data": key} for key in keys], **{"hold-time": 40})

    def type(self, text, each=None):
        """Types text, key by key as a person would; each() is called after every key."""
        for key in text:
            if key.isupper() or key in SHIFTED:
                self.press("shift", SHIFTED.get(key, key.lower()))
            else:
                self.press(KEYS.get(key, key))
            time.sleep(0.12)
            if each:
                each()

    def has(self, path):
        return self.ask(f"test -e {path}")[1] == 0

    def unplug(self, adapter):
        """Takes an adapter out of its socket, and waits until the machine has seen it."""
        place = self.sockets.pop(adapter)
        self.do("device_del", id=f"adapter{adapter}")
        eventually(f"{self.name}: adapter {adapter} is gone", lambda: not self.has(f"/dev/booth/usb1-{place}"), 60)

    def plug(self, adapter, place, chardev=None):
        """Puts it into a socket, and waits until the machine has named it after that."""
        def is_in():
            """Not before QEMU is rid of what was in another socket."""
            try:
                self.do("device_add", driver="usb-serial", id=f"adapter{adapter}", chardev=chardev or f"line{adapter}",
                        bus="usb.0", port=str(place), **{"always-plugged": True})
                return True
            except Gone as gone:
                if "in use" not in str(gone) and "Duplicate" not in str(gone):
                    raise
                return False

        eventually(f"{self.name}: QEMU's adapter {adapter}", is_in, 30)
        self.sockets[adapter] = place
        eventually(f"{self.name}: adapter {adapter} in socket {place}", lambda: self.has(f"/dev/booth/usb1-{place}"), 120)

    def address(self, number):
        """Of a network card."""
        return f"52:54:00:b0:{self.venue.names.index(self.name):02x}:{number:02x}"

    def interface(self, number):
        """What the machine calls that card."""
        got, _ = self.ask(f"grep -l {self.address(number)} /sys/class/net/*/address")
        return got.decode().split("/")[4]

    def cable(self, number, there):
        """Puts a network card's cable in or pulls it."""
        self.do("set_link", name=f"{self.cards[number]}-card", up=there)

    def stick(self, image):
        """Puts a stick in."""
        self.do("blockdev-add", **{"node-name": "stick", "driver": "raw",
                                   "file": {"driver": "file", "filename": os.path.abspath(image)}})
        self.do("device_add", driver="usb-storage", id="stick", drive="stick", bus="usb.0", port="2", removable=True)

    def stick_out(self):
        self.do("device_del", id="stick")

        def out():
            try:
                self.do("blockdev-del", **{"node-name": "stick"})
                return True
            except Gone:
                return False  # it is still being pulled

        eventually(f"{self.name}: the stick is out", out, 60)

    def picture(self, name):
        self.do("screendump", filename=os.path.abspath(f"{self.venue.folder}/{name}-{self.name}.png"), format="png")

    def corners(self, name):
        """The colours of its screen's corners."""
        path = os.path.abspath(self.path(f"{name}.ppm"))
        self.do("screendump", filename=path)
        with open(path, "rb") as file:
            head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data := file.read())
        width, height = int(head[1]), int(head[2])
        at = (0, width - 1, width * (height - 1), width * height - 1)
        return {tuple(data[head.end() + 3 * corner:head.end() + 3 * corner + 3]) for corner in at}

    def since(self):
        """Seconds from power-on."""
        return time.monotonic() - self.started

    # -- what it says itself

    def ask(self, command, patience=240):
        """Runs a command of the shell in the machine; gives its output and its status."""
        self.asked = getattr(self, "asked", 0) + 1
        mark = f"asked {self.asked}"
        self.probe.sendall(f"echo {mark}; {command}\n".encode())
        until = time.monotonic() + patience
        self.text = b""
        while True:
            start = self.text.find(mark.encode() + b"\n")
            end = self.text.find(b"\n\004 ", start)
            if start >= 0 and end >= 0 and self.text.find(b"\n", end + 1) >= 0:
                status = int(self.text[end + 3:self.text.find(b"\n", end + 1)])
                return self.text[start + len(mark) + 1:end], status
            if time.monotonic() > until:
                raise Gone(f"{self.name}: no answer to '{command}' within {patience} s")
            try:
                got = self.probe.recv(65536)
                if not got:
                    raise Gone(f"{self.name}: the machine is gone")
                self.text += got
            except socket.timeout:
                pass

    def screen(self):
        """The first console's text, read back from the kernel: a list of rows."""
        size, _ = self.ask("head -c 2 /dev/vcsa1 | base64 -w0")
        rows, columns = struct.unpack("BB", base64.b64decode(size))
        packed, _ = self.ask("base64 -w0 /dev/vcsu1")
        cells = base64.b64decode(packed).decode("utf-32-le", "replace")
        return [cells[row * columns:(row + 1) * columns] for row in range(rows)]

    def words(self):
        return " ".join(" ".join(self.screen()).split())

    def waits_for(self, text, patience=600):
        """Waits until the screen has these words; gives the seconds since power-on."""
        last = [""]

        def there():
            last[0] = self.words()
            return text in last[0]

        try:
            eventually(f"'{text}' on {self.name}'s screen", there, patience)
        except Gone as gone:
            raise Gone(f"{gone}; it shows: {last[0][:600]}") from None
        return self.since()

    def is_connected(self):
        """All its lines are."""
        # With a gap before it: not "is being connected".
        return sum(row.count("  connected") for row in self.screen()[:4]) == self.plugged

    def waits_connected(self, patience):
        """Gives the seconds since power-on."""
        try:
            eventually(f"{self.name}: connected", self.is_connected, patience)
        except Gone as gone:
            ports, _ = self.ask("ls -lL /dev/booth; dmesg | tail -n 4; "
                                "boothlink journal show /var/lib/boothlink/tty1/*.journal | tail -n 4")
            raise Gone(f"{gone}; it shows: {self.words()[:600]}; it has: {' '.join(ports.decode().split())}") from None
        return self.since()

    def waits_disconnected(self, patience):
        eventually(f"{self.name}: not connected any more", lambda: not self.is_connected(), patience)

    def status(self):
        """What the screen says above the page."""
        return " ".join(" ".join(self.screen()[:3]).split())[:200]

    def close(self):
        self.cut()
        shutil.rmtree(self.disk, ignore_errors=True)
