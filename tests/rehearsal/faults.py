"""What goes wrong, by seed: in each round every booth that holds a session has one of these happen to
it, somewhere in the middle."""

import os
import shutil
import signal

import rules
from venue import Failure


ENTRIES = {"eliza.pl", "lpp_entry.pl", "entry", "lpp2_client.py", "doctor.el"}


class Fault:
    """One thing that goes wrong at a booth, a moment after its judge may type, and whoever must begin
    with certain words has said them."""

    def __init__(self, day, booth, kind, after, lasts):
        self.day, self.booth, self.kind = day, booth, kind
        self.after, self.lasts = after, lasts
        self.at = self.until = None
        self.over = False

    def machine(self, what):
        return next(machine for machine in self.day.venue.machines
                    if machine.place == f"booth-{self.booth}-{what}")

    def actor(self, what):
        return next(actor for actor in self.day.actors
                    if actor.machine.place == f"booth-{self.booth}-{what}")

    def cable(self):
        """The cable of the side that is typed to."""
        judge = self.actor("judge")
        return judge.ticket.cables[judge.side] or "a"

    def step(self, now):
        judge = self.actor("judge")
        if self.over:
            return
        if self.at is None:
            if judge.ticket and judge.ticket.round == self.day.round and judge.side and \
                    judge.greeted:
                self.at = now + self.after
        elif self.until is None:
            if now >= self.at and judge.side:
                self.until = now + self.lasts
                self.day.say(f"booth {self.booth}: {self.kind}")
                self.day.faults[self.kind] += 1
                self.undo = getattr(self, self.kind.replace("-", "_"))()
        elif now >= self.until:
            if self.undo:
                self.undo()
            self.over = True

    def kill_session(self, what):
        for pid in self.machine(what).children():
            os.kill(pid, signal.SIGKILL)

    # The kinds. Each returns what undoes it, or nothing.

    def kill_judge(self):
        self.kill_session("judge")

    def kill_entity(self):
        self.kill_session(f"cable-{self.cable()}")

    def switch_off(self, what):
        machine = self.machine(what)
        machine.kill()
        return machine.power_on

    def judge_off(self):
        return self.switch_off("judge")

    def entity_off(self):
        return self.switch_off(f"cable-{self.cable()}")

    def both_off(self):
        on = [self.switch_off("judge"), self.switch_off(f"cable-{self.cable()}")]
        return lambda: [power_on() for power_on in on]

    def spare(self, what):
        """The machine dies with all that is on it; another takes its place, by its room's stick."""
        machine = self.machine(what)
        machine.kill()
        shutil.rmtree(machine.records)
        room = "judges-room" if machine.is_judge else "back-room"
        machine.put_in(os.path.join(self.day.work, "sticks", room))
        machine.power_on()
        self.lasts, self.until = 1.0, self.until + 1.0
        return machine.take_out

    def entity_spare(self):
        return self.spare(f"cable-{self.cable()}")

    def adapter_out(self, end):
        name = f"{self.booth}{self.cable()}"
        self.day.venue.tell("nullmodem", name, "remove", end)
        return lambda: self.day.venue.tell("nullmodem", name, "restore", end)

    def judge_adapter_out(self):
        return self.adapter_out("a")

    def entity_adapter_out(self):
        return self.adapter_out("b")

    def noise(self):
        self.day.venue.tell("nullmodem", f"{self.booth}{self.cable()}", "garbage", "a", "200")

    def controller_reset(self):
        self.day.venue.tell("controller", f"c{self.booth}", "reset")

    def controller_off(self):
        self.day.venue.tell("controller", f"c{self.booth}", "power", "off")
        return lambda: self.day.venue.tell("controller", f"c{self.booth}", "power", "on")

    def early_F9(self):
        self.machine("judge").press("F9")

    def entry_crash(self):
        """The Entry itself dies, which lives in a sandbox below its keeper."""
        line = os.path.basename(self.day.work).replace(".", "-") + f"-{self.booth}"
        parents, entries, keepers = {}, [], set()
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{name}/stat") as file:
                    parents[name] = file.read().rpartition(")")[2].split()[1]
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    words = file.read().decode(errors="replace").split("\0")
            except OSError:
                continue
            if ENTRIES.intersection(os.path.basename(word) for word in words[:5]):
                entries.append(name)
            if words[1:2] == ["keeper"] and line in words[2]:
                keepers.add(name)
        for name in entries:
            above = name
            while above in parents and above not in keepers:
                above = parents[above]
            if above in keepers:
                os.kill(int(name), signal.SIGSEGV)
                self.day.faults["entries_killed"] += 1


def find_swapped(day):
    """Before the doors open: somebody has plugged A where B belongs, at a judge's machine. `check`
    of the first tickets at the booth's three machines finds it, and they are plugged as they
    should be."""
    booth = day.dice.choice(day.venue.controllers)
    swap_ports(day, booth)
    day.say(f"booth {booth}: cables A and B are swapped, and checked")
    said = day.venue.check(booth)
    swap_ports(day, booth)
    day.faults["swapped"] += 1
    if "the two cables are swapped" not in said:
        raise Failure(f"booth {booth}: swapped cables were not found:\n{said}")


def swap_ports(day, booth):
    one, two, aside = (os.path.join(day.work, f"{booth}{name}") for name in ("a.a", "b.a", "aside"))
    os.rename(one, aside)
    os.rename(two, one)
    os.rename(aside, two)


KINDS = ("kill_judge", "kill_entity", "judge_off", "entity_off", "both_off", "judge_adapter_out",
         "entity_adapter_out", "noise", "controller_reset", "controller_off", "early_F9",
         "entry_crash", "entity_spare")


def plan(day, booths):
    """The faults of a round. A machine that dies takes with it what no stick has had: so that happens
    in the first round, when there is no other record."""
    if day.options.faults != "any":
        kinds = [day.options.faults] if day.options.faults in KINDS else []
    else:
        kinds = [kind for kind in KINDS if day.venue.controllers or
                 "controller" not in kind]
    if day.round > 1:
        kinds = [kind for kind in kinds if kind != "entity_spare"]
    if not kinds:
        return []
    # First words that must be said to their end come before all else, and take a second.
    first = 0.3 if day.options.ruleset in rules.OPENING else 0.6
    return [Fault(day, booth, day.dice.choice(kinds), first + day.dice.uniform(0, 1.2),
                  day.dice.uniform(0.3, 1.0)) for booth in booths]
