#!/usr/bin/python3
"""A venue of virtual machines with the kernel's own drivers: from power-on to a connected pair, a
conversation typed on their keyboards, and what goes wrong at contests.

    tests/venue/venue.py --build build check [STEP...]    run the steps, say what was seen
    tests/venue/venue.py --build build look               leave the machines running, to look at

Screens are read back from /dev/vcs of the machines; pictures are kept in BUILD/venue."""

import argparse
import os
import shutil
import signal
import sys
import time

import steps
from hardware import Cable, Hub
from machine import Gone, Machine


class Venue:
    def __init__(self, build, arguments, looks=False):
        self.build = build
        self.looks = looks
        self.folder = f"{build}/venue"
        self.arguments = arguments
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.cable = Cable(self, "left")
        self.pins = Cable(self, "pins")
        self.slots = Cable(self, "slots")
        self.second = Cable(self, "second")
        self.hub = Hub(self)
        self.names = []  # of the machines there have been
        self.judge, self.entity = self.machines = [
            self.machine("judge", "judge", "a", ["j0"]), self.machine("entity", "entity", "b", ["e0", "e1"])]
        self.count = self.failed = 0
        self.cuts = 5

    def machine(self, name, role, end, cards, **more):
        """At that end of the cables."""
        self.names.append(name)
        return Machine(self, name, role, [(self.cable, end), (self.second, end)],
                       [(self.pins, end), (self.slots, end)], cards, **more)

    def three(self):
        """A judge between two entities, in the place of the machines before."""
        self.close_machines()
        self.judge = self.machine("judge-of-two", "judge", "a", [], plugged=2)
        self.names.append("entity-right")
        self.machines = [self.judge, self.machine("entity-left", "entity", "b", []),
                         Machine(self, "entity-right", "entity", [(self.second, "b")], [], [])]

    def close_machines(self):
        for machine in self.machines:
            machine.cut()

    def says(self, passed, what):
        self.count += 1
        self.failed += not passed
        print(f"{'ok' if passed else 'not ok'} {self.count} - {what}", flush=True)
        return passed

    def saw(self, what):
        print(f"# {what}", flush=True)

    def pictures(self, name):
        for machine in self.machines:
            if machine.process:
                machine.picture(name)

    def close(self):
        self.close_machines()
        for cable in (self.cable, self.second, self.pins, self.slots):
            cable.close()
        self.hub.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--arguments", default="root=LABEL=boothlink-root ro quiet loglevel=1 consoleblank=0 "
                        "console=tty12 systemd.show_status=false", help="of the machines' kernel")
    parser.add_argument("--cuts", type=int, default=5, help="of each machine's power (default: 5)")
    parser.add_argument("--entities", type=int, choices=[1, 2], default=2, help="to look at (default: 2)")
    parser.add_argument("what", choices=["check", "look"])
    parser.add_argument("steps", nargs="*", help=f"of {' '.join(steps.names())} (default: all)")
    options = parser.parse_args()
    if not shutil.which("qemu-system-aarch64"):
        print("ok 1 - machines in QEMU # SKIP qemu-system-aarch64 is not installed; 'make deps VENUE=1' does that")
        print("1..1")
        return 0
    # However it is ended, no machine stays behind.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    venue = Venue(options.build, options.arguments, options.what == "look")
    venue.cuts = options.cuts
    began = time.monotonic()
    try:
        if options.what == "look":
            if options.entities == 2:
                venue.three()
            steps.boot(venue)
            for machine in venue.machines:
                print(f"{machine.name}'s screen and keyboard, for a VNC viewer: {machine.display()[4:]}")
            print(f"The machines run; Ctrl-C ends them. Pictures: {venue.folder}", flush=True)
            venue.pictures("look")
            for machine in venue.machines:
                machine.process.wait()
        for name in () if options.what == "look" else options.steps or steps.usual():
            print(f"# {name}, after {time.monotonic() - began:.0f} s", flush=True)
            try:
                steps.step(name)(venue)
            except (Gone, ValueError, OSError) as problem:
                venue.says(False, f"{name}: {problem}")
            venue.pictures(f"{name}")
    except KeyboardInterrupt:
        pass
    finally:
        venue.close()
    print(f"1..{venue.count}")
    print(f"# {time.monotonic() - began:.0f} s; pictures in {venue.folder}")
    return 1 if venue.failed else 0


if __name__ == "__main__":
    sys.exit(main())
