"""The rulesets as data, and the draw and the coin as boothlink-contest(5) describes them."""

import hashlib
import os
import re


def read_ruleset(path):
    """The fields of a ruleset, as {"section.key": "value"}."""
    fields, section = {}, ""
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.split(";", 1)[0].strip()
            if line.startswith("["):
                section = line.strip("[]")
            elif "=" in line:
                key, value = line.split("=", 1)
                fields[section + "." + key.strip()] = value.strip()
    return fields


def ruleset_names(folder):
    return sorted(name[:-4] for name in os.listdir(folder) if name.endswith(".ini"))


class Rules:
    """One ruleset, with the words that a contest's result needs."""

    def __init__(self, path):
        f = read_ruleset(path)
        self.name = f["ruleset.name"]
        self.pairs = f["session.pairing"] == "pairs"
        # "scale: 0..5"; in rulesets of before "kind" and "most".
        self.kind, _, asked = f.get("ballot.field1", f.get("ballot.kind")).partition(": ")
        self.most = int(f.get("ballot.most", asked.partition("..")[2] or 0))
        self.fields = [f[key] for key in sorted(f) if re.fullmatch(r"ballot\.field[2-7]", key)]
        self.seal_at = f["ballot.sealed"]
        self.ranks = f["ballot.ranks"]
        self.scoring = f["result.scoring"]
        self.ties = [step.strip() for step in f.get("result.ties", "").split(",") if step.strip()]
        self.silver = f["result.silver"]
        self.awarded = int(f.get("result.awarded", 0))
        self.most_human_human = f["result.most-human-human"] == "yes"
        self.dollars = int(f["prize.dollars"])
        self.silver_dollars = int(f.get("prize.silver", 0))
        self.next_year = int(f.get("prize.next-year", 0))
        self.single_entry = f["prize.single-entry"] == "yes"
        self.own_entry = f["prize.own-entry"]
        self.judges_least = int(f["numbers.judges-least"])
        self.confederates_least = int(f["numbers.confederates-least"])
        self.entries_most = int(f.get("numbers.entries-most", 0))
        self.trials_least = int(f.get("numbers.trials-least", 0))
        self.trials_needed = int(f.get("numbers.trials-needed", 0))
        self.method = f["selection.method"]
        self.reserves = int(f.get("selection.reserves", 0))
        self.screened_most = int(f.get("selection.screened-most", 0))
        self.judge_load_most = int(f.get("selection.judge-load-most", 0))
        self.entry_judges_least = int(f.get("selection.entry-judges-least", 0))
        self.further = f.get("session.further") == "yes"
        self.disputes = f.get("result.disputes") == "yes"
        self.limits = f.get("session.referees-limit") == "yes"
        self.opening = "session.opening" in f
        self.panel = f.get("register.differ") == "yes"
        self.by_votes = f.get("result.disqualify", "both") in ("both", "judges")
        self.long_bet = self.scoring == "long-bet"


MASK = (1 << 64) - 1


def siphash(key, text):
    """SipHash-2-4, as its eight bytes."""
    k0, k1 = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:16], "little")
    a, b = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D
    c, d = k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573

    def rotate(x, bits):
        return ((x << bits) | (x >> (64 - bits))) & MASK

    def turn(times):
        nonlocal a, b, c, d
        for _ in range(times):
            a = (a + b) & MASK
            b = rotate(b, 13) ^ a
            a = rotate(a, 32)
            c = (c + d) & MASK
            d = rotate(d, 16) ^ c
            a = (a + d) & MASK
            d = rotate(d, 21) ^ a
            c = (c + b) & MASK
            b = rotate(b, 17) ^ c
            c = rotate(c, 32)

    padded = text + b"\0" * (7 - len(text) % 8) + bytes([len(text) & 255])
    for at in range(0, len(padded), 8):
        word = int.from_bytes(padded[at : at + 8], "little")
        d ^= word
        turn(2)
        a ^= word
    c ^= 255
    turn(4)
    return (a ^ b ^ c ^ d).to_bytes(8, "little")


def draw_key(seed, value=None):
    """The key of the draw: the seed, or the seed with a public value."""
    if value is None:
        return seed
    text = "".join(c if c.isalnum() or ord(c) > 127 else " " for c in value.lower())
    return hashlib.blake2b(seed + " ".join(text.split()).encode(), digest_size=32).digest()


def entry_is_left(key, round_number, judge):
    """Who sits left: round and judge from 1."""
    text = bytes([(round_number - 1) >> 8, (round_number - 1) & 255, judge - 1])
    return siphash(key, text)[0] & 1 == 1


def coin_choice(seed, among):
    """Whom the coin takes of equals."""
    among = sorted(among)
    return among[int.from_bytes(siphash(seed, bytes(among)), "big") % len(among)]


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value = (value >> 8) ^ CRC[(value ^ byte) & 255]
    return value ^ 0xFFFFFFFF


def crc_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = (byte >> 1) ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


CRC = crc_table()


def ballot_lines(rules, session, vote, late=False, key=None):
    """A ballot file, in lines with their ends, as boothlink-ballot(5) says; signed by a machine's key."""
    head = "boothlink-ballot 1 session=%s rules=%s kind=%s sealed=%s" % (
        session, rules.name, rules.kind, rules.seal_at,
    )
    if rules.most:
        head += " most=%d" % rules.most
    for field in rules.fields:
        head += " field=" + field.replace(": ", ":").replace(" ", ",")
    texts = [head + (" key=" + key.public.hex() if key else "")]
    texts += ["1795289010000000 %s %s" % ("late" if late else "given", vote)]
    texts += ["1795289300000000 sealed"] if rules.seal_at == "session" else []
    chain = bytes(32)
    for number, text in enumerate(texts):
        for again in range(2 if key and number else 1):
            if again:
                text = "1795289400000000 signed " + key.sign(b"boothlink ballot\0" + chain).hex()
            line = b"%s *%08x\n" % (text.encode(), crc32c(text.encode()))
            chain = hashlib.blake2b(chain + line, digest_size=32).digest()
            yield line
