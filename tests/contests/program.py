"""The real command line, and what it says."""

import hashlib
import json
import os
import re
import shlex
import sqlite3
import subprocess


class Program:
    """A contest's file, changed by `boothlink contest` alone, but for the seeds of its draws."""

    def __init__(self, boothlink, folder, rng):
        self.boothlink = boothlink
        self.file = os.path.join(folder, "c.db")
        self.folder = folder
        self.rng = rng
        self.lines = []  # each command, and why it was refused
        self.refusals = []
        self.words_of_key = []  # of a machine, where the last refusal told them
        self.environment = dict(os.environ, LC_ALL="C.UTF-8", HOME=folder)

    def call(self, *words):
        return subprocess.run(
            [self.boothlink, "contest", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=self.environment,
        )

    def run(self, verb, *words):
        """The output of a verb, or None where it was refused."""
        words = [str(word) for word in words]
        file = [] if verb == "setup" else [self.file]
        done = self.call(verb, *file, *words)
        line = shlex.join(["boothlink", "contest", verb, *(["c.db"] if file else []), *words])
        if done.returncode:
            told = re.search(r"'((?:\S+ ){7}\S+)'", done.stdout + done.stderr)
            self.words_of_key = told[1].split() if told else []
            why = done.stderr.strip().splitlines()[-1:] or ["exit %d" % done.returncode]
            self.refusals.append((verb, why[0]))
            line += "    # refused: " + why[0]
            if done.returncode < 0 or done.returncode not in (64, 65, 66, 69, 73, 74, 75, 77, 78):
                raise Fault("%s ended with %d" % (line, done.returncode))
        self.lines.append(line)
        return done.stdout if done.returncode == 0 else None

    def ask(self, verb, *words):
        """A verb that changes nothing, and is not in the list of acts."""
        output = self.run(verb, *words)
        self.lines.pop()
        return output

    def result(self):
        return json.loads(self.ask("result", "--json"))

    def choose_seed(self, suffix):
        """Puts a seed of ours in the place of the one that was last committed to, so that the same
        contest can be held again. The chain of hashes is made anew from that act on."""
        path = self.file + suffix
        with open(path, "rb") as file:
            seed = file.read()
        ours = bytes(self.rng.randrange(256) for _ in seed)
        commitment, new = (hashlib.blake2b(x, digest_size=32).hexdigest() for x in (seed, ours))
        database = sqlite3.connect(self.file)
        acts = database.execute(
            "SELECT number, at_us, author, kind, body, hash FROM act ORDER BY number"
        ).fetchall()
        first = max((i for i, act in enumerate(acts) if commitment in act[4]), default=None)
        if first is None:
            raise Fault("no commitment is BLAKE2b-256 of the seed")
        triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = triggers.fetchall()
        for name, _ in triggers:
            database.execute("DROP TRIGGER " + name)
        before = acts[first - 1][5]
        for number, at, author, kind, body, _ in acts[first:]:
            body = body.replace(commitment, new).replace(seed.hex(), ours.hex())
            before = act_hash(before, number, at, author, kind, body)
            database.execute(
                "UPDATE act SET body = ?, hash = ? WHERE number = ?", (body, before, number)
            )
        for _, sql in triggers:
            database.execute(sql)
        database.commit()
        database.close()
        with open(path, "wb") as file:
            file.write(ours)
        return ours

    def rounds(self):
        """What `contest show` says of the rounds: [(trial, begun, {judge: (entry, confederate)})]."""
        rounds = []
        for line in self.ask("show").splitlines():
            found = re.match(r"  (?:trial (\d+), +)?round (\d+)(, begun)?(?:, sealed)?: (.*)", line)
            if not found:
                continue
            meetings = {}
            for judge, entry, confederate in re.findall(r"\bJ(\d+)(?:E(\d+))?(?:C(\d+))?", found[4]):
                meetings[int(judge)] = (int(entry or 0) or None, int(confederate or 0) or None)
            rounds.append((int(found[1] or 1), bool(found[3]), meetings))
            assert int(found[2]) == len(rounds), line
        return rounds


class Fault(Exception):
    """The program did something that cannot be right."""


def act_hash(before, number, at, author, kind, body):
    """As boothlink-contest(5) says."""
    text = bytes(before) + number.to_bytes(8, "big") + at.to_bytes(8, "big")
    for part in (author, kind, body):
        text += part.encode() + b"\0"
    return hashlib.blake2b(text, digest_size=32).digest()
