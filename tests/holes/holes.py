#!/usr/bin/python3
"""Shows what the tests of the threat model are worth (DESIGN.md, "Threat model"): opens holes, and tries
the same ways again.

    holes.py --check [--list FILE]    whether each row, and each of its tests, has a hole in planted.txt, and
                                      the lines that a hole changes stand in the sources
    holes.py --build BUILD [--only TEXT] [--list FILE] [--jobs N]

Each hole of planted.txt has the row of the table (how its first two columns begin), the test that tries
the way, and a text of the check that must fail. Copies of the sources, one for each job, with the objects
built so far, are made in BUILD/holes; each test must pass there as it is, and the named check must fail
with each hole. Exit status 0: all of it was so.

A run that was interrupted goes on where it was: BUILD/holes/found has a line for each hole that was found,
and it counts while the sources, the test and the hole are the same. Without that file, all are tried.
"""

import argparse
import concurrent.futures
import hashlib
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import time

sys.path.insert(0, "tests/support")
import planted  # noqa: E402  # pylint: disable=wrong-import-position

HERE = os.path.dirname(os.path.relpath(__file__))
FUZZ_SECONDS = 60  # until a fuzzer has to have found a hole
ALONE = "tests/alone.txt"  # tests that need a quiet processor
# Programs of tests: changes of one say nothing of another.
PROGRAM = re.compile(r"tests/(unit|world|fuzz)/[^/]*\.c|tests/(unit|world|system|golden|bench|soak)/[^/]*\.sh|"
                     r"tests/arrows\.sh|tests/(budgets|long|alone)\.txt|tests/(holes|contests|world/mutants)/.*|.*\.md")
NOT_COPIED = {"holes", "deb", "image", "venue", "pictures", "trees", "log", "wiring"}


def read_rows():
    """The threat model's: {how it is called: the tests that show it}."""
    with open("DESIGN" ".md", encoding="utf-8") as file:
        part = file.read().split("\n## Threat model\n")[1]
    rows = {}
    for line in part.split("\n\n")[1].splitlines()[2:]:
        who, may, _, shown = [cell.strip() for cell in line.strip("|").split(" | ")]
        rows[f"{who}: {may}"] = re.findall("`([^`]+)`", shown)
    return rows


def lacking(holes, rows):
    """What does not fit between the table and the list of holes."""
    tried = set()
    for hole in holes:
        for path, gone, come in hole.edits:
            with open(path, encoding="utf-8") as file:
                planted.plant(path, file.read(), gone, come)
        if not rows:
            continue
        of = [row for row in rows if row.startswith(hole.words["row"])]
        test = hole.words["test"]
        if len(of) != 1:
            yield f"{hole.name}: {len(of)} rows begin with \"{hole.words['row']}\""
            continue
        ways = [way for way in rows[of[0]] if test == way.removesuffix(".sh") or
                (way.endswith("/") and test.startswith(way))]
        if not ways:
            yield f"{hole.name}: the row names no test {test}"
        if not hole.edits:
            yield f"{hole.name}: it opens nothing"
        tried |= {(of[0], way) for way in ways}
    for row, ways in rows.items():
        yield from (f"{row}: no hole for {way}" for way in ways if (row, way) not in tried)


def sources():
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], check=True,
                           stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return [name for name in names if os.path.isfile(name)]


def path_of(test):
    return f"tests/{test}" + (".c" if test.startswith(("unit/", "fuzz/", "world/")) else ".sh")


class Found:
    """The holes that were found, on disk."""

    def __init__(self, path):
        self.lock = threading.Lock()
        self.digests = {}
        for name in sources():
            with open(name, "rb") as file:
                self.digests[name] = hashlib.sha256(file.read()).hexdigest()
        shared = [f"{name} {digest}" for name, digest in self.digests.items()
                  if not PROGRAM.fullmatch(name) or not os.access(name, os.X_OK) and name.endswith(".sh")]
        self.shared = hashlib.sha256("\n".join(shared).encode()).hexdigest()
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.file = open(path, "a+", encoding="utf-8")  # pylint: disable=consider-using-with
        self.file.seek(0)
        self.lines = set(self.file.read().splitlines())

    def line(self, hole):
        """What has to be the same for it to count."""
        test = hole.words["test"]
        of = repr((self.shared, self.digests.get(path_of(test)), sorted(hole.words.items()), hole.edits))
        return f"{hashlib.sha256(of.encode()).hexdigest()} {test}: {hole.name}"

    def has(self, hole):
        return self.line(hole) in self.lines

    def keep(self, hole):
        with self.lock:
            self.file.write(self.line(hole) + "\n")
            self.file.flush()


