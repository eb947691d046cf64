#!/bin/bash
# Games by condition, as the program draws them, against tests/contests/games.py, which draws them
# again from boothlink-contest(5) and checks balance, and that nobody meets anybody twice.
. tests/tap.sh
. tests/support/contest.sh
. tests/support/games.sh

bl=$BUILD/boothlink
key=8e79cdac0448c1627fc0e70736fa7a9c65aac9e4a72fcdd312b7edfc297d7aec
work=$TMPDIR
rules=$work/design.ini

# design WORDS: rules of three-party-2025 with this design.
design() {
    "$bl" contest rulesets three-party-2025 | sed "s/^starts = .*/&\ndesign = $1/" >"$rules"
}

# games PEOPLE CONDITIONS BOOTHS [OPTION...]
games() {
    "$bl" contest schedule --ruleset "$rules" --people "$1" --entries "$2" --booths "$3" --key "$key" "${@:4}" 2>&1
}

# held PEOPLE CONDITIONS EACH BOOTHS [OPTION]: games on standard input, against a second draw and the rules.
held() {
    python3 tests/contests/games.py --people "$1" --conditions "$2" --each "$3" --booths "$4" --key "$key" "${@:5}"
}

# changed FILTER: the games of sixty people after one change.
changed() {
    jq -c "$1" "$work/sixty.json" | held 60 3 100 30 | sed 's/game [0-9]*/game N/' | paste -sd,
}

design 'games-per-condition 100'
games 60 3 30 --json >"$work/sixty.json"
is '60 people, 3 conditions, 100 games each' "$(held 60 3 100 30 <"$work/sixty.json")" \
    '300 games in 10 rounds, balanced'
is 'in four booths' "$(games 60 3 4 --json | held 60 3 100 4)" '300 games in 75 rounds, balanced'
is '61 people' "$(games 61 3 64 --json | held 61 3 100 64)" '300 games in 10 rounds, balanced'
is 'the table says the same' "$(games 60 3 30 | awk 'NR > 1 {print $1, $2, $3, $4, $5}')" \
    "$(jq -r '.rounds | to_entries[] | .key as $r | .value[] | "E\(.entry)" as $e | "P\(.confederate)" as $p |
        "\($r + 1) \(.booth) P\(.judge) " + (if .left == "entry" then "\($e) \($p)" else "\($p) \($e)" end)' \
        "$work/sixty.json")"
drawn='game N is not the one that is drawn'
is 'a side changed is found' \
    "$(changed '.rounds[3][7].left |= (if . == "entry" then "confederate" else "entry" end)')" "$drawn"
is 'so is a condition' "$(changed '.rounds[3][7].entry |= . % 3 + 1' | grep -oE 'a condition has not its games|game N.*' | paste -sd,)" \
    "a condition has not its games,$drawn"
is 'a person who meets himself' "$(changed '.rounds[3][7].judge = .rounds[3][7].confederate' | cut -d, -f1)" \
    'somebody meets himself'
is 'two who meet twice' "$(changed '.rounds[1][0] = .rounds[0][0]' | cut -d, -f1)" 'two people meet twice'
is 'a round of two' "$(changed '.rounds = [.rounds[0] + .rounds[1]] + .rounds[2:]' | cut -d, -f1,2)" \
    'somebody is booked twice in a round,a round has more games than booths'
is 'too few people' "$(games 20 3 30)" \
    'boothlink contest schedule: 300 games: 20 people are 190 pairs, and no two people meet twice; expected more people or fewer games'
is 'a key of another length' "$(key=12 games 60 3 30)" \
    'boothlink contest schedule: --key 12: expected 64 hexadecimal digits'

# In a contest's file.
# without PERSON: the games of standard input in which he has no part.
without() {
    jq -c --argjson p "$1" '.rounds |= map(map(select(.judge != $p and .confederate != $p)))'
}

contest_new "$rules" 60 3 0
contest draw commit >/dev/null
refused 64 'missing --booths N: under this design so many games are held at once' schedule
is 'a contest of sixty' "$(contest schedule --booths 30 | head -1)" '10 rounds, 10 of them to come'
is 'before the seed is known there are no games' "$(contest show | grep -c '^  round ')" 0
contest_reveal
is 'then they are those of the seed' "$(told | key=$(seed) held 60 3 100 30 --no-sides)" \
    '300 games in 10 rounds, balanced'
