#!/usr/bin/python3
"""Recomputes hashes, draws, order, sides and the result of a contest from its contest.json.

Written from boothlink-contest(5) and boothlink-ruleset(5) alone; shares nothing with the program or
with model.py. Reads what `boothlink contest publish` gives, and prints a line for all that differs.
"""

import hashlib
import json
import sys
import unicodedata
from fractions import Fraction

from games import games
from siphash import number_of, siphash


def blake(data):
    return hashlib.blake2b(data, digest_size=32)


# Members that may be taken out of an act of a kind that was hashed whole; of each its author, too.
WITHHELD = {
    "person": {"family", "team", "age", "guardian"},
    "substitute": {"family"},
    "interests": {"family", "team"},
    "phrase": {"text"},
}
# Members apart from the acts of newer contests, of every kind but the first.
PERSONAL = set("name submitter family team age guardian by why text notes matter asked answer fields".split())


def committed(value):
    """The commitment that stands in the place of a member, or None."""
    return value["commitment"] if isinstance(value, dict) and set(value) == {"commitment"} else None


def kept_back(act):
    """The members of an act that are not told."""
    body, told = json.loads(act["body"]), {**act.get("opened", {}), **act.get("instead", {})}
    return {m for m, v in body.items() if committed(v) and m not in told} | set(act.get("withheld", ()))


def read_act(act, same):
    """True if the act is as it was hashed; and its body with all that is told. `same`: it has the
    hash that it says."""
    body, out = json.loads(act["body"]), set(act.get("withheld", ()))
    if "opened" not in act:
        allowed = WITHHELD.get(act["kind"], set()) | {"author"}
        return same if not out else not same and out <= allowed and not out & set(body), body
    good, apart = same and not out, {m for m, v in body.items() if committed(v)}
    good = good and (apart <= PERSONAL and act["kind"] != "contest" or not apart)
    for member, told in act["opened"].items():
        text = bytes.fromhex(told["salt"])
        for part in (act["kind"], member, told["value"]):
            text += part.encode() + b"\0"
        is_author = member == "author"
        there = act["author"] if is_author else committed(json.loads(act["body"]).get(member))
        good = good and blake(text).hexdigest() == there and len(told["salt"]) == 64
        body.update({} if is_author else {member: json.loads(told["value"])})
    for member, text in act.get("instead", {}).items():
        good = good and member in apart | {"author"} and member not in act["opened"]
        body.update({} if member == "author" else {member: json.loads(text)})
    return good, {m: v for m, v in body.items() if not committed(v)}


def read_rules(text):
    rules, section = {}, ""
    for line in text.splitlines():
        line = line.partition(";")[0].strip()
        if line.startswith("["):
            section = line[1:-1]
        elif "=" in line:
            key, _, value = line.partition("=")
            rules[section, key.strip()] = value.strip()
    return rules


class Seat:
    """A judge's or a confederate's place, or an Entry."""

    def __init__(self, act):
        self.name = act["name"]
        self.gone = None  # how many rounds had begun when it was withdrawn
        self.out = False  # disqualified
        self.own, self.comms = act.get("own", False), bool(act.get("comms"))


class Session:
    """Of one judge in one round that has begun."""

    def __init__(self, judge, confederate):
        self.judge, self.confederate = judge, confederate  # names of who sat there, or None
        self.given, self.late = None, False  # a ballot
        self.aside = False  # it is excluded, ballot and all
        self.times = 1
        self.excluded = False  # a late ballot was taken back


    @property
    def vote(self):
        return None if self.aside else self.given


