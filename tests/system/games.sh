#!/bin/bash
# Games by condition, as the program draws them, against tests/contests/games.py, which draws them
# again from boothlink-contest(5) and checks balance, and that nobody meets anybody twice.
. tests/tap.sh
. tests/support/contest.sh

bl=$BUILD/boothlink
key=8e79cdac0448c1627fc0e70736fa7a9c65aac9e4a72fcdd312b7edfc297d7aec
rules=$work/design.ini

# design WORDS: rules of three-party-2025 with this design.
design() {
    "$bl" contest rulesets three-party-2025 | sed "s/^starts = .*/&\ndesign = $1/" >"$rules"
}

# games PEOPLE CONDITIONS BOOTHS [OPTION...]
games() {
    "$bl" contest schedule --ruleset "$rules" --people "$1" --entries "$2" --booths "$3" --key "$key" "${@:4}" 2>&1
}

# held PEOPLE CONDITIONS EACH BOOTHS: games on standard input, against a second draw and the rules.
held() {
    python3 tests/contests/games.py --people "$1" --conditions "$2" --each "$3" --booths "$4" --key "$key"
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
contest new --name Test --ruleset "$rules" >"$work/new" 2>&1
is 'no file keeps such games' "$? $(sed 's/^[^:]*: [^:]*: //' "$work/new")" \
    "65 a contest's file keeps no games by condition; contest schedule --ruleset draws them"
design 'games-per-condition 0'
is 'a design of no games' "$(games 60 3 30 | grep -o 'design = .*')" \
    "design = games-per-condition 0: expected 'games-per-condition N', N from 1 to 65536, with pairing = pairs"
plan
