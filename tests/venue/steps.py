"""What is done to the venue's machines, and what must be on their screens after it."""

import os
import re
import subprocess
import time

from apart import Apart
from hardware import Controller
from machine import Gone, eventually

STEPS = []
GROUND = {(0xe9, 0xe5, 0xdc)}  # of the page in a browser, as page.css has it


def a_step(function):
    STEPS.append(function)
    return function


def names():
    return [function.__name__ for function in STEPS]


def usual():
    """All but the browser's, whose machine takes as long as all the others together."""
    return [name for name in names() if name != "kiosk"]


def step(name):
    return next(function for function in STEPS if function.__name__ == name)


@a_step
def boot(venue):
    """Power on, and nobody touches anything."""
    for machine in venue.machines:
        machine.start()
    for machine in venue.machines:
        took = machine.waits_connected(1500)
        venue.says(True, f"{machine.name}: from power-on to a connected pair in {took:.0f} s, no key, no network")
        for row in machine.screen():
            if row.strip():
                venue.saw(f"{machine.name} |{row.rstrip()}")


# -- what the screens show


def page(machine):
    """The two parts of the page as they stand on the screen, each without the empty rows below it."""
    parts, part = {}, None
    for row in machine.screen():
        row = row.rstrip()
        heading = next((name for name in ("Entity", "Judge") if f"\u2500 {name} \u2500" in row), None)
        if heading:
            part = parts[heading] = []
        elif row.startswith(" F1 ") or "Not yet" in row:
            part = None
        elif part is not None:
            part.append(row)
    for part in parts.values():
        while part and not part[-1]:
            part.pop()
    return parts


def same_pages(venue, after, holds=()):
    """Both consoles show the same page, cell for cell, and on it what had been shown."""
    last = [None, None]

    def same():
        last[:] = [page(machine) for machine in (venue.judge, venue.entity)]
        return last[0] == last[1] and last[0] and \
            all(text in " ".join(" ".join(part) for part in last[0].values()) for text in holds)

    try:
        eventually("the same page", same, 120)
        passed = True
    except Exception as problem:  # what differs is the report's
        passed = False
        venue.saw(f"{problem}; judge {last[0]}; entity {last[1]}")
    venue.says(passed, f"after {after}: both consoles show the same page, cell for cell"
               + (f", with '{holds[-1]}'" if holds else ""))


def connected(venue, after, patience=1500):
    for machine in venue.machines:
        took = machine.waits_connected(patience)
        venue.saw(f"{machine.name}: connected again {took:.0f} s after its power-on")
    venue.says(True, f"after {after}: connected again, nobody pressed a key for it")


def whole_journals(venue, after):
    """Both ends' records, read by the program itself in the machines."""
    for machine in venue.machines:
        told, status = machine.ask("boothlink journal check /var/lib/boothlink/tty1/*.journal")
        venue.says(status == 0, f"after {after}: the {machine.name}'s journal is whole: "
                   + " ".join(told.decode(errors="replace").split())[:150])


# -- the steps


@a_step
def names_of_ports(venue):
    """udev's names, and the settings of the adapters."""
    for machine in venue.machines:
        target, _ = machine.ask("readlink /dev/booth/usb1-1")
        venue.says(target.strip().endswith(b"ttyUSB0"), f"{machine.name}: /dev/booth/usb1-1 is {target.decode().strip()}")
        driver, _ = machine.ask("basename $(readlink /sys/class/tty/ttyUSB0/device/driver)")
        venue.says(driver.strip() == b"ftdi_sio", f"{machine.name}: its driver is {driver.decode().strip()}")
        latency, _ = machine.ask("cat /sys/class/tty/ttyUSB0/device/latency_timer")
        venue.says(latency.strip() == b"1", f"{machine.name}: its latency timer is {latency.decode().strip()} ms")
        root, _ = machine.ask("grep ' / ' /proc/mounts | grep -v rootfs")
        venue.says(b" ro," in root, f"{machine.name}: the root is only read: {root.decode().strip()[:60]}")


