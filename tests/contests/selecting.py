"""A manager's way from more Entries than there is room for to the finalists."""

import json
import os
from fractions import Fraction

import preliminary
from selection import Selection, Undecided

SIZES = {  # Entries: the least and the most
    "jury": (3, 10),
    "prelim": (8, 11),
    "screen-prelim": (4, 11),
    "screen": (4, 8),
}


def size(rules, rng):
    """How many Entries there are; now and then more than are looked at."""
    if rules.screened_most and rng.random() < 0.15:
        return rules.screened_most + rng.randint(1, 3)
    return rng.randint(*SIZES[rules.method])


class Selecting:
    """All that happens before the final round; `look` compares after each act."""

    def __init__(self, manager):
        self.manager, self.rng, self.program = manager, manager.rng, manager.program
        self.rules, self.model = manager.rules, Selection(manager.rules)
        self.recorded = None  # the finalists, once they are on record

    def act(self, *words):
        taken = self.manager.act(*words)
        if taken and self.model.received:
            self.look(words)
        return taken

    def look(self, words):
        said = self.program.ask("select", "--json")
        said = json.loads(said) if said else {"outcome": "refused", "entries": [], "more_confederates": 0}
        stages = dict(enumerate(said["entries"], 1))
        got = (
            said["outcome"],
            {entry for entry, stage in stages.items() if stage == "finalist"},
            {entry for entry, stage in stages.items() if stage == "reserve"},
            said["more_confederates"],
        )
        if got != self.model.make():
            self.manager.complain(
                "selection after %s: %s, and by the rules %s" % (" ".join(map(str, words)), got, self.model.make())
            )

    def hold(self, received):
        self.model.received = dict(received)
        steps = {
            "jury": [self.choose_some],
            "prelim": [self.judge, self.meet, self.evaluate],
            "screen-prelim": [self.screen, self.meet, self.converse],
            "screen": [self.screen],
        }[self.rules.method]
        for step in steps:
            self.somebody_leaves(0.6)
            step()
        self.somebody_leaves(0.5)
        if self.rng.random() < 0.1:
            self.meet()
        self.settle()
        self.lose(0.3)
        self.settle()
        self.record()
        self.lose(0.3)
        if self.rng.random() < 0.3:
            self.somebody_leaves(1)
            self.settle()
            self.record()

    # Acts

    def meet(self):
        """Tickets of the preliminary sessions, some of which are held and leave their records."""
        if self.rng.random() < 0.4:
            return
        judges = [number for number, seat in self.manager.model.judges.items() if seat.stays()]
        met, letter = preliminary.meetings(self.model, judges), "p" if self.rules.method == "prelim" else "j"
        sticks, venue = (os.path.join(self.program.folder, name) for name in ("sticks", "prelim.ini"))
        preliminary.write_venue(venue, len(self.model.received))
        times = self.rng.randint(1, 2)
        taken = self.program.ask("tickets", "--venue", venue, "--out", sticks, "--preliminary", times)
        if (taken is not None) != (met is not None):
            self.manager.complain("the preliminary sessions %s are %s" % (met, taken or self.program.refusals[-1][1]))
        if not taken or not met:
            return
        for line in preliminary.differences(sticks, met, letter, times):
            self.manager.complain("preliminary round: " + line)
        folder = os.path.join(self.program.folder, "prelim-%d" % len(self.program.lines))
        os.mkdir(folder)
        for _, _, session in self.rng.sample(preliminary.tickets(os.path.join(sticks, "judges-room")), 2):
            for end in ("judge", "entity"):
                with open(os.path.join(folder, "%s-%s.journal" % (session, end)), "wb") as file:
                    file.writelines(preliminary.journal(end, session, "spoke"))
        self.act("collect", folder)
        if self.program.ask("verify", "--records", self.program.file + ".records") is None:
            self.manager.complain("preliminary records: " + self.program.refusals[-1][1])

    def somebody_leaves(self, share):
        if self.rng.random() >= share or len(self.model.running()) <= 4:
            return
        entry = self.rng.choice(self.model.running())
        before = set(self.model.out)
        self.model.out.add(entry)
        if not self.act("withdraw", "E%d" % entry, "--why", "gone"):
            self.model.out = before
        elif self.rng.random() < 0.3:
            self.model.out = before
            self.act("undo", "withdraw", "E%d" % entry, "--why", "back")
        self.manager.model.entries[entry].withdrawn = entry in self.model.out
        self.manager.model.entries[entry].left_after = 0

    def judge(self):
        """2003 r34: who evaluates what."""
        self.model.judges = self.rng.choice([3, 3, 4, 4, 5])
        for number in range(1, self.model.judges + 1):
            self.act("add", "preliminary", "Panel %d" % number)
        if self.model.judges > 3 and self.rng.random() < 0.1:
            self.act("withdraw", "P1", "--why", "ill")
            self.model.judges_out.add(1)
        staying = self.model.judges - len(self.model.judges_out)
        if self.rng.random() < 0.6:
            text = self.program.run("allot")
            least = -(-3 * len(self.model.running()) // 10)
            if (text is not None) != (staying >= max(3, least)):
                self.manager.complain("2003 r34: %d judges: allot is %s" % (staying, text))
            for line in (text or "").splitlines():
                judge, _, entries = line.partition(": ")
                if judge[1:].isdigit():
                    self.model.allotted[int(judge[1:])] = {int(e[1:]) for e in entries.split()}
            held = [sum(e in x for x in self.model.allotted.values()) for e in self.model.running()]
            if self.model.allotted and (min(held) < 3 or max(held) - min(held) > 1):
                self.manager.complain("2003 r34: judges of each Entry: %s" % held)
            if any(len(entries) > 10 for entries in self.model.allotted.values()):
                self.manager.complain("2003 r34: more than ten Entries for one judge")

    def evaluate(self):
        """Lists, all or some, at once or with somebody leaving between them."""
        for judge in range(1, self.model.judges + 1):
            if judge in self.model.judges_out:
                continue
            if judge > 3 and self.rng.random() < 0.1:
                if self.rng.random() < 0.5:
                    self.model.judges_out.add(judge)
                    self.act("withdraw", "P%d" % judge, "--why", "ill")
                continue
            self.list(judge)
            self.somebody_leaves(0.4)
        if self.model.lists and self.rng.random() < 0.3:
            self.list(self.rng.choice(list(self.model.lists)), "--correct")

    def list(self, judge, *words):
        entries = self.model.allotted.get(judge)
        if entries is None:
            entries = self.rng.sample(list(self.model.received), min(len(self.model.received), 10))
            if judge > 3:
                entries = entries[: self.rng.randint(4, 10)]
        staying = [e for e in sorted(entries) if e not in self.model.out or self.rng.random() < 0.3]
        self.rng.shuffle(staying)
        if self.rng.random() < 0.3:
            staying.sort(reverse=judge % 2 == 0)
        before = dict(self.model.lists)
        self.model.lists[judge] = staying
        if not self.act("prelim", "P%d" % judge, *("E%d" % e for e in staying), *words):
            self.manager.complain("2003 r34: the list of P%d is refused" % judge)
            self.model.lists = before

    def screen(self):
        """2004 A9, 2009 4: points, entered as a sum."""
        scores = {entry: self.rng.choice([20, 50, 60, 70, 80]) for entry in self.model.received}
        if self.rng.random() < 0.1:
            scores.pop(self.rng.choice(list(scores)))
        path = os.path.join(self.program.folder, "scores.json")
        with open(path, "w", encoding="ascii") as file:
            json.dump({"screening": [list(score) for score in scores.items()]}, file)
        self.model.screening = scores
        self.act("select", "--data", path)

    def converse(self):
        """2004 A8.4: scores of the Prelim Eight."""
        self.settle()
        for entry in self.model.received:
            if self.rng.random() < 0.97:
                self.model.prelim[entry] = Fraction(self.rng.randint(3, 8), 2)
                self.act("prelim", "E%d" % entry, "%d/2" % (2 * self.model.prelim[entry]))
        if self.rng.random() < 0.3:  # a score that is given again takes the other's place
            entry = self.rng.choice(list(self.model.received))
            self.model.prelim[entry] = Fraction(7, 3)
            self.act("prelim", "E%d" % entry, "7/3")

    def choose_some(self):
        """1996 r13."""
        if self.rng.random() < 0.5:
            for entry in self.rng.sample(list(self.model.received), self.rng.randint(2, len(self.model.received))):
                self.choose(entry)

    def choose(self, entry, last=False):
        of = self.model.chosen_final if last else self.model.chosen
        words = (["--final"] if last else []) + (["--undo"] if entry in of else [])
        of.symmetric_difference_update({entry})
        if not self.act("choose", "E%d" % entry, "--why", "so", *words):
            of.symmetric_difference_update({entry})
            self.manager.complain("choose is refused")

    def settle(self):
        """The choices that are missing; too many are taken back."""
        for _ in range(3):
            try:
                self.model.decide()
                return
            except Undecided as what:
                if str(what) != "wants-choice":
                    return
                twice = self.rules.method in ("screen-prelim", "screen")
                last = twice and what.last and (bool(self.model.chosen) or self.rng.random() < 0.5)
                of = self.model.chosen_final if last else self.model.chosen
                wanted = set(self.rng.sample(what.equal, what.room))
                for entry in what.equal:
                    if (entry in wanted) != (entry in of):
                        self.choose(entry, last)
            except Exception:  # lists that are not enough, or too many who are chosen
                while self.rules.method == "jury" and len(self.model.chosen - self.model.out) > self.rules.entries_most:
                    self.choose(min(self.model.chosen))
                return

    def lose(self, share):
        """2003 r16, r22: a finalist cannot run."""
        while self.rng.random() < share:
            outcome, finalists, _, _ = self.model.make()
            entry = self.rng.choice(sorted(finalists or self.model.received))
            undo = entry in self.model.lost
            if not undo and outcome == "final" and len(finalists) <= 3:
                return
            known = self.rules.method == "prelim"
            if known:
                self.model.lost.symmetric_difference_update({entry})
            taken = self.act("lose", "E%d" % entry, "--why", "not adapted", *(["--undo"] if undo else []))
            if taken != known:
                self.manager.complain("2003 r16: lose E%d is %s" % (entry, "taken" if taken else "refused"))
            if not known:
                return
            if self.recorded is not None and self.model.make()[0] == "final":
                self.recorded = self.model.make()[1]

    def record(self):
        outcome, finalists, _, _ = self.model.make()
        taken = self.act("select", "--final")
        if taken != (outcome in ("final", "only-one")):
            self.manager.complain("select --final is %s at %s" % ("taken" if taken else "refused", outcome))
        if taken:
            self.recorded = finalists
