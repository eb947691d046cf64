"""What a contest's result must be, out of its acts and its rules alone.

Written from the five printed rules, the rulesets and the manual; it shares nothing with the program.
A person is known by an id, so that a new name is the same person and a substitute another one. All
numbers of judges, Entries, confederates, rounds and places count from 1.
"""

from fractions import Fraction


class Session:
    """One judge with one pair, or with one entity, as it was held last."""

    def __init__(self, judge_person, confederate_person):
        self.judge_person = judge_person
        self.confederate_person = confederate_person
        self.excluded = False  # it counts for nothing, ballot and all
        self.given = None  # points, a choice, a rating or a verdict
        self.times = 1
        self.late = self.taken_back = False
        self.further = False  # one more opportunity is to come (1996 r14, 2003 r42)


    @property
    def value(self):
        return None if self.excluded else self.given


class Round:
    def __init__(self, trial, meetings):
        self.trial = trial
        self.meetings = meetings  # {judge: (entry or None, confederate or None)}
        self.begun = False
        self.sealed = False
        self.sessions = {}  # {judge: Session}, once it has begun


class Seat:
    """A judge's or a confederate's place, or an Entry."""

    def __init__(self, person):
        self.person = person
        self.withdrawn = False
        self.disqualified = False
        self.own = False
        self.final = True  # an Entry: not cut by the selection

    def stays(self):
        return not self.withdrawn and not self.disqualified and self.final


class Decision:
    """A conference or a coin between equals: entry is None where the judges had no majority."""

    def __init__(self, kind, entry, group):
        self.kind = kind
        self.entry = entry
        self.group = frozenset(group)