@a_step
def typed(venue):
    """A conversation on the machines' keyboards."""
    venue.judge.type("hello, who are you?\n")
    venue.entity.waits_for("hello, who are you?", 120)
    venue.entity.type("a tester.\n")
    venue.judge.waits_for("a tester.", 120)
    same_pages(venue, "a typed conversation", ["hello, who are you?", "a tester."])
    for machine in venue.machines:
        for row in machine.screen():
            if row.strip():
                venue.saw(f"{machine.name} |{row.rstrip()}")


@a_step
def idle(venue):
    """What the terminal costs while nobody types."""
    for machine in venue.machines:
        got, _ = machine.ask(
            f"s=/proc/$({machine.main_process})/status; a=$(awk '/^voluntary/ {{print $2}}' $s); sleep 20; "
            "b=$(awk '/^voluntary/ {print $2}' $s); awk '/^VmRSS/ {print $2}' $s; echo $((b - a))")
        memory, woken = (int(number) for number in got.split())
        venue.says(woken <= 100, f"{machine.name}: idle, it woke {woken / 20:.1f} times a second (at most 5)")
        venue.says(memory <= 16384, f"{machine.name}: it takes {memory / 1024:.1f} MiB (at most 16)")


@a_step
def kernel_message(venue):
    """The kernel complains, as an adapter's driver does; nothing of it comes on the page."""
    message = "ftdi_sio ttyUSB0: error from flowcontrol urb"
    for machine in venue.machines:
        machine.ask(f"echo '<3>{message}' >/dev/kmsg")
        logged, _ = machine.ask("dmesg | tail -n 3")
        venue.says(message.encode() in logged, f"{machine.name}: the kernel has complained")
        venue.says(message not in machine.words(), f"{machine.name}: and its page does not say so")
    same_pages(venue, "a kernel's message", ["a tester."])


@a_step
def killed(venue):
    """systemd starts a killed terminal again."""
    for machine in venue.machines:
        before, _ = machine.ask(machine.main_process)
        machine.ask(f"systemctl kill -s KILL {machine.unit}")

        def another():
            now, _ = machine.ask(machine.main_process)
            return now.strip() not in (b"0", before.strip())

        eventually(f"{machine.name}: a new terminal", another, 120)
        connected(venue, f"kill -9 of the {machine.name}'s terminal", 300)
        same_pages(venue, f"kill -9 of the {machine.name}'s terminal", ["a tester."])


@a_step
def unplugged(venue):
    """An adapter out and in again, and into another socket."""
    for machine in venue.machines:
        machine.unplug(1)
        machine.waits_disconnected(120)
        venue.saw(f"{machine.name}: {machine.status()}")
        machine.plug(1, 1)
        connected(venue, f"the {machine.name}'s adapter out and in", 90)
        same_pages(venue, f"the {machine.name}'s adapter out and in", ["a tester."])
    venue.entity.unplug(1)
    venue.entity.plug(1, 3)
    venue.says(not venue.entity.is_connected(), f"in the wrong socket it is not used: {venue.entity.status()}")
    venue.entity.unplug(1)
    venue.entity.plug(1, 1)
    connected(venue, "the right socket again", 300)
    same_pages(venue, "the right socket again", ["a tester."])


@a_step
def exchanged(venue):
    """Two adapters of one machine change places: neither line takes the other's keys."""
    for machine in venue.machines:
        machine.plug(2, 2)
    apart = Apart(venue, "second", "--left serial:/dev/booth/usb1-2", "--line serial:/dev/booth/usb1-2")
    apart.goes_on("a second line's begin")
    for machine in venue.machines:
        for adapter in (1, 2):
            machine.unplug(adapter)
        for adapter in (1, 2):
            machine.plug(adapter, 3 - adapter)
        machine.waits_disconnected(120)
        apart.waits_down()
        venue.says(True, f"{machine.name}: with its adapters exchanged no line is up: {machine.status()}")
        for adapter in (1, 2):
            machine.unplug(adapter)
        for adapter in (1, 2):
            machine.plug(adapter, adapter)
        connected(venue, f"the {machine.name}'s adapters as they were", 300)
        apart.goes_on(f"the {machine.name}'s adapters as they were")
        same_pages(venue, f"the {machine.name}'s adapters as they were", ["a tester."])
    apart.close()
    for machine in venue.machines:
        machine.unplug(2)


