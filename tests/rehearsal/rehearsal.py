#!/usr/bin/python3
"""A whole contest by exec, ptys and files: what a venue does in a day, and what comes out of it.

What is expected is computed here, from what was typed. Nothing of the program is linked in."""

import argparse
import json
import os
import random
import select
import shutil
import sys
import tempfile
import time

from actors import Attendant, Confederate, Judge
from venue import Failure, Venue


class Day:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.random = random.Random(options.seed)
        self.pairs = options.ruleset in ("loebner-2004", "loebner-2009")
        self.venue = Venue(options.build, work, options.booths, self.pairs, options.controllers)
        self.pace, self.turn = 0.02, 0.8
        self.round = 1
        self.begun = {}
        self.busy = set()
        self.ballots = {}

    # What the actors ask.
    def may_begin(self, machine, words):
        return f"Round {self.round} comes next" in words

    def begins(self, machine):
        self.busy.add(machine)

    def text_of(self, machine):
        return f"Confederate {self.round}"

    def vote(self, judge):
        judge.machine.press("F3")
        judge.machine.type((judge.human or "left")[0])
        judge.machine.press("Enter")

    def advance(self):
        for m in list(self.busy):
            w = m.words()
            if w.startswith("boothlink: booth") and ("comes next." in w or "are over" in w) and f"Round {self.round} comes" not in w:
                self.busy.discard(m)
        if not self.busy and not any(m.has(f"Round {self.round} comes next") for m in self.venue.machines):
            print("round over", self.round, time.monotonic() - self.t0)
            self.round += 1
            for a in self.actors: a.machine.changed = True

    def run(self):
        until = time.monotonic() + self.options.patience
        self.actors = [Attendant(machine, self) for machine in self.venue.machines]
        while time.monotonic() < until:
            self.turn_once()

    def turn_once(self):
        by_fd = {actor.machine.fd: actor for actor in self.actors if actor.machine.pid}
        ready, _, _ = select.select(list(by_fd), [], [], 0.01)
        for fd in ready:
            by_fd[fd].machine.read()
        now = time.monotonic()
        for actor in self.actors:
            actor.step(now)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--ruleset", default="loebner-2009")
    parser.add_argument("--booths", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=20)
    parser.add_argument("--no-controllers", dest="controllers", action="store_false")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    work = tempfile.mkdtemp(prefix="rehearsal.")
    day = Day(options, work)
    try:
        venue = day.venue
        entry = {"program": "perl /tmp/wt/booth15/tests/entrants/eliza.pl"}
        venue.write("venue.ini", venue.venue_file([entry] * options.booths))
        rules = venue.manager("contest", "rulesets", options.ruleset)
        import re
        rules = re.sub(r"(?m)^name = .*", "name = short", rules)
        rules = re.sub(r"(?m)^plan = .*", "plan = 5 left,5 right,2 review", rules)
        venue.write("short.ini", rules)
        venue.manager("contest", "new", "c.db", "--name", "R", "--ruleset", "short.ini")
        for i in range(1, options.booths + 1):
            venue.manager("contest", "add", "c.db", "judge", f"Judge {i}")
            venue.manager("contest", "add", "c.db", "confederate", f"Confederate {i}")
            venue.manager("contest", "add", "c.db", "entry", f"Entry {i}", "--submitter", f"A {i}", "--rights", "--receipt")
        venue.manager("contest", "draw", "c.db", "commit")
        venue.manager("contest", "schedule", "c.db")
        venue.manager("contest", "draw", "c.db", "reveal")
        venue.manager("contest", "tickets", "c.db", "--venue", "venue.ini", "--out", "out")
        # until tickets writes sticks
        for room in ("judges-room", "back-room"):
            os.makedirs(f"{work}/out/{room}/boothlink")
        for m in venue.machines:
            old = f"judge-booth{m.booth}" if m.is_judge else f"booth{m.booth}-{m.place[-1]}"
            room = "judges-room" if m.is_judge else "back-room"
            dst = f"{work}/out/{room}/boothlink/{m.place}"
            shutil.copytree(f"{work}/out/{old}", dst)
            for f in os.listdir(dst):
                k = re.match(r"round(\d+)\.ini", f)
                if k:
                    os.rename(f"{dst}/{f}", f"{dst}/{int(k.group(1)):03}.ticket")
        print(open(f"{work}/c.db.log").read() if os.path.exists(f"{work}/c.db.log") else "", venue.manager("contest", "show", "c.db"))
        for m in venue.machines:
            m.power_on()
        t = time.monotonic()
        day.actors = [Attendant(machine, day) for machine in venue.machines]
        day.may_begin = lambda m, w: False
        while time.monotonic() < t + 2: day.turn_once()
        for m in venue.machines:
            m.put_in(f"{work}/out/" + ("judges-room" if m.is_judge else "back-room"))
            t = time.monotonic()
            while time.monotonic() < t + 5 and not m.has("may be taken out"): day.turn_once()
            m.take_out()
        del day.may_begin
        day.actors = []
        for m in venue.machines:
            if m.is_judge: day.actors.append(Judge(m, day)); continue
            import glob
            text = "".join(open(f).read() for f in glob.glob(m.records + "/*/*.ticket"))
            day.kb = day.__dict__.setdefault("kb", {})
            for f in glob.glob(m.records + "/*/*.ticket"):
                day.kb[m, int(os.path.basename(f)[:3])] = "keyboard = yes" in open(f).read()
            day.actors.append(Confederate(m, day))
        day.t0 = time.monotonic()
        t = time.monotonic()
        n = 0
        while time.monotonic() < t + options.patience:
            day.turn_once()
            day.advance()
            if time.monotonic() > t + n * 2:
                n += 1
                for m in venue.machines[:3]:
                    print("=====", m.place); print("\n".join(l for l in m.lines() if l.strip()))
    finally:
        day.venue.end()
        print(work)


main()
