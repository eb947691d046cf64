#!/usr/bin/python3
"""Random contests held by the real command line, against a second implementation of their results.

  contests.py --ruleset NAME --seed N          one contest; prints its acts if they disagree
  contests.py [--ruleset NAME]... --count N --first N

Environment: BOOTHLINK, the program (build/boothlink).
"""

import argparse
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.dont_write_bytecode = True

import verifier
from manager import Manager
from program import Fault, Program
from rules import Rules, entry_is_left, ruleset_names

RULESETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../host/share/rulesets")


class Stop(Exception):
    """The first act after which program and model differ."""


def differences(manager):
    """In words, where the program's result is not the model's."""
    model, rules = manager.model, manager.rules
    said, want = manager.program.result(), model.result()
    found = []

    def differ(name, got, wanted):
        if got != wanted:
            found.append("%s: %s, and by the rules %s" % (name, got, wanted))

    differ("outcome", said["outcome"], want["outcome"])
    if want["outcome"] == "no entry" and rules.long_bet:
        return found
    differ("ballots_missing", said["ballots_missing"], want["ballots_missing"])
    differ("excluded", said.get("excluded", 0), manager.model.excluded())
    if rules.long_bet:
        names = list(want["trials"][0]) if want["trials"] else []
        trials = [{name: t[name] for name in names} for t in said.get("trials", [])]
        for number, (got, wanted) in enumerate(zip(trials, want["trials"]), 1):
            for name in wanted:
                differ("trial %d: %s" % (number, name), got[name], wanted[name])
        differ("trials", len(trials), len(want["trials"]))
        return found
    text = "\n".join(step["text"] for step in said["steps"])
    for name in ("winner", "silver", "medal"):
        differ(name, said[name], want[name])
    best = want["most_human_human"]
    sits = [n for n, seat in model.confederates.items() if seat.person == best]
    called = next((name for name, person in manager.names.items() if person == best), None)
    differ("most_human_human", said["most_human_human"], sits[0] if sits else None)
    differ("most_human_human_name", said["most_human_human_name"], called)
    named = re.search(r"(.*) is the Most Human Human", text)
    differ("step", named[1] if named else None, "C%d" % sits[0] if sits else called)
    money = re.search(r"(\d+) dollars come with", text) or re.search(r"makes it (\d+)", text)
    differ("dollars", int(money[1]) if money else None, want["dollars"])
    if said["outcome"] in ("no entry", "only one"):
        return found
    places = {s["number"]: s["place"] for s in said["standings"] if s["role"] == "entry"}
    differ("places", {e: p for e, p in sorted(places.items()) if p}, dict(sorted(want["places"].items())))
    for standing in said["standings"]:
        if standing["role"] == "entry":
            entry = standing["number"]
            if rules.kind == "points":
                differ("points of E%d" % entry, standing["points"], model.points(entry))
            if rules.scoring in ("columns", "votes", "rates"):
                differ("wins of E%d" % entry, standing["wins"], len(model.wins(entry)))
            else:
                ratings = model.ratings(entry=entry)
                mean = [int(1000 * sum(ratings, Fraction())), len(ratings)] if ratings else None
                differ("mean of E%d" % entry, standing["mean"], mean)
    awards = [(int(e), int(p)) for e, p in re.findall(r"E(\d+) is in place (\d+) and gets", text)]
    differ("awards", sorted(awards), want["awards"])
    return found


def list_differences(manager):
    """The ballots that count, as other programs read them."""
    rules, found = manager.rules, []
    want = collections.Counter()
    for number, judge, entry, confederate, session in manager.model.sessions():
        if session.value is not None:
            trial = manager.model.rounds[number - 1].trial if rules.long_bet else None
            want[trial, judge, entry or None, confederate or None] += 1
    ballots = json.loads(manager.program.ask("show", "--json"))["ballots"]
    got = collections.Counter(
        tuple(b.get(name) for name in ("trial", "judge", "entry", "confederate")) for b in ballots
    )
    if got != want:
        found.append("show --json: %s" % list((got - want).items())[:3])
        found[-1] += ", and by the ballots %s" % list((want - got).items())[:3]
    return found


