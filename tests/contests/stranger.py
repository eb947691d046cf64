#!/usr/bin/python3
"""stranger.py DIR [HASH]: checks a bundle by boothlink-contest(5) alone: files, hashes, commitments, draws,
the order of rounds, sides, ballots, and the winner by the scores; not who is chosen among equal ones, nor
results after a dispute, nor the long bet's. HASH: the bundle's, as it was made known."""
import hashlib, json, os, sys
from fractions import Fraction
PERSONAL = set("author name submitter family team age guardian by why text notes matter asked answer fields".split())

def blake(*texts):
    data = b"".join(t if isinstance(t, bytes) else t.encode() + b"\0" for t in texts)
    return hashlib.blake2b(data, digest_size=32)

def siphash(key, text):
    """SipHash-2-4 as a number, whose first byte is the highest."""
    def turn(times):
        for a, b, n, half in ((0, 1, 13, 32), (2, 3, 16, 0), (0, 3, 21, 0), (2, 1, 17, 32)) * times:
            v[a] = (v[a] + v[b]) % 2**64
            v[b] = (v[b] << n | v[b] >> 64 - n) % 2**64 ^ v[a]
            v[a] = (v[a] << half | v[a] >> 64 - half) % 2**64
    k, n = (int.from_bytes(key[i:i + 8], "little") for i in (0, 8))
    v = [k ^ 0x736f6d6570736575, n ^ 0x646f72616e646f6d, k ^ 0x6c7967656e657261, n ^ 0x7465646279746573]
    text += bytes(7 - len(text) % 8) + bytes([len(text) % 256])
    for word in (int.from_bytes(text[i:i + 8], "little") for i in range(0, len(text), 8)):
        v[3] ^= word
        turn(2)
        v[0] ^= word
    v[2] ^= 255
    turn(4)
    return int.from_bytes((v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little"), "big")

def read_act(act, number, before):
    """True if an act fits behind the one before; and its body as far as it is told."""
    body = json.loads(act["body"])
    apart = {m: v["commitment"] for m, v in body.items() if isinstance(v, dict)} | {"author": act["author"]}
    head = before, act["number"].to_bytes(8, "big"), act["at_us"].to_bytes(8, "big")
    good = act["number"] == number and "withheld" not in act and set(apart) <= PERSONAL
    good &= blake(*head, act["author"], act["kind"], act["body"]).hexdigest() == act["hash"]
    for member, told in act["opened"].items():
        is_it = blake(bytes.fromhex(told["salt"]), act["kind"], member, told["value"]).hexdigest()
        good &= len(told["salt"]) == 64 and is_it == apart.pop(member, None)
        body[member] = json.loads(told["value"])
    for member, text in act.get("instead", {}).items():
        good &= apart.pop(member, None) is not None
        body[member] = json.loads(text)
    return good, {m: v for m, v in body.items() if not isinstance(v, dict)}

class Contest:
    def __init__(self, record):
        self.rounds, self.keys, self.votes, self.last, self.trials = [], {}, {}, {}, 1
        self.seats, self.order_from, self.wrong, self.out, before = {}, None, [], set(), bytes(32)
        for number, act in enumerate(record["acts"], 1):
            good, body = read_act(act, number, before)
            self.must(good, "act %d" % number)
            self.take(act["kind"], body, body.get("what"))
            before = bytes.fromhex(act["hash"])
        self.compare(record)

    def must(self, good, what):
        self.wrong += [] if good else [what]

    def begun(self):
        return sum(r["begun"] for r in self.rounds)

    def take(self, kind, a, what):
        self.last[kind] = a
        self.trials += kind == "trial"
        if kind == "contest":
            lines = [line.partition(";")[0].partition("=") for line in a["ruleset"].splitlines()]
            self.rules = {key.strip(): value.strip() for key, _, value in lines}
            self.single = self.rules["pairing"] == "single"
        elif kind == "person":
            self.seats.setdefault(a["role"], []).append({"in": True, "out": False, "comms": "comms" in a})
            for r in self.rounds if a.get("moves") and self.single else ():
                r["meets"] = {j: c + (c >= len(self.seats["entry"])) for j, c in r["meets"].items()}
        elif kind == "deliver":
            self.seats["entry"][a["entry"] - 1]["comms"] |= a.get("comms", False)
        elif "disqualify" in (kind, what):
            self.seats["entry"][a["entry"] - 1]["out"] = kind != "undo"
        elif "withdraw" in (kind, what):
            self.seats[a["role"]][a["number"] - 1]["in"] = kind == "undo"
        elif "begin" in (kind, what):
            self.rounds[self.begun() - (kind == "undo")]["begun"] = kind != "undo"
        elif kind == "schedule":
            new = [{m[0]: m[1] if self.single else tuple(m[1:]) for m in of} for of in a["rounds"]]
            new = [{"meets": meets, "trial": self.trials, "begun": False} for meets in new]
            self.rounds, self.order_from = self.rounds[:self.begun()] + new, a.get("order_from")
            self.order(self.keys and not a.get("anew"))
        elif kind == "seed":
            seed = bytes.fromhex(a["seed"])
            self.must(blake(seed).hexdigest() == self.last["commit"]["commitment"], "a seed")
            text = "".join(c if c > "\x7f" else c.lower() if c.isalnum() else " " for c in a.get("value", ""))
            text = b" ".join(t.encode() for t in text.split(" ") if t)
            self.keys[self.begun() if self.keys else 0] = blake(seed, text).digest() if text else seed
            self.order(True)
        elif "exclude" in (kind, what):
            (self.out.discard if kind == "undo" else self.out.add)((a["round"] - 1, a["judge"]))
        elif "ballot" in (kind, what) or kind == "repeat" and not a.get("further"):
            met = a.get("candidate") if self.single else (a.get("entry"), a.get("confederate"))
            trial = a.get("trial", self.rounds[self.begun() - 1]["trial"])
            held = [(r["meets"].get(a["judge"]), r["trial"]) for r in self.rounds]
            at = held.index((met, trial)) if kind == "ballot" else a["round"] - 1
            self.votes[at, a["judge"]] = Fraction(a["rating"]) if "rating" in a else a.get("points", a.get("human"))

    def order(self, now):
        first, place = max((self.order_from or 0) - 1, self.begun()), {}
        key = self.keys[max(n for n in self.keys if n <= first)] if self.keys else None
        for r in range(first, len(self.rounds)) if now and self.order_from else ():
            k = first + siphash(key, b"order" + r.to_bytes(2, "big")) % (r - first + 1)
            place[r], place[k] = place.get(k, r), r
        self.rounds[first:] = [self.rounds[r] for r in sorted(place, key=place.get)] or self.rounds[first:]
        self.order_from = not now and self.order_from

    def compare(self, record):
        entries, found, won = len(self.seats["entry"]), {}, {}
        begun = [x["meets"] for x in self.rounds if x["begun"]]
        for r, j, met in ((r, j, meets[j]) for r, meets in enumerate(begun) for j in meets):
            entry, other = (met if met <= entries else None, met - entries) if self.single else met
            other, vote = (None if self.single and entry else other), self.votes.get((r, j) not in self.out and (r, j))
            key = None if self.single else self.keys[max(n for n in self.keys if n <= r)]
            side = key and ("confederate", "entry")[siphash(key, r.to_bytes(2, "big") + bytes([j - 1])) >> 56 & 1]
            found[r + 1, j] = self.rounds[r]["trial"], entry, other, side, vote
            if vote is not None and entry:
                won.setdefault(entry, []).append(vote[0] > 50 if isinstance(vote, list) else vote)
        for m in record["meetings"]:
            vote = Fraction(b["rating"]) if "rating" in (b := m.get("ballot", {})) else b.get("points", b.get("human"))
            told = m["trial"], m.get("entry"), m.get("confederate"), m.get("left"), vote
            self.must(found.pop((m["round"], m["judge"]), None) == told, "the session " + m["session"])
        self.must(not found, "a meeting is not told")
        if self.rules["scoring"] != "long-bet" and "dispute" not in self.last:
            asked, seats = self.rules["communications-program"] == "yes", enumerate(self.seats["entry"], 1)
            there = [e for e, s in seats if s["in"] and not s["out"] and asked <= s["comms"]]
            number, said = self.rules["scoring"] in ("columns", "votes"), record["result"]
            best = [e for e in there if e in self.last.get("final", {}).get("entries", there)]
            score = {e: Fraction(sum(won[e])) / (number or len(won[e])) if e in won else number - 1 for e in best}
            best = [e for e in best if score[e] == max(score.values())]
            wins = [s["wins"] == sum(won.get(s["number"], ())) for s in said["standings"] if s["role"] == "entry"]
            fits = {"won": said["winner"] in best, "tied": len(best) > 1, "counted": all(wins)}
            self.must(fits.get(said["outcome"], not won or not best), "the result")

def main(folder, announced=None):
    files = {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder)}
    listed = dict(line.split("  ")[::-1] for line in files["hashes"].decode().splitlines())
    contest = Contest(json.loads(files["contest.json"]))
    contest.must(announced in (None, blake(files["hashes"]).hexdigest()), "another one was made known")
    contest.must(set(listed) == set(files) - {"hashes"}, "a file is missing, or is not listed")
    for name in set(listed) & set(files):
        contest.must(blake(files[name]).hexdigest() == listed[name], "the hash of " + name)
    sys.exit("\n".join(contest.wrong) or None)

main(*sys.argv[1:])
