"""Which Entries come into the final round, out of what is known of them and of the rules alone.

Written from 1996 r4, r5, r13; 2003 r3, r16, r22, r32 to r37; 2004 A1, A8 to A10; 2009 1 and 4; the
rulesets and the manual. It shares nothing with the program.
"""

from fractions import Fraction

RESERVES = 2  # 2003 r36: one or two


class Undecided(Exception):
    """What the selection waits for, in the word of `contest select --json`; of a choice, among whom and
    of how many."""

    def __init__(self, what, equal=(), room=0, last=True):
        super().__init__(what)
        self.equal, self.room, self.last = list(equal), room, last


class Refused(Exception):
    """Lists or choices that the rules do not allow together."""


class Selection:
    def __init__(self, rules):
        self.rules = rules
        self.received = {}  # {entry: when}
        self.out = set()  # withdrawn
        self.lists = {}  # {preliminary judge: [entry, ...]}, the best first
        self.allotted = {}  # {preliminary judge: {entry, ...}}
        self.judges = 0  # of the preliminary round
        self.judges_out = set()  # those who are withdrawn
        self.screening, self.prelim = {}, {}
        self.chosen, self.chosen_final, self.invited, self.lost = set(), set(), set(), set()

    def running(self):
        return [entry for entry in self.received if entry not in self.out]

    def make(self):
        """(outcome, finalists, reserves, further confederates)."""
        try:
            return self.decide()
        except Undecided as what:
            return str(what), set(), set(), 0
        except Refused:
            return "refused", set(), set(), 0

    def decide(self):
        running = self.running()
        if not running:
            return "no-entry", set(), set(), 0
        if len(running) == 1 and self.rules.single_entry:
            return "only-one", set(running), set(), 0
        most = self.rules.entries_most
        if self.rules.method == "prelim":
            return self.by_ranks(running, most)
        if self.rules.method == "screen-prelim":
            found = self.by_rounds(running, most)
        elif self.rules.method == "screen":
            found = self.by_screening(running, most)
        else:
            found = self.by_choice(running, most)
        return "final", set(found), set(), 0

    def by_choice(self, running, most):
        """1996 r13: somebody selects, eight at most."""
        chosen = [entry for entry in running if entry in self.chosen]
        if len(chosen) > most:
            raise Refused
        if not chosen and len(running) > most:
            raise Undecided("wants-choice", running, most)
        return chosen or running

    def by_screening(self, running, most):
        """2009 1 and 4: the first by time stamp, and of these the best."""
        if self.rules.screened_most:
            first = {entry: -self.received[entry] for entry in running}
            running = self.cut(first, self.rules.screened_most, self.chosen, last=False)
        if len(running) <= most:
            return running
        return self.cut(self.have(running, self.screening, "screening"), most, self.last_choice())

    def prelim_eight(self):
        """2004 A8.4, A8.5: those who converse; nobody where they are few or the screening is to come."""
        running = self.running()
        try:
            return self.screened(running, self.rules.entries_most) if len(running) > self.rules.entries_most else []
        except Undecided:
            return []

    def by_rounds(self, running, most):
        """2004 A8 to A10: up to 4, 8 or 32, and the invited."""
        if len(running) <= most:
            return running
        scores = self.have(self.screened(running, most), self.prelim, "preliminary-round")
        return self.cut(scores, most, self.last_choice())

    def screened(self, running, most):
        first = sorted(running, key=lambda entry: self.received[entry])
        first = first[: self.rules.screened_most]
        first += [entry for entry in running if entry in self.invited and entry not in first]
        if len(first) > 2 * most:
            scores = self.have(first, self.screening, "screening")
            first = self.cut(scores, 2 * most, self.chosen, last=False)
        return first

    def last_choice(self):
        return self.chosen_final or self.chosen

    @staticmethod
    def have(entries, values, what):
        if any(entry not in values for entry in entries):
            raise Undecided("wants-" + what)
        return {entry: values[entry] for entry in entries}

    @staticmethod
    def cut(values, room, chosen, last=True):
        """The best, more being better; where equals stand at the boundary somebody has to choose."""
        if len(values) <= room:
            return list(values)
        lowest = sorted(values.values(), reverse=True)[room - 1]
        sure = [entry for entry in values if values[entry] > lowest]
        equal = [entry for entry in values if values[entry] == lowest]
        if len(sure) + len(equal) > room:
            named = [entry for entry in equal if entry in chosen]
            if len(sure) + len(named) != room:
                raise Undecided("wants-choice", equal, room - len(sure), last)
            equal = named
        return sure + equal

    def by_ranks(self, running, most):
        """2003 r32 to r37; r16, r22: a reserve for who is lost, or a further confederate."""
        reserves = []
        if len(running) <= most:
            final = running
        else:
            if not self.lists or any(
                judge not in self.lists and judge not in self.judges_out for judge in self.allotted
            ):
                raise Undecided("wants-preliminary-round")  # r36: after judging is complete
            means = {}
            for entry in running:
                ranks = [x.index(entry) + 1 for x in self.lists.values() if entry in x]
                if len(ranks) < self.rules.entry_judges_least:
                    raise Refused  # r34
                means[entry] = -Fraction(sum(ranks), len(ranks))
            final = self.cut(means, most, self.chosen)
            rest = [entry for entry in running if entry not in final]
            rest.sort(key=lambda entry: (-means[entry], entry not in self.chosen, entry))
            reserves = rest[: self.rules.reserves or RESERVES]
        gone = [entry for entry in final if entry in self.lost]
        ready = [entry for entry in reserves if entry not in self.lost]
        come = ready[: len(gone)]
        final = [entry for entry in final if entry not in gone] + come
        return "final", set(final), set(ready) - set(come), len(gone) - len(come)