def tell_a_lie(record, rng):
    """Changes something of what is told beside the acts, or an act; in words, what."""
    told = []  # (where, its name in there, another value, in words)
    for meeting in record["meetings"]:
        other = {"left": {"entry": "confederate", "confederate": "entry"}.get(meeting.get("left"))}
        other.update(missing=False, void=False, judge_name="Nobody", confederate_name="Nobody")
        other.update({n: v + 1 for n, v in meeting.items() if isinstance(v, int) and v is not True})
        told += [(meeting, name, value) for name, value in other.items() if name in meeting]
        for name, value in meeting.get("ballot", {}).items():
            lies = {"points": [52, 48] if value == [48, 52] else [48, 52], "rating": "0.125", "human": value is False}
            told += [(meeting["ballot"], name, lies[name])] if name in lies else []
    for draw in record["draws"]:
        told += [(draw, name, "00" * 32) for name in ("key", "seed", "commitment", "value") if name in draw]
    for coin in record["coins"]:
        told += [(coin, name, 99) for name in ("commitment", "seed", "chosen", "among") if name in coin]
    told += [(rank, name, rank[name] + 1) for rank in record["ranks"] for name in rank]
    result = record["result"]
    told += [(result, name, "lie") for name in ("outcome",)]
    if "trials" in result:
        told += [(trial, name, 9) for trial in result["trials"] for name in trial]
    elif result["outcome"] in ("won", "tied"):
        told += [(result, "winner", 99), (result, "silver", not result["silver"])]
        told += [(x, "place", x["place"] + 1) for x in result["standings"] if x["place"]]
    act = rng.choice([act for act in record["acts"] if "withheld" not in act])
    told += 3 * [(act, rng.choice(["body", "author"]), " " + act["body"])]
    told += [(act, "at_us", act["at_us"] + 1), (act, "hash", "00" * 32), (act, "withheld", ["why"])]
    for opened in act["opened"].values():
        told += [(opened, "salt", "00" * 32), (opened, "value", '"Nobody"')]
    where, name, value = rng.choice(told)
    said, where[name] = where.get(name), value
    return "%s: %s in the place of %s" % (name, value, said)


def verifier_differences(manager):
    """What a stranger finds who has what is published and the manual alone."""
    program = manager.program
    verified = program.ask("verify", "--json")
    if verified is None:
        return ["verify: " + program.refusals[-1][1]]
    folder = os.path.join(program.folder, "published")
    if not manager.model.sealed or program.ask("publish", "--out", folder) is None:
        return ["nothing is published"] if manager.model.sealed else []
    with open(os.path.join(folder, "contest.json"), encoding="utf-8") as file:
        record = json.load(file)
    found = []
    try:
        contest = verifier.Contest(record["acts"])
        found = contest.differences(record)
    except KeyError as missing:
        found = ["the acts say nothing of %s" % missing]
    if record["acts"][-1]["hash"] != json.loads(verified)["last"]:
        found.append("the last hash is not that of contest verify")
    if len(record["acts"]) % 8 == 0:  # of some, for the processor's sake
        found += bundle_differences(program)
    # These are the sides by which the ballot files were written.
    for meeting in record["meetings"] if manager.rules.pairs else ():
        left = entry_is_left(manager.key(meeting["round"]), meeting["round"], meeting["judge"])
        if (meeting["left"] == "entry") != left:
            found.append("the sides of %s" % meeting["session"])
    lie = tell_a_lie(record, manager.rng)
    if lie and not verifier.Contest(record["acts"]).differences(record):
        found.append("finds nothing wrong with " + lie)
    return ["verifier: " + line for line in found]