class Contest:
    def __init__(self, acts):
        self.seats = {"judge": [], "entry": [], "confederate": []}
        self.rounds, self.trials, self.keys = [], 1, {}  # rounds: [trial, meetings, begun]
        self.held = {}  # {(round, judge): Session}, rounds from 0
        self.ranks, self.prelim, self.decisions, self.final = {}, {}, [], None
        self.order_from, self.games, self.undrawn, self.sealed = None, None, False, False
        self.draws, self.coins, self.disputes, self.wrong = [], [], [], []  # as they are told
        before = bytes(32)
        for act in acts:
            text = before + act["number"].to_bytes(8, "big") + act["at_us"].to_bytes(8, "big")
            for part in (act["author"], act["kind"], act["body"]):
                text += part.encode() + b"\0"
            before = bytes.fromhex(act["hash"])
            good, body = read_act(act, blake(text).digest() == before)
            if not good:
                self.wrong.append("the hash of act %d" % act["number"])
            act_of = getattr(self, "act_" + act["kind"], lambda _: None)
            act_of(body)

    # Acts

    def act_contest(self, a):
        self.rules = read_rules(a["ruleset"])
        # "points: left right 100"; in rulesets of before "kind = points".
        asked = self.rules.get(("ballot", "field1"), self.rules.get(("ballot", "kind")))
        self.kind = asked.partition(":")[0]
        self.single = self.rules["session", "pairing"] == "single"
        self.design = self.rules.get(("session", "design"))
        if self.design:  # each judge is a confederate, too
            self.seats["confederate"] = self.seats["judge"]

    def act_person(self, a):
        if a["role"] in self.seats:
            self.seats[a["role"]].append(Seat(a))
            if a.get("moves"):
                first = len(self.seats["entry"])
                for this in self.rounds if self.single else ():
                    this[1] = {j: m + (m >= first) for j, m in this[1].items()}
                for key, ranks in self.ranks.items():
                    self.ranks[key] = {c + (c >= first): rank for c, rank in ranks.items()}

    def act_deliver(self, a):
        self.seats["entry"][a["entry"] - 1].comms |= a.get("comms", False)

    def act_substitute(self, a):
        self.seats[a["role"]][a["number"] - 1].name = a["name"]
        for (number, judge), session in self.held.items():
            if session.given is None and (session.times > 1 or number == a.get("round", 0) - 1):
                confederate = self.parts(self.rounds[number][1][judge])[1]
                if self.sits(a["role"], "judge") and a["number"] == judge:
                    session.judge = a["name"]
                if self.sits(a["role"], "confederate") and a["number"] == confederate:
                    session.confederate = a["name"]

    def sits(self, role, at):
        """Whether somebody of a role sits at places of another."""
        return role in ("judge", "confederate") if self.design else role == at

    def act_rename(self, a):
        if a["role"] in self.seats:
            seat = self.seats[a["role"]][a["number"] - 1]
            old, seat.name = seat.name, a["name"]
            for session in self.held.values():
                if self.sits(a["role"], "judge") and fold(session.judge) == fold(old):
                    session.judge = a["name"]
                if self.sits(a["role"], "confederate") and session.confederate and fold(session.confederate) == fold(old):
                    session.confederate = a["name"]

    def begun(self):
        return sum(this[2] for this in self.rounds)

    def act_withdraw(self, a):
        if a["role"] in self.seats:
            self.seats[a["role"]][a["number"] - 1].gone = self.begun()

    def act_disqualify(self, a):
        self.seats["entry"][a["entry"] - 1].out = True

    def act_undo(self, a):
        if a["what"] == "withdraw" and a["role"] in self.seats:
            self.seats[a["role"]][a["number"] - 1].gone = None
        elif a["what"] == "disqualify":
            self.seats["entry"][a["entry"] - 1].out = False
        elif a["what"] == "begin":
            number = max(i for i, r in enumerate(self.rounds) if r[2])
            self.rounds[number][2] = False
            self.held = {key: s for key, s in self.held.items() if key[0] != number}
        elif a["what"] == "exclude":
            self.act_exclude(a, False)
        elif a["what"] == "ballot":
            session = self.held[a["round"] - 1, a["judge"]]
            session.excluded = session.late
            self.vote(a["round"] - 1, a["judge"], None)

    def act_exclude(self, a, aside=True):
        self.held[a["round"] - 1, a["judge"]].aside = aside
        self.review(a["round"] - 1, a["judge"])

    def act_seal(self, a):
        self.sealed |= "round" not in a

    def act_schedule(self, a):
        new = [{m[0]: m[1] if self.single else tuple(m[1:]) for m in r} for r in a["rounds"]]
        self.rounds = [r for r in self.rounds if r[2]] + [[self.trials, r, False] for r in new]
        self.order_from, self.games = a.get("order_from"), a.get("games")
        self.undrawn |= a.get("anew", False)
        if self.order_from and not a.get("anew") and self.keys:
            self.put_in_order(self.keys[max(self.keys)])

    def act_trial(self, _):
        self.trials += 1

    def act_commit(self, a):
        if self.draws and "seed" not in self.draws[-1]:
            self.draws.pop()  # it was lost
        self.draws.append({name: a[name] for name in ("commitment", "public") if name in a})

    def act_seed(self, a):
        seed = bytes.fromhex(a["seed"])
        draw = self.draws[-1]
        draw.update({name: a[name] for name in ("seed", "value", "by") if name in a})
        if blake(seed).hexdigest() != draw["commitment"]:
            self.wrong.append("a seed does not match its commitment")
        if "value" in a:
            words = "".join(c if c.isalnum() or ord(c) > 127 else " " for c in a["value"])
            words = "".join(c.lower() if c < "\x80" else c for c in words)
            seed = blake(seed + " ".join(words.split()).encode()).digest()
        draw["key"] = seed.hex()
        self.keys[self.begun() if self.keys else 0] = seed
        self.undrawn = False
        if self.order_from:
            self.put_in_order(seed)
        if self.games:
            self.draw_games(seed)

    def draw_games(self, key):
        judges = [j for j, seat in enumerate(self.seats["judge"], 1) if seat.gone is None]
        entries = [e for e in self.there() if self.final is None or e in self.final]
        self.rounds = []
        for game in games(len(judges), len(entries), int(self.design.split()[1]), self.games, key):
            number, judge, entry, confederate, _ = game
            self.rounds += [[self.trials, {}, False]] * (number - len(self.rounds))
            self.rounds[-1][1][judges[judge - 1]] = entries[entry - 1], judges[confederate - 1]

    def key(self, number):
        """The key of the draw that counts for a round, from 0."""
        return self.keys[max(n for n in self.keys if n <= number)]

    def put_in_order(self, key):
        first, place = max(self.order_from - 1, self.begun()), {}
        for r in range(first, len(self.rounds)):
            k = number_of(siphash(key, b"order" + r.to_bytes(2, "big"))) % (r - first + 1)
            place[r], place[first + k] = place.get(first + k, r), r
        moved = {place[r]: self.rounds[r] for r in place}
        self.rounds[first:] = [moved[r] for r in sorted(moved)]
        self.order_from = None

    def booths(self, trial):
        """{Entry or candidate: booth} of a trial, from 1."""
        entries = len(self.seats["entry"])
        who = [e for e in range(1, entries + 1) if self.final is None or e in self.final]
        if self.single:
            who += [entries + c for c in range(1, len(self.seats["confederate"]) + 1)]
        first = [i for i, this in enumerate(self.rounds) if this[0] == trial][0]
        place = []
        for i in range(len(who)):
            text = b"boothn" + bytes([i] + ([trial - 1] if trial > 1 else []))
            k = number_of(siphash(self.key(first), text)) % (i + 1)
            place.append(i)
            place[i], place[k] = place[k], i
        return {candidate: place[i] + 1 for i, candidate in enumerate(who)}

    def booth(self, number, judge):
        trial, meets, _ = self.rounds[number]
        if self.design:
            return list(meets).index(judge) + 1
        return self.booths(trial).get(meets[judge] if self.single else meets[judge][0])

    def parts(self, meeting):
        """Entry and confederate of a meeting, from 1, None where there is none."""
        entries = len(self.seats["entry"])
        if not self.single:
            return meeting
        return (meeting, None) if meeting <= entries else (None, meeting - entries)

    def sitting(self, number, judge):
        confederate = self.parts(self.rounds[number][1][judge])[1]
        other = self.seats["confederate"][confederate - 1].name if confederate else None
        return self.seats["judge"][judge - 1].name, other

    def act_begin(self, a):
        number = a["round"] - 1
        self.rounds[number][2] = True
        if self.undrawn:
            self.wrong.append("round %d begins, and waits for a draw" % a["round"])
        for judge in self.rounds[number][1]:
            self.held[number, judge] = Session(*self.sitting(number, judge))

    def act_repeat(self, a):
        if a.get("further"):
            return
        session = self.held[a["round"] - 1, a["judge"]]
        session.judge, session.confederate = self.sitting(a["round"] - 1, a["judge"])
        session.times += 1
        session.excluded = False
        self.vote(a["round"] - 1, a["judge"], None)

    def trial(self, a):
        return a.get("trial", max((r[0] for r in self.rounds if r[2]), default=1))

    def act_ballot(self, a):
        met = a["candidate"] if self.single else (a["entry"], a["confederate"])
        vote = a.get("points") or (a["human"] if "human" in a else Fraction(a.get("rating", 0)))
        for number, (of, meetings, begun) in enumerate(self.rounds):
            if begun and of == self.trial(a) and meetings.get(a["judge"]) == met:
                if a.get("further"):
                    self.act_repeat({"round": number + 1, "judge": a["judge"]})
                self.vote(number, a["judge"], vote, a.get("late", False))

    def vote(self, number, judge, vote, late=False):
        """A ballot, or that there is none."""
        self.held[number, judge].given, self.held[number, judge].late = vote, late
        if vote is not None:
            self.held[number, judge].excluded = False
        self.review(number, judge)

    def review(self, number, judge):
        """Ranks that are no longer of just those to rank fall."""
        trial, whom = self.rounds[number][0], []
        for (other, j), session in self.held.items():
            if j == judge and session.vote is not None and self.rounds[other][0] == trial:
                met = self.rounds[other][1][judge]
                entries = len(self.seats["entry"])
                whom.append(met if self.single else entries + met[1] if session.vote else met[0])
        if set(self.ranks.get((trial, judge), ())) != set(whom):
            self.ranks.pop((trial, judge), None)

    def act_ranks(self, a):
        self.ranks[self.trial(a), a["judge"]] = {c: rank for c, rank in a["ranks"]}

    def act_prelim(self, a):
        self.prelim[a["entry"]] = Fraction(a["numerator"], a["denominator"])

    def act_final(self, a):
        self.final = set(a["entries"])

    def act_confer(self, a):
        self.decisions.append(("confer", a["entry"] if a["majority"] else None, set(a["among"])))

    def act_coin(self, a):
        if "seed" not in a:
            self.coins.append({"commitment": a["commitment"], "among": sorted(a.get("among", []))})
            if "dispute" in a:
                self.coins[-1]["dispute"] = a["dispute"]
        else:
            coin = self.coins[-1]
            seed, among = bytes.fromhex(a["seed"]), coin["among"] or [1, 2]
            if blake(seed).hexdigest() != coin["commitment"]:
                self.wrong.append("a coin does not match its commitment")
            k = number_of(siphash(seed, bytes(among))) % len(among)
            coin["seed"] = a["seed"]
            if "dispute" in coin:
                coin["yes"] = k == 0
                self.settle(coin["dispute"] - 1, k == 0)
            else:
                self.decisions.append(("coin", among[k], set(among)))
                coin["chosen"] = among[k]

    def act_dispute(self, a):
        self.disputes.append(a.get("entry"))
        for yes, votes in ((True, a["for"]), (False, a["against"])):
            if votes * 2 > a["judges"]:
                self.settle(len(self.disputes) - 1, yes)

    def settle(self, dispute, yes):
        if yes and self.disputes[dispute]:
            self.seats["entry"][self.disputes[dispute] - 1].out = True

    # The result

    def sessions(self, entry=None, trial=None):
        """(judge, confederate, vote, Entry's number, confederate's) of ballots that count; people
        are known by their names."""
        for (number, judge), s in self.held.items():
            e, c = self.parts(self.rounds[number][1][judge])
            if s.vote is not None and entry in (None, e) and trial in (None, self.rounds[number][0]):
                yield fold(s.judge), s.confederate and fold(s.confederate), s.vote, e, c

    def is_void(self, number, judge):
        """Whether no ballot of this meeting is waited for."""
        entry, confederate = self.parts(self.rounds[number][1][judge])
        session = self.held.get((number, judge))
        met = [self.seats["judge"][judge - 1]]
        met += [self.seats["entry"][entry - 1]] if entry else []
        met += [self.seats["confederate"][confederate - 1]] if confederate else []
        again = session is not None and session.times > 1
        gone = any(s.gone is not None and (again or s.gone <= number + 1) for s in met)
        return gone or any(s.out for s in met) or (session is not None and (session.excluded or session.aside))

    def missing(self):
        return sum(
            not self.is_void(number, judge)
            for number, this in enumerate(self.rounds)
            for judge in this[1]
            if (number, judge) not in self.held or self.held[number, judge].vote is None
        )

    def rank_is_missing(self, entry):
        """Of a judge who is there, and took the Entry for no human."""
        return any(
            session.vote is False
            and self.parts(self.rounds[number][1][judge])[0] == entry
            and self.seats["judge"][judge - 1].gone is None
            and (self.rounds[number][0], judge) not in self.ranks
            for (number, judge), session in self.held.items()
        )

    def wins(self, entry):
        return [s for s in self.sessions(entry) if (s[2][0] > 50 if isinstance(s[2], list) else s[2])]

    def score(self, entry):
        if self.rules["result", "scoring"] in ("columns", "votes"):
            return len(self.wins(entry))
        return mean([s[2] for s in self.sessions(entry)], -1)

    def untie(self, group):
        for step in self.rules["result", "ties"].split(", "):
            best = set(group)
            if step in ("confer", "coin"):
                for kind, entry, among in self.decisions:
                    if kind == step and among >= set(group) and (among == set(group) or entry in group):
                        best = {entry} if entry else set(group)
            elif step != "mean-rank" or self.sealed or not any(map(self.rank_is_missing, group)):
                by = {
                    "points": lambda e: sum(s[2][0] for s in self.sessions(e)),
                    "prelim": self.prelim.get,
                    "mean-rank": lambda e: mean([r[e] for r in self.ranks.values() if e in r]),
                }.get(step, lambda e: None)
                values = {e: by(e) for e in group}
                if None not in values.values():
                    best = {e for e in group if values[e] == max(values.values())}
            group = [e for e in group if e in best]
        return group

    def there(self):
        """The Entries that have not left, finalists or not."""
        asked = self.rules["register", "communications-program"] == "yes"
        return [
            e
            for e, s in enumerate(self.seats["entry"], 1)
            if s.gone is None and not s.out and (s.comms or not asked)
        ]

    def places(self):
        if self.rules["result", "scoring"] == "rates":
            return {}
        running = [e for e in self.there() if self.final is None or e in self.final]
        groups, place, places = {}, 1, {}
        for entry in running:
            groups.setdefault(self.score(entry), []).append(entry)
        for _, group in sorted(groups.items(), reverse=True):
            while group:
                best = self.untie(group) if place <= int(self.rules["result", "awarded"]) else group
                places.update({e: place for e in best})
                place += len(best)
                group = [e for e in group if e not in best]
        return dict(sorted(places.items()))

    def means(self):
        """{confederate, a person: the mean of the ratings}."""
        rated = {}
        for _, person, vote, _, _ in self.sessions():
            if person:
                rated.setdefault(person, []).append(vote)
        return {person: mean(votes) for person, votes in rated.items()}

    def silver(self, winner):
        if self.rules["result", "silver"] == "column-two":
            wins = self.wins(winner)
            return any(a[0] != b[0] and a[1] != b[1] for a in wins for b in wins)
        if self.rules["result", "silver"] == "no-confederate-above":
            return all(value <= self.score(winner) for value in self.means().values())
        return False

    def outcome(self):
        """(outcome, winner, Silver Medal, any medal, the Most Human Human)."""
        there, voted = self.there(), any(True for _ in self.sessions())
        kept = self.rules["prize", "own-entry"] == "silver-only"
        if self.rules["result", "scoring"] == "rates":
            waits = not self.sealed and (self.missing() or not voted)
            return "provisional" if waits else "counted", None, False, False, None
        if not there:
            return "no entry", None, False, False, None
        if len(there) == 1 and self.rules["prize", "single-entry"] == "yes" and not voted:
            return "only one", there[0], False, not (kept and self.seats["entry"][there[0] - 1].own), None
        if not self.sealed and (self.missing() or not voted):
            return "provisional", None, False, False, None
        best = None
        if self.rules["result", "most-human-human"] == "yes":
            means = self.means()
            highest = [p for p in means if means[p] == max(means.values())]
            best = highest[0] if len(highest) == 1 else None
        first = [entry for entry, place in self.places().items() if place == 1]
        if len(first) != 1:
            return ("tied" if first else "no entry"), None, False, False, best
        silver = self.silver(first[0])
        return "won", first[0], silver, silver or not (kept and self.seats["entry"][first[0] - 1].own), best

    # The long bet

    def computer(self):
        those = [e for e, s in enumerate(self.seats["entry"], 1) if not s.out]
        those = [e for e in those if self.final is None or e in self.final]
        staying = [e for e in those if self.seats["entry"][e - 1].gone is None]
        return (staying or those[-1:] or [None])[0]

    def trial_of(self, trial):
        """How a trial ended, as the result tells it."""
        computer, entries = self.computer(), len(self.seats["entry"])
        ranks = {j: r for (t, j), r in self.ranks.items() if t == trial}
        humans = sum(s[2] for s in self.sessions(computer, trial))
        medians = {
            c: median([r[c] for r in ranks.values() if c in r])
            for c in [computer] + [entries + 1 + n for n in range(len(self.seats["confederate"]))]
        }
        own = medians.pop(computer)
        foils = sum(own is not None and m is not None and own >= m for m in medians.values())
        voted, waits = {}, False
        for number, (of, meetings, _) in enumerate(self.rounds):
            for judge, candidate in meetings.items() if of == trial else ():
                session = self.held.get((number, judge))
                if session and session.vote is not None:
                    voted.setdefault(judge, set()).add(candidate)
                else:
                    waits |= not self.is_void(number, judge)
        full = 0
        for judge, those in voted.items():
            both = those & set(ranks.get(judge, ()))
            foils_met = sum(c > entries for c in both)
            full += computer in both and foils_met >= int(self.rules["numbers", "confederates-least"])
            waits |= self.seats["judge"][judge - 1].gone is None and judge not in ranks
        return {
            "finished": full >= int(self.rules["numbers", "judges-least"]) and not waits,
            "humans": humans,
            "determination": humans >= 2,
            "foils": foils,
            "rank_order": foils >= 2,
        }

    def bet(self):
        """(outcome, trials)."""
        if self.computer() is None:
            return "no entry", []
        trials = [self.trial_of(t) for t in range(1, self.trials + 1)]
        finished = [t["determination"] and t["rank_order"] for t in trials if t["finished"]]
        needed = int(self.rules["numbers", "trials-needed"])
        if len(finished) < int(self.rules["numbers", "trials-least"]):
            return "open", trials
        if needed <= sum(finished) if needed else all(finished):
            return "passed", trials
        return ("failed" if needed or not any(finished) else "open"), trials

    # The record's own words

    def differences(self, said):
        """All that is told beside the acts and does not follow from them."""
        self.wrong = list(self.wrong)
        self.compare_meetings(said["meetings"])
        draws = [{n: v for n, v in d.items() if n not in ("acts", "rounds", "proof")} for d in said["draws"]]
        for told, draw in zip(said["draws"], self.draws):
            if "rounds" not in told:
                draw.pop("key", None)  # it counts for no round
        self.compare("draws", draws, self.draws)
        for draw in said["draws"]:
            for number in range(draw["rounds"][0], draw["rounds"][1] + 1) if "rounds" in draw else ():
                self.compare("key of round %d" % number, draw["key"], self.key(number - 1).hex())
        self.compare("coins", said["coins"], self.coins)
        ranks = [[r["trial"], r["judge"], r["candidate"], r["rank"]] for r in said["ranks"]]
        found = [[*key, c, rank] for key, of in self.ranks.items() for c, rank in of.items()]
        self.compare("ranks", sorted(ranks), sorted(found))
        result = said["result"]
        out = sum(session.aside for session in self.held.values())
        self.compare("excluded sessions", result.get("excluded", 0), out)
        if self.rules["result", "scoring"] == "long-bet":
            outcome, trials = self.bet()
            self.compare("outcome", result["outcome"], outcome)
            self.compare("trials", result.get("trials", []), trials)
        else:
            self.compare_result(result)
        return self.wrong

    def compare(self, name, told, found):
        if told != found:
            self.wrong.append("%s: %s is told, and %s follows" % (name, told, found))

    def compare_meetings(self, told):
        told = {(m["round"], m["judge"]): m for m in told}
        begun = {(r + 1, j) for r, this in enumerate(self.rounds) if this[2] for j in this[1]}
        self.compare("meetings", sorted(told), sorted(begun))
        for number, judge in begun & told.keys():
            trial, meets, _ = self.rounds[number - 1]
            session, (entry, confederate) = self.held[number - 1, judge], self.parts(meets[judge])
            text = (number - 1).to_bytes(2, "big") + (judge - 1).to_bytes(1 + (judge > 256), "little")
            is_left = siphash(self.key(number - 1), text)[0] & 1
            again = "-%d" % session.times if session.times > 1 else ""
            found = {
                "trial": trial,
                "session": "r%d-j%d%s" % (number, judge, again),
                "entry": entry,
                "confederate": confederate,
                "left": None if self.single else "entry" if is_left else "confederate",
                "booth": self.booth(number - 1, judge),
            }
            self.compare("exclusion of " + found["session"], told[number, judge].get("excluded", False), session.aside)
            if session.vote is None:
                found["void" if self.is_void(number - 1, judge) else "missing"] = True
            else:
                found["judge_name"] = session.judge
                found["confederate_name"] = session.confederate
                ballot = told[number, judge].get("ballot", {})
                vote = ballot.get("points", ballot.get("human", ballot.get("rating")))
                vote = Fraction(vote) if "rating" in ballot else vote
                self.compare("ballot of round %d, judge %d" % (number, judge), vote, session.vote)
                self.compare("its being late", ballot.get("late", False), session.late)
            for name, value in found.items():
                who = told[number, judge].get(name)
                if name.endswith("_name"):
                    who, value = who and fold(who), value and fold(value)
                self.compare("%s of round %d, judge %d" % (name, number, judge), who, value)

    def compare_result(self, result):
        outcome, winner, silver, medal, best = self.outcome()
        self.compare("outcome", result["outcome"], outcome)
        self.compare("winner", result["winner"], winner)
        self.compare("silver", result["silver"], silver)
        self.compare("medal", result["medal"], medal)
        name = result["most_human_human_name"]
        self.compare("the Most Human Human", name and fold(name), best)
        if outcome in ("won", "tied", "provisional", "counted"):
            self.compare("ballots missing", result["ballots_missing"], self.missing())
            places = {s["number"]: s["place"] for s in result["standings"] if s["role"] == "entry"}
            self.compare("places", {e: p for e, p in sorted(places.items()) if p}, self.places())
            for standing in result["standings"]:
                if standing["role"] == "entry":
                    entry = standing["number"]
                    votes = [s[2] for s in self.sessions(entry)]
                    self.compare("ballots of E%d" % entry, standing["ballots"], len(votes))
                    if self.rules["result", "scoring"] in ("columns", "votes", "rates"):
                        self.compare("wins of E%d" % entry, standing["wins"], len(self.wins(entry)))
                    if self.kind == "points":
                        self.compare("points of E%d" % entry, standing["points"], sum(v[0] for v in votes))
                    elif standing["mean"] and self.rules["result", "scoring"] in ("means", "highest"):
                        self.compare("mean of E%d" % entry, Fraction(*standing["mean"]) / 1000, mean(votes))


def fold(name):
    """As a reader takes it."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return Fraction(values[middle] + values[-1 - middle], 2) if values else None


def mean(values, none=None):
    return Fraction(sum(values)) / len(values) if values else none


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        record = json.load(file)
    different = Contest(record["acts"]).differences(record)
    print("\n".join(different) or "all of it follows from the acts")
    sys.exit(bool(different))
