#!/usr/bin/python3
"""Counts the lines of the running terminals that tests come to, by gcov: a table of rooms, and of what
unit tests alone, with tests/world and with scripts besides come to.

    coverage.py --build BUILD --units PROGRAMS --world PROGRAMS [--scripts SCRIPTS] [--missing]

BUILD was compiled with --coverage. --missing lists the lines that none of them comes to. A test that
fails is told, and counts all the same.
"""

import argparse
import collections
import glob
import gzip
import json
import os
import subprocess
import sys

ROOMS = ("booth", "session", "link", "journal")


def run(build, programs):
    if not programs:
        return
    env = dict(os.environ, BUILD=build, BUDGET="0", TIMEOUT="900")
    ran = subprocess.run(["tests/run", *programs], env=env, check=False, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    bad = [line for line in ran.stdout.splitlines() if line.startswith("FAIL")]
    print("\n".join(bad), file=sys.stderr, end="\n" if bad else "")


def lines_of(build, room):
    """For each file of a room, its lines with the number of times that they ran."""
    found = collections.defaultdict(lambda: collections.defaultdict(int))
    for notes in sorted(glob.glob(f"{build}/host/{room}/*.gcno")):
        got = subprocess.run(["gcov", "--json-format", "--stdout", notes], check=True,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        data = json.loads(gzip.decompress(got) if got[:2] == b"\x1f\x8b" else got)
        for file in data["files"]:
            if file["file"].startswith(f"host/{room}/"):
                for line in file["lines"]:
                    found[file["file"]][line["line_number"]] += line["count"]
    return found


def percent(lines):
    all_of = [count for file in lines.values() for count in file.values()]
    return len(all_of), 100 * sum(count > 0 for count in all_of) / max(len(all_of), 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    for name in ("units", "world", "scripts"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--missing", action="store_true")
    args = parser.parse_args()
    for old in glob.glob(f"{args.build}/**/*.gcda", recursive=True):
        os.remove(old)
    table, stages = collections.defaultdict(list), ["units"]
    stages += [name for name in ("world", "scripts") if getattr(args, name)]
    for stage in stages:
        run(args.build, getattr(args, stage).split())
        for room in ROOMS:
            table[room].append(lines_of(args.build, room))
    print(f"{'lines that are come to by':28}{'lines':>7}" + "".join(
        f"{('' if stage == 'units' else '+ ') + stage:>10}" for stage in stages))
    for room, columns in table.items():
        print(f"{'host/' + room:28}{percent(columns[0])[0]:7}" +
              "".join(f"{percent(lines)[1]:9.1f}%" for lines in columns))
    if args.missing:
        for columns in table.values():
            for file, lines in sorted(columns[-1].items()):
                never = [str(number) for number, count in sorted(lines.items()) if not count]
                if never:
                    print(f"{file}: {' '.join(never)}")


main()
