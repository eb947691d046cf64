#!/usr/bin/python3
"""Shows what the oracles of tests/world are worth: plants faults, and plays sessions with each.

    mutants.py --build BUILD --compile "CC FLAGS" --link "CC FLAGS" --libs "LIBS" [--drawn N]
               [--seed N] [--count N] [--only TEXT]

A mutant is one source file with one fault, compiled and linked before the library, so that it stands
in for the library's object. Those of planted.txt are planted by hand; N more are drawn by the seed: a
condition turned, a call left out, a number off by one, in the files named below. Each plays up to
`count` sessions by their seeds, and stops at the first that fails; one with a word "test" is played by
that test of tests/world alone, or with "day" by whole days. A line for each says which oracle
found it; survivors are judged in survivors.txt. Exit status 1: a planted one was not found, or fewer
than nine of ten drawn ones were found or are explained.
"""

import argparse
import os
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


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Player:
    def __init__(self, args):
        self.args = args
        self.folder = f"{args.build}/tests/world/mutants"
        self.world = f"{args.build}/tests/world"
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


def read_survivors():
    """What was concluded of drawn ones that nothing finds, by the line's text."""
    try:
        lines = open(f"{HERE}/survivors.txt", encoding="utf-8").read().split("\n")
    except FileNotFoundError:
        return {}
    return dict(line.split(" -- ", 1) for line in lines if " -- " in line and line[0] != "#")


def main():
    parser = argparse.ArgumentParser()
    for name in ("build", "compile", "link", "objects", "days", "libs"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--drawn", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    player, dice, explained = Player(args), random.Random(args.seed), read_survivors()
    planted_bad = drawn_bad = drawn = 0
    for fault in planted.read(f"{HERE}/planted.txt", words=("test",)):
        test = fault.words.get("test")
        if args.only not in f"{test}: {fault.name}":
            continue
        (path, gone, come), = fault.edits
        with open(path, encoding="utf-8") as file:
            program = player.compile(path, planted.plant(path, file.read(), gone, come), test)
        if not program:
            found = "it does not compile"
        else:
            found = player.play_test(program, test) if test not in (None, "day") else \
                player.play(program)
        good = found and program
        planted_bad += not good
        print(f"{'found' if good else 'MISSED':8} {fault.name}: {found or 'nothing finds it'}", flush=True)
    while drawn < args.drawn and not args.only:
        name, path, text = draw(dice)
        program = player.compile(path, text)
        if not program:
            continue
        drawn += 1
        found = player.play(program)
        what = name.split(": ", 1)[1]
        if not found and what in explained:
            print(f"{'same':8} {name}: {explained[what]}", flush=True)
            continue
        drawn_bad += not found
        print(f"{'found' if found else 'SURVIVES':8} {name}: {found}", flush=True)
    print(f"{planted_bad} planted ones missed; {drawn_bad} of {drawn} drawn ones survive, unexplained")
    sys.exit(planted_bad > 0 or drawn_bad * 10 > drawn)


main()
