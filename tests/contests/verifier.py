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

MASK = (1 << 64) - 1


def blake(data):
    return hashlib.blake2b(data, digest_size=32)


def siphash(key, text):
    def rotate(x, n):
        return ((x << n) | (x >> (64 - n))) & MASK

    def turn(v):
        v[0] = (v[0] + v[1]) & MASK
        v[2] = (v[2] + v[3]) & MASK
        v[1], v[3] = rotate(v[1], 13) ^ v[0], rotate(v[3], 16) ^ v[2]
        v[0] = (rotate(v[0], 32) + v[3]) & MASK
        v[2] = (v[2] + v[1]) & MASK
        v[1], v[3] = rotate(v[1], 17) ^ v[2], rotate(v[3], 21) ^ v[0]
        v[2] = rotate(v[2], 32)

    k = [int.from_bytes(key[i : i + 8], "little") for i in (0, 8)]
    v = [k[0] ^ 0x736F6D6570736575, k[1] ^ 0x646F72616E646F6D]
    v += [k[0] ^ 0x6C7967656E657261, k[1] ^ 0x7465646279746573]
    text += bytes(7 - len(text) % 8) + bytes([len(text) % 256])
    for i in range(0, len(text), 8):
        word = int.from_bytes(text[i : i + 8], "little")
        v[3] ^= word
        turn(v), turn(v)
        v[0] ^= word
    v[2] ^= 255
    turn(v), turn(v), turn(v), turn(v)
    return (v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little")


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


class Contest:
    def __init__(self, acts):
        self.seats = {"judge": [], "entry": [], "confederate": []}  # [person, withdrawn, out]
        self.rounds, self.trials, self.keys = [], 1, {}  # rounds: [trial, meetings, begun]
        self.held = {}  # (round, judge): [judge's person, confederate's person, vote, times]
        self.ranks, self.prelim, self.decisions, self.final = {}, {}, [], None
        self.order_from, self.commitment = None, None
        self.coin, self.wrong, self.disputes = None, [], []
        before = bytes(32)
        for act in acts:
            text = before + act["number"].to_bytes(8, "big") + act["at_us"].to_bytes(8, "big")
            for part in (act["author"], act["kind"], act["body"]):
                text += part.encode() + b"\0"
            before = bytes.fromhex(act["hash"])
            if blake(text).digest() != before and "withheld" not in act:
                self.wrong.append("the hash of act %d" % act["number"])
            act_of = getattr(self, "act_" + act["kind"], lambda _: None)
            act_of(json.loads(act["body"]))

    # Acts

    def act_contest(self, a):
        self.rules = read_rules(a["ruleset"])
        self.single = self.rules["session", "pairing"] == "single"

    def act_person(self, a):
        if a["role"] in self.seats:
            self.seats[a["role"]].append([fold(a["name"]), False, False, a.get("own", False)])
            if a.get("moves"):
                first = len(self.seats["entry"])
                for this in self.rounds if self.single else ():
                    this[1] = {j: m + (m >= first) for j, m in this[1].items()}
                for key, ranks in self.ranks.items():
                    self.ranks[key] = {c + (c >= first): rank for c, rank in ranks.items()}

    def act_substitute(self, a):
        self.seats[a["role"]][a["number"] - 1][0] = fold(a["name"])
        for (number, judge), session in self.held.items():
            if session[2] is None and (session[3] > 1 or number == a.get("round", 0) - 1):
                session[:2] = self.sitting(number, judge)

    def act_rename(self, a):
        if a["role"] in self.seats:
            old = self.seats[a["role"]][a["number"] - 1][0]
            self.seats[a["role"]][a["number"] - 1][0] = fold(a["name"])
            for session in self.held.values() if a["role"] != "entry" else ():
                session[:2] = [fold(a["name"]) if p == old else p for p in session[:2]]

    def act_withdraw(self, a):
        if a["role"] in self.seats:
            self.seats[a["role"]][a["number"] - 1][1] = True

    def act_disqualify(self, a):
        self.seats["entry"][a["entry"] - 1][2] = True

    def act_undo(self, a):
        if a["what"] == "withdraw":
            self.seats[a["role"]][a["number"] - 1][1] = False
        elif a["what"] == "disqualify":
            self.seats["entry"][a["entry"] - 1][2] = False
        elif a["what"] == "begin":
            number = max(i for i, r in enumerate(self.rounds) if r[2])
            self.rounds[number][2] = False
            self.held = {key: s for key, s in self.held.items() if key[0] != number}
        elif a["what"] == "ballot":
            self.vote(a["round"] - 1, a["judge"], None)

    def act_schedule(self, a):
        new = [{m[0]: m[1] if self.single else tuple(m[1:]) for m in r} for r in a["rounds"]]
        self.rounds = [r for r in self.rounds if r[2]] + [[self.trials, r, False] for r in new]
        self.order_from = a.get("order_from")
        if self.order_from and not a.get("anew") and self.keys:
            self.put_in_order(self.keys[max(self.keys)])

    def act_trial(self, _):
        self.trials += 1

    def act_commit(self, a):
        self.commitment = a["commitment"]

    def act_seed(self, a):
        seed = bytes.fromhex(a["seed"])
        if blake(seed).hexdigest() != self.commitment:
            self.wrong.append("a seed does not match its commitment")
        if "value" in a:
            words = "".join(c if c.isalnum() or ord(c) > 127 else " " for c in a["value"])
            words = "".join(c.lower() if c < "\x80" else c for c in words)
            seed = blake(seed + " ".join(words.split()).encode()).digest()
        self.keys[sum(r[2] for r in self.rounds)] = seed
        if self.order_from:
            self.put_in_order(seed)

    def key(self, number):
        """The key of the draw that counts for a round, from 0."""
        return self.keys[max(n for n in self.keys if n <= number)]

    def put_in_order(self, key):
        first, place = self.order_from - 1, {}
        for r in range(first, len(self.rounds)):
            number = int.from_bytes(siphash(key, b"order" + r.to_bytes(2, "big")), "big")
            other = first + number % (r - first + 1)
            place[r], place[other] = place.get(other, r), r
        moved = {place[r]: self.rounds[r] for r in place}
        self.rounds[first:] = [moved[r] for r in sorted(moved)]
        self.order_from = None

    def parts(self, meeting):
        """Entry and confederate of a meeting, from 1, None where there is none."""
        entries = len(self.seats["entry"])
        if not self.single:
            return meeting
        return (meeting, None) if meeting <= entries else (None, meeting - entries)

    def sitting(self, number, judge):
        confederate = self.parts(self.rounds[number][1][judge])[1]
        return [self.seats["judge"][judge - 1][0], confederate and self.seats["confederate"][confederate - 1][0]]

    def act_begin(self, a):
        number = a["round"] - 1
        self.rounds[number][2] = True
        for judge in self.rounds[number][1]:
            self.held[number, judge] = self.sitting(number, judge) + [None, 1]

    def act_repeat(self, a):
        if a.get("further"):
            return
        number, judge = a["round"] - 1, a["judge"]
        self.held[number, judge] = self.sitting(number, judge) + [None, self.held[number, judge][3] + 1]
        self.ranks.pop((self.rounds[number][0], judge), None)

    def act_ballot(self, a):
        met = a["candidate"] if self.single else (a["entry"], a["confederate"])
        vote = a.get("points") or (a["human"] if "human" in a else Fraction(a.get("rating", 0)))
        trial = a.get("trial", max(r[0] for r in self.rounds if r[2]))
        for number, (of, meetings, begun) in enumerate(self.rounds):
            if begun and of == trial and meetings.get(a["judge"]) == met:
                if a.get("further"):
                    self.act_repeat({"round": number + 1, "judge": a["judge"]})
                self.vote(number, a["judge"], vote)

    def vote(self, number, judge, vote):
        """A ballot; ranks that are no longer of just those to rank fall."""
        self.held[number, judge][2] = vote
        trial, whom = self.rounds[number][0], []
        for (other, j), session in self.held.items():
            if j == judge and session[2] is not None and self.rounds[other][0] == trial:
                met = self.rounds[other][1][judge]
                entries = len(self.seats["entry"])
                whom.append(met if self.single else entries + met[1] if session[2] else met[0])
        if set(self.ranks.get((trial, judge), ())) != set(whom):
            self.ranks.pop((trial, judge), None)

    def act_ranks(self, a):
        self.ranks[a.get("trial", 1), a["judge"]] = {c: rank for c, rank in a["ranks"]}

    def act_prelim(self, a):
        self.prelim[a["entry"]] = Fraction(a["numerator"], a["denominator"])

    def act_final(self, a):
        self.final = set(a["entries"])

    def act_confer(self, a):
        self.decisions.append(("confer", a["entry"] if a["majority"] else None, set(a["among"])))

    def act_coin(self, a):
        if "seed" not in a:
            self.coin = a
        else:
            seed, among = bytes.fromhex(a["seed"]), sorted(self.coin.get("among", [1, 2]))
            if blake(seed).hexdigest() != self.coin["commitment"]:
                self.wrong.append("a coin does not match its commitment")
            k = int.from_bytes(siphash(seed, bytes(among)), "big") % len(among)
            if "dispute" in self.coin:
                self.settle(self.coin["dispute"] - 1, k == 0)
            else:
                self.decisions.append(("coin", among[k], set(among)))

    def act_dispute(self, a):
        self.disputes.append(a.get("entry"))
        for yes, votes in ((True, a["for"]), (False, a["against"])):
            if votes * 2 > a["judges"]:
                self.settle(len(self.disputes) - 1, yes)

    def settle(self, dispute, yes):
        if yes and self.disputes[dispute]:
            self.seats["entry"][self.disputes[dispute] - 1][2] = True

    # The result

    def sessions(self, entry=None, trial=None):
        """(judge's person, confederate's person, vote, Entry, confederate) of ballots that count."""
        for (number, judge), (one, other, vote, _) in self.held.items():
            e, c = self.parts(self.rounds[number][1][judge])
            if vote is not None and entry in (None, e) and trial in (None, self.rounds[number][0]):
                yield one, other, vote, e, c

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
            else:
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

    def places(self):
        running = [e for e, s in enumerate(self.seats["entry"], 1) if not (s[1] or s[2])]
        running = [e for e in running if self.final is None or e in self.final]
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

    def silver(self, winner):
        if self.rules["result", "silver"] == "column-two":
            wins = self.wins(winner)
            return len({w[0] for w in wins}) > 1 and len({w[1] for w in wins}) > 1
        persons = {s[1] for s in self.sessions() if s[1]}
        means = [mean([s[2] for s in self.sessions() if s[1] == p]) for p in persons]
        return self.rules["result", "silver"] != "none" and max(means, default=0) <= self.score(winner)

    def passed(self, trial):
        """Whether the computer passed both tests of a trial (long bet II, 13 to 15)."""
        fooled = sum(s[2] for s in self.sessions(1, trial))
        medians = [
            sorted(r[c] for (t, _), r in self.ranks.items() if t == trial)[1] for c in (1, 2, 3, 4)
        ]
        return fooled >= 2 and sum(medians[0] >= m for m in medians[1:]) >= 2

    def differences(self, said):
        """All that is told beside the acts and does not follow from them."""
        wrong = list(self.wrong)

        def compare(name, told, found):
            if told != found:
                wrong.append("%s: %s is told, and %s follows" % (name, told, found))

        meetings = {}
        for number, (trial, meets, begun) in enumerate(self.rounds):
            for judge, meeting in meets.items() if begun else ():
                entry, confederate = self.parts(meeting)
                where = number.to_bytes(2, "big") + bytes([judge - 1])
                left = siphash(self.key(number), where)[0] & 1 and not self.single
                left = None if self.single else "entry" if left else "confederate"
                meetings[number + 1, judge] = (trial, entry, confederate, left)
        told = {(m["round"], m["judge"]): m for m in said["meetings"]}
        compare("meetings", sorted(told), sorted(meetings))
        for which in told.keys() & meetings.keys():
            is_told = [told[which].get(name) for name in ("trial", "entry", "confederate", "left")]
            compare("round %d, judge %d" % which, is_told, list(meetings[which]))
        for draw in said["draws"]:
            for number in range(*draw["rounds"]) if "rounds" in draw else ():
                compare("key of round %d" % number, draw["key"], self.key(number - 1).hex())
        chosen = [entry for kind, entry, _ in self.decisions if kind == "coin"]
        compare("coins", [c.get("chosen") for c in said["coins"] if "seed" in c and "dispute" not in c], chosen)
        result = said["result"]
        if self.rules["result", "scoring"] == "long-bet":
            for number, trial in enumerate(result.get("trials", []), 1):
                if trial["finished"]:
                    both = trial["determination"] and trial["rank_order"]
                    compare("trial %d" % number, both, self.passed(number))
        elif result["outcome"] in ("won", "tied"):
            places = {s["number"]: s["place"] for s in result["standings"] if s["role"] == "entry"}
            compare("places", {e: p for e, p in sorted(places.items()) if p}, self.places())
            first = [entry for entry, place in self.places().items() if place == 1]
            winner = first[0] if len(first) == 1 else None
            compare("winner", result["winner"], winner)
            compare("silver", result["silver"], winner is not None and self.silver(winner))
        return wrong


def fold(name):
    """As a reader takes it."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def mean(values, none=None):
    return Fraction(sum(values)) / len(values) if values else none


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        record = json.load(file)
    different = Contest(record["acts"]).differences(record)
    print("\n".join(different) or "all of it follows from the acts")
    sys.exit(bool(different))
