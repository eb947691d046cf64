#!/usr/bin/python3
"""Shows what the oracles of tests/world are worth: plants faults, and plays sessions with each.

    mutants.py --build BUILD --compile "CC FLAGS" --link "CC FLAGS" --libs "LIBS" [--drawn N]
               [--seed N] [--count N] [--only TEXT] [--jobs N]
    mutants.py --check    whether the faults of planted.txt fit the sources

A mutant is one source file with one fault, compiled and linked before the library, so that it stands
in for the library's object. Those of planted.txt are planted by hand; N more are drawn by the seed: a
condition turned, a call left out, a number off by one, in the files named below. Each plays up to
`count` sessions by their seeds, and stops at the first that fails; one with a word "test" is played by
that test of tests/world alone, or with "day" by whole days. A line for each says which oracle
found it; survivors are judged in survivors.txt. At the end a table has, for each oracle, how many it
found. Exit status 1: a planted one was not found, or fewer than nine of ten drawn ones were found or
are explained.

A run that is interrupted goes on where it was when it is started again with the same programs, lists
and arguments: what was found stands in BUILD/tests/world/mutants/found.
"""

import argparse
import collections
import concurrent.futures
import glob
import hashlib
import os
import queue
import random
import re
import resource
import subprocess
import sys

sys.path.insert(0, "tests/support")
import planted  # noqa: E402  # pylint: disable=wrong-import-position

HERE = os.path.dirname(os.path.relpath(__file__))

FILES = """
session/judge_end session/judge_end_tail session/judge_end_tell session/judge_end_calls session/end
session/entity_end session/entity_end_close session/entity_end_replay session/entity_end_tell
session/plan session/seal session/sequence session/wire booth/judge_booth booth/judge_plan
booth/plan_counted booth/booth_line booth/entity_booth booth/entity_booth_keys link/arq link/connect
link/core link/queue link/frame link/serial link/steady_port journal/journal journal/sync
journal/record journal/replay
""".split()

CONTROL = r"\b(?:if|while) \("

RULES = [
    ("turned", CONTROL + r"(?P<what>.*)\)( \{)?$", lambda m: m.replace("(", "(!(", 1)),
    ("off by one", r" [+-] 1\b", None),
    ("left out", r"^ +[a-z_]+(->[a-z_]+)*\([^{}]*\);$", None),
    ("bound", r" (<|>|<=|>=) ", None),
    ("bound", r" (==|!=) ", None),
    ("word", r"\b(true|false)\b", None),
    ("word", r" (&&|\|\|) ", None),
]
TURN = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "true": "false",
        "false": "true", "&&": "||", "||": "&&"}


def draw(dice):
    """A fault by chance: (what it is, file, its text)."""
    while True:
        path = f"host/{dice.choice(FILES)}.c"
        lines = open(path, encoding="utf-8").read().split("\n")
        at = dice.randrange(len(lines))
        kind, pattern, _ = dice.choice(RULES)
        line = lines[at]
        match = re.search(pattern, line)
        if not match or "bl_assert" in line or line.lstrip().startswith(("*", "/*")):
            continue
        if kind == "turned":
            head = re.search(CONTROL, line).end()
            body, tail = match["what"], line[match.end("what"):]
            if body.count("(") != body.count(")"):
                continue
            lines[at] = f"{line[:head]}!({body}){tail}"
        elif kind == "left out":
            lines[at] = "(void)0;"
        elif kind == "off by one":
            lines[at] = line[:match.start()] + line[match.end():]
        else:
            word = match[1]
            lines[at] = line[:match.start(1)] + TURN[word] + line[match.end(1):]
        return f"{path}:{at + 1}: {kind}: {line.strip()}", path, "\n".join(lines)


def with_fault(fault):
    """Its source, and that one's text with the fault; ends if the source has no such lines."""
    (path, gone, come), = fault.edits
    with open(path, encoding="utf-8") as file:
        return path, planted.plant(path, file.read(), gone, come)


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Player:
    """Compiles and plays in a folder of its own."""

    def __init__(self, args, number):
        self.args = args
        self.folder = f"{args.build}/tests/world/mutants/{number}"
        os.makedirs(self.folder, exist_ok=True)

    def compile(self, path, text, test=None):
        """The program with the fault; None: it does not compile."""
        objects = self.args.objects
        if test in ("day", "test_days"):
            objects = objects.replace("/session.o ", f"/{test}.o {self.args.days} ")
        elif test:
            objects = objects.replace("/session.o ", f"/{test}.o ")
        source, program = f"{self.folder}/{os.path.basename(path)}", f"{self.folder}/session"
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        made = subprocess.run(
            f"{self.args.compile} -w -MF {self.folder}/x.d -iquote {os.path.dirname(path)} "
            f"-c {source} -o {self.folder}/x.o && {self.args.link} -o {program} {self.folder}/x.o "
            f"{objects} {self.args.libs}",
            shell=True, stderr=subprocess.PIPE, check=False)
        return program if made.returncode == 0 else None

    def play_test(self, program, test):
        """The same of a test's program, which says where it failed."""
        where = f"{self.folder}/{test}"
        os.makedirs(where, exist_ok=True)
        try:
            played = subprocess.run(
                [os.path.abspath(program)], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                timeout=300, text=True, preexec_fn=limit, check=False)
        except subprocess.TimeoutExpired:
            return "time"
        match = re.search(r"(test_\w+\.c:\d+)", played.stdout)
        return "" if played.returncode == 0 else match[1] if match else test

    def play(self, program):
        """What found it, as "ORACLE, seed N"; "" if nothing did."""
        try:
            played = subprocess.run(
                [program, "--seed", "1", "--count", str(self.args.count), "--first"],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=300, text=True,
                preexec_fn=limit, check=False)
        except subprocess.TimeoutExpired:
            return "time"
        match = re.search(r"--seed (\d+).*?\s+(\w+): ", played.stdout)
        if played.returncode == 0:
            return ""
        return f"{match[2]}, seed {match[1]}" if match else "the world"


    def find(self, path, text, test=None):
        """What finds the fault; "": nothing does; None: it does not compile."""
        program = self.compile(path, text, test)
        if not program:
            return None
        return self.play_test(program, test) if test not in (None, "day") else self.play(program)

    def find_drawn(self, number):
        """The same of the drawn fault of that number: (what it is, what finds it)."""
        dice = random.Random(f"{self.args.seed}/{number}")
        while True:
            name, path, text = draw(dice)
            found = self.find(path, text)
            if found is not None:
                return name, found

    def find_planted(self, fault):
        return fault.name, self.find(*with_fault(fault), fault.words.get("test"))


