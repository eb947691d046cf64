#!/usr/bin/python3
"""Draws the games of a design once more, as boothlink-contest(5), "Games by condition", says, and
checks by itself that they are balanced and that nobody meets himself, or anybody twice.

    games.py --people 60 --conditions 3 --each 100 --booths 30 --key HEX < what `contest schedule
    --json` printed

Prints a line for each fault; shares nothing with the program.
"""

import argparse
import json
import sys
from collections import Counter
from itertools import islice

from siphash import number_of, siphash


def drawn(key, what, number, below):
    return number_of(siphash(key, what + number.to_bytes(4, "big"))) % below


def seats(key, people):
    """The person of each seat."""
    place = []
    for i in range(people):
        k = drawn(key, b"person", i, i + 1)
        place.append(place[k] if k < i else i)
        place[k] = i
    return [person for _, person in sorted((at, person) for person, at in enumerate(place))]


def pairs(people):
    """The seats of judge and confederate, in order."""
    ring = people - 1 + people % 2
    for r in range(ring):
        for k in range((ring + 1) // 2):
            if r % 2 == 0:
                judge, other = r + 2 * k, r - 2 * k
                two = (ring if k == 0 else judge % ring, other % ring)
            else:
                judge, other = r - 1 - 2 * k, r + 1 + 2 * k
                two = (judge % ring, ring if k == (ring - 1) // 2 else other % ring)
            if max(two) < people:
                yield two


def games(people, conditions, each, booths, key):
    """[round, judge, condition, confederate, is the Entry left], people and conditions from 1."""
    person = seats(key, people)
    two = [(person[j], person[c]) for j, c in islice(pairs(people), conditions * each)]
    judged, to_come, by_other = Counter(j for j, _ in two), Counter(), Counter()
    at = drawn(key, b"first", 0, conditions)
    for p in person:
        whole, more = divmod(judged[p], conditions)
        to_come.update({(p, c): whole for c in range(conditions)})
        to_come.update((p, (at + i) % conditions) for i in range(more))
        at += more
    out, now, round_ = [], set(), 1
    for judge, other in two:
        left = [c for c in range(conditions) if to_come[judge, c]]
        left = [c for c in left if by_other[other, c] == min(by_other[other, d] for d in left)]
        c = left[drawn(key, b"condition", len(out), len(left))]
        to_come[judge, c] -= 1
        by_other[other, c] += 1
        if len(now) == 2 * booths or now & {judge, other}:
            now, round_ = set(), round_ + 1
        now |= {judge, other}
        out.append([round_, judge + 1, c + 1, other + 1, drawn(key, b"side", len(out), 2) == 1])
    return out


def spread(counts, among):
    return max(counts[a] for a in among) - min(counts[a] for a in among)


def faults(found, people, conditions, each, booths):
    """What is wrong with games, whoever drew them."""
    everybody, every = range(1, people + 1), range(1, conditions + 1)
    bound = 1 + people % 2
    if any(judge == other for _, judge, _, other, _ in found):
        yield "somebody meets himself"
    if max(Counter(frozenset(g[1:4:2]) for g in found).values()) > 1:
        yield "two people meet twice"
    if max(Counter((g[0], p) for g in found for p in g[1:4:2]).values()) > 1:
        yield "somebody is booked twice in a round"
    if max(Counter(g[0] for g in found).values()) > booths:
        yield "a round has more games than booths"
    if any(count != each for count in Counter(g[2] for g in found).values()) or len(found) != conditions * each:
        yield "a condition has not its games"
    if not {p for g in found for p in g[1:4:2]} <= set(everybody) or not {g[2] for g in found} <= set(every):
        yield "there is no such person or condition"
    for role, at in (("judge", 1), ("confederate", 3)):
        if spread(Counter(g[at] for g in found), everybody) > bound:
            yield "%ss have unequal numbers of games" % role
    counts = Counter((g[1], g[2]) for g in found)
    if max(spread({c: counts[p, c] for c in every}, every) for p in everybody) > 1:
        yield "a judge meets one condition more often than another"


def main():
    parser = argparse.ArgumentParser()
    for name in ("people", "conditions", "each", "booths"):
        parser.add_argument("--" + name, type=int, required=True)
    parser.add_argument("--key", type=bytes.fromhex, required=True)
    parser.add_argument("--no-sides", dest="sides", action="store_false", help="they are drawn otherwise")
    a = parser.parse_args()
    told = [
        [r + 1, g["judge"], g["entry"], g["confederate"], g.get("left") == "entry"]
        for r, round_ in enumerate(json.load(sys.stdin)["rounds"])
        for g in round_
    ]
    again = games(a.people, a.conditions, a.each, a.booths, a.key)
    wrong = list(faults(told, a.people, a.conditions, a.each, a.booths))
    if not a.sides:
        told, again = [g[:4] for g in told], [g[:4] for g in again]
    if told != again:
        at = next((i for i, (x, y) in enumerate(zip(told, again)) if x != y), min(len(told), len(again)))
        wrong.append("game %d is not the one that is drawn" % (at + 1))
    print("\n".join(wrong) or "%d games in %d rounds, balanced" % (len(told), told[-1][0]))


if __name__ == "__main__":
    main()