@a_step
def ethernet(venue):
    """A line over network cards at a hub: its cable out and in, and in another socket."""
    judge, entity = venue.judge.interface(0), venue.entity.interface(0)
    for machine, name in ((venue.judge, judge), (venue.entity, entity)):
        driver, _ = machine.ask(f"basename $(readlink /sys/class/net/{name}/device/driver)")
        venue.says(driver.strip() == b"e1000e", f"{machine.name}: {name}'s driver is {driver.decode().strip()}")
    apart = Apart(venue, "ethernet", f"--left ether:{judge} --insecure", f"--line ether:{entity} --insecure")
    apart.goes_on("a line over a hub")
    for machine in venue.machines:
        machine.cable(0, False)
        apart.waits_down()
        machine.cable(0, True)
        apart.goes_on(f"the {machine.name}'s network cable out and in")
    venue.entity.cable(0, False)
    apart.waits_down()
    venue.entity.cable(1, True)
    carrier, _ = venue.entity.ask(f"ip link set {venue.entity.interface(1)} up; sleep 6; "
                                  f"cat /sys/class/net/{venue.entity.interface(1)}/carrier")
    venue.says(carrier.strip() == b"1" and "up" not in apart.line(venue.judge),
               "a cable in the other card is no line: that card is not the ticket's")
    venue.entity.cable(0, True)
    apart.goes_on("the cable in its own card again")
    apart.close()


@a_step
def controller(venue):
    """The controller as a USB serial device at the judge's machine, its relay in a line: pulled and put
    back in the middle of a segment."""
    board = Controller(venue, venue.pins)
    try:
        venue.judge.do("chardev-add", id="board", backend={"type": "serial", "data": {"device": board.port}})
        venue.judge.plug(3, 3, "board")
        venue.says(not board.closes(), "before the plan begins the controller keeps the line open")
        apart = Apart(venue, "controlled", "--left serial:/dev/ttyAMA0 --controller serial:/dev/booth/usb1-3 "
                      "--plan '120 left' --begin ready", "--line serial:/dev/ttyAMA0")
        apart.goes_on("the plan's beginning")
        venue.says(board.closes(), "while the segment runs the controller closes the line")
        venue.judge.unplug(3)
        eventually("the controller opens the line of a host that is silent", lambda: not board.closes(), 60)
        apart.waits_down()
        venue.says(True, "the controller is pulled: it opens the line, and the judge's end says so")
        venue.judge.plug(3, 3, "board")
        apart.goes_on("the controller is put back")
        eventually("the controller cuts at the end of the segment", lambda: not board.closes(), 240)
        ended, _ = venue.judge.ask(f"boothlink journal show {apart.folder}/*.journal --json | grep '\"code\":\"controller\"' | "
                                   "sed 's/.*\"text\"://'")
        for row in ended.decode(errors="replace").splitlines():
            venue.saw(f"controlled: {row}")
        venue.says(b"over" in ended or b"end" in ended, "the controller has cut the line at the end of its time")
        apart.close()
        venue.judge.unplug(3)
    finally:
        board.close()
        venue.pins.send("plug")  # without its box's relay


@a_step
def honest_disk(venue):
    """The control of the power cuts: what was not synced is lost with the power, what was is not."""
    machine = venue.entity
    machine.ask("echo kept >/var/lib/boothlink/kept; sync; echo lost >/var/lib/boothlink/lost")
    machine.cut()
    venue.saw(f"{machine.name}: {machine.lost}")
    machine.start()
    connected(venue, "the control's power cut")
    kept, _ = machine.ask("cat /var/lib/boothlink/kept")
    lost, status = machine.ask("cat /var/lib/boothlink/lost")
    venue.says(kept.strip() == b"kept", "a file that was synced is there after a power cut")
    venue.says(lost.strip() != b"lost", f"and one that was not is not ({lost.decode().strip()})")
    machine.ask("rm -f /var/lib/boothlink/kept /var/lib/boothlink/lost")