is 'they stay' "$(contest schedule | head -1)" \
    '10 rounds, 10 of them to come; nothing has changed, and they stay as they are'
refused 65 'judges are confederates by turns: expected a judge, as J1' add confederate 'Ada Brown'
refused 65 'judges are confederates by turns: expected a judge, as J1' withdraw C7 --why ill
contest substitute J9 'Ada Brown' --why ill >/dev/null
is 'who comes for somebody takes both his places' "$(contest show | grep -A1 'Ada Brown' | sed 's/^ *//')" \
    "J9   Ada Brown
in the place of Judge 9, who left before round 1
--
C9   Ada Brown
in the place of Judge 9, who left before round 1"
told >"$work/told.json"
contest begin 1 >/dev/null
contest withdraw J7 --why ill >/dev/null
is 'who is ill has no games to come' \
    "$(contest schedule | head -1) $(told | jq -c '.rounds[1:]')" \
    "10 rounds, 9 of them to come $(without 7 <"$work/told.json" | jq -c '.rounds[1:]')"
is 'the round that has begun stays' "$(told | jq -c '.rounds[0]')" "$(jq -c '.rounds[0]' "$work/told.json")"
for round in {2..10}; do contest begin "$round" >/dev/null; done
# Of a judge who meets an Entry again: its two games, as J3 E2C5. Those of J7, who is ill, are gone.
again=$(without 7 <"$work/told.json" | jq -r '[.rounds[][]] | group_by([.judge, .entry])[] | select(length > 1)[:2][] |
    "J\(.judge) E\(.entry)C\(.confederate)"' | head -2)
while read -r judge pair; do
    contest ballot "$judge" "$pair" entry --fields 'confidence 80 reason "it joked"' >/dev/null
done <<<"$again"
is 'a ballot on each of two games with one Entry' "$(contest show | grep -o 'J[0-9]*E[0-9]*C[0-9]*\*' | sort)" \
    "$(tr -d ' ' <<<"$again" | sed 's/$/*/' | sort)"
ok 'the file is verified' contest verify
contest exclude "r2-$(contest show | sed -n 's/^  round 2,[^:]*: J\([0-9]*\)E.*/j\1/p')" --why 'they knew each other' >/dev/null
ok 'and reported, a row for each game' grep -q '<th>r1-j[0-9]*</th><td>E[123]</td><td>C' <(contest report)
contest seal --why 'it is over' >/dev/null
whole=$(contest publish --bundle "$work/bundle" | sed -n 's/^bundle: //p')
ok 'a stranger draws the games of a bundle' python3 -B tests/contests/stranger.py "$work/bundle" "$whole"
ok 'and all that is told follows from them' python3 -B tests/contests/verifier.py "$work/bundle/contest.json"
is 'changes are found, whoever makes the hashes fit' \
    "$(BOOTHLINK=$bl python3 -B tests/system/bundle.py games "$work/bundle" "$whole")" \
    '8 changes, 0 not found; 8 by stranger.py without the hash'
ok 'and nobody is named' python3 -B tests/system/bundle.py names "$work/bundle" Brown
design 'games-per-condition 5'
contest_new "$rules" 6 2 0
contest draw commit >/dev/null
contest schedule --booths 2 >/dev/null
contest withdraw J2 --why ill >/dev/null
contest_reveal
is 'the draw is of who is there at the seed' "$(told | jq -c '[.rounds[][] | .judge, .confederate] | unique')" '[1,3,4,5,6]'
contest_begin
contest seal --why 'it is over' >/dev/null
contest publish --bundle "$work/five" >/dev/null
ok 'as the manual says, which a stranger read' python3 -B tests/contests/stranger.py "$work/five"
ok 'and another one' python3 -B tests/contests/verifier.py "$work/five/contest.json"
design 'games-per-condition 0'
is 'a design of no games' "$(games 60 3 30 | grep -o 'design = .*')" \
    "design = games-per-condition 0: expected 'games-per-condition N', N from 1 to 65536, with pairing = pairs"
plan
