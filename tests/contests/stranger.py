#!/usr/bin/python3
"""stranger.py DIR [HASH]: checks a bundle by boothlink-contest(5) alone: hashes, commitments, draws, rounds, games,
sides, ballots, and the winner by the scores; not disputes, a choice of equal ones, the long bet. HASH: as made known."""
import collections, hashlib, json, os, sys
from fractions import Fraction
PERSONAL = set("author name submitter family team age guardian by why text notes matter asked answer fields".split())

def blake(*texts):
    data = b"".join(t if isinstance(t, bytes) else t.encode() + b"\0" for t in texts)
    return hashlib.blake2b(data, digest_size=32)

def draw(key, word, number, size=4):
    """SipHash-2-4 of a word and a number of that size, as a number, whose first byte is the highest."""
    k, text = [int.from_bytes(key[i:i + 8], "little") for i in (0, 8)], word + number.to_bytes(size, "big")
    v = [k[i % 2] ^ int.from_bytes(b"somepseudorandomlygeneratedbytes"[i * 8:][:8], "big") for i in range(4)]
    text += bytes(7 - len(text) % 8) + bytes([len(text) % 256])
    for at in range(0, len(text) + 8, 8):
        part, last = int.from_bytes(text[at:at + 8], "little"), at == len(text)
        v[3], v[2] = v[3] ^ part, v[2] ^ 255 * last
        for a, b, n, half in ((0, 1, 13, 32), (2, 3, 16, 0), (0, 3, 21, 0), (2, 1, 17, 32)) * (4 if last else 2):
            v[a] = (v[a] + v[b]) % 2**64
            v[b] = (v[b] << n | v[b] >> 64 - n) % 2**64 ^ v[a]
            v[a] = (v[a] << half | v[a] >> 64 - half) % 2**64
        v[0] ^= part
    return int.from_bytes((v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little"), "big")

def games(key, people, entries, each, booths):
    """The rounds of a design, of each its meetings."""
    seat, pairs, rounds, now, left, had = [], [], [{}], set(), {}, collections.Counter()
    for i in range(len(people)):
        k, seat = draw(key, b"person", i) % (i + 1), seat + [i]
        seat[i], seat[k] = seat[k], i
    sits, ring = sorted(people, key=dict(zip(people, seat)).get), len(people) - 1 | 1
    for r, d in ((r, d) for r in range(ring) for d in range(r % 2, ring + 1, 2)):
        pair = (r + d) % ring if d % ring else ring, (r - d) % ring
        pairs += [[sits[s] for s in pair[::1 - r % 2 * 2]]] if max(pair) < len(people) else []
    pairs = pairs[:each * len(entries)]
    for i, judge in enumerate(sorted((j for j, _ in pairs), key=sits.index), draw(key, b"first", 0)):
        left.setdefault(judge, []).append(entries[i % len(entries)])
    for game, (judge, other) in enumerate(pairs):
        those = [e for e in entries if e in left[judge] and had[other, e] == min(had[other, x] for x in left[judge])]
        entry = those[draw(key, b"condition", game) % len(those)]
        left[judge].remove(entry)
        had[other, entry] += 1
        if len(now) == 2 * booths or now & {judge, other}:
            rounds, now = rounds + [{}], set()
        rounds[-1][judge], now = (entry, other), now | {judge, other}
    return rounds

def read_act(act, number, before):
    """True if an act fits behind the one before; and its body as far as it is told."""
    body, texts = json.loads(act["body"]), {m: told["value"] for m, told in act["opened"].items()}
    apart = {m: v["commitment"] for m, v in body.items() if isinstance(v, dict)} | {"author": act["author"]}
    head = before, number.to_bytes(8, "big"), act["at_us"].to_bytes(8, "big"), act["author"], act["kind"]
    good = act["number"] == number and "withheld" not in act and set(apart) <= PERSONAL
    good &= blake(*head, act["body"]).hexdigest() == act["hash"]
    for member, text in (texts | act.get("instead", {})).items():
        salt = act["opened"].get(member, {}).get("salt", "")
        fits = blake(bytes.fromhex(salt), act["kind"], member, text).hexdigest() == apart.get(member)
        good &= member in apart and (fits and len(salt) == 64 or member not in texts)
        body[member] = json.loads(text)
    return good, {m: v for m, v in body.items() if not isinstance(v, dict)}

class Contest:
    def __init__(self, record):
        self.rounds, self.begun, self.keys, self.votes, self.last, self.out = [], 0, [], {}, {}, set()
        self.seats, self.wrong, trials, before = collections.defaultdict(list), [], 1, bytes(32)
        lines = (line.partition(";")[0] for line in json.loads(record["acts"][0]["body"])["ruleset"].splitlines())
        self.rules = {name.strip(): value.strip() for name, _, value in (line.partition("=") for line in lines)}
        self.single, asked = [self.rules[n] == v for n, v in (("pairing", "single"), ("communications-program", "yes"))]
        for number, act in enumerate(record["acts"], 1):
            good, a = read_act(act, number, before)
            kind, what, before = act["kind"], a.get("what"), bytes.fromhex(act["hash"])
            self.wrong += ["act %d" % number] * (not good)
            self.last[kind], trials, now = a, trials + (kind == "trial"), kind == "seed"
            plan = self.last.get("schedule", {})
            if kind == "person":
                self.seats[a["role"]].append({"comms"} if asked > (a["role"] != "entry" or "comms" in a) else set())
                for meets, _ in self.rounds if a.get("moves") and self.single else ():
                    meets.update({j: c + (c >= len(self.seats["entry"])) for j, c in meets.items()})
            elif kind == "deliver":
                self.seats["entry"][a["entry"] - 1] -= {"comms"} if a.get("comms") else set()
            elif {"disqualify", "withdraw"} & {kind, what}:
                self.seats[a.get("role", "entry")][a.get("number", a.get("entry")) - 1] ^= {what or kind}
            elif "begin" in (kind, what):
                self.begun += 1 if kind == "begin" else -1
            elif kind == "schedule":
                new = [{m[0]: m[1] if self.single else tuple(m[1:]) for m in of} for of in a["rounds"]]
                self.rounds[self.begun:], now = [(meets, trials) for meets in new], self.keys and "anew" not in a
                self.wrong += ["game %s" % str(g) for of in new for g in of.items() - self.last.get("drawn", of.items())]
            elif kind == "seed":
                seed, text = bytes.fromhex(a["seed"]), a.get("value", "")
                self.wrong += ["a seed"] * (blake(seed).hexdigest() != self.last["commit"]["commitment"])
                text = "".join(c if c > "\x7f" else c.lower() if c.isalnum() else " " for c in text)
                text = b" ".join(t.encode() for t in text.split(" ") if t)
                self.keys += [(self.begun if self.keys else 0, blake(seed, text).digest() if text else seed)]
                if "games" in plan:
                    those, each = (self.there("judge"), self.there("entry")), int(self.rules["design"].split()[1])
                    self.rounds = [(meets, 1) for meets in games(self.keys[-1][1], *those, each, plan["games"])]
                    self.last["drawn"] = {game for meets, _ in self.rounds for game in meets.items()}
            elif "exclude" in (kind, what):
                self.out ^= {(a["round"] - 1, a["judge"])}
            elif "ballot" in (kind, what) or kind == "repeat" and not a.get("further"):
                met = a.get("candidate") if self.single else (a.get("entry"), a.get("confederate"))
                held = [(meets.get(a["judge"]), trial) for meets, trial in self.rounds]
                at = a["round"] - 1 if kind != "ballot" else held.index((met, a.get("trial", held[self.begun - 1][1])))
                self.votes[at, a["judge"]] = Fraction(a["rating"]) if "rating" in a else a.get("points", a.get("human"))
            first, place = max(plan.get("order_from", 1) - 1, self.begun), {}
            for r in range(first, len(self.rounds)) if now and plan.pop("order_from", 0) else ():
                k = first + draw([key for n, key in self.keys if n <= first][-1], b"order", r, 2) % (r - first + 1)
                place[r], place[k] = place.get(k, r), r
            self.rounds[first:] = [self.rounds[r] for r in sorted(place, key=place.get)] or self.rounds[first:]
        self.compare(record["meetings"], record["result"])

    def there(self, role):
        those = [n for n, lacks in enumerate(self.seats[role], 1) if not lacks]
        return [n for n in those if role != "entry" or n in self.last.get("final", {}).get("entries", those)]

    def compare(self, meetings, said):
        entries, found, won = len(self.seats["entry"]), {}, collections.defaultdict(list)
        begun = enumerate(self.rounds[:self.begun])
        for r, trial, j, met in ((r, trial, j, met) for r, (meets, trial) in begun for j, met in meets.items()):
            entry, other = (met if met <= entries else None, met - entries) if self.single else met
            vote = self.votes.get((r, j) not in self.out and (r, j))
            key = None if self.single else [key for n, key in self.keys if n <= r][-1]
            side = key and ("confederate", "entry")[draw(key, bytes([r >> 8, r & 255, j - 1 & 255]), j - 1 >> 8, j > 256) >> 56 & 1]
            found[r + 1, j] = trial, entry, None if self.single and entry else other, side, vote
            won[entry] += [] if vote is None or not entry else [vote[0] > 50 if isinstance(vote, list) else vote]
        for m, b in ((m, m.get("ballot", {})) for m in meetings):
            vote = Fraction(b["rating"]) if "rating" in b else b.get("points", b.get("human"))
            told = m["trial"], m.get("entry"), m.get("confederate"), m.get("left"), vote
            self.wrong += [m["session"]] * (found.pop((m["round"], m["judge"]), None) != told)
        self.wrong += ["r%d-j%d is not told" % session for session in found]
        if self.rules["scoring"] != "long-bet" and "dispute" not in self.last:
            number, best = self.rules["scoring"] in ("columns", "votes"), self.there("entry")
            score = {e: Fraction(sum(won[e])) / (number or len(won[e])) if won[e] else number - 1 for e in best}
            best = [e for e in best if score[e] == max(score.values())]
            wins = [s["wins"] == sum(won[s["number"]]) for s in said["standings"] if s["role"] == "entry"]
            fits = {"won": said["winner"] in best, "tied": len(best) > 1, "counted": all(wins)}
            self.wrong += ["the result"] * (not fits.get(said["outcome"], not any(won.values()) or not best))

def main(folder, announced=None):
    files = {name: open(os.path.join(folder, name), "rb").read() for name in os.listdir(folder)}
    listed = {tuple(line.split("  ")[::-1]) for line in files["hashes"].decode().splitlines()}
    hashes = {(name, blake(data).hexdigest()) for name, data in files.items() if name != "hashes"}
    wrong = Contest(json.loads(files["contest.json"])).wrong + [name for name, _ in hashes ^ listed]
    other = announced not in (None, blake(files["hashes"]).hexdigest())
    sys.exit("\n".join(wrong + ["another bundle was made known"] * other) or None)

main(*sys.argv[1:])
