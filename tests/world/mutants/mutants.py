#!/usr/bin/python3
"""Shows what the oracles of tests/world are worth: plants faults, and plays sessions with each.

    mutants.py --build BUILD --compile "CC FLAGS" --link "CC FLAGS" --libs "LIBS" [--drawn N]
               [--seed N] [--count N] [--only TEXT] [--jobs N]
    mutants.py --check    whether the faults of planted.txt fit the sources

A mutant is one source file with one fault, compiled and linked before the library, so that it stands
in for the library's object. Those of planted.txt are planted by hand; N more are drawn by the seed: a
condition turned, a call left out, a number off by one, in the files named below. Each plays up to
`count` sessions by their seeds, and stops at the first that fails; one with a word "test" is played by
that test of tests/world alone, or with "day" by whole days. A drawn one that no session finds plays some
with a controller and on encrypted lines, and then the stories of tests/world and the unit tests of its
room. A line for each says which oracle found it; survivors are judged in survivors.txt. At the end a table
has, for each oracle, how many it found. Exit status 1: a planted one was not found, or fewer than nine of ten drawn ones were found or
are explained.

A run that is interrupted goes on where it was when it is started again with the same programs, lists
and arguments: what was found stands in BUILD/tests/world/mutants/found. `--only drawn` leaves those
out that are planted by hand.
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
import shutil
import signal
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

# Programs of tests/world that have a venue's commands; that play seeds, or look at the world itself; and
# unit tests that are linked with more than the library.
OF_DAYS = ("day", "test_days", "test_desk", "test_stick_out", "test_kinds", "test_practice")
SEEDS = ("test_sessions", "test_days", "test_desk", "test_processes", "test_screens")
NOT_PLAIN = r"/test_(chip|controller|watchdog|store|form)"

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


CPU_MOST_S = 120  # of a program that plays; a wrong loop ends so, however busy the machine is
HANGS_S = 3600  # and so one that waits for ever


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_MOST_S, CPU_MOST_S + 1))
    signal.alarm(HANGS_S)


class Player:
    """Compiles and plays in a folder of its own."""

    def __init__(self, args, number):
        self.args = args
        self.folder = f"{args.build}/tests/world/mutants/{number}"
        os.makedirs(self.folder, exist_ok=True)

    def compile(self, path, text):
        """Its object file; False: it does not compile."""
        source = f"{self.folder}/{os.path.basename(path)}"
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        return subprocess.run(
            f"{self.args.compile} -w -MF {self.folder}/x.d -iquote {os.path.dirname(path)} "
            f"-c {source} -o {self.folder}/x.o",
            shell=True, stderr=subprocess.DEVNULL, check=False).returncode == 0

    def link(self, test):
        """A program of tests/world, or of tests/unit, with the fault."""
        objects, libs, program = self.args.objects, self.args.libs, f"{self.folder}/program"
        if test in OF_DAYS:
            objects = objects.replace("/session.o ", f"/{test}.o {self.args.days} ")
        elif test and test.startswith("unit/"):
            cut = f"{self.args.build}/tests/cut/files.o" if "/test_cut" in test else ""
            objects = " ".join((os.path.join(self.args.build, "tests", f"{test}.o"), cut, self.args.library))
            libs = self.args.unit_libs
        elif test:
            objects = objects.replace("/session.o ", f"/{test}.o ")
        linked = subprocess.run(
            f"{self.args.link} -o {program} {self.folder}/x.o {objects} {libs}",
            shell=True, stderr=subprocess.PIPE, text=True, check=False)
        if linked.returncode:
            sys.exit(f"{test or 'session'} does not link:\n{linked.stderr}")
        return program

    def play_test(self, test):
        """The check that found it in a test's program, by where that failed; "" if nothing did."""
        where = f"{self.folder}/{os.path.basename(test)}"
        program = self.link(test)
        shutil.rmtree(where, ignore_errors=True)
        os.makedirs(where)
        unit = test.startswith("unit/")
        played = subprocess.run(
            [os.path.abspath(program)], cwd="." if unit else where, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=limit,
            env=dict(os.environ, TMPDIR=os.path.abspath(where)), check=False)
        if played.returncode == -signal.SIGXCPU:
            return f"{test}, time"
        if played.returncode == 0:
            return ""
        match = re.search(r"(test_\w+\.c:\d+)", played.stdout)
        return ("unit/" if unit else "") + match[1] if match else test

    def play(self, test, *arguments):
        """The same of a program that plays seeds, as "ORACLE, seed N"."""
        program, words = self.link(test), arguments[0] if len(arguments) > 2 else ""
        played = subprocess.run(
            [program, "--seed", "1", "--first", *arguments], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, preexec_fn=limit, check=False)
        if played.returncode == -signal.SIGXCPU:
            return "time"
        match = re.search(r"--seed (\d+).*?\s+(\w+): ", played.stdout)
        if played.returncode == 0:
            return ""
        return f"{match[2]}, seed {match[1]} {words}".rstrip() if match else "the world"

    def play_further(self, path):
        """The finders of a fault of that file that no session has found."""
        yield self.play(None, "--controller", "--count", "100")
        yield self.play(None, "--secret", "--count", "30")
        for story in sorted(glob.glob("tests/world/test_*.c")):
            test = os.path.basename(story)[:-2]
            if test not in SEEDS:
                yield self.play_test(test)
        room = os.path.basename(os.path.dirname(path))
        for unit in sorted(glob.glob("tests/unit/test_*.c")):
            test = "unit/" + os.path.basename(unit)[:-2]
            with open(unit, encoding="utf-8") as file:
                if f'#include "{room}/' in file.read() and not re.search(NOT_PLAIN, test):
                    yield self.play_test(test)

    def find(self, path, text, test=None):
        """The finder of the fault; "": nothing finds it; None: it does not compile."""
        if not self.compile(path, text):
            return None
        if test not in (None, "day"):
            return self.play_test(test)
        return self.play(test, "--count", str(self.args.count))

    def find_drawn(self, number):
        """The same of the drawn fault of that number: (what it is, what finds it)."""
        dice = random.Random(f"{self.args.seed}/{number}")
        while True:
            name, path, text = draw(dice)
            found = self.find(path, text)
            if found is not None:
                return name, found or next(filter(None, self.play_further(path)), "")

    def find_planted(self, fault):
        return fault.name, self.find(*with_fault(fault), fault.words.get("test"))


class Kept:
    """The finds of an earlier run, if it was of the same programs, lists and arguments."""

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
    return re.split(r", seed |, time|\.c:", found)[0]


def main():
    parser = argparse.ArgumentParser()
    for name in ("build", "compile", "link", "objects", "days", "libs", "library", "unit-libs"):
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
    if args.only == "drawn":
        faults = []
    elif args.only:
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
            word, found, oracle = "listed", explained[what], "(listed in survivors.txt)"
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