class Model:
    def __init__(self, rules):
        self.rules = rules
        self.judges, self.entries, self.confederates = {}, {}, {}
        self.rounds = []
        self.trials = 1
        self.ranks = {}  # {(trial, judge): {("E" or "C", number): rank}}
        self.prelim = {}  # {entry: Fraction}
        self.decisions = []
        self.sealed = False

    # Acts

    def begin(self, number):
        this = self.rounds[number - 1]
        this.begun = True
        for judge, (_, confederate) in this.meetings.items():
            this.sessions[judge] = self.session_now(judge, confederate)

    def session_now(self, judge, confederate):
        person = self.confederates[confederate].person if confederate else None
        return Session(self.judges[judge].person, person)

    def substitute(self, seats, number, person, now=0):
        """In the rounds to come, and in sessions to be held again that have no ballot yet; and in that
        of the round `now`, which has none."""
        seats[number].person = person
        for of, judge, _, confederate, session in self.sessions():
            if number == (judge if seats is self.judges else confederate):
                session.further = False
            if session.given is None and (session.times > 1 or of == now):
                if seats is self.judges and judge == number:
                    session.judge_person = person
                if seats is self.confederates and confederate == number:
                    session.confederate_person = person

    def is_as_it_was(self, number, judge):
        """Those who sit there now are those who met."""
        session = self.rounds[number - 1].sessions[judge]
        now = self.session_now(judge, self.rounds[number - 1].meetings[judge][1])
        there = (now.judge_person, now.confederate_person)
        return there == (session.judge_person, session.confederate_person)

    def repeat(self, number, judge):
        this = self.rounds[number - 1]
        times, had = this.sessions[judge].times, this.sessions[judge].value is not None
        this.sessions[judge] = self.session_now(judge, this.meetings[judge][1])
        this.sessions[judge].times = times + 1
        if had:  # they were given of what does not count
            self.ranks.pop((this.trial, judge), None)

    # Sums

    def sessions(self, trial=None):
        """All sessions of rounds that have begun: (round, judge, entry, confederate, Session)."""
        for number, this in enumerate(self.rounds, 1):
            if this.begun and trial in (None, this.trial):
                for judge, (entry, confederate) in this.meetings.items():
                    yield number, judge, entry, confederate, this.sessions[judge]

    def is_void(self, judge, entry, confederate):
        """A meeting to come cannot be held where one of those who meet has left."""
        return not (
            self.judges[judge].stays()
            and (not entry or self.entries[entry].stays())
            and (not confederate or self.confederates[confederate].stays())
        )

    def is_waived(self, number, judge, entry, confederate, session):
        """A session of a round that has begun, without a ballot, is not waited for where one of it
        left before it can have ended, or it was to be held again, or its late ballot is not wanted.
        """
        return session.taken_back or session.excluded or self.had_left(
            number, judge, entry, confederate, session
        )

    def had_left(self, number, judge, entry, confederate, session):
        """One of a session without a ballot left before it can have ended."""
        there = [self.judges[judge], self.entries.get(entry), self.confederates.get(confederate)]
        return any(
            seat
            and (seat.disqualified or seat.withdrawn)
            and (seat.disqualified or session.times > 1 or seat.left_after <= number)
            for seat in there
        )

    def was_held(self, *session):
        """A session of a round that has begun is one of which there are journals."""
        return session[-1].given is not None or not self.had_left(*session)

    def missing(self):
        count = sum(1 for x in self.sessions() if x[-1].value is None and not self.is_waived(*x))
        for this in self.rounds:
            if not this.begun:
                count += sum(1 for j, (e, c) in this.meetings.items() if not self.is_void(j, e, c))
        return count

    def excluded(self):
        return sum(x[-1].excluded for x in self.sessions())

    def entry_wins(self, session):
        value = session.value
        if self.rules.kind == "points":
            return value[0] >= 51
        return bool(value)

    def wins(self, entry):
        return [
            (session.judge_person, session.confederate_person)
            for *_, e, _, session in self.sessions()
            if e == entry and session.value is not None and self.entry_wins(session)
        ]

    def points(self, entry):
        return sum(s.value[0] for *_, e, _, s in self.sessions() if e == entry and s.value is not None)

    def ratings(self, entry=None, confederate=None):
        return [
            s.value
            for *_, e, c, s in self.sessions()
            if s.value is not None and (e == entry if entry else c == confederate)
        ]

    def person_ratings(self):
        """The ratings of each confederate, a person: {person: [rating]}."""
        found = {}
        for *_, _, confederate, session in self.sessions():
            if confederate and session.value is not None:
                found.setdefault(session.confederate_person, []).append(session.value)
        return found

    def ranks_of(self, role, number, trial=None):
        return [
            ranks[role, number]
            for (t, _), ranks in self.ranks.items()
            if (role, number) in ranks and trial in (None, t)
        ]

    def to_rank(self, judge, trial=1):
        """Whom a judge ranks: those whom he judged non-human, or all whom he interviewed."""
        found = set()
        for _, j, entry, confederate, session in self.sessions(trial):
            if j == judge and session.value is not None:
                if self.rules.ranks == "candidates":
                    found.add(("E", entry) if entry else ("C", confederate))
                elif self.rules.ranks == "non-human":
                    found.add(("C", confederate) if session.value else ("E", entry))
        return found

    def give(self, number, judge, value):
        """A ballot, or its correction. Ranks of others than those to rank are none (2009 3b)."""
        self.rounds[number - 1].sessions[judge].given = value
        self.review_ranks(number, judge)

    def exclude(self, number, judge, excluded):
        self.rounds[number - 1].sessions[judge].excluded = excluded
        self.review_ranks(number, judge)

    def review_ranks(self, number, judge):
        this = self.rounds[number - 1]
        ranks = self.ranks.get((this.trial, judge))
        if ranks and set(ranks) != self.to_rank(judge, this.trial):
            del self.ranks[this.trial, judge]

    # Places

    def score(self, entry):
        if self.rules.scoring in ("columns", "votes"):
            return len(self.wins(entry))
        ratings = self.ratings(entry=entry)
        return mean(ratings) if ratings else Fraction(-1)

    def standing(self):
        """The Entries that have a place, as [[entry, ...], ...] from the first place on."""
        running = [n for n, seat in self.entries.items() if seat.stays()]
        groups = {}
        for entry in running:
            groups.setdefault(self.score(entry), []).append(entry)
        result, place = [], 1
        for score in sorted(groups, reverse=True):
            rest = groups[score]
            while len(rest) > 1 and place <= self.rules.awarded:
                best = self.untie(rest, place)
                if len(best) == len(rest):
                    break
                result.append(best)
                place += len(best)
                rest = [entry for entry in rest if entry not in best]
            result.append(rest)
            place += len(rest)
        return result

    def untie(self, group, place):
        """Those of a group of equals that stay in its place."""
        for step in self.rules.ties:
            if len(group) == 1:
                break
            group = self.untie_by(step, group, place)
        return group

    def untie_by(self, step, group, place):
        if step == "points":
            values = {entry: self.points(entry) for entry in group}
        elif step == "prelim":
            values = {entry: self.prelim.get(entry) for entry in group}
        elif step == "mean-rank":
            values = {entry: mean(self.ranks_of("E", entry)) for entry in group}
            if not self.sealed and any(self.rank_is_missing(entry) for entry in group):
                return group
        elif step in ("confer", "coin"):
            return self.decided(step, group)
        else:
            return group
        if None in values.values():
            return group
        best = max(values.values())
        return [entry for entry in group if values[entry] == best]

    def rank_is_missing(self, entry):
        """2009 3b: before the seal; boothlink-contest(5): of a judge who is withdrawn none is."""
        return any(
            e == entry
            and self.judges[judge].stays()
            and s.value is not None
            and not s.value
            and ("E", entry) not in self.ranks.get((1, judge), {})
            for _, judge, e, _, s in self.sessions()
        )

    def decided(self, kind, group):
        """A decision stands as long as it was made between these Entries, whoever left since."""
        for decision in reversed(self.decisions):
            if decision.kind == kind and decision.group >= set(group):
                if decision.entry in group:
                    return [decision.entry]
        return group

    def ties_open(self):
        """The undecided ties for places that get an award: (place, group)."""
        place = 1
        for group in self.standing():
            if len(group) > 1 and place <= self.rules.awarded:
                yield place, group
            place += len(group)

    # The result

    def result(self):
        rules = self.rules
        if rules.long_bet:
            return self.result_long_bet()
        found = {
            "outcome": "provisional",
            "winner": None,
            "silver": False,
            "medal": False,
            "most_human_human": None,
            "ballots_missing": self.missing(),
            "dollars": None,
            "places": {},
            "awards": [],
        }
        given = any(x[-1].value is not None for x in self.sessions())
        if rules.scoring == "rates":
            if self.sealed or (given and not found["ballots_missing"]):
                found["outcome"] = "counted"
            return found
        # 1996 r5, 2003 r3, 2004 A1: these count the Entries, not the finalists.
        there = [n for n, seat in self.entries.items() if not (seat.withdrawn or seat.disqualified)]
        if not there:
            found.update(outcome="no entry", dollars=rules.next_year or None)
            return found
        if len(there) == 1 and rules.single_entry and not given:
            found.update(outcome="only one", winner=there[0])
            found["medal"] = not self.entries[there[0]].own or rules.own_entry != "silver-only"
            return found
        place = 1
        for group in self.standing():
            for entry in group:
                found["places"][entry] = place
            place += len(group)
        if not self.sealed and (found["ballots_missing"] or not given):
            return found  # boothlink-contest(5)
        found["most_human_human"] = self.best_confederate() if rules.most_human_human else None
        if not found["places"]:
            found["outcome"] = "no entry"  # no finalist is left, and no rule says of the money
            return found
        first = self.standing()[0]
        if len(first) > 1:
            found["outcome"] = "tied"
            return found
        winner = first[0]
        found.update(outcome="won", winner=winner, medal=True, silver=self.is_silver(winner))
        found["dollars"] = rules.silver_dollars if found["silver"] else rules.dollars
        if self.entries[winner].own and rules.own_entry == "silver-only" and not found["silver"]:
            found.update(medal=False, dollars=None)
        found["awards"] = sorted(
            (entry, place) for entry, place in found["places"].items() if 1 < place <= rules.awarded
        )
        return found

    def is_silver(self, winner):
        if self.rules.silver == "column-two":
            wins = self.wins(winner)
            return any(a[0] != b[0] and a[1] != b[1] for a in wins for b in wins)
        if self.rules.silver == "no-confederate-above":
            own = self.score(winner)
            return all(mean(ratings) <= own for ratings in self.person_ratings().values())
        return False

    def best_confederate(self):
        """The highest confederate, a person; None if several are."""
        means = {person: mean(ratings) for person, ratings in self.person_ratings().items()}
        best = [person for person in means if means[person] == max(means.values())]
        return best[0] if len(best) == 1 else None

    # The long bet

    def trial(self, number):
        """The two tests of one trial (II, paragraphs 13 to 15), and whether it is finished."""
        computer = next(iter(self.entries))
        sessions = [x for x in self.sessions(number)]
        humans = sum(1 for *_, e, _, s in sessions if e == computer and s.value)
        own = median(self.ranks_of("E", computer, number))
        medians = [median(self.ranks_of("C", c, number)) for c in self.confederates]
        foils = sum(1 for m in medians if m is not None and own is not None and own >= m)
        # Three judges, three foils and one computer (I); each judge with each candidate (II, 8).
        held = {(j, e, c) for _, j, e, c, s in sessions if s.value is not None}
        met = {judge: sum(1 for j, e, c in held if j == judge) for judge, *_ in held}
        ranked = {judge: len(self.ranks.get((number, judge), {})) for judge in met}
        # A further judge may have met fewer, if a candidate left; one who has left ranks no more.
        full = sum(1 for judge in met if met[judge] >= 4 and ranked[judge] >= 4) >= 3 and all(
            ranked[judge] >= met[judge] or self.judges[judge].withdrawn for judge in met
        )
        pending = any(x[-1].value is None and not self.is_waived(*x) for x in sessions)
        pending |= any(
            not r.begun and not self.is_void(j, e, c)
            for r in self.rounds
            if r.trial == number
            for j, (e, c) in r.meetings.items()
        )
        return {
            "finished": full and not pending,
            "humans": humans,
            "determination": humans >= 2,
            "foils": foils,
            "rank_order": foils >= 2,
        }

    def result_long_bet(self):
        trials = [self.trial(n) for n in range(1, self.trials + 1)]
        finished = [t for t in trials if t["finished"]]
        if all(seat.disqualified for seat in self.entries.values()):
            return {"outcome": "no entry", "trials": [], "ballots_missing": 0}
        passed = sum(1 for t in finished if t["determination"] and t["rank_order"])
        outcome = "open"
        if len(finished) >= self.rules.trials_least:
            needed = self.rules.trials_needed
            if passed >= (needed or len(finished)):
                outcome = "passed"
            elif passed == 0 or 0 < needed:
                outcome = "failed"  # where they differ and no number is said, the committee has it
        return {"outcome": outcome, "trials": trials, "ballots_missing": self.missing()}


def mean(values):
    return Fraction(sum(values), 1) / len(values) if values else None


def median(values):
    values = sorted(values)
    if not values:
        return None
    middle = len(values) // 2
    if len(values) % 2:
        return Fraction(values[middle])
    return Fraction(values[middle - 1] + values[middle], 2)
