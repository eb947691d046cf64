#!/bin/bash
# The limits of a contest: 999 people who are judges and confederates by turns, in 64 booths, drawn and
# checked as those of tests/system/games.sh; more judges than 64 without a design.
. tests/tap.sh
. tests/support/contest.sh
. tests/support/games.sh

bl=$BUILD/boothlink
work=$TMPDIR/many
file=$work/contest.db
mkdir "$work"

# people_file JUDGES ENTRIES CONFEDERATES RULESET: $work/people.ini; Entries run below /opt.
people_file() {
    local i
    printf '[contest]\nformat = 1\nname = Many\nruleset = %s\n[people]\n' "$4"
    for ((i = 1; i <= $1; i++)); do echo "judge$i = Person $i Brown"; done
    for ((i = 1; i <= $2; i++)); do echo "entry$i = Entry $i"; done
    for ((i = 1; i <= $3; i++)); do echo "confederate$i = Human $i Brown"; done
} >"$work/people.ini"

# venue_file BOOTHS ENTRIES: $work/venue.ini, without keys.
venue_file() {
    local i end cable
    printf '[venue]\nformat = 1\nkeys = none\n[machines]\n'
    for ((i = 1; i <= $1; i++)); do
        for end in judge entity; do
            for cable in a b; do echo "booth$i.$end-$cable = ether:eth0/b$i$cable"; done
        done
    done
    for ((i = 1; i <= $2; i++)); do echo "entry$i.program = /opt/e$i/run"; done
} >"$work/venue.ini"

setup() { (cd "$work" && "$bl" contest setup people.ini venue.ini); }

# held: the games on standard input, against a second draw and the rules.
held() {
    python3 tests/contests/games.py --people 999 --conditions 3 --each 334 --booths 64 --key "$(seed)" --no-sides
}

# fair JUDGES ENTRIES CONFEDERATES: of a schedule in JSON, whether each judge meets each Entry once and
# nobody is booked twice.
fair() {
    python3 -c 'import json, sys
judges, entries, confederates = map(int, sys.argv[1:])
rounds = json.load(sys.stdin)["rounds"]
pairs = [(m["judge"], m["entry"]) for r in rounds for m in r]
print(len(rounds), "rounds,", len(pairs), "meetings:",
      "fair" if len(set(pairs)) == len(pairs) == judges * entries
      and all(len({m[who] for m in r}) == len(r) for r in rounds for who in ("judge", "entry", "confederate"))
      and {m["confederate"] for r in rounds for m in r} == set(range(1, confederates + 1)) else "unfair")' "$@"
}

"$bl" contest rulesets three-party-2025 | sed 's/^starts = .*/&\ndesign = games-per-condition 334/' >"$work/design.ini"
people_file 999 3 0 design.ini
venue_file 64 3
ok '999 people and 64 booths are set up' \
    quiet script -qec "cd '$work' && '$bl' contest setup people.ini venue.ini" -O "$TMPDIR/screen"
is 'on a terminal it counts the files of each stick' \
    "$(tr '\r' '\n' <"$TMPDIR/screen" | grep -cE '^1000 of [0-9]{4} files')" 2
is 'their games are those of the seed' "$(told | held)" '1002 games in 16 rounds, balanced'
is 'with a ticket for each end' "$(find "$work/sticks" -name '*.ticket' | wc -l)" 3006
is 'in every booth' "$(cd "$work/sticks/judges-room/boothlink" && echo booth-*-judge | wc -w)" 64
is 'the file has less than a megabyte' "$(($(stat -c %s "$file") < 1000000))" 1
ok 'it is verified' contest verify
refused 65 'there are 999 already' add judge 'One Brown'
people_file 1000 3 0 design.ini
is 'one more is refused with its line' "$(cd "$work" && "$bl" contest setup people.ini venue.ini 2>&1 | grep -c 'people.ini:1005: .*judge1 to judge999')" 1

for round in {1..16}; do contest begin "$round" >/dev/null || break; done
is 'all rounds are held' "$round" 16
# Games of people whose numbers need a second byte, each with a ballot.
high=$(contest show | grep '^  round' | grep -oE 'J[0-9]+E[0-9]+C[0-9]+' | sed 's/E/ E/' |
    awk '{j = substr($1, 2); c = $2; sub(/.*C/, "", c); if (j > 256 && c > 256) print}' | head -20)
while read -r judge pair; do
    contest ballot "$judge" "$pair" entry --fields 'confidence 80 reason "it joked"' >/dev/null || break
done <<<"$high"
is 'ballots of people beyond 256' "$(contest show | grep -oE 'J[0-9]+E[0-9]+C[0-9]+\*' | sort)" \
    "$(tr -d ' ' <<<"$high" | sed 's/$/*/' | sort)"
read -r judge pair <<<"${high%%$'\n'*}"
session=$(contest show | sed -n "s/^  round \([0-9]*\),.*[ :]$judge$pair.*/r\1-j${judge#J}/p")
ok 'one of them is excluded' quiet contest exclude "$session" --why 'they knew each other'
contest seal --why 'it is over' >/dev/null
contest data --out "$work/data" >/dev/null
is 'tables of all people, each in both parts' "$(grep -c Brown "$work/data/people.csv")" 1998
whole=$(contest publish --bundle "$work/bundle" | sed -n 's/^bundle: //p')
ok 'a bundle, which is verified' quiet "$bl" contest verify "$work/bundle"
ok 'a stranger draws its games and sides' python3 -B tests/contests/stranger.py "$work/bundle" "$whole"
ok 'and another one' python3 -B tests/contests/verifier.py "$work/bundle/contest.json"
ok 'nobody is named in it' python3 -B tests/system/bundle.py names "$work/bundle" Brown

for rules in class longbet-2002 three-party-2025; do
    "$bl" contest template --ruleset $rules --booths 64 "$TMPDIR/$rules" >/dev/null
    is "$rules: a template of 64 booths" "$(grep -c '^booth64\.judge-a =' "$TMPDIR/$rules/venue.ini")" 1
done

# Without a design.
class() { "$bl" contest schedule --ruleset class --judges "$1" --entries "$2" --confederates "$3" "${@:4}" 2>&1; }
is '999 judges of a class, one after another' "$(class 999 1 1 --json | fair 999 1 1)" '999 rounds, 999 meetings: fair'
is '999 judges, 16 models, 20 humans' "$(class 999 16 20 --json | fair 999 16 20)" '999 rounds, 15984 meetings: fair'
is 'more meetings than there are' "$(class 999 17 20)" \
    'boothlink contest schedule: 16983 meetings: a contest has 16384 at most'
is 'more rounds than a machine has tickets' "$(class 999 4 1)" \
    'boothlink contest schedule: 3996 rounds: a contest has 1000 at most'
rm -r "$work"/contest.db* "$work/sticks"
people_file 300 2 2 class
venue_file 2 2
ok 'a class of 300 is set up' quiet setup
is 'each meets both models' "$(contest show | grep -oE 'J[0-9]+E[0-9]+' | sort -u | wc -l)" 600
ok 'and it is verified' contest verify
is 'a judge who leaves has no more meetings' \
    "$(contest withdraw J300 --why ill >/dev/null; contest schedule >/dev/null; contest show | grep -cE 'J300E')" 0
plan