class Kept:
    """What an earlier run has found, if it was of the same programs, lists and arguments."""

    def __init__(self, args):
        os.makedirs(f"{args.build}/tests/world/mutants", exist_ok=True)
        self.path = f"{args.build}/tests/world/mutants/found"
        digest = hashlib.sha256(f"{args.seed} {args.count} {args.compile}".encode())
        for path in sorted(glob.glob(f"{args.build}/**/*.[ao]", recursive=True)) + [__file__]:
            if "/mutants/" not in path or path == __file__:
                with open(path, "rb") as file:
                    digest.update(file.read())
        self.head, self.found = f"# {digest.hexdigest()}", {}
        try:
            with open(self.path, encoding="utf-8") as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            lines = []
        if lines[:1] == [self.head]:
            for line in lines[1:]:
                key, name, found = line.split("\t")
                self.found[key] = name, None if found == "-" else found
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("\n".join([self.head, *lines[1:]] if self.found else [self.head]) + "\n")

    def keep(self, key, name, found):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(f"{key}\t{name}\t{'-' if found is None else found}\n")


def read_survivors():
    """What was concluded of drawn ones that nothing finds, by the line's text."""
    try:
        lines = open(f"{HERE}/survivors.txt", encoding="utf-8").read().split("\n")
    except FileNotFoundError:
        return {}
    return dict(line.split(" -- ", 1) for line in lines if " -- " in line and line[0] != "#")


def play_all(args, faults):
    """Yields (the planted fault or None, what it is, what finds it), in their order."""
    kept, players = Kept(args), queue.SimpleQueue()
    for number in range(args.jobs):
        players.put(Player(args, number))

    def play(work):
        key, fault = work
        if key in kept.found:
            return fault, *kept.found[key]
        player = players.get()
        try:
            name, found = player.find_planted(fault) if fault else player.find_drawn(key)
        finally:
            players.put(player)
        kept.keep(key, name, found)
        return fault, name, found

    works = [(f"{fault.words.get('test', '')}: {fault.name}", fault) for fault in faults]
    works += [(f"drawn {number}", None) for number in range(args.drawn)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        yield from pool.map(play, works)


def oracle_of(found):
    """The oracle, or the test, of what is said of a fault that was found."""
    return found.split(", seed ")[0].split(".c:")[0]


def main():
    parser = argparse.ArgumentParser()
    for name in ("build", "compile", "link", "objects", "days", "libs"):
        parser.add_argument(f"--{name}")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--drawn", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()
    explained = read_survivors()
    faults = [fault for fault in planted.read(f"{HERE}/planted.txt", words=("test",))
              if args.only in f"{fault.words.get('test')}: {fault.name}"]
    if args.check:
        for fault in faults:
            with_fault(fault)
        return
    if args.only:
        args.drawn = 0
    table, drawn_bad = collections.defaultdict(lambda: [0, 0]), 0
    for fault, name, found in play_all(args, faults):
        what = name.split(": ", 1)[-1]
        if found:
            word, oracle = "found", oracle_of(found)
        elif fault:
            word = oracle = "MISSED"
            found = "nothing finds it" if found == "" else "it does not compile"
        elif what in explained:
            word, found, oracle = "same", explained[what], "(makes no difference)"
        else:
            word = oracle = "SURVIVES"
            drawn_bad += 1
        print(f"{word:8} {name}: {found}", flush=True)
        table[oracle][fault is None] += 1
    print(f"\n{'found by':32} planted drawn")
    for oracle, numbers in sorted(table.items(), key=lambda row: (-sum(row[1]), row[0])):
        print(f"{oracle:32} {numbers[0]:7} {numbers[1]:5}")
    missed = table["MISSED"][0]
    print(f"{len(faults)} planted, {missed} missed; {args.drawn} drawn, {drawn_bad} survive, unexplained")
    sys.exit(missed > 0 or drawn_bad * 10 > args.drawn)


main()
