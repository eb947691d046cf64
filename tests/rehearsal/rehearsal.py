#!/usr/bin/python3
"""A whole contest by exec, ptys and files: what a venue does in a day, and what comes out of it.

What is expected is computed here, from what was typed; nothing of the program is linked in."""

import argparse
import collections
import csv
import hashlib
import json
import os
import random
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import faults
import rules
from actors import BackRoom, Judge
from desk import Desk
from records import compare, is_late
from venue import Failure, Venue

ROOMS = ("judges-room", "back-room")


class Day:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.dice = random.Random(options.seed)
        self.pairs = options.ruleset in rules.PAIRS
        self.venue = Venue(options.build, work, options.booths, self.pairs, options.controllers,
                           options.picos)
        self.pace, self.between = 0.03, 1.0
        self.first = 1  # round of this trial
        self.repeated = False  # it is a session of that round, held again
        self.excluded = []
        self.answers = {}  # of each page and person: what was typed
        self.spoiled = {}  # sessions that do not count, and what happened there
        self.spoiling = None  # the one of this round that will not count
        self.meetings = {}  # of each session: its Entry's and its confederate's number
        self.moves = self.mending_moves = 0  # sticks carried into a room
        self.early = set()  # sessions that their judges' ballots ended
        self.late = set()  # sessions whose ballots were given when their time was over
        self.entry_keys = collections.Counter()  # of each kind of Entry
        self.drawn = collections.Counter()  # sessions by the cable that the draw put on the left
        self.told = ""  # what collecting said
        self.round = 0  # the one that may begin
        self.faults = collections.Counter()  # what went wrong, and how often
        self.named = collections.Counter()  # the same, of what the desk's page has named
        self.waiting = []  # what is to go wrong in this round
        self.placed = {}  # of each session, side and party: the keys on record, in their order
        self.sessions = {}  # of each that was held: how its judge typed and voted
        self.actors = [Judge(machine, self) if machine.is_judge else BackRoom(machine, self)
                       for machine in self.venue.machines]
        self.judges, self.entries, self.confederates = rules.people(options.ruleset,
                                                                    options.booths)
        # The Entry that is to win; of the long bet's one whether it is to pass.
        self.favourite = self.dice.randint(1, self.entries) if self.entries > 1 else \
            self.dice.randint(0, 1)

    # What the actors ask.

    def may_begin(self, words):
        again = ", held again" if self.repeated else ""
        return self.round and f"Round {self.round}{again} comes next." in words

    def ticket_of(self, machine):
        return [ticket for ticket in machine.tickets() if ticket.round == self.round][-1]

    def goes_wrong(self, kind, chance):
        """Does this happen now? Of one kind alone each time that it can."""
        if self.options.faults != "any":
            return self.options.faults == kind
        return self.dice.random() < chance

    def gives_late(self, judge):
        """Is this the judge who gives his ballot only when the session is over?"""
        late = self.goes_wrong("late_ballot", 0.1)
        if late:
            self.faults["late_ballot"] += 1
        return late

    def dice_of(self, what):
        """So the same seed has the same votes, whoever gives his first."""
        return random.Random(f"{self.options.seed} {what}")

    def vote(self, judge):
        entry, _ = self.meetings[judge.ticket.session]
        human = judge.human if self.pairs else judge.human is not None
        if self.pairs and not human:
            raise Failure(f"{judge.ticket.session}: the judge never saw a word of the human")
        # A ballot that is not to count says the other thing.
        favourite = (entry == self.favourite) != (judge.ticket.session == self.spoiling)
        return rules.ballot(self.options.ruleset, self.dice_of(judge.ticket.session), human, favourite)

    def rank_of(self, judge):
        """What a judge types after the last round: a rank for each of his sessions."""
        held = sorted(session for session in self.meetings
                      if session.split("-")[1] == f"j{judge}" and session not in self.spoiled and
                      int(session[1:].partition("-")[0]) >= self.first)
        ranks = rules.ranks(self.options.ruleset, self.dice_of(f"ranks of {judge} {self.first}"),
                            [self.meetings[session][0] is not None for session in held],
                            self.favourite)
        self.ranks[judge] = dict(zip(held, ranks))
        return ranks

    def answer(self, page, whose):
        """What somebody types on a page of the survey."""
        typed = rules.answers(self.dice_of(f"{page} {whose}"), page)
        self.answers[page, whose.upper()] = typed
        return [key for key, _ in typed.values()]

    def ends(self, actor):
        self.say(f"{actor.machine.place} has held {actor.ticket.session}")
        if actor.machine.is_judge:
            self.sessions[actor.ticket.session] = {
                "machine": actor.machine, "ticket": actor.ticket, "text": actor.text,
                "human": actor.human, "ballot": actor.ballot}

    # The loop.

    def say(self, text):
        if self.options.verbose:
            print(f"# {time.monotonic() - self.began:6.1f} {text}", flush=True)

    def turn(self):
        actors = {actor.machine.fd: actor for actor in self.actors if actor.machine.pid}
        ready, _, _ = select.select(list(actors), [], [], 0.01)
        for fd in ready:
            if not actors[fd].machine.read():
                raise Failure(f"{actors[fd].machine.place} has ended by itself")
        now = time.monotonic()
        for fault in self.waiting:
            fault.step(now)
        for actor in self.actors:
            actor.step(now)

    def wait(self, what, seconds, is_so):
        until = time.monotonic() + seconds * self.options.patience
        while not is_so():
            if time.monotonic() > until:
                raise Failure(f"{what}: not after {seconds} s\n{self.screens()}")
            self.turn()

    def screens(self):
        return "\n".join(f"== {machine.place}\n" + "\n".join(
            line.rstrip() for line in machine.lines() if line.strip())
            for machine in self.venue.machines if machine.pid)

    # The day.

    def run(self):
        self.began = time.monotonic()
        self.set_up()
        if self.pairs and self.venue.controllers and self.goes_wrong("swapped", 0.3):
            faults.find_swapped(self)
        for machine in self.venue.machines:
            machine.power_on()
        for trial in range(rules.trials(self.options.ruleset)):
            if trial:
                self.next_trial()
                self.renew("tickets")
            else:
                self.carry("tickets")
            ill = self.dice.randint(self.first, self.rounds)
            for number in range(self.first, self.rounds + 1):
                if number == self.first + 1 and self.goes_wrong("repeat", 1):
                    self.spoiling = self.dice.choice(sorted(
                        s for s in self.meetings if s.startswith(f"r{number}-")))
                self.hold(number)
                if number == self.first and self.venue.desk and self.confederates:
                    self.mistake()
                if number == ill and number < self.rounds and self.goes_wrong("ill", 0.5):
                    self.substitute()
                if self.spoiling:
                    self.repeat(self.spoiling)
            self.look_again()
            self.wait("the last page of the survey", 60, lambda: not any(
                actor.answering or actor.machine.has("F1: a page to read") for actor in self.actors))
            self.bring("records", ROOMS)
            self.say(self.collect().strip().splitlines()[-1])
            if self.options.ruleset in rules.RANKED:
                self.rank(trial + 1)
        return self.close()

    def repeat(self, old):
        """A session was spoiled, by what went wrong there or because somebody walked in, say. It is
        held again, and that one counts."""
        booth = self.sessions[old]["machine"].booth
        self.spoiled[old] = ", ".join(fault.kind for fault in self.waiting
                                      if fault.booth == booth and fault.until) or "somebody"
        self.spoiling = None
        self.say(f"{old} is held again")
        self.faults["repeat"] += 1
        self.venue.mend("contest", "repeat", "contest.db", old, "--why",
                        f"spoiled: {self.spoiled[old]}")
        self.write_again()
        self.meetings[f"{old}-2"] = self.meetings[old]
        self.repeated = True
        self.look_again()
        self.wait(f"{old}-2", 90, lambda: f"{old}-2" in self.sessions and
                  not any(actor.ticket for actor in self.actors))
        self.repeated = False

    def exclude(self):
        """Somebody knew the other: that session's ballot is neither counted nor missing."""
        session = self.dice.choice(sorted(self.counted()))
        self.say(f"{session} is excluded")
        self.venue.mend("contest", "exclude", "contest.db", session, "--why", "knew the other")
        self.spoiled[session] = "excluded"
        self.excluded.append(session)
        self.check_ballots()

    def substitute(self):
        """Somebody falls ill; another sits there from the next round on, in the same column."""
        role, people = self.dice.choice([("J", self.judges), ("C", self.confederates)]
                                        if self.confederates else [("J", self.judges)])
        who = f"{role}{self.dice.randint(1, people)}"
        name = f"Substitute {self.faults['ill'] + 1}"
        self.say(f"{who} falls ill, {name} comes")
        self.faults["ill"] += 1
        self.venue.mend("contest", "substitute", "contest.db", who, name, "--why", "fell ill")
        self.write_again()
        if name not in self.venue.manager("contest", "show", "contest.db", counted=False):
            raise Failure(f"{name}, who came for {who}, is not in the contest")

    def write_again(self):
        """Tickets that are others now."""
        self.venue.mend("contest", "tickets", "contest.db", "--venue", "venue.ini", "--out",
                        "sticks")
        self.renew("new tickets", mending=True)

    def look_again(self):
        """What may begin has changed, though no screen has."""
        for machine in self.venue.machines:
            machine.changed = True

    def counted(self):
        """The sessions whose ballots count."""
        return {session: held for session, held in self.sessions.items()
                if session not in self.spoiled}

    def next_trial(self):
        self.first = self.rounds + 1
        self.venue.manager("contest", "setup", "people.ini", "venue.ini", "--trial")
        self.read_schedule(self.venue.manager("contest", "show", "contest.db", counted=False))

    def set_up(self):
        venue, options = self.venue, self.options
        base, lines = rules.OWN.get(options.ruleset, (options.ruleset, {}))
        text = venue.manager("contest", "rulesets", base, counted=False)
        for section, line in lines.items():
            text = text.replace(f"{section}\n", f"{section}\n{line}\n" if section not in line else f"{line}\n")
        text = re.sub(r"(?m)^name = .*", "name = compressed", text)
        text = re.sub(r"(?m)^plan = .*\n|^; no plan: .*\n", "", text)
        plan = re.sub(r"\d+(?= (left|right|both))", lambda part: str(int(part[0]) * options.longer),
                      rules.PLANS[options.ruleset])
        text = text.replace("[session]\n", f"[session]\nplan = {plan}\n")
        if options.ruleset in rules.TIMES:
            name, rule, short = rules.TIMES[options.ruleset]
            text, found = re.subn(rf"(?m)^{name} = {rule}\b", f"{name} = {short}", text)
            if not found:
                raise Failure(f"{options.ruleset} has no {name} = {rule}")
        venue.write("compressed.ini", text)
        venue.write("venue.ini", venue.venue_file(self.install_entries()))
        people = ["[contest]", "format = 1", "name = Rehearsal", "ruleset = compressed.ini",
                  "[people]"]
        people += [f"judge{number} = Judge {number}" for number in range(1, self.judges + 1)]
        for number in range(1, self.entries + 1):
            people += [f"entry{number} = Entry {number}",
                       f"entry{number}.submitter = Author {number}",
                       f"entry{number}.rights = yes", f"entry{number}.receipt = yes"]
            people += [f"entry{number}.{more}" for more in rules.ENTRY.get(options.ruleset, ())]
        for number in range(1, self.confederates + 1):
            people += [f"confederate{number} = Confederate {number}",
                       f"confederate{number}.unknown = yes"]
        venue.write("people.ini", "\n".join(people) + "\n")
        # The seed that is drawn with, as a `commit` leaves it that was ended in between.
        with open(os.path.join(self.work, "contest.db.seed"), "wb") as file:
            file.write(hashlib.sha256(f"rehearsal {options.seed}".encode()).digest())
        venue.manager("contest", "setup", "people.ini", "venue.ini")
        if options.desk:
            venue.desk = Desk(options.build, self.work, venue.machines)
            venue.commands.append("desk contest.db")
            venue.desk.begin()
            self.wait("the desk", 30, venue.desk.is_open)
        self.read_schedule(venue.manager("contest", "show", "contest.db", counted=False))

    def install_entries(self):
        """Each Entry onto each machine that may run it; what the venue's file says of them."""
        ruleset = self.options.ruleset
        present = [kind for kind in rules.PROGRAMS if kind != "doctor" or shutil.which("emacs")]
        named = (self.options.entries or "").split(",")
        self.kinds = [named[number % len(named)] for number in range(self.entries)] if any(named) \
            else rules.programs(ruleset, self.options.seed, self.entries, present)
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
        files = ["tests/rehearsal/greeter"] + [name for kind in self.kinds if kind != "chat"
                                               for name in rules.PROGRAMS[kind][1]]
        if "chat" in self.kinds:
            self.start_model(os.path.join(root, "tests/entrants/chat_server.py"))
        for name in sorted(set(files)):
            path = os.path.join(root, name)
            if name.endswith(".c"):
                made = os.path.join(self.work, os.path.basename(name)[:-2])
                subprocess.run(["cc", "-O2", "-o", made, path], check=True)
                path = made
            for machine in self.venue.machines:
                if not machine.is_judge:
                    machine.install(path)
        said = []
        for kind in self.kinds:
            if kind == "chat":
                said.append({key: value.format(work=self.work) for key, value in rules.CHAT.items()})
                continue
            entry = dict(rules.PROGRAMS[kind][0])
            if ruleset in rules.OPENING and "--name" not in entry["program"]:
                entry["program"] = f"./greeter {entry['program']}"
            said.append(entry)
        return said

    def start_model(self, program):
        """The server of the language models, one for all."""
        self.venue.write("persona.txt", "---\ngap: 20\n---\nYou are Ann in {session}.\n")
        self.venue.write("model.faults", "")
        server = subprocess.Popen([sys.executable, os.path.abspath(program), "model.socket",
                                   "model.log", "model.faults"], cwd=self.work, text=True,
                                  stdout=subprocess.PIPE)
        self.venue.simulators.append(server)
        if not server.stdout.readline():
            raise Failure("the model's server does not start")

    def read_schedule(self, text):
        self.rounds = 0
        for line in text.splitlines():
            found = re.match(r"  (?:trial \d+,\s+)?round (\d+)[^:]*:(.*)", line)
            for meeting in found.group(2).split() if found else []:
                who = dict(re.findall(r"([JEC])(\d+)", meeting))
                self.rounds = max(self.rounds, int(found.group(1)))
                self.meetings[f"r{found.group(1)}-j{who['J']}"] = (
                    int(who.get("E", 0)) or None, int(who.get("C", 0)) or None)
        if not self.meetings:
            raise Failure(f"no schedule in:\n{text}")

    def pull_stick(self, machine, stick):
        """Somebody takes it out before the screen says so."""
        machine.put_in(stick)
        until = time.monotonic() + self.dice.uniform(0, 0.5)
        while time.monotonic() < until:
            self.turn()
        self.take_out(machine)
        self.faults["stick_pulled"] += 1

    def take_out(self, machine):
        """And its screen sees it: else the next stick would be taken out before it is written."""
        machine.take_out()
        self.wait(f"{machine.place}: the stick is out", 20,
                  lambda: not machine.has("stick may be taken out") and
                  not machine.has("Leave the stick in"))

    def carry(self, what, rooms=ROOMS, mending=False):
        """Takes each room's stick to it, from machine to machine, and back."""
        for room in rooms:
            self.moves += not mending
            self.mending_moves += mending
            for machine in self.venue.machines:
                if machine.is_judge != (room == "judges-room"):
                    continue
                stick = os.path.join(self.work, "sticks", room)
                if self.goes_wrong("stick_pulled", 0.2):
                    self.pull_stick(machine, stick)
                machine.put_in(stick)
                self.wait(f"{machine.place}: the stick with the {what}", 20,
                          lambda m=machine: m.has("The stick may be taken out."))
                self.take_out(machine)
        self.say(f"{what} carried")

    def renew(self, what, mending=False):
        """Tickets after the first ones, which came with the keys: by stick, or from the desk."""
        if not self.venue.desk:
            self.carry(what, mending=mending)
            return
        self.wait(f"the {what} from the desk", 60, lambda: all(
            machine.has_all_of(os.path.join(self.work, "sticks", ROOMS[not machine.is_judge]))
            for machine in self.venue.machines))
        self.say(f"the {what} have come from the desk")

    def bring(self, what, rooms):
        """The records come to the manager: on the sticks, or to the desk, where they are already."""
        desk = self.venue.desk
        if not desk:
            self.carry(what, rooms)
            return
        self.wait(f"the {what} at the desk", 60, lambda: not desk.missing())
        self.wait("a board without a word of the desk", 20, lambda: not any(
            machine.has("desk yet") for machine in self.venue.machines))
        self.check_doubled()
        self.say(f"the {what} are at the desk")

    def hold(self, number):
        # The ballots tell it as well; but what is mended in between counts from the next round on.
        if self.options.faults:
            self.venue.mend("contest", "begin", "contest.db", str(number))
        self.round = number
        held = [session for session in self.meetings if session.startswith(f"r{number}-")]
        self.look_again()
        if self.options.faults:
            self.waiting = faults.plan(self, sorted(
                {machine.booth for machine in self.venue.machines
                 if any(ticket.round == number for ticket in machine.tickets())}))
        mend = self.trouble_desk()
        self.wait(f"round {number}", 90, lambda: all(s in self.sessions for s in held) and
                  not any(actor.ticket for actor in self.actors))
        if mend:
            mend()
        self.say(f"round {number} is over")

    def trouble_desk(self):
        """One thing goes wrong on the way to the desk, for a round; each kind in its turn."""
        desk, named = self.venue.desk, self.options.faults
        if not desk or named not in ("any", "desk", *Desk.KINDS):
            return None
        kind = named if named in Desk.KINDS else \
            Desk.KINDS[(self.options.seed + self.round) % len(Desk.KINDS)]
        self.wait("keys of the round at the desk", 60, lambda: desk.has_begun(self.round))
        self.say(f"the desk: {kind}")
        self.faults[kind] += 1
        since = time.monotonic()
        mend = getattr(desk, kind)()
        return lambda: self.end_trouble(kind, since, mend)

    def end_trouble(self, kind, since, mend):
        """Not before the page has named it, with what to do. All cables of one loopback cannot be pulled."""
        desk = self.venue.desk
        if kind == "unplugged" and not desk.network.apart:
            return
        self.wait(f"{kind}, named on the page", 60,
                  lambda: desk.page.has_named(Desk.NAMED[kind], since))
        if mend:
            mend()
        self.named[kind] += 1

    def mistake(self):
        """At the page: somebody is said to have left, and it is taken back. And a referee's limit, where the
        rules have that."""
        venue, who = self.venue, f"C{self.dice_of('mistake').randint(1, self.confederates)}"
        venue.mend("contest", "withdraw", "contest.db", who, "--why", "a mistake")
        venue.mend("contest", "undo", "contest.db", "withdraw", who, "--why", "it was another person")
        if self.options.ruleset not in rules.LIMITED:
            return
        venue.mend("contest", "limit", "contest.db", who, "--text", rules.LIMIT, "--why", "a judge was told")
        self.write_again()
        limits = [limit for machine in venue.machines for limit in machine.limits()]
        if set(limits) != {rules.LIMIT}:
            raise Failure(f"the limit of {who}, in the machines' tickets: {limits}")

    def words(self):
        """The answers to collecting: the words of each judge's machine, as its board has them."""
        for machine in self.venue.machines:
            key = os.path.join(machine.records, "machine.key")
            if machine.is_judge and os.path.exists(key):
                words = self.venue.manager("key", "show", key, counted=False).strip()
                yield f"{machine.place}: {words}"

    def collect(self):
        """Where the rules ask for ranks it writes the judges' records for them, when it has all."""
        folders = ["contest.db.inbox"] if self.venue.desk else \
            [os.path.join("sticks", room) for room in ROOMS]
        said = self.venue.manager("contest", "collect", "contest.db", *folders,
                                  answers=list(self.words()))
        self.told += said
        return said

    def rank(self, trial):
        """After the last round, where the rules ask for it."""
        self.ranks = {}  # of each judge, in the order of his sessions
        self.carry("ranks", ROOMS[:1])
        self.wait("the ranks of all judges", 60, lambda: len(self.ranks) == self.judges and
                  not any(actor.ranks for actor in self.actors if actor.machine.is_judge))
        self.bring("given ranks", ROOMS[:1])
        self.collect()
        self.check_ranks(trial)

    def close(self):
        venue, ruleset = self.venue, self.options.ruleset
        self.check_ballots()
        self.check_late()
        if ruleset in rules.OWN:
            self.check_turns()
        if ruleset in rules.EXCLUDING:
            self.exclude()
        venue.manager("contest", "seal", "contest.db")
        self.publish()
        venue.manager("contest", "result", "contest.db")
        result = json.loads(venue.manager("contest", "result", "contest.db", "--json", counted=False))
        self.unconfirmed = self.verify()
        expected = ruleset != "longbet-2002" and rules.winner(ruleset, [
            (session, self.meetings[session][0], held["human"], held["ballot"].value)
            for session, held in self.counted().items()])
        if result.get("excluded", 0) != len(self.excluded):
            raise Failure(f"{result.get('excluded', 0)} sessions are excluded, not {self.excluded}")
        keys, lost, unconfirmed = compare(self)
        if ruleset == "longbet-2002":
            expected = None
            if (result["outcome"] == "passed") != bool(self.favourite):
                raise Failure(f"the long bet: {result['outcome']}, but the Entry was to "
                              f"{'pass' if self.favourite else 'fail'}")
        if result["winner"] != expected:
            raise Failure(f"the winner is {result['winner']}, by the ballots typed {expected}")
        votes = {session: held["ballot"].value for session, held in sorted(self.counted().items())}
        outcome = json.dumps([self.placed, votes, result], sort_keys=True)
        return {"ruleset": ruleset, "seed": self.options.seed, "booths": self.options.booths,
                "outcome": hashlib.sha256(outcome.encode()).hexdigest(),
                "sessions": len(self.sessions), "keys": keys, "lost": lost,
                "ballots": self.ballots, "ballots_expected": len(self.meetings) - len(self.spoiled),
                "faults": dict(self.faults), "spoiled": self.spoiled, "unconfirmed": self.unconfirmed,
                "left_was_cable": dict(self.drawn), "keys_unconfirmed": unconfirmed,
                "time_lost": self.venue.time_lost(),
                "winner": expected, "result": "as expected",
                "votes": votes, "placed": self.placed,
                "text": {session: held["text"] for session, held in sorted(self.sessions.items())},
                "records_at_desk": self.check_desk(),
                "entries": self.check_entries(), **self.count_actions(),
                "seconds": round(time.monotonic() - self.began, 1)}

    def count_actions(self):
        """The day's cost in work, held against its bounds: 10 commands, three for another trial, each stick to
        its room and back, for the ranks once more, and one key for each session and machine. What was done for what
        went wrong is counted apart."""
        trials = rules.trials(self.options.ruleset)
        ranked = self.options.ruleset in rules.RANKED
        actions = {
            "commands": len(self.venue.commands), "commands_most": 10 + 3 * (trials - 1),
            "stick_moves": self.moves, "stick_moves_most":
            len(ROOMS) + trials * ranked if self.venue.desk else trials * (len(ROOMS) + ranked) * 2,
            "enters": sum(machine.enters for machine in self.venue.machines),
            "enters_most": len(self.sessions) * (3 if self.pairs else 2) +
            ranked * trials * self.judges,
            "mending_commands": len(self.venue.mending), "mending_moves": self.mending_moves}
        for what in ("commands", "stick_moves") + (() if self.options.faults else ("enters",)):
            if actions[what] > actions[f"{what}_most"]:
                raise Failure(f"{what}: {actions[what]}, and the day may take "
                              f"{actions[f'{what}_most']}\n" + "\n".join(self.venue.commands))
        return actions

    def check_doubled(self):
        """Nothing is there twice, where no spare machine has held a session again."""
        others = self.venue.desk.others()
        if others and self.options.faults in (None, "desk", *Desk.KINDS):
            raise Failure(f"at the desk, and nobody's record: {' '.join(others)}")

    def check_desk(self):
        """Once more at the day's end; how many records there are."""
        desk = self.venue.desk
        if not desk:
            return 0
        self.check_doubled()
        if desk.missing():
            raise Failure(f"at the desk differ: {' '.join(desk.missing())}")
        return sum(len(desk.records(machine)) for machine in self.venue.machines)

    def check_entries(self):
        """Each of the programs has talked; how many keys of each are on record."""
        for kind, keys in self.entry_keys.items():
            if not keys:
                raise Failure(f"the Entry {kind} has not said a word")
        return dict(self.entry_keys)

    def publish(self):
        """Transcripts of all sessions, in which the judge's first question stands, or where things went
        wrong one of them whole: what is typed while the line is cut goes nowhere. And the report."""
        venue, nameless = self.venue, self.options.ruleset in rules.NAMELESS
        folder = "transcripts" if nameless else "published"
        venue.manager("transcript", "convert", "contest.db.records", "--output", "transcripts", counted=not nameless)
        if nameless:
            venue.manager("contest", "publish", "contest.db", "--bundle", "bundle", "--records", "contest.db.records")
            subprocess.run([venue.boothlink, "contest", "verify", "bundle"], cwd=self.work, check=True,
                           stdout=subprocess.DEVNULL)
            report = venue.manager("contest", "report", "contest.db", "--records", "contest.db.records")
        else:
            venue.manager("contest", "publish", "contest.db", "transcripts", "--out", "published")
            report = venue.manager("contest", "report", "contest.db", "--transcripts", "published")
        if "Rehearsal" not in report:
            raise Failure("the report does not name the contest")
        for session in sorted(self.sessions):
            with open(os.path.join(self.work, folder, f"{session}.txt")) as file:
                asked = r"What is \d+\?" if self.options.faults else r"What is 1\?"
                if not re.search(asked, file.read()):
                    raise Failure(f"{session}: the transcript lacks the judge's questions")
            if not nameless and session not in self.spoiled and f"{session}.txt" not in report:
                raise Failure(f"{session}: the report has no link to its transcript")
        self.check_tables()

    def check_tables(self):
        """The contest as tables: they join, and have each journal key for key."""
        self.venue.manager("transcript", "convert", "contest.db.records", "--output", "keys", "--to",
                           "keys", counted=False)
        self.venue.manager("contest", "data", "contest.db", "--records", "contest.db.records", "--out",
                           "tables", counted=False)
        said = subprocess.run(
            ["tests/system/tables.py", os.path.join(self.work, "tables"),
             *(f"{session}={os.path.join(self.work, 'keys', session + '.keys')}"
               for session in sorted(self.sessions))], stdout=subprocess.PIPE, text=True, check=True).stdout
        if len(said.splitlines()) != 1:
            raise Failure(f"the tables of contest data: {said}")
        with open(os.path.join(self.work, "tables", "fields.csv"), encoding="utf-8") as file:
            found = [(row["session"], row["field"], row["value"]) for row in csv.DictReader(file)]
        kept = {**self.counted(), **{s: self.sessions[s] for s in self.excluded}}  # nothing is deleted
        typed = [(session, field, value) for session, held in kept.items()
                 for field, value in held["ballot"].value.get("fields", {}).items()]
        if sorted(found) != sorted(typed):
            raise Failure(f"fields typed: {typed}; in the tables: {found}")
        if self.answers:
            self.check_answers()

    def check_answers(self):
        """Everybody has answered both pages, and each answer is in the tables as it was typed."""
        with open(os.path.join(self.work, "tables", "answers.csv"), encoding="utf-8") as file:
            found = sorted((row["page"], row["person"], row["field"], row["value"])
                           for row in csv.DictReader(file))
        typed = sorted((page, person, field, value) for (page, person), fields in self.answers.items()
                       for field, (_, value) in (fields or {"": ("", "")}).items())
        people = {person for _, person, _, _ in typed}
        if found != typed or len(self.answers) != 2 * len(people) or len(people) != self.judges:
            raise Failure(f"answers typed: {typed}; in the tables: {found}")
        print(f"{len(people)} people answered both pages of the survey")

    def check_turns(self):
        """Everybody was a judge as well as a confederate, and never both in a round."""
        judges = [(session.split("-j")[0], int(session.split("-")[1][1:])) for session in self.counted()]
        others = [(session.split("-j")[0], self.meetings[session][1]) for session in self.counted()]
        if set(judges) & set(others) or {person for _, person in judges} != {person for _, person in others}:
            raise Failure(f"judges {sorted(judges)}, confederates {sorted(others)}")
        print(f"{len({person for _, person in judges})} people were judges and confederates by turns")

    def check_late(self):
        for session in self.late - set(self.spoiled):
            if f"{session}: recorded, given late" not in self.told:
                raise Failure(f"{session}: its ballot came after the bell, and is not recorded as "
                              "late")

    def verify(self):
        """Nothing differs, but that a cut could not be confirmed where something went wrong: how many
        times."""
        transcripts = () if self.options.ruleset in rules.NAMELESS else ("--transcripts", "published")
        text = self.venue.manager("contest", "verify", "contest.db", "--records", "contest.db.records",
                                  *transcripts, status=None)
        lost = max(self.venue.time_lost().values(), default=0) / 1000
        differs = [line for line in text.splitlines() if line.startswith("differs:") and not is_late(line, lost)]
        others = [line for line in differs if "its close is unconfirmed" not in line]
        if others or (differs and not self.options.faults):
            raise Failure("\n".join(others or differs))
        return len(differs)

    def check_ballots(self):
        """Every ballot that was typed is in the contest as it was typed."""
        rows = json.loads(self.venue.manager("contest", "show", "contest.db", "--json",
                                             counted=False))["ballots"]
        rows = [{n: v for n, v in row.items() if n not in ("trial", "late")} for row in rows]
        for session, held in sorted(self.counted().items()):
            entry, confederate = self.meetings[session]
            expected = rules.row(session.split("-")[1][1:], entry, confederate, held["human"],
                                 held["ballot"].value)
            if expected not in rows:
                raise Failure(f"{session}: the ballot that was typed, {expected}, is not among "
                              f"{rows}")
        self.ballots = len(rows)

    def check_ranks(self, trial):
        acts = json.loads(self.venue.manager("contest", "export", "contest.db", "--json",
                                             counted=False))["acts"]
        for judge, given in self.ranks.items():
            expected = {}
            for session, rank in given.items():
                held = self.sessions[session]
                expected[rules.ranked(self.options.ruleset, self.entries, *self.meetings[session],
                                      held["human"], held["ballot"].value)] = rank
            found = [dict(act["body"]["ranks"]) for act in acts
                     if act["kind"] == "ranks" and act["body"]["judge"] == judge and
                     act["body"]["trial"] == trial]
            if found != [expected]:
                raise Failure(f"judge {judge} ranked {expected}; on record is {found}")


