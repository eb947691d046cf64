"""A manager who holds a contest by the command line, and whom everything happens to."""

import os
from fractions import Fraction

import selecting
from model import Decision, Model, Round, Seat
from program import Fault
from rules import ballot_lines, coin_choice, draw_key, entry_is_left
from signature import Key

SIZES = {  # judges, Entries, confederates: the least and the most
    "loebner-1996": ((2, 4), (2, 4), (1, 3)),
    "loebner-2003": ((5, 6), (2, 4), (1, 3)),
    "two-party-2023": ((2, 4), (2, 4), (1, 3)),
    "two-party-2024": ((2, 4), (2, 4), (1, 3)),
    "longbet-2002": ((3, 5), (1, 1), (3, 3)),
}
PAIRS = ((2, 4), (2, 4), (2, 4))
ACTS = 40


class Manager:
    def __init__(self, rules, program, rng):
        self.rules, self.program, self.rng = rules, program, rng
        self.model = Model(rules)
        self.people = 0
        self.names = {}  # {name: person}
        self.sits = {}  # {name: a seat that it has}
        self.keys = []  # of each draw: from which round on, and its key
        self.acts = 0
        self.late = []  # ballots that come later: (round, judge)
        self.complaints = []
        self.is_over = False  # there are no finalists
        self.confirmed = False  # the key of the judges' machines
        self.look = lambda: None  # called before each act
        # In flat contests all are nearly equal, so that there are ties.
        eighth = Fraction(1, 8)
        flat = [[3]] if "confer" in rules.ties else []
        self.scale = rng.choice([*flat, [3], [3, 4], [0, 2, 3, 4, 5], [2 + eighth, 3, 3 + 2 * eighth, 4]])

    # Helpers

    def act(self, verb, *words):
        """True if the program took it."""
        if verb != "draw":
            self.look()
        taken = self.program.run(verb, *words) is not None
        self.acts += taken
        return taken

    def chance(self, share):
        return self.rng.random() < share

    def person(self, name):
        """The id of somebody by his name."""
        return self.names.setdefault(name, len(self.names) + 1)

    def size(self, low_high):
        return self.rng.randint(*low_high)

    def entity(self, entry, confederate):
        return ("E%d" % entry if entry else "") + ("C%d" % confederate if confederate else "")

    def complain(self, text):
        self.complaints.append(text)

    # The register and the draw

    def register(self, entries=None):
        """The people, and the commitment of the draw."""
        judges, most, confederates = SIZES.get(self.rules.name, PAIRS)
        select = not entries and self.rules.method != "none" and self.chance(0.3)
        entries = selecting.size(self.rules, self.rng) if select else entries or self.size(most)
        self.key_of_machine = Key(self.rng.randbytes(32)) if self.chance(0.2) else None
        people = [("entry", number) for number in range(1, entries + 1)]
        people += [("judge", number) for number in range(1, self.size(judges) + 1)]
        people += [("confederate", number) for number in range(1, self.size(confederates) + 1)]
        own = {number for role, number in people if role == "entry" and self.chance(0.1)}
        seats = {"J": self.model.judges, "E": self.model.entries, "C": self.model.confederates}
        for role, number in people:
            seat = seats[role[0].upper()][number] = Seat(None)
            seat.own = role == "entry" and number in own
            if role != "entry":
                seat.name = "%s %d" % (role, number)
                seat.person = self.person(seat.name)
        if not select and self.chance(0.7):
            self.register_by_file(people, own)
        else:
            self.register_by_hand(people, own, select)
        self.acts = max(self.acts, len(people) + 3)
        if self.rules.method == "screen-prelim" and not select and self.chance(0.4):
            for entry in self.model.entries:  # of a Prelim Eight that was held without this program
                score = Fraction(self.rng.randint(3, 8), self.rng.randint(1, 3))
                if self.act("prelim", "E%d" % entry, "%d/%d" % (score.numerator, score.denominator)):
                    self.model.prelim[entry] = score
        self.seed = self.program.choose_seed(".seed")

    def register_by_file(self, people, own):
        lines = ["[contest]", "format = 1", "name = Random", "ruleset = " + self.rules.name]
        lines += ["[draw]", "public = the lottery", "[people]"]
        for role, number in people:
            key = "%s%d" % (role, number)
            lines += ["%s = %s %d" % (key, role, number)]
            if role == "entry":
                lines += ["%s.submitter = S%d" % (key, number), key + ".rights = yes"]
                lines += [key + ".receipt = yes", key + ".age = 30", key + ".how = courier"]
                lines += ["%s.received = 2026-01-02T10:%02d" % (key, number), key + ".comms = c"]
                lines += [key + ".own = yes"] if number in own else []
            if role == "confederate":
                lines += [key + ".unknown = yes"]
            if role != "judge" and self.rules.opening:
                lines += ["%s.approved = Ann %d" % (key, number)]
        venue = ["[venue]", "format = 1", "[machines]"]
        for booth in range(1, 8):
            for side in ("a", "b") if self.rules.pairs else ("a",):
                for end in ("judge", "entity"):
                    venue.append("booth%d.%s-%s = serial:/dev/ttyUSB%d@115200" % (booth, end, side, side == "b"))
        for role, number in people:
            if role == "entry":
                venue.append("entry%d.program = /opt/entry" % number)
        paths = [os.path.join(self.program.folder, name) for name in ("people.ini", "venue.ini")]
        for path, text in zip(paths, (lines, venue)):
            with open(path, "w", encoding="ascii") as file:
                file.write("\n".join(text) + "\n")
        words = [] if self.key_of_machine else ["--unsigned"]
        if not self.act("setup", *paths, "--few", *words, "--file", self.program.file):
            raise Fault("setup is refused")
        self.public = "3 14 15 26"

    def register_by_hand(self, people, own, select):
        words = [] if self.key_of_machine else ["--unsigned"]
        self.act("new", *words, "--name", "Random", "--ruleset", self.rules.name)
        minutes = [number for role, number in people if role == "entry"]
        self.rng.shuffle(minutes)
        received = dict(enumerate(minutes, 1))
        if select and self.chance(0.3):  # two at once
            received[1] = received[2]
        for role, number in people:
            words = ["--unknown"] if role == "confederate" else []
            if role == "entry":
                words = ["--submitter", "S%d" % number, "--rights", "--receipt", "--age", "30"]
                words += ["--how", "courier", "--received", "2026-01-02T10:%02d" % received[number]]
                words += ["--comms", "c", *(["--own"] if number in own else [])]
            if not self.act("add", role, "%s %d" % (role, number), *words):
                raise Fault("an add is refused")
            if role != "judge" and self.rules.opening:
                self.act("approve", "%s%d" % (role[0].upper(), number), "Ann %d" % number)
        if select:
            self.select(received)
        self.act("draw", "commit")
        self.public = None

    def select(self, received):
        """The finalists, of more Entries than there is room for, or of fewer."""
        selection = selecting.Selecting(self)
        selection.hold(received)
        if selection.recorded is None and len(selection.model.running()) > self.rules.entries_most:
            self.is_over = True
        for entry, seat in self.model.entries.items():
            seat.final = selection.recorded is None or entry in selection.recorded
        self.model.prelim = dict(selection.model.prelim)

    def draw(self):
        if not self.public:
            self.act("schedule")
        self.reveal()
        self.read_rounds()

    def reveal(self):
        words = ["--value", self.public] if self.public else []
        if not self.act("draw", "reveal", *words):
            raise Fault("the draw is refused")
        self.keys.append((len(self.begun()) + 1, draw_key(self.seed, self.public)))

    def schedule(self):
        """The rounds to come anew; they are drawn anew too, with another public value."""
        words = []
        if self.public:
            self.public = "%d 15 26" % self.rng.randint(3, 9)
            words = ["--public", "the lottery after act %d" % self.acts]
        said = self.program.run("schedule", *words)
        if said is None:
            return False
        self.acts += 1
        if "commitment" in said:
            self.seed = self.program.choose_seed(".seed")
            if self.public:
                self.reveal()
            else:
                self.keys.append((len(self.begun()) + 1, self.seed))
        self.read_rounds()
        return True

    def key(self, number):
        """The key of the draw that counts for a round."""
        return [key for first, key in self.keys if first <= number][-1]

    def read_rounds(self):
        """Who meets whom is the program's to say (the verifier looks at that); the rest is not."""
        old = self.model.rounds
        new = [Round(trial, meetings) for trial, _, meetings in self.program.rounds()]
        for number, this in enumerate(old):
            if this.begun:
                if number >= len(new) or new[number].meetings != this.meetings:
                    self.complain("round %d has begun and was changed" % (number + 1))
                new[number : number + 1] = [this]
        self.model.rounds = new

    # Rounds and ballots

    def vote(self):
        kind = self.rules.kind
        if kind == "points":
            points = self.rng.choice([45, 49, 51, 55, 60])
            return (points, 100 - points)
        if kind in ("human", "verdict"):
            return self.chance(0.5)
        return self.rng.choice(self.scale)

    def vote_text(self, value):
        kind = self.rules.kind
        if kind == "points":
            return "%d:%d" % value
        if kind == "human":
            return "entry" if value else "confederate"
        if kind == "verdict":
            return "human" if value else "machine"
        return ("%.3f" % float(value)).rstrip("0").rstrip(".")

    def other_fields(self):
        """Values of what the rules ask besides, as boothlink-ballot(5) has them."""
        words = []
        for field in self.rules.fields:
            name, _, asked = field.partition(": ")
            if not asked.endswith(" required") and self.chance(0.3):
                continue
            kind = asked.split(" ")[0]
            if kind == "text":
                words += [name, '"%s"' % self.rng.choice(["a", r'\"aye\", he said', r"back\\slash", "notes x"])]
            elif ".." in kind:
                words += [name, str(self.rng.randint(*map(int, kind.split(".."))))]
            else:
                words += [name, self.rng.choice(asked.removesuffix(" required").split(" "))]
        return " ".join(words)

    def ballot_line(self, number, judge, entry, value):
        """VOTE of boothlink-ballot(5): by sides."""
        kind = self.rules.kind
        if kind in ("points", "human"):
            left = entry_is_left(self.key(number), number, judge)
            if kind == "points":
                return "left %d right %d" % (value if left else value[::-1])
            return "human " + ("left" if left == value else "right")
        if kind == "verdict":
            return "verdict " + self.vote_text(value)
        return "rating " + self.vote_text(value)

    def give(self, ballots):
        """Ballots of (round, judge), typed one by one or in files."""
        if len(ballots) > 1 and self.chance(0.8):
            return self.give_files(ballots)
        for number, judge in ballots:
            self.give_typed(number, judge)

    def session_name(self, number, judge, further=False):
        times = self.model.rounds[number - 1].sessions[judge].times + further
        return "r%d-j%d" % (number, judge) + ("-%d" % times if times > 1 else "")

    def give_typed(self, number, judge, correct=False):
        this = self.model.rounds[number - 1]
        entry, confederate = this.meetings[judge]
        value = self.vote()
        words = ["J%d" % judge, self.entity(entry, confederate), self.vote_text(value)]
        words += ["--fields", self.other_fields()] if self.rules.fields else []
        words += ["--correct"] if correct else []
        words += ["--trial", this.trial] if self.model.trials > 1 else []
        taken = self.act("ballot", *words)
        if taken:  # it says itself whether it is late, and a correction takes the other's place
            this.sessions[judge].late = False
            self.model.give(number, judge, value)
        return taken

    def give_files(self, ballots, verb="import"):
        folder = os.path.join(self.program.folder, "ballots-%d" % len(self.program.lines))
        os.mkdir(folder)
        values = {}
        for number, judge in ballots:
            this = self.model.rounds[number - 1]
            value = values[number, judge] = self.vote()
            session = self.session_name(number, judge, this.sessions[judge].further)
            vote = self.ballot_line(number, judge, this.meetings[judge][0], value)
            vote += " " + self.other_fields() if self.rules.fields else ""
            late = this.sessions[judge].late = self.rules.seal_at == "session" and self.chance(0.1)
            name = os.path.join(folder, session + "-judge.ballot")
            with open(name, "wb") as file:
                file.writelines(ballot_lines(self.rules, session, vote, late, self.key_of_machine))
        if self.key_of_machine and not self.confirmed:
            self.confirm(folder)
        if not self.act(verb, folder):
            raise Fault("ballot files are refused")
        self.acts += len(ballots) - 1
        for (number, judge), value in values.items():
            if self.model.rounds[number - 1].sessions[judge].further:
                self.model.repeat(number, judge)
            self.model.give(number, judge, value)

    def confirm(self, folder):
        """The key of the judges' machines, whose words `contest collect` tells; before it nothing counts."""
        before = len(self.program.refusals)
        if self.act("collect", folder) or len(self.program.refusals) == before:
            raise Fault("ballots of a machine that nobody confirmed are taken")
        words = self.program.words_of_key
        if not self.act("machine", "booth-1-judge", *words):
            raise Fault("the machine is not confirmed by its words")
        self.confirmed = True

    # What happens between rounds

    def begun(self):
        return [n for n, this in enumerate(self.model.rounds, 1) if this.begun]

    def seats_of(self, number, judge):
        """Judge and confederate of a meeting: (role, number)."""
        confederate = self.model.rounds[number - 1].meetings[judge][1]
        return [("J", judge)] + [("C", confederate)] * bool(confederate)

    def substitute(self, role=None, number=None):
        role = role or self.rng.choice("JC")
        seats = {"J": self.model.judges, "C": self.model.confederates}[role]
        number = number or self.rng.choice(list(seats))
        name = "Zed %s%d" % (role, len(self.names) + 1)
        old = {"J": "judge", "C": "confederate"}[role]
        used = [name for name in self.names if name.startswith(("Zed " + role, old))]
        if self.chance(0.3):
            name = self.rng.choice(used)
        words = ["--unknown"] if role == "C" else []
        now = bool(self.begun()) and self.chance(0.3)
        words += ["--now"] if now else []
        if self.act("substitute", "%s%d" % (role, number), name, "--why", "ill", *words):
            seats[number].name = name
            self.model.substitute(seats, number, self.person(name), self.begun()[-1] if now else 0)

    def rename(self):
        role, seats = self.rng.choice([("J", self.model.judges), ("C", self.model.confederates)])
        number = self.rng.choice(list(seats))
        seat = seats[number]
        name = "%s, spelt %d" % (seat.name.split(",")[0], len(self.program.lines))
        if self.act("rename", "%s%d" % (role, number), name, "--why", "misspelt"):
            self.names[name] = self.names.pop(seat.name)
            seat.name = name

    def withdraw(self, whom=None):
        role, seats = self.rng.choice(
            [("J", self.model.judges), ("C", self.model.confederates), ("E", self.model.entries)]
        )
        if whom:
            role, seats = whom, self.model.judges
        staying = [n for n, seat in seats.items() if seat.stays()]
        least = {"J": self.rules.judges_least, "C": self.rules.confederates_least, "E": 1}[role]
        if len(staying) <= least and not self.chance(0.5 if self.rules.long_bet else 0.2):
            return
        number = self.rng.choice(list(seats))
        if self.act("withdraw", "%s%d" % (role, number), "--why", "gone"):
            seats[number].withdrawn = True
            seats[number].left_after = len(self.begun())
            if not self.chance(0.1):
                self.schedule()

    def undo_withdraw(self):
        gone = [
            (role, number, seat)
            for role, seats in (
                ("J", self.model.judges), ("C", self.model.confederates), ("E", self.model.entries)
            )
            for number, seat in seats.items()
            if seat.withdrawn
        ]
        if gone:
            role, number, seat = self.rng.choice(gone)
            if self.act("undo", "withdraw", "%s%d" % (role, number), "--why", "back"):
                seat.withdrawn = False
                self.schedule()

    def judges_now(self):
        return sum(1 for seat in self.model.judges.values() if seat.stays())

    def disqualify(self, entry=None):
        entry = entry or self.rng.choice(list(self.model.entries))
        seat = self.model.entries[entry]
        if self.chance(0.2):
            self.withdraw("J")
        judges = self.judges_now()
        words = ["--organiser"]
        must = None
        if self.chance(0.7):
            votes = judges // 2 + 1 if judges and self.chance(0.5) else self.rng.randint(0, judges)
            against = self.rng.randint(0, judges - votes)
            words = ["--votes", "%d:%d" % (votes, against)]
            # 2003 r43: the majority of the judges, and these are those who judge.
            must = 2 * votes > judges if self.rules.name != "longbet-2002" else None
        if self.rules.panel and self.chance(0.2):
            votes = self.rng.randint(0, 3)
            words, must = ["--votes", "%d:%d" % (votes, 3 - votes), "--panel"], votes >= 2  # r38
        taken = self.act("disqualify", "E%d" % entry, *words, "--why", "rule")
        if must is not None and taken != must and seat.stays():
            self.complain(
                "2003 r43: %s of %d judges %s" % (words[1], judges, "refused" if must else "taken")
            )
        if taken:
            seat.disqualified = True
            if any(not this.begun for this in self.model.rounds) and not self.chance(0.1):
                self.schedule()

    def undo_disqualify(self):
        out = [n for n, seat in self.model.entries.items() if seat.disqualified]
        if out:
            entry = self.rng.choice(out)
            if self.act("undo", "disqualify", "E%d" % entry, "--why", "heard again"):
                self.model.entries[entry].disqualified = False
                if any(not this.begun for this in self.model.rounds):
                    self.schedule()

    def repeat(self):
        held = [
            (number, judge)
            for number, judge, *_ in self.model.sessions()
            if not self.model.rounds[number - 1].sealed
        ]
        if held:
            number, judge = self.rng.choice(held)
            session = self.session_name(number, judge)
            this = self.model.rounds[number - 1].sessions[judge]
            may = not (this.excluded or this.further)
            if self.chance(0.4 if self.rules.further else 0.02):
                self.further(number, judge, session)
            elif self.act("repeat", session, "--why", "spoiled") != may:
                self.complain("%s is held again: %s" % (session, not may))
            elif may:
                self.model.repeat(number, judge)
                if self.chance(0.4):  # somebody else holds it
                    self.substitute(*self.rng.choice(self.seats_of(number, judge)))
                if self.chance(0.7):
                    self.give([(number, judge)])

    def further(self, number, judge, name):
        """One more opportunity, whose ballot takes the other's place (1996 r14, 2003 r42)."""
        session = self.model.rounds[number - 1].sessions[judge]
        may = self.rules.further and session.value is not None and not session.further
        may = may and self.model.is_as_it_was(number, judge)
        taken = self.act("repeat", name, "--further", "--why", "asked for")
        session.further |= taken
        if taken != may:
            self.complain("1996 r14, 2003 r42: a further %s is %s" % (name, "taken" if taken else "refused"))
        if taken and self.chance(0.4):  # somebody else sits there, and the two do not meet again
            self.substitute(*self.rng.choice(self.seats_of(number, judge)))
        if not session.further and self.chance(0.5):
            self.give_lapsed(number, judge)
        if taken and self.chance(0.5):
            self.give_further()

    def give_lapsed(self, number, judge):
        """A file of a further session that is not to be held."""
        name = os.path.join(self.program.folder, "lapsed-%d-judge.ballot" % len(self.program.lines))
        session = self.session_name(number, judge, True)
        vote = self.ballot_line(number, judge, self.model.rounds[number - 1].meetings[judge][0], self.vote())
        with open(name, "wb") as file:
            file.writelines(ballot_lines(self.rules, session, vote, False, self.key_of_machine))
        if self.program.ask("import", name) is not None:
            self.complain("%s has a ballot, and was not to be held" % session)

    def give_further(self):
        """The ballots of further sessions, in files as they come from the booths."""
        held = [
            (number, judge)
            for number, judge, *_, session in self.model.sessions()
            if session.further and not self.model.rounds[number - 1].sealed
        ]
        if held:
            self.give_files(self.rng.sample(held, self.rng.randint(1, len(held))))

    def dispute(self):
        """2003 r50: the judges confer, and a coin decides where they have no majority."""
        judges = self.judges_now()
        votes = self.rng.randint(0, judges)
        against = self.rng.randint(0, judges - votes)
        entry = self.rng.choice(list(self.model.entries)) if self.chance(0.4) else None
        words = ["Is it so?", *(["E%d" % entry] if entry else []), "--votes", "%d:%d" % (votes, against)]
        if self.act("dispute", *words) != self.rules.disputes:
            self.complain("2003 r50: %s" % " ".join(words))
        if not self.rules.disputes:
            return
        yes = 2 * votes > judges
        if not yes and 2 * against <= judges:
            if not self.act("coin", "commit"):
                self.complain("2003 r50: a coin for a dispute is refused")
                return
            seed = self.program.choose_seed(".coin")
            if not self.act("coin", "toss"):
                self.complain("2003 r50: the coin for a dispute is not tossed")
            yes = coin_choice(seed, [1, 2]) == 1
        if yes and entry:
            self.model.entries[entry].disqualified = True
            if any(not this.begun for this in self.model.rounds) and not self.chance(0.1):
                self.schedule()

    def undo_ballot(self):
        given = [
            (number, judge, session)
            for number, judge, *_, session in self.model.sessions()
            if session.value is not None and not self.model.rounds[number - 1].sealed
        ]
        if given:
            number, judge, session = self.rng.choice(given)
            late = [x for x in given if x[2].late]
            if late:
                number, judge, session = self.rng.choice(late)
            if self.act("undo", "ballot", "r%d-j%d" % (number, judge), "--why", "not his"):
                self.model.give(number, judge, None)
                session.taken_back = session.late

    def exclude(self):
        """A session counts for nothing; or again."""
        held = list(self.model.sessions())
        if not held:
            return
        number, judge, *_, session = self.rng.choice(held)
        name, back = self.session_name(number, judge), session.excluded and self.chance(0.6)
        words = ["undo", "exclude", name] if back else ["exclude", name]
        may = back or not (session.excluded or session.further)
        if self.act(*words, "--why", "took part before") != may:
            self.complain("%s: %s" % (" ".join(words), "refused" if may else "taken"))
        elif may:
            self.model.exclude(number, judge, not back)

    def correct(self):
        given = [
            (number, judge)
            for number, judge, *_, session in self.model.sessions()
            if session.given is not None
        ]
        if given:
            self.give_typed(*self.rng.choice(given), correct=True)

    def late_ballot(self):
        waiting = [
            (number, judge)
            for number, judge, *_, session in self.model.sessions()
            if session.given is None and not session.taken_back
        ]
        if waiting:
            self.give(self.rng.sample(waiting, self.rng.randint(1, len(waiting))))

    def waits_again(self):
        return any(s.times > 1 and s.given is None for *_, s in self.model.sessions())

    def seal_round(self):
        begun = [n for n in self.begun() if not self.model.rounds[n - 1].sealed]
        if begun and self.act("seal", begun[0]):
            self.model.rounds[begun[0] - 1].sealed = True

    def between(self):
        """Something happens, or nothing."""
        for share, what in (
            (0.22, self.substitute),
            (0.18, self.repeat),
            (0.12, self.correct),
            (0.25, self.late_ballot),
            (0.05, self.rename),
            (0.06, self.undo_ballot),
            (0.07, self.withdraw),
            (0.05, self.undo_withdraw),
            (0.04, self.disqualify),
            (0.04, self.undo_disqualify),
            (0.03, self.seal_round),
            (0.3, self.give_further),
            (0.12, self.exclude),
            (0.06 if self.rules.disputes else 0.002, self.dispute),
        ):
            if self.chance(share):
                what()

    # The course of a contest

    def hold_rounds(self):
        while True:
            number = len(self.begun()) + 1
            if number > len(self.model.rounds):
                return
            self.between()
            if number > len(self.model.rounds):
                return
            ballots = self.ballots(number)
            if ballots and self.may_begin(number) and self.chance(0.6):
                # The round was held without a word of it, and the sticks come back.
                self.model.begin(number)
                self.give_files(ballots, "collect")
            elif self.begin(number):
                self.give(self.ballots(number))
            else:
                return

    def ballots(self, number):
        """Those of a round that come at once: (round, judge)."""
        return [(number, judge) for judge, _ in self.meetings(number) if not self.chance(0.12)]

    def may_begin(self, number):
        model = self.model
        enough = sum(seat.stays() for seat in model.confederates.values())
        return (
            self.judges_now() >= self.rules.judges_least
            and enough >= self.rules.confederates_least
            and not any(model.is_void(j, e, c) for j, (e, c) in self.meetings(number))
        )

    def meetings(self, number):
        return self.model.rounds[number - 1].meetings.items()

    def begin(self, number):
        """A round begins, with too few where it must; False if it cannot."""
        words = [] if self.chance(0.5) else ["--why", "it must go on"]
        if not self.act("begin", number, *words):
            if not self.act("begin", number, "--why", "with too few"):
                if not self.schedule() or not self.act("begin", number, "--why", "it must"):
                    return False
        self.model.begin(number)
        if self.chance(0.05) and self.act("undo", "begin", "--why", "too early"):
            self.model.rounds[number - 1].begun = False
            self.model.rounds[number - 1].sessions = {}
            self.substitute()
            return self.begin(number)
        return True

    def leave_before_ranks(self):
        """A further judge has voted on everybody, and goes home."""
        staying = [n for n, seat in self.model.judges.items() if seat.stays()]
        if len(staying) > 3:
            number = self.rng.choice(staying)
            if self.act("withdraw", "J%d" % number, "--why", "went home"):
                self.model.judges[number].withdrawn = True
                self.model.judges[number].left_after = len(self.begun())

    def rank(self, missing=False):
        """The judges rank, or those alone whose ranks are missing."""
        if self.rules.ranks == "none":
            return
        if self.rules.long_bet and not missing and self.chance(0.3):
            self.leave_before_ranks()
        for judge in self.model.judges:
            if self.rules.long_bet and self.model.judges[judge].withdrawn and self.chance(0.7):
                continue
            if missing and (self.model.trials, judge) in self.model.ranks:
                continue
            if not missing and self.chance(0.08):
                continue
            trial = self.model.trials
            whom = sorted(self.model.to_rank(judge, trial))
            if not whom:
                continue
            ranks = list(range(1, len(whom) + 1))
            self.rng.shuffle(ranks)
            words = ["%s%d=%d" % (role, n, rank) for (role, n), rank in zip(whom, ranks)]
            words += ["--trial", trial] if trial > 1 else []
            if self.act("rank", "J%d" % judge, *words) or (
                missing and self.act("rank", "J%d" % judge, *words, "--correct")
            ):
                self.model.ranks[trial, judge] = dict(zip(whom, ranks))

    def settle(self):
        """Conferences and coins until no tie is left, as the rules have them."""
        if "confer" not in self.rules.ties:
            return
        for _ in range(4):
            tie = next(iter(self.model.ties_open()), None)
            if not tie or (self.model.missing() and not self.model.sealed):
                return
            place, group = tie
            judges = self.judges_now()
            votes = self.rng.randint(0, judges)
            against = self.rng.randint(0, judges - votes)
            entry = self.rng.choice(group)
            words = ["--votes", "%d:%d" % (votes, against)]
            words += ["--place", place] if place > 1 or self.chance(0.3) else []
            if not self.act("confer", "E%d" % entry, *words):
                self.complain("2003 r50: a conference about %s is refused" % group)
                return
            majority = 2 * votes > judges
            self.model.decisions.append(
                Decision("confer", entry if majority else None, group)
            )
            if majority:
                continue
            if not self.act("coin", "commit"):
                self.complain("2003 r50: a coin for %s is refused" % group)
                return
            seed = self.program.choose_seed(".coin")
            if self.act("coin", "toss"):
                self.model.decisions.append(Decision("coin", coin_choice(seed, group), group))
            else:
                self.complain("2003 r50: the coin for %s is not tossed" % group)

    def winner_or_other(self):
        placed = [entry for group in self.model.standing() for entry in group]
        of = [d for d in self.model.decisions if d.entry in placed and len(d.group & set(placed)) > 2]
        if of and self.chance(0.6):  # whether it holds for the others
            return self.rng.choice(sorted((of[0].group & set(placed)) - {of[0].entry}))
        return placed[0] if self.chance(0.6) else self.rng.choice(placed)

    def hold(self):
        """The whole contest; compare is called where the result is looked at."""
        self.register()
        if self.is_over:
            return
        self.draw()
        yield "drawn"
        while True:
            self.hold_rounds()
            if self.chance(0.9):
                self.late_ballot()
            while self.acts < ACTS - 4 and self.chance(0.9):
                self.rng.choice([self.correct, self.repeat, self.repeat, self.late_ballot, self.exclude])()
                if self.waits_again() and self.chance(0.3):
                    self.substitute()
            self.rank()
            if not self.rules.long_bet or self.model.trials >= 4:
                break
            yield "held"
            if self.chance(0.15) or not self.act("trial"):
                break
            self.model.trials += 1
            if not self.schedule():
                break
        for _ in range(3):
            waiting = [
                x for x in self.model.sessions() if x[-1].given is None and not x[-1].taken_back
            ]
            if waiting and self.chance(0.8):
                self.give([(x[0], x[1]) for x in waiting])
        if self.chance(0.5):
            self.rank(missing=True)
        self.give_further()
        yield "held"
        self.settle()
        yield "settled"
        if self.chance(0.15 if self.rules.disputes else 0.01):
            self.dispute()
            self.settle()
            yield "after a dispute"
        while self.chance(0.8 if self.model.decisions else 0.4):
            if self.model.standing():
                self.disqualify(self.winner_or_other())
                self.settle()
                yield "after a disqualification"
        # Ballots alone were collected: the sessions' journals are missing.
        held = any(self.model.was_held(*x) for x in self.model.sessions())
        lacks = held and os.path.isdir(self.program.file + ".records")
        if lacks and self.program.ask("seal") is not None:
            self.complain("the seal is taken while journals are missing")
        if self.act("seal", *(["--why", "that is all"] if self.model.missing() or lacks else [])):
            self.model.sealed = True
        yield "sealed"
        if self.chance(0.3):
            if self.model.standing():
                self.disqualify(self.winner_or_other())
                self.settle()
                yield "disqualified after the seal"
        if self.chance(0.2):
            self.undo_disqualify()
            yield "and taken back"
