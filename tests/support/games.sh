# shellcheck shell=bash
# The games of a contest's file, for tests/contests/games.py: source this behind tests/support/contest.sh.

# told: the games, of which the sides are drawn as in any contest.
told() {
    contest show | python3 -c 'import json, re, sys
print(json.dumps({"rounds": [[dict(zip(("judge", "entry", "confederate"), map(int, m)))
    for m in re.findall(r"J([0-9]+)E([0-9]+)C([0-9]+)", line)]
    for line in sys.stdin if line.startswith("  round ")]}))'
}

# seed: the first that was given away.
seed() {
    contest export --json | jq -r '[.acts[] | select(.kind == "seed").body.seed][0]'
}
