"""Can two sources be told apart? Permutation tests over pairs of runs that went side by side, and
Holm's correction over all of them."""
import math

import numpy as np

BINS = 24
DRAWS = 100000


def marks(values, edges):
    """What is looked at of a unit's values: their distribution, their mean and their spread."""
    values = np.asarray(values, float)
    below = np.searchsorted(np.sort(values), edges) / len(values)
    return np.concatenate([below, [values.mean(), values.std()]])


def paired(ours, theirs, rng, draws=DRAWS):
    """The probability of so great a difference between paired units if it is chance who is who in
    each pair. Units are lists of values; a pair without values on either side says nothing, one with
    values on one side only is a difference in itself."""
    if any(bool(len(a)) != bool(len(b)) for a, b in zip(ours, theirs)):
        ours = [[float(len(a))] for a in ours]
        theirs = [[float(len(b))] for b in theirs]
    pairs = [(a, b) for a, b in zip(ours, theirs) if len(a) and len(b)]
    if not pairs:
        return 1.0
    everything = np.concatenate([np.concatenate(pair) for pair in pairs])
    edges = np.unique(np.quantile(everything, np.linspace(0, 1, BINS + 2)[1:-1]))
    apart = np.array([marks(a, edges) - marks(b, edges) for a, b in pairs])
    scale = np.sqrt((apart ** 2).sum(axis=0))
    apart = apart[:, scale > 0] / scale[scale > 0]
    if apart.shape[1] == 0:
        return 1.0
    found = np.abs(apart.sum(axis=0)).max()
    if 2 ** len(pairs) <= draws:
        signs = 1 - 2 * (np.arange(2 ** len(pairs))[:, None] >> np.arange(len(pairs)) & 1)
        return float((by_signs(signs, apart) >= found - 1e-9).mean())
    signs = rng.integers(0, 2, (draws, len(pairs)), np.int8) * 2 - 1
    return (1 + int((by_signs(signs, apart) >= found - 1e-9).sum())) / (1 + draws)


def by_signs(signs, apart):
    best = np.empty(len(signs))
    for at in range(0, len(signs), 20000):
        best[at:at + 20000] = np.abs(signs[at:at + 20000] @ apart).max(axis=1)
    return best


def exact(here, ours, there, theirs):
    """The probability that what was seen so often in ours and theirs is so unevenly spread by chance
    (Fisher's exact test)."""
    seen = here + there
    ways = [math.comb(ours, k) * math.comb(theirs, seen - k)
            for k in range(max(0, seen - theirs), min(ours, seen) + 1)]
    mine = math.comb(ours, here) * math.comb(theirs, there)
    return sum(way for way in ways if way <= mine) / sum(ways)


def area(ours, theirs):
    """AUC of telling one value of ours from one of theirs, 0.5: not at all."""
    ours, theirs = np.concatenate(ours), np.concatenate(theirs)
    if len(ours) == 0 or len(theirs) == 0:
        return 0.5
    theirs = np.sort(theirs)
    less = np.searchsorted(theirs, ours, 'left')
    same = np.searchsorted(theirs, ours, 'right') - less
    return float((less + same / 2).sum() / (len(ours) * len(theirs)))


def holm(tests, level):
    """Of [(p, name)], those that are rejected at this level."""
    rejected = []
    tests = sorted(tests, key=lambda test: test[0])
    for i, (p, name) in enumerate(tests):
        if p > level / (len(tests) - i):
            break
        rejected.append(name)
    return rejected
