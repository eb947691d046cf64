"""Looks for names in a bundle, in any form, and plants changes in copies of it.

  bundle.py names BUNDLE NAME...      exits with 1 if a word of a name is in a file, and says where
  bundle.py changes BUNDLE HASH       plants changes; each must be found
  bundle.py games BUNDLE HASH         plants changes in games by condition, of which the hashes fit again
"""

import base64
import csv
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse


def forms(word):
    """Each form of a word that must not be there, in lower case but for base64."""
    raw = word.encode()
    yield word.casefold().encode(), False
    yield json.dumps(word)[1:-1].lower().encode(), False
    yield "".join("\\u%04x" % ord(c) for c in word).encode(), False
    yield urllib.parse.quote(word).lower().encode(), False
    yield "".join("%%%02x" % b for b in raw).encode(), False
    yield word.encode("utf-16-le"), False
    if len(word) > 4:
        for text in (raw, raw.lower(), raw.upper()):
            yield text.hex().encode(), False
            for shift in range(3):
                code = base64.b64encode(bytes(shift) + text)
                yield code[4 if shift else 0 : len(code) // 4 * 4 - 4], True


def texts(folder):
    """Each file, and the keys of each message one behind the other, as they were typed."""
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            yield name, file.read()
    typed = {}
    with open(os.path.join(folder, "keys.csv"), encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            key = {"space": " "}.get(row["key"], row["key"] if len(row["key"]) == 1 else "")
            typed.setdefault((row["session"], row["author"]), []).append(key)
    for name, keys in typed.items():
        yield "keys of %s, %s" % name, "".join(keys).encode()


def names(folder, people):
    found = 0
    for person in people:
        for word in [person] + [w for w in re.split(r"\W+", person) if len(w) > 2]:
            for name, data in texts(folder):
                for form, exact in forms(word):
                    if len(form) > 2 and form in (data if exact else data.decode().casefold().encode()):
                        print("%s: %s stands there as %r" % (name, word, form))
                        found += 1
    return found > 0


def fix(folder):
    """The hashes as they must be now."""
    lines = []
    for name in sorted(os.listdir(folder)):
        if name != "hashes":
            with open(os.path.join(folder, name), "rb") as file:
                lines.append(hashlib.blake2b(file.read(), digest_size=32).hexdigest() + "  " + name + "\n")
    with open(os.path.join(folder, "hashes"), "w", encoding="ascii") as file:
        file.writelines(lines)


def edit(name, old, new, count=1):
    def change(folder):
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert re.search(old, text), (name, old)
        with open(path, "w", encoding="utf-8") as file:
            file.write(re.sub(old, new, text, count=count))

    return change


def both(*some):
    def change(folder):
        for one in some:
            one(folder)

    return change


def act(kind, change):
    """A change of an act of that kind."""

    def act_of(folder):
        path = os.path.join(folder, "contest.json")
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        change(record["acts"], [a for a in record["acts"] if a["kind"] == kind][0])
        with open(path, "w", encoding="utf-8") as file:
            json.dump(record, file)

    return act_of


def set_to(*where):
    def change(_, of):
        for name in where[:-2]:
            of = of[name]
        assert of[where[-2]] != where[-1]
        of[where[-2]] = where[-1]

    return change


def chain_anew(old, new):
    """Something else in an act, and all hashes from there on fit again."""

    def change(acts, of):
        assert re.search(old, of["body"]), (old, of["body"])
        of["body"] = re.sub(old, new, of["body"])
        chain(acts)

    return change


def chain(acts):
    for before, this in zip([{"hash": "00" * 32}, *acts], acts):
        text = bytes.fromhex(before["hash"]) + this["number"].to_bytes(8, "big") + this["at_us"].to_bytes(8, "big")
        text += b"".join(this[n].encode() + b"\0" for n in ("author", "kind", "body"))
        this["hash"] = hashlib.blake2b(text, digest_size=32).hexdigest()


def remove(name):
    return lambda folder: os.remove(os.path.join(folder, name))


def add(folder):
    with open(os.path.join(folder, "more.csv"), "w", encoding="ascii") as file:
        file.write("a,b\n")


# (in words, the change, the hashes fit again, it is found by the folder alone)
CHANGES = [
    ("a key", edit("keys.csv", r",e,", ",j,"), False, True),
    ("a message", edit("messages.jsonl", r'"backspaces":0', '"backspaces":1'), False, True),
    ("a file is gone", remove("codebook.csv"), False, True),
    ("a file is gone, and is not listed", remove("verdicts.csv"), True, True),
    ("a file more", add, False, True),
    ("the list", edit("hashes", r"^[0-9a-f]", "x"), False, True),
    ("a ballot", act("ballot", lambda _, a: a.update(body=a["body"].replace("[70,30]", "[71,29]"))), True, True),
    ("a time", act("begin", lambda _, a: a.update(at_us=a["at_us"] + 1)), True, True),
    ("a hash", act("schedule", set_to("hash", "00" * 32)), True, True),
    ("an act less", act("limit", lambda acts, a: acts.remove(a)), True, True),
    ("an act more", act("seal", lambda acts, a: acts.append(dict(a, number=len(acts) + 1))), True, True),
    ("a salt", act("seed", lambda acts, a: next(x for x in acts if "text" in x["opened"] or "why" in x["opened"] or "name" in x["opened"] or x is a).update(opened={"name": {"salt": "00" * 32, "value": '"X"'}})), True, True),
    ("a pseudonym in an opened place", act("contest", lambda _, a: a.update(instead={"name": '"P1"'})), True, True),
    ("a pseudonym", act("rename", set_to("instead", "name", '"P4"')), True, True),
    ("a verdict", edit("verdicts.csv", r",yes,70,", ",no,70,"), True, True),
    ("a person's role", edit("people.jsonl", r'"role":"judge"', '"role":"confederate"'), True, True),
    ("a side", edit("sessions.csv", r",(E1|C1),(E1|C1),", r",\2,\1,"), True, True),
    ("the result", edit("contest.json", r'"outcome": "won"', '"outcome": "tied"'), True, True),
    ("a count of redactions", edit("redactions.csv", r"age,not told,1", "age,not told,0"), True, True),
    ("the codebook", edit("codebook.csv", r"of 100", "of 10"), True, True),
    ("a key, and the hashes", edit("keys.csv", r",e,", ",j,"), True, True),
    ("a key in both forms", both(edit("keys.csv", r",e,", ",j,"), edit("keys.jsonl", r'"key":"e"', '"key":"j"')), True, True),
    ("a key's time", both(edit("keys.csv", r",e,(\d+)\d,", r",e,\g<1>x,"), edit("keys.jsonl", r'("key":"e","placed_us":\d+)\d', r"\g<1>1")), True, True),
    ("a message's text in both forms", both(edit("messages.csv", "hello", "hullo"), edit("messages.jsonl", "hello", "hullo")), True, True),
    ("a message less", both(edit("messages.csv", r"\n[^\n]*hello[^\n]*", ""), edit("messages.jsonl", r"[^\n]*hello[^\n]*\n", "")), True, True),
    ("whether a message is a person's", both(edit("messages.csv", r",E1,no,", ",E1,yes,"), edit("messages.jsonl", r'"human":false', '"human":true')), True, True),
    ("whose a message is", both(edit("messages.csv", r",(left|right),(\d+),J1,", r",\1,\2,C1,"), edit("messages.jsonl", r'"author":"J1"', '"author":"C1"')), True, True),
    ("a latency", edit("messages.jsonl", r'"latency_us":null', '"latency_us":7'), True, True),
    ("the keys of a session", edit("sessions.csv", r",yes,(\d+),(\d+),(\d+),", r",yes,\1,\2,\g<3>0,"), True, True),
    ("the number of keys not told", edit("redactions.csv", r"keys,key,not told,55", "keys,key,not told,54"), True, True),
    ("all acts anew from another vote", act("ballot", chain_anew(r"\[70,30\]", "[30,70]")), True, True),
]


def meeting(name, of):
    """Another value in the third meeting that is told."""

    def change(folder):
        path = os.path.join(folder, "contest.json")
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        told = record["meetings"][2]
        told[name] = of(told[name])
        with open(path, "w", encoding="utf-8") as file:
            json.dump(record, file)

    return change


GAMES = [
    ("a condition", meeting("entry", lambda e: e % 3 + 1), True, True),
    ("a confederate", meeting("confederate", lambda c: c % 60 + 1), True, True),
    ("a judge", meeting("judge", lambda j: j % 60 + 1), True, True),
    ("a round", meeting("round", lambda r: r + 1), True, True),
    ("a side", meeting("left", lambda s: "entry" if s == "confederate" else "confederate"), True, True),
    ("fewer booths", act("schedule", chain_anew('"games":30', '"games":29')), True, True),
    ("fewer games", act("contest", chain_anew("per-condition 100", "per-condition 50")), True, True),
    ("a judge less", act("person", chain_anew('"role":"judge"', '"role":"organiser"')), True, True),
]


def changes(folder, announced, planted):
    missed, without, program = 0, 0, os.environ["BOOTHLINK"]
    for words, change, again, alone in planted:
        with tempfile.TemporaryDirectory() as scratch:
            copy = os.path.join(scratch, "bundle")
            shutil.copytree(folder, copy)
            change(copy)
            if again:
                fix(copy)
            done = subprocess.run([program, "contest", "verify", copy], capture_output=True, text=True, check=False)
            told = re.search(r"^bundle: ([0-9a-f]{64})", done.stdout, re.M)
            by_hash = not told or told[1] != announced
            if done.returncode not in (0, 65, 66) or not (done.returncode or (by_hash and not alone)):
                print("not found: %s: %d %s%s" % (words, done.returncode, done.stdout, done.stderr))
                missed += 1
            stranger = [sys.executable, "-B", "tests/contests/stranger.py", copy]
            if not subprocess.run(stranger + [announced], capture_output=True, check=False).returncode:
                print("not found by stranger.py: %s" % words)
                missed += 1
            without += subprocess.run(stranger, capture_output=True, check=False).returncode > 0
    print("%d changes, %d not found; %d by stranger.py without the hash" % (len(planted), missed, without))
    return missed > 0


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    sys.exit(names(words[0], words[1:]) if what == "names" else changes(*words, GAMES if what == "games" else CHANGES))