@a_step
def power(venue):
    """The power of either machine goes in the middle of a word: when the other has shown its last key, and
    every second time when nothing has."""
    for number in range(venue.cuts):
        for machine, other in ((venue.judge, venue.entity), (venue.entity, venue.judge)):
            word = f"cut{'abcdefgh'[number]}{machine.name}"
            shown = word[:4] if number % 2 else word
            machine.type(shown)
            other.waits_for(shown, 120)
            machine.type(word[len(shown):])
            machine.cut()
            venue.saw(f"{machine.name}: {machine.lost}")
            other.waits_disconnected(120)
            machine.start()
            connected(venue, f"power cut {number + 1} of the {machine.name}")
            same_pages(venue, f"power cut {number + 1} of the {machine.name}", ["a tester.", shown])
            whole_journals(venue, f"power cut {number + 1} of the {machine.name}")


@a_step
def cannot_be_left(venue):
    """No key leads out of the terminal."""
    for machine in venue.machines:
        for keys in (("ctrl", "alt", "delete"), ("alt", "f2"), ("ctrl", "alt", "f3"), ("ctrl", "c"), ("ctrl", "z"),
                     ("ctrl", "backslash"), ("alt", "sysrq", "b"), ("alt", "right"), ("alt", "left"), ("alt", "up"),
                     ("scroll_lock",), ("shift", "scroll_lock"), ("ctrl", "scroll_lock")):
            machine.press(*keys)
        active, _ = machine.ask("cat /sys/class/tty/tty0/active")
        shells, _ = machine.ask("cat /proc/[0-9]*/comm 2>/dev/null | grep -cE '^(agetty|login|sulogin)$'")
        venue.says(shells.strip() == b"0", f"{machine.name}: no prompt for a password anywhere")
        venue.says(active.strip() == b"tty1", f"{machine.name}: tty1 is still shown ({active.decode().strip()})")
        after, _ = machine.ask("timeout 5 chvt 2; cat /sys/class/tty/tty0/active")
        venue.says(after.strip() == b"tty1", f"{machine.name}: nor does root's chvt ({after.decode().strip()})")
    connected(venue, "keys that would leave", 300)
    venue.judge.type("still here")
    venue.entity.waits_for("still here", 120)
    same_pages(venue, "keys that would leave", ["a tester.", "still here"])


@a_step
def uart(venue):
    """Lines over UARTs, beside the session's: the machines' own pins (pl011), and a card (8250)."""
    for name, port, driver in (("pins", "ttyAMA0", "uart-pl011"), ("slots", "ttyS0", "serial")):
        for machine in venue.machines:
            got, _ = machine.ask(f"basename $(readlink /sys/class/tty/{port}/device/driver); cat /proc/tty/driver/serial | tail -n 4")
            venue.says(got.split()[:1] == [driver.encode()], f"{machine.name}: {port}'s driver is {got.decode().split()[:1]}")
        apart = Apart(venue, name, f"--left serial:/dev/{port}", f"--line serial:/dev/{port}")
        apart.goes_on(f"a line over {port} begins")
        apart.close()


@a_step
def full_disk(venue):
    """The records' disk is full: it is said, what was shown stays, and with room it goes on."""
    machine = venue.entity
    place = "/var/lib/boothlink"
    machine.ask(f"fallocate -l $(($(df -k --output=avail {place} | tail -n 1) - 64))K {place}/filler; "
                f"cat /dev/zero >{place}/rest 2>/dev/null; sync")
    left, _ = machine.ask(f"df -k --output=avail {place} | tail -n 1")
    venue.says(int(left) < 4, f"{machine.name}: its disk has {left.decode().strip()} KiB left")
    machine.type("full")
    venue.saw(f"{machine.name}: {machine.words()[-300:]}")
    machine.ask(f"rm -f {place}/filler {place}/rest; sync")
    machine.type("room again")
    venue.judge.waits_for("room again", 120)
    connected(venue, "a full disk", 300)
    same_pages(venue, "a full disk", ["a tester.", "room again"])
    whole_journals(venue, "a full disk")


@a_step
def button(venue):
    """The power button shuts down cleanly; a year later by its clock the machine goes on."""
    venue.entity.do("system_powerdown")
    eventually("the entity's machine is off", lambda: venue.entity.process.poll() is not None, 300)
    venue.says(True, "the power button shuts the machine down")
    venue.entity.cut()
    venue.entity.clock = "2027-12-01T08:00:00"
    venue.entity.start()
    connected(venue, "the power button, and a clock that is a year ahead")
    same_pages(venue, "the power button, and a clock that is a year ahead", ["a tester."])