class Tree:
    """A copy in which holes are opened."""

    def __init__(self, build, number):
        self.path = f"{build}/holes/tree{number}"
        names = sources()
        self.forget(set(names))
        for name in names:
            self.bring(name)
        if not os.path.exists(f"{self.path}/build"):
            shutil.rmtree(f"{self.path}/half", ignore_errors=True)
            shutil.copytree(build, f"{self.path}/half", symlinks=True,
                            ignore=lambda _, found: NOT_COPIED & set(found))
            os.rename(f"{self.path}/half", f"{self.path}/build")
        if os.path.exists(f"{self.path}/build/tests/tools"):
            os.remove(f"{self.path}/build/tests/tools")  # its paths are those of the build copied

    def forget(self, names):
        """Files of an earlier copy that the sources have no more."""
        for folder, below, files in os.walk(self.path):
            if folder == self.path:
                below[:] = [name for name in below if name not in ("build", "half")]
            for name in (os.path.join(folder, file) for file in files):
                if os.path.relpath(name, self.path) not in names:
                    os.remove(name)

    def bring(self, name):
        """The file as it is here; what was built of another one is older."""
        to = f"{self.path}/{name}"
        os.makedirs(os.path.dirname(to), exist_ok=True)
        try:
            with open(name, "rb") as file, open(to, "rb") as other:
                if file.read() == other.read():
                    return
            shutil.copy(name, to)
        except FileNotFoundError:
            shutil.copy2(name, to)

    def run(self, test, seconds):
        """(whether the test passed, the lines of its log that are no good ones). A fuzzer gets so long."""
        log = f"{self.path}/build/tests/log/{test}" + ("" if test.startswith(("unit/", "fuzz/", "world/"))
                                                       else ".sh") + ".log"
        if os.path.exists(log):
            os.remove(log)
        made = subprocess.run(["make", "-C", self.path, "--no-print-directory", "run-test", f"T={test}",
                               "BUILD=build", "BUDGET=0"], check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace",
                              env={**os.environ, "CUT_EACH": "1", "FUZZ_SECONDS": str(seconds)})
        try:
            with open(log, encoding="utf-8", errors="replace") as file:
                said = [line.rstrip("\n") for line in file if not line.startswith("ok ") or "# SKIP" in line]
        except FileNotFoundError:
            said = made.stdout.splitlines()[-5:]
        return made.returncode == 0, said

    def open(self, hole):
        for path, gone, come in hole.edits:
            with open(f"{self.path}/{path}", encoding="utf-8") as file:
                text = planted.plant(path, file.read(), gone, come)
            with open(f"{self.path}/{path}", "w", encoding="utf-8") as file:
                file.write(text)

    def close(self, hole):
        for path, _, _ in hole.edits:
            self.bring(path)


def why(said):
    bad = [line for line in said if line.startswith("not ok") or "# SKIP" in line or "ERROR" in line]
    return "; ".join(bad or said[-3:])[:300]


class Trial:
    """The holes of a run, the trees in which they are opened, and how many were tried so far."""

    def __init__(self, build, found, count, jobs):
        self.found, self.count, self.done, self.missed = found, count, 0, 0
        self.trees, self.lock, self.began = queue.Queue(), threading.Lock(), time.monotonic()
        for number in range(jobs):
            self.trees.put((build, number))

    def say(self, missed, text):
        with self.lock:
            self.done += 1
            self.missed += missed
            print(f"{self.done:3}/{self.count} {time.monotonic() - self.began:5.0f} s  {text}", flush=True)

    def try_ways(self, test, holes):
        tree = self.trees.get()
        try:
            if isinstance(tree, tuple):
                tree = Tree(*tree)
            good, said = tree.run(test, 1)
            for hole in holes:
                if good:
                    self.try_hole(tree, hole)
                else:
                    self.say(True, f"{'FAILS':6} {test}, without any hole: {why(said)}")
        finally:
            self.trees.put(tree)

    def try_hole(self, tree, hole):
        tree.open(hole)
        good, said = tree.run(hole.words["test"], FUZZ_SECONDS)
        tree.close(hole)
        found = not good and any(hole.words.get("says", "\0") in line for line in said)
        if found:
            self.found.keep(hole)
        self.say(not found, f"{'found' if found else 'MISSED':6} {hole.words['test']}: {hole.name}: "
                 f"{hole.words['says'] if found else 'nothing finds it' if good else why(said)}")


def try_all(build, holes, jobs):
    """Whether each was found."""
    found, tried = Found(f"{build}/holes/found"), {}
    left = [hole for hole in holes if not found.has(hole)]
    for hole in left:
        tried.setdefault(hole.words["test"], []).append(hole)
    with open(ALONE, encoding="utf-8") as file:
        alone = {line.split(".sh -- ")[0] for line in file if " -- " in line} & set(tried)
    trial = Trial(build, found, len(left), jobs)
    if len(left) < len(holes):
        print(f"{len(holes) - len(left)} of {len(holes)} were found before", flush=True)
    for tests, at_once in (set(tried) - alone, jobs), (alone, 1):
        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            list(pool.map(trial.try_ways, *zip(*((test, tried[test]) for test in tried if test in tests))))
    print(f"{len(holes) - trial.missed} of {len(holes)} holes were found")
    return holes and not trial.missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--only", default="", help="holes whose name, row or test has this text")
    parser.add_argument("--list", default=f"{HERE}/planted.txt")
    parser.add_argument("--jobs", type=int, default=2, help="tests at once, each in a tree of its own")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    holes = planted.read(args.list, ("row", "test", "says"))
    if args.check:
        rows = read_rows() if all("row" in hole.words for hole in holes) else {}
        faults = list(lacking(holes, rows))
        print(*(faults or [f"{len(holes)} holes" + ", one at least for each test of each row" * bool(rows)]), sep="\n")
        sys.exit(bool(faults))
    holes = [hole for hole in holes if args.only in " ".join((hole.name, *hole.words.values()))]
    sys.exit(not try_all(args.build, holes, args.jobs))


main()
