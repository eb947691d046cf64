#!/usr/bin/python3
"""Shows what the tests of the threat model are worth (DESIGN.md, "Threat model"): opens holes, and tries
the same ways again.

    holes.py --check [--list FILE]    whether each row, and each of its tests, has a hole in planted.txt, and
                                      the lines that a hole changes stand in the sources
    holes.py --build BUILD [--only TEXT] [--list FILE]

Each hole of planted.txt has the row of the table (how its first two columns begin), the test that tries
the way, and a text of the check that must fail. A copy of the sources, with the objects built so far, is
made in BUILD/holes; each test must pass there as it is, and the named check must fail with each hole.
Exit status 0: all of it was so.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, "tests/support")
import planted  # noqa: E402  # pylint: disable=wrong-import-position

HERE = os.path.dirname(os.path.relpath(__file__))
FUZZ_SECONDS = 60  # until a fuzzer has to have found a hole
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


class Tree:
    """The copy in which holes are opened."""

    def __init__(self, build):
        self.path = f"{build}/holes/tree"
        names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], check=True,
                               stdout=subprocess.PIPE, text=True).stdout.splitlines()
        self.forget(set(names))
        for name in filter(os.path.isfile, names):
            self.bring(name)
        if not os.path.exists(f"{self.path}/build"):
            shutil.copytree(build, f"{self.path}/build", symlinks=True,
                            ignore=lambda _, found: NOT_COPIED & set(found))

    def forget(self, names):
        """Files of an earlier copy that the sources have no more."""
        for folder, below, files in os.walk(self.path):
            if folder == self.path:
                below[:] = [name for name in below if name != "build"]
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
                              env={**os.environ, "FUZZ_SECONDS": str(seconds)})
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


def try_ways(tree, test, holes):
    """How many holes of this test were not found."""
    good, said = tree.run(test, 1)
    if not good:
        print(f"{'FAILS':8} {test}, without any hole: {why(said)}", flush=True)
        return len(holes)
    missed = 0
    for hole in holes:
        tree.open(hole)
        good, said = tree.run(test, FUZZ_SECONDS)
        tree.close(hole)
        found = not good and any(hole.words.get("says", "\0") in line for line in said)
        missed += not found
        print(f"{'found' if found else 'MISSED':8} {test}: {hole.name}: "
              f"{hole.words['says'] if found else 'nothing finds it' if good else why(said)}", flush=True)
    return missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--only", default="", help="holes whose name, row or test has this text")
    parser.add_argument("--list", default=f"{HERE}/planted.txt")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    holes = planted.read(args.list, ("row", "test", "says"))
    if args.check:
        rows = read_rows() if all("row" in hole.words for hole in holes) else {}
        faults = list(lacking(holes, rows))
        print(*(faults or [f"{len(holes)} holes" + ", one at least for each test of each row" * bool(rows)]), sep="\n")
        sys.exit(bool(faults))
    tree, missed, tried = Tree(args.build), 0, {}
    for hole in holes:
        if args.only in " ".join((hole.name, *hole.words.values())):
            tried.setdefault(hole.words["test"], []).append(hole)
    for test, found in tried.items():
        missed += try_ways(tree, test, found)
    count = sum(map(len, tried.values()))
    print(f"{count - missed} of {count} holes were found")
    sys.exit(missed > 0 or count == 0)


main()