# -- machines that are told all this on the day


def make_contest(venue):
    """A contest with sticks for its rooms, as its manager makes it; gives their images and the number of a booth
    whose first round is with an Entry: that is drawn. Every Entry is handed in, and says after whoever types."""
    folder = f"{venue.folder}/contest"
    boothlink = f"{venue.build}/boothlink"

    def run(*command):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    run(boothlink, "contest", "template", "--ruleset", "loebner-1996", "--booths", "4", folder)
    for name, fills in (("people", (("name = *$", "name = Somebody"), (r"(entry\d+\.submitter|(?:judge|entry|confederate)\d+) = *$",
                                                                     r"\1 = Somebody of \1"))),
                        ("venue", ((r"(booth\d+\.(?:judge|entity)-[ab]) = .*$", r"\1 = serial:/dev/booth/usb1-1"),
                                   (r"(entry\d+)\.program = .*$", r"\1.handed-in = parrot")))):
        with open(f"{folder}/{name}.ini", encoding="utf-8") as file:
            text = file.read()
        for pattern, by in fills:
            text = re.sub(pattern, by, text, flags=re.MULTILINE)
        with open(f"{folder}/{name}.ini", "w", encoding="utf-8") as file:
            file.write(text)
    os.mkdir(f"{folder}/parrot")
    with open(f"{folder}/parrot/parrot", "w", encoding="ascii") as file:
        file.write('#!/bin/sh\nwhile read -r line; do echo "You said: $line"; done\n')
    os.chmod(f"{folder}/parrot/parrot", 0o755)
    run(boothlink, "validate", "manifest", "--program", "./parrot", "--folder", f"{folder}/parrot")
    run(boothlink, "contest", "setup", f"{folder}/people.ini", f"{folder}/venue.ini")
    images = []
    for room in ("judges-room", "back-room"):
        image = f"{venue.folder}/{room}.stick"
        run("truncate", "-s", "16M", image)
        run("mkfs.vfat", "-n", "BOOTHLINK", image)
        run("mcopy", "-s", "-i", image, f"{folder}/sticks/{room}/boothlink", "::")
        images.append(image)
    for booth in range(1, 5):
        with open(f"{folder}/sticks/back-room/boothlink/booth-{booth}-cable-a/001.ticket", encoding="utf-8") as file:
            if "\nentry = " in file.read():
                return images, booth
    raise Gone("no Entry has a first round")


@a_step
def first_start(venue):
    """Two machines of the image that asks: for the keyboard's layout, the time and its place."""
    this_year = time.strftime("%Y").encode()
    venue.close_machines()
    venue.sticks, booth = make_contest(venue)
    places = f"booth {booth}, judge", f"booth {booth}, cable A"
    venue.machines = [venue.machine("booth-judge", "booth", "a", []), venue.machine("booth-entity", "booth", "b", [])]
    for machine in venue.machines:
        machine.clock = "1999-01-01T00:00:00"
        machine.start()
    for machine, place in zip(venue.machines, places):
        machine.waits_for("Which layout has its keyboard?", 900)
        machine.type("2\n")
        machine.waits_for("British. Type some of its keys", 120)
        machine.press("shift", "2")
        machine.waits_for('> "', 60)
        machine.type("\n\n")
        machine.waits_for("cannot be right", 60)
        machine.type(time.strftime("%Y-%m-%d %H:%M\n"))
        machine.waits_for("Enter if that is right", 60)
        machine.type("\n")
        machine.waits_for("Which place is this?", 300)
        year, _ = machine.ask("date +%Y")
        venue.says(year.strip() == this_year, f"{machine.name}: asked for its layout and the time, and has them")
        machine.type(place + "\n")
        machine.waits_for("stick", 120)
        venue.says(True, f"{machine.name}: knows its place, {place}, and waits for the stick: {machine.words()[:150]}")
    for machine in venue.machines:
        machine.cut()
        machine.clock = "1999-01-01T00:00:00"
        machine.start()
    for machine, place in zip(venue.machines, places):
        machine.waits_for("stick", 900)
        year, _ = machine.ask("date +%Y")
        venue.says(year.strip() == this_year and place.lower() in machine.words().lower(),
                   f"{machine.name}: after a power cut it asks nothing and is still in this year: {machine.words()[:150]}")
        failed, _ = machine.ask("systemctl list-units --failed --plain --no-legend")
        venue.says(failed == b"", f"{machine.name}: no unit of it has failed {failed.decode()[:200]}")


