"""Recomputes a published contest.json from boothlink-contest(5) alone: the chain of hashes, the keys of
the draws, who meets whom in which round and booth, who sits left, and the coins. Shares nothing with
the program. Prints what differs, and how much was compared."""
import hashlib
import json
import sys

sys.path.insert(0, "tests/contests")
import verifier


def siphash(key, text):
    """SipHash-2-4; its eight bytes as the reference writes them."""
    mask = (1 << 64) - 1
    k = [int.from_bytes(key[i:i + 8], "little") for i in (0, 8)]
    v = [k[0] ^ 0x736f6d6570736575, k[1] ^ 0x646f72616e646f6d,
         k[0] ^ 0x6c7967656e657261, k[1] ^ 0x7465646279746573]

    def turn(x, n):
        return (x << n | x >> (64 - n)) & mask

    def rounds(count):
        for _ in range(count):
            v[0] = (v[0] + v[1]) & mask
            v[1] = turn(v[1], 13) ^ v[0]
            v[0] = turn(v[0], 32)
            v[2] = (v[2] + v[3]) & mask
            v[3] = turn(v[3], 16) ^ v[2]
            v[0] = (v[0] + v[3]) & mask
            v[3] = turn(v[3], 21) ^ v[0]
            v[2] = (v[2] + v[1]) & mask
            v[1] = turn(v[1], 17) ^ v[2]
            v[2] = turn(v[2], 32)

    padded = text + bytes(7 - len(text) % 8) + bytes([len(text) & 255])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at:at + 8], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 255
    rounds(4)
    return (v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little")


def number(key, text):
    return int.from_bytes(siphash(key[:16], text), "big")


def mixed(value):
    """A public value as it is mixed in."""
    out = ""
    for letter in value:
        if letter.isascii() and not letter.isalnum():
            out += "" if out.endswith(" ") else " "
        else:
            out += letter.lower() if letter.isascii() else letter
    return out.strip(" ")


class Contest:
    """What the acts make of it, as far as it is recomputed here."""

    def __init__(self):
        self.people = {}
        self.meetings = []  # [round from 0, judge, entry or candidate, confederate or None], from 1
        self.rounds = self.begun = self.order_from = 0
        self.drawn = self.undrawn = False
        self.keys = []      # (first round, key)
        self.trials = [0]
        self.final = None
        self.single = False
        self.among = None
        self.coins = []

    def key(self, at):
        return [key for first, key in self.keys if first <= at][-1]

    def order(self):
        first = max(self.order_from - 1, self.begun)
        place = {}
        for r in range(first, self.rounds):
            k = number(self.key(first), b"order" + r.to_bytes(2, "big")) % (r - first + 1)
            place[r] = place.get(first + k, r)
            place[first + k] = r
        for meeting in self.meetings:
            meeting[0] = place.get(meeting[0], meeting[0])

    def act(self, kind, body):
        if kind == "contest":
            self.single = any(line.split(";")[0].replace(" ", "") == "pairing=single"
                              for line in body["ruleset"].splitlines())
        elif kind == "person":
            role = body["role"]
            if body.get("moves") and self.single:
                for meeting in self.meetings:
                    meeting[2] += meeting[2] > self.people.get("entry", 0)
            self.people[role] = self.people.get(role, 0) + 1
        elif kind == "schedule":
            self.meetings = [m for m in self.meetings if m[0] < self.begun]
            for r, meetings in enumerate(body["rounds"]):
                for m in meetings:
                    self.meetings.append([self.begun + r, m[0], m[1], None if self.single else m[2]])
            self.rounds = self.begun + len(body["rounds"])
            self.order_from = body.get("order_from", 0)
            self.undrawn = self.drawn and body.get("anew", False)
        elif kind == "seed":
            key = bytes.fromhex(body["seed"])
            if "value" in body:
                key = hashlib.blake2b(key + mixed(body["value"]).encode(), digest_size=32).digest()
            self.keys.append((self.begun if self.keys else 0, key))
            self.drawn, self.undrawn = True, False
            if self.order_from:
                self.order()
        elif kind == "begin":
            self.begun += 1
        elif kind == "trial":
            self.trials.append(self.rounds)
        elif kind == "final":
            self.final = body["entries"]
        elif kind == "coin" and "commitment" in body:
            self.among = sorted(body["among"])
        elif kind == "coin":
            lot = number(bytes.fromhex(body["seed"]), bytes(self.among)) % len(self.among)
            self.coins.append(self.among[lot])

    def booths(self, trial):
        entries = self.people["entry"]
        who = [e for e in range(1, entries + 1) if self.final is None or e in self.final]
        if self.single:
            who += range(entries + 1, entries + self.people["confederate"] + 1)
        place = []
        for i in range(len(who)):
            text = b"boothn" + bytes([i]) + (bytes([trial]) if trial else b"")
            k = number(self.key(self.trials[trial]), text) % (i + 1)
            place.append(i)
            place[i], place[k] = place[k], i
        return {w: p + 1 for w, p in zip(who, place)}


def hashes(acts):
    before, wrong, withheld = bytes(32), 0, 0
    for act in acts:
        digest = hashlib.blake2b(before, digest_size=32)
        digest.update(act["number"].to_bytes(8, "big") + act["at_us"].to_bytes(8, "big"))
        for text in (act["author"], act["kind"], act["body"]):
            digest.update(text.encode() + b"\0")
        before = bytes.fromhex(act["hash"])
        withheld += bool(verifier.kept_back(act))
        wrong += not verifier.read_act(act, digest.digest() == before)[0]
    return wrong, withheld


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        record = json.load(file)
    contest = Contest()
    for act in record["acts"]:
        contest.act(act["kind"], verifier.read_act(act, True)[1])
    wrong, withheld = hashes(record["acts"])
    entries = contest.people["entry"]
    sides = 0
    is_, said = [], []
    for m in record["meetings"]:
        entity = m["entry"] if "entry" in m else entries + m["confederate"]
        said.append([m["round"], m["judge"], entity, None if contest.single else m["confederate"]])
        at = m["round"] - 1
        if "left" in m:
            left = siphash(contest.key(at)[:16], at.to_bytes(2, "big") + bytes([m["judge"] - 1]))
            sides += 1
            wrong += (m["left"] == "entry") != (left[0] & 1)
        trial = max(t for t, first in enumerate(contest.trials) if first <= at)
        if contest.keys:
            wrong += contest.booths(trial).get(entity) != m.get("booth")
    for r, judge, entity, confederate in contest.meetings:
        if r < contest.begun:
            is_.append([r + 1, judge, entity, confederate])
    wrong += sorted(is_, key=str) != sorted(said, key=str)
    wrong += contest.coins != [coin["chosen"] for coin in record["coins"]]
    wrong += [key.hex() for _, key in contest.keys[-1:]] != [d["key"] for d in record["draws"][-1:]]
    print(f"{wrong} differ; {len(record['acts'])} acts, {withheld} withheld, {len(said)} meetings, "
          f"{sides} sides, {len(contest.coins)} coins")


main()