def print_lost(time_lost):
    if time_lost:
        print("the simulated controllers lost, in ms: " + ", ".join(
            f"booth {booth} {ms}" for booth, ms in time_lost.items()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--ruleset", default="loebner-2009")
    parser.add_argument("--booths", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--entries", help="their kinds, as eliza,chat; again from the first if there "
                        "are more Entries")
    parser.add_argument("--patience", type=float, default=1, help="times the usual")
    parser.add_argument("--longer", type=int, default=1, help="the parts of a session, times the usual")
    parser.add_argument("--questions", type=int, metavar="N",
                        help="each judge asks so many on each side, which a part has time for: the same "
                        "seed then places the same text")
    parser.add_argument("--no-controllers", dest="controllers", action="store_false")
    parser.add_argument("--picos", type=int, default=0, metavar="N",
                        help="the controllers of the first N booths are Raspberry Pi Picos")
    parser.add_argument("--faults", nargs="?", const="any", metavar="KIND",
                        help="what can go wrong goes wrong, or this alone")
    parser.add_argument("--desk", action="store_true",
                        help="the records come over a network, and not on sticks")
    parser.add_argument("--out", help="what came out, as JSON (default: rehearsal.json of the build)")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--keep", action="store_true", help="the folder with all that was made")
    options = parser.parse_args()
    options.build = os.path.abspath(options.build)
    work = tempfile.mkdtemp(prefix="rehearsal.")
    day = Day(options, work)
    what = f"rehearsal {options.ruleset} seed {options.seed}"
    try:
        done = day.run()
    except Failure as failure:
        print_lost(day.venue.time_lost())
        print(f"{what}: {failure}")
        return 1
    finally:
        day.venue.end()
        if options.keep:
            print(f"kept in {work}")
        else:
            shutil.rmtree(work)
    last = (f"{what}: {done['sessions']} sessions, {done['keys']} keys, {done['lost']} lost, "
            f"{done['ballots']} of {done['ballots_expected']} ballots, result as expected")
    out = options.out or os.path.join(options.build, "rehearsal.json")
    part = f"{out}.{os.getpid()}"
    with open(part, "w") as file:
        json.dump({**done, "line": last}, file)
    os.replace(part, out)
    if done["keys_unconfirmed"]:
        print(f"{done['unconfirmed']} cuts could not be confirmed, and {done['keys_unconfirmed']} "
              "keys stand at one end alone; the record says so")
    print(f"the day: {done['commands']} commands (at most {done['commands_most']}), "
          f"{done['stick_moves']} stick moves (at most {done['stick_moves_most']}), "
          f"{done['enters']} keys at the machines "
          f"({done['enters_most']} for sessions and ranks); for what went wrong "
          f"{done['mending_commands']} commands and {done['mending_moves']} stick moves")
    if day.venue.desk:
        print("clicks on the desk's page: " + ", ".join(
            f"{verb} {count}" for verb, count in sorted(collections.Counter(day.venue.desk.page.clicks).items())))
        print(f"the desk has {done['records_at_desk']} records, each byte for byte its machine's; "
              f"{'each machine in a namespace of its own' if day.venue.desk.network.apart else 'all on one loopback'}")
        print("what went wrong on the way there: " + (", ".join(
            f"{kind} {done['faults'][kind]} times, named on the page {day.named[kind]} times"
            for kind in Desk.KINDS if kind in done["faults"]) or "nothing"))
    if done["left_was_cable"]:
        print("the draw put on the left " + ", ".join(
            f"cable {cable.upper()} {count} times"
            for cable, count in sorted(done["left_was_cable"].items())))
    if options.questions:
        print(f"placed text, votes and result: {done['outcome']}")
    if day.early:
        print(f"early verdicts ended {len(day.early)} sessions")
    print_lost(done["time_lost"])
    print(last)
    return 0 if done["lost"] == 0 and done["ballots"] == done["ballots_expected"] else 1


sys.exit(main())