@a_step
def sticks(venue):
    """The tickets come on sticks that the contest's manager made, with the Entry."""
    for machine, image in zip(venue.machines, venue.sticks):
        machine.stick(image)
    for machine in venue.machines:
        machine.waits_for("ress Enter", 300)
        machine.waits_for("The stick may be taken out", 300)
        venue.says(True, f"{machine.name}: has its tickets from the stick: {machine.words()[:150]}")
        machine.stick_out()
        machine.type("\n")
    connected(venue, "tickets from sticks", 300)
    judge, entity = venue.machines
    judge.type("is it you?\n")
    judge.waits_for("You said: is it you?", 120)
    whose, _ = entity.ask("awk '/^Uid/ {print $2}' $(grep -l '^parrot$' /proc/[0-9]*/comm | sed 's/comm/status/'); "
                          "id -u boothlink-entry; id -u boothlink")
    whose = whose.split()
    venue.says(len(whose) == 3 and whose[0] == whose[1] != whose[2],
               "the Entry came with the stick, answers, and is another user's")


@a_step
def two_entities(venue):
    """A judge between two entities, as where their answers are compared."""
    venue.three()
    boot(venue)
    judge, left, right = venue.machines
    judge.type("left?")
    left.waits_for("left?", 120)
    judge.press("f2")
    judge.type("right?")
    right.waits_for("right?", 120)
    left.type("here")
    right.type("there")
    for text in ("here", "there"):
        judge.waits_for(text, 120)
    venue.says("right?" not in left.words() and "left?" not in right.words() and "there" not in left.words(),
               "each entity has read what was for it, and nothing else")
    left.cut()
    judge.press("f2")
    judge.type("gone?")
    judge.press("f2")
    judge.type(" still?")
    right.waits_for("right? still?", 120)
    venue.says(True, "with one entity's power cut the other goes on")
    left.start()
    connected(venue, "the left entity's power cut")
    for text in ("left?", "here"):
        left.waits_for(text, 120)
    shown = [pane for row in judge.screen()[2:] for pane in row.split("\u2502")[:1]]
    venue.says(any("here" in row for row in shown) and any("left?" in row for row in shown),
               "and both have what was said on the left before")


@a_step
def kiosk(venue):
    """A machine whose screen is the page in a browser, and nothing else."""
    venue.close_machines()
    machine = venue.machine("kiosk", "kiosk", "a", [], memory=2048)
    venue.machines = [machine]
    machine.start()
    machine.waits_for("Which layout has its keyboard?", 1800)
    machine.type("\n")
    machine.waits_for("Type some of its keys", 120)
    machine.type("\n")

    def watched():
        """A browser reads the page."""
        return machine.ask("grep -c ' 01 ' /proc/net/tcp")[0].strip() not in (b"", b"0")

    eventually("the browser's page is open", watched, 3600)
    eventually("the page's ground fills the screen to its corners", lambda: GROUND == machine.corners("kiosk"), 1800)
    venue.says(True, f"kiosk: the booth's page fills the screen {machine.since():.0f} s after power-on")
    machine.type("booth 1, judge\n")

    def placed():
        return b"machine = judge" in machine.ask("cat /var/lib/boothlink/place.ini")[0]

    eventually("what is typed at the page is the booth's", placed, 600)
    venue.says(True, "kiosk: the booth has read its place from the page's keyboard")
    for keys in (("ctrl", "alt", "f2"), ("alt", "f4"), ("ctrl", "w"), ("ctrl", "q"), ("ctrl", "n"), ("f11",), ("ctrl", "shift", "i")):
        machine.press(*keys)
    eventually("the page after keys that would leave it", lambda: GROUND == machine.corners("kiosk") and watched(), 600)
    venue.says(True, "kiosk: no key leads out of the page")
