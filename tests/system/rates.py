"""The rates of "contest rates --json" on standard input, recomputed with fractions and another
quantile; prints each difference of more than 1e-9, and how many rates it has looked at."""
import json
import sys
from fractions import Fraction
from math import comb
from statistics import NormalDist

told = json.load(sys.stdin)
Z = NormalDist().inv_cdf(0.975)


def tail(games, rate, counts):
    return sum(comb(games, n) * rate ** n * (1 - rate) ** (games - n) for n in counts)


def solve(games, counts, grows):
    low, high = Fraction(0), Fraction(1)
    for _ in range(40):
        middle = (low + high) / 2
        if (tail(games, middle, counts) > Fraction(1, 40)) == grows:
            high = middle
        else:
            low = middle
    return float(low)


def differs(what, came, expected):
    if abs(came - expected) > 1e-9:
        print(f"{what}: {came}, not {expected}")


for row in told["human"] + told["right"]:
    n, of, who = row["count"], row["games"], row["who"]
    p = n / of
    centre, spread = p + Z * Z / (2 * of), Z * (p * (1 - p) / of + Z * Z / (4 * of * of)) ** 0.5
    scale = 1 + Z * Z / of
    differs(f"{who} rate", row["rate"], p)
    for at, sign in ((0, -1), (1, 1)):
        differs(f"{who} Wilson", row["wilson"][at], min(max((centre + sign * spread) / scale, 0), 1))
    differs(f"{who} exact", row["exact"][0], solve(of, range(n, of + 1), True) if n else 0)
    differs(f"{who} exact", row["exact"][1], solve(of, range(n + 1), False) if n < of else 1)
    own = comb(of, n)
    differs(f"{who} chance", row["chance"],
            sum(comb(of, k) for k in range(of + 1) if comb(of, k) <= own) / 2 ** of)
print(len(told["human"]), len(told["right"]))