def bundle_differences(program):
    """The same of a bundle, where people have pseudonyms."""
    folder = os.path.join(program.folder, "bundle")
    if program.ask("publish", "--bundle", folder) is None:
        return ["bundle: " + program.refusals[-1][1]]
    done = program.call("verify", folder)
    with open(os.path.join(folder, "contest.json"), encoding="utf-8") as file:
        record = json.load(file)
    found = ["bundle: " + line for line in done.stdout.splitlines() if done.returncode]
    alone = [sys.executable, "-B", os.path.join(os.path.dirname(verifier.__file__), "stranger.py"), folder]
    alone = subprocess.run(alone, capture_output=True, text=True, check=False)
    found += ["stranger.py: " + line for line in alone.stderr.splitlines()]
    try:
        return found + ["bundle: " + d for d in verifier.Contest(record["acts"]).differences(record)]
    except KeyError as missing:
        return found + ["bundle: the acts say nothing of %s" % missing]


def hold(boothlink, rules, seed, each=False, keep=False):
    """Holds one contest; its manager, and the disagreements, of each act or of some moments."""
    rng = random.Random("%s %d" % (rules.name, seed))
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="contest.", dir=base)
    program = Program(boothlink, folder, rng)
    manager = Manager(rules, program, rng)
    found = []

    def look():
        if manager.model.rounds and differences(manager):
            raise Stop

    manager.look = look if each else manager.look
    try:
        for moment in manager.hold():
            for line in differences(manager):
                found.append("%s: %s" % (moment, line))
            if found:
                break
        found += list_differences(manager)
        found += verifier_differences(manager)
    except Stop:
        found += ["after these acts: " + line for line in differences(manager)]
    except Fault as fault:
        found.append("fault: %s" % fault)
    finally:
        if not keep:
            shutil.rmtree(folder)
    return manager, manager.complaints + found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ruleset", action="append")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--refusals", action="store_true", help="count what the program refuses")
    parser.add_argument("--progress", type=int, help="a line after each so many")
    parser.add_argument("--most", type=int, default=3, help="failures that are printed in full")
    options = parser.parse_args()
    boothlink = os.path.abspath(os.environ.get("BOOTHLINK", "build/boothlink"))
    seeds = range(options.first, options.first + options.count)
    if options.seed is not None:
        seeds = [options.seed]
    bad, acts, count = 0, 0, 0
    refusals = collections.Counter()
    kinds = collections.Counter()
    for name in options.ruleset or ruleset_names(RULESETS):
        rules = Rules(os.path.join(RULESETS, name + ".ini"))
        for seed in seeds:
            manager, found = hold(boothlink, rules, seed)
            count += 1
            acts += manager.acts
            if options.progress and count % options.progress == 0:
                used = sum(os.times()[:4])
                print("%s: %d to seed %d, %d disagree, %.0f s" % (name, count, seed, bad + bool(found), used), file=sys.stderr)
            for verb, why in manager.program.refusals:
                refusals[verb, re.sub(r"\d+", "N", why)] += 1
            if found:
                bad += 1
                for line in found:
                    kinds[name, re.sub(r"\d+", "N", line)[:60]] += 1
                if bad <= options.most:
                    shorter = hold(boothlink, rules, seed, each=True)
                    manager, found = shorter if shorter[1] else (manager, found)
                    print("tests/contests/contests.py --ruleset %s --seed %d" % (name, seed))
                    for line in found:
                        print("    disagrees: " + line)
                    for line in manager.program.lines:
                        print("    " + line)
    used = os.times()
    print(
        "%d contests of %.0f acts, %d disagree; %.1f s of the processor"
        % (count, acts / max(count, 1), bad, sum(used[:4]))
    )
    if options.refusals:
        for (verb, why), times in refusals.most_common(60):
            print("%6d %s" % (times, why))
    for (name, line), times in kinds.most_common(60):
        print("%6d %s: %s" % (times, name, line))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
