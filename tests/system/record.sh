#!/bin/bash
# What `contest publish` gives lets a stranger recompute hashes, draws, order, booths, sides and coins:
# record.py does so from the manual alone.
. tests/tap.sh
. tests/support/contest.sh

recompute() { python3 tests/system/record.py "$TMPDIR/out/contest.json"; }
published() { rm -rf "$TMPDIR/out" && contest publish --out "$TMPDIR/out"; }
vote() { # ROUND VOTE: all of its meetings
    local meeting judge
    for meeting in $(contest show | sed -n "s/^.* round $1, begun: //p"); do
        judge=${meeting%%[EC]*}
        contest ballot "$judge" "${meeting#"$judge"}" "$2" || return
    done
} >/dev/null

# Pairs, with a public value, and rounds that are drawn anew in the middle.
contest new --name 'A contest' --ruleset loebner-2004 >/dev/null
for i in 1 2 3 4; do
    contest add judge "Judge $i" --family "Cousin $i"
    contest add entry "Entry $i" --submitter "Author $i" --comms comms --age 3$i
    contest add confederate "Confederate $i"
done >/dev/null
contest draw commit --public 'a lottery' >/dev/null
contest schedule >/dev/null
contest draw reveal --value ' 3, 14 - 15 BIS!' >/dev/null
for round in 1 2 3; do contest begin $round && vote $round 60:40; done >/dev/null
contest withdraw J2 --why ill >/dev/null
refused 65 'name another value' schedule
refused 65 'name another value' schedule --public 'a lottery'
contest schedule --public 'another lottery' >/dev/null
refused 65 'not drawn anew' begin 4
contest draw reveal --value 27 >/dev/null
is 'before the seal nothing of it is told' "$(published)" \
    'The record of acts, ballots and sides is published when the contest is sealed'
rounds=$(contest show | grep -c '  round ')
for ((round = 4; round <= rounds; round++)); do contest begin "$round" && vote "$round" 40:60; done >/dev/null
contest seal >/dev/null
ok 'then it is' quiet published
is 'pairs, two draws: the same' "$(recompute | sed 's/; [0-9]* acts/; acts/')" \
    "0 differ; acts, 8 withheld, $(jq '.meetings | length' "$TMPDIR/out/contest.json") meetings, $(jq \
        '.meetings | length' "$TMPDIR/out/contest.json") sides, 0 coins"
is 'families are not in it' "$(grep -c Cousin "$TMPDIR/out/contest.json")" 0
is 'verify says which rounds are of which draw' "$(contest verify --json | jq -c '[.draws[].rounds]')" \
    "[[1,3],[4,$rounds]]"
# Whoever tries all ages, with the rest of the act, finds none that gives its hash.
guessed=$(python3 -B - "$TMPDIR/out/contest.json" <<'EOF'
import hashlib, json, sys
acts, found = json.load(open(sys.argv[1]))["acts"], 0
for before, act in zip(acts, acts[1:]):
    head = bytes.fromhex(before["hash"]) + b"".join(act[n].to_bytes(8, "big") for n in ("number", "at_us"))
    for age in range(100):
        body = json.loads(act["body"]) | {"age": age}
        text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        data = head + b"".join(t.encode() + b"\0" for t in (act["author"], act["kind"], text))
        found += hashlib.blake2b(data, digest_size=32).hexdigest() == act["hash"]
print(found)
EOF
)
is 'an age that is not told cannot be guessed' "$guessed" 0
excuse() { jq '(.acts[] | select(.kind == "begin")) += {author: "Somebody", withheld: ["age"]}'; }
excuse <"$TMPDIR/out/contest.json" >"$TMPDIR/excused.json"
is 'an act that has nothing to withhold is not excused' \
    "$(python3 tests/system/record.py "$TMPDIR/excused.json" | cut -d' ' -f1)" "$rounds"
sed -i '0,/"left": "entry"/s//"left": "confederate"/; s/Entry 2/Entry 5/' "$TMPDIR/out/contest.json"
is 'what is changed is found' "$(recompute | cut -d';' -f1)" '2 differ'

# Met singly: the order is drawn, and a coin decides.
contest_new loebner-2003 5 2 1
contest_draw && contest_reveal && contest begin 1 >/dev/null
contest add entry Late --submitter Late --rights >/dev/null
contest schedule >/dev/null
rounds=$(contest show | grep -c '  round ')
vote 1 3
for ((round = 2; round <= rounds; round++)); do contest begin "$round" && vote "$round" 3; done >/dev/null
contest confer E1 --votes 2:3 >/dev/null
contest coin commit >/dev/null
contest coin toss >/dev/null
contest seal >/dev/null
ok 'singly: published' quiet published
is 'singly: the same' "$(recompute | sed 's/; [0-9]* acts/; acts/')" \
    '0 differ; acts, 0 withheld, 20 meetings, 0 sides, 1 coins'

# The long bet: booths are drawn anew for each trial.
contest_new longbet-2002 3 1 3
contest_draw && contest_reveal
for trial in 1 2 3; do
    ((trial == 1)) || { contest trial && contest schedule; } >/dev/null
    for ((round = 4 * trial - 3; round <= 4 * trial; round++)); do contest begin "$round"; done >/dev/null
done
contest seal --why 'only the booths are looked at' >/dev/null
quiet published
is 'three trials: the same' "$(recompute | sed 's/; [0-9]* acts/; acts/')" \
    '0 differ; acts, 0 withheld, 36 meetings, 0 sides, 0 coins'
plan
