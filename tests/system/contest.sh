#!/bin/bash
# The contest manager's command: the printed tables cell for cell, the fewest rounds, and what is said
# of bad input.
. tests/tap.sh

boothlink=$BUILD/boothlink

# schedule ARGUMENT...: in the notation of the rules, a line a round.
schedule() {
    "$boothlink" contest schedule "$@" --json |
        jq -r '.rounds[] | map("J\(.judge)E\(.entry)C\(.confederate)") | join(" ")'
}

# sorted: the meetings of each line in one order, since the rules print them in none.
sorted() {
    while read -r -a row; do
        printf '%s\n' "${row[@]}" | sort | paste -sd' '
    done
}

is 'the table of 2004' "$(schedule --ruleset loebner-2004 --size 4 | sorted)" "$(sorted <<'END'
J1E1C1 J2E3C2 J3E2C4
J4E1C2 J3E3C1 J2E4C3
J3E1C3 J4E3C4 J1E2C2
J2E1C4 J3E4C2 J4E2C3
J2E2C1 J1E3C3
J1E4C4
J4E4C1
END
)"
is 'the table of 2009' "$(schedule --ruleset loebner-2009 --size 4 | sorted)" "$(sorted <<'END'
J1E1C1 J2E3C2
J4E1C2 J3E3C1 J2E4C3
J3E1C3 J4E3C4 J1E2C2
J2E1C4 J3E4C2
J2E2C1 J1E3C3
J1E4C4 J4E2C3
J4E4C1 J3E2C4
END
)"

# is_optimal N: n x n meetings, each of the three pairings once, nobody twice in a round, and so
# many rounds as can be.
is_optimal() {
    "$boothlink" contest schedule --ruleset loebner-2009 --size "$1" --optimal --json |
        jq -e --argjson n "$1" '
            def all_once: length == $n * $n and (unique | length) == $n * $n;
            (.rounds | length) == (if $n == 2 then 4 elif $n == 6 then 7 else $n end)
            and ([.rounds[][] | [.judge, .entry]] | all_once)
            and ([.rounds[][] | [.judge, .confederate]] | all_once)
            and ([.rounds[][] | [.entry, .confederate]] | all_once)
            and all(.rounds[]; length == (map(.judge) | unique | length)
                and length == (map(.entry) | unique | length)
                and length == (map(.confederate) | unique | length))' >/dev/null
}
for n in {2..20}; do
    ok "the fewest rounds for $n" is_optimal "$n"
done

is 'the long bet: three judges, four candidates' \
    "$("$boothlink" contest schedule --ruleset longbet-2002 --judges 3 --entries 1 \
        --confederates 3 --json | jq -c '[(.rounds | length), ([.rounds[][]] | length)]')" '[4,12]'
is 'near-equal numbers: no pair of a confederate twice, and no more rounds' \
    "$("$boothlink" contest schedule --ruleset loebner-2009 --judges 4 --entries 4 \
        --confederates 5 --json | jq -c '[(.rounds | length), .proven, .uneven,
            ([.rounds[][] | [.judge, .confederate]] | unique | length),
            ([.rounds[][] | [.entry, .confederate]] | unique | length)]')" '[4,true,0,16,16]'
is 'what is impossible is said only where it is proven' \
    "$("$boothlink" contest schedule --ruleset loebner-2009 --judges 6 --entries 7 \
        --confederates 6 | tail -3)" '8 rounds were found; fewer than 7 are impossible.
Every judge and every Entry meets every confederate whom he may.
The meetings are spread evenly.'
is '30 judges, 25 hidden people, 5 machines: valid, with its bounds' \
    "$("$boothlink" contest schedule --ruleset loebner-2009 --judges 30 --entries 5 \
        --confederates 25 --json | jq -c '[(.rounds | length), .rounds_least, .missing,
            .missing_least, .uneven, ([.rounds[][] | [.judge, .entry]] | unique | length)]
            , all(.rounds[]; length == (map(.judge) | unique | length)
                and length == (map(.entry) | unique | length)
                and length == (map(.confederate) | unique | length))')" '[30,30,600,600,0,150]
true'
is 'unequal numbers: each judge meets each Entry' \
    "$("$boothlink" contest schedule --ruleset loebner-2004 --judges 3 --entries 4 \
        --confederates 2 --json | jq -c '[(.rounds | length),
            ([.rounds[][] | [.judge, .entry]] | unique | length)]')" '[6,12]'

is 'two booths take four rounds, six take seven, and it says why; three and four as many as they are' \
    "$(for n in 2 3 4 6; do
        "$boothlink" contest schedule --ruleset loebner-2009 --size $n | grep -c '^More rounds than judges: .* with '$n' of each'
    done | paste -sd ' ')" '1 0 0 1'
"$boothlink" contest rulesets loebner-2004 >"$TMPDIR/ours.ini"
ok 'a ruleset is printed as it is in the sources' \
    cmp -s "$TMPDIR/ours.ini" host/share/rulesets/loebner-2004.ini
sed -i '/^7 = /d' "$TMPDIR/ours.ini"
ok "a venue's file is checked, and printed" \
    cmp -s "$TMPDIR/ours.ini" <("$boothlink" contest rulesets "$TMPDIR/ours.ini")
sed 's/^plan = .*/plan = 60 both ; shorter/; /^sealed = /d' "$TMPDIR/ours.ini" >"$TMPDIR/theirs.ini"
is 'the lines are told in which it differs from a ruleset' \
    "$(cd "$TMPDIR" && "$boothlink" contest rulesets theirs.ini ours.ini)" \
    'theirs.ini:10: [session] plan = 60 both; in ours.ini: 1500 both,300 change
theirs.ini: no [ballot] sealed; in ours.ini: session
lines that differ: 2'
is 'and a line too many' "$("$boothlink" contest rulesets loebner-2004 "$TMPDIR/ours.ini" | tail -n 2 | cut -c -26)" \
    "loebner-2004:$(grep -n '^7 = ' host/share/rulesets/loebner-2004.ini | cut -d: -f1): [rounds]
lines that differ: 1"
sed 's/^scoring = .*/scoring = dice/' "$TMPDIR/ours.ini" >"$TMPDIR/bad.ini"
is 'one that is none is not printed' \
    "$("$boothlink" contest rulesets "$TMPDIR/bad.ini" 2>&1 | grep -c 'bad.ini:[0-9]*: .*scoring')" 1
is 'a ruleset of the venue' \
    "$(schedule --ruleset "$TMPDIR/ours.ini" --size 4 | wc -l)" 6
is 'all are listed' "$("$boothlink" contest rulesets --json | jq -r 'map(.name) | join(" ")')" \
    "$(cd host/share/rulesets && printf '%s\n' *.ini | sed 's/\.ini$//' | paste -sd' ')"

# refused STATUS TEXT ARGUMENT...: one line that says so.
refused() { refusal "$1" "$2" "$boothlink" contest "${@:3}"; }
refused 64 'missing a verb' --json
refused 64 'no verb "shedule"; did you mean "schedule"' shedule
refused 64 'missing --ruleset' schedule --size 4
refused 64 'missing --size' schedule --ruleset loebner-2004 --judges 4
refused 64 'expected a whole number from 0 to 64' schedule --ruleset loebner-2004 --size 65
refused 65 'nobody is left to meet' schedule --ruleset loebner-2004 --size 0
refused 66 "no ruleset 'loebner-1999'" schedule --ruleset loebner-1999 --size 4
refused 66 'No such file' schedule --ruleset ./none.ini --size 4
refused 65 'a confederate at least' schedule --ruleset loebner-2004 --judges 4 --entries 4 \
    --confederates 0
sed -i 's/^6 = .*/6 = J1E4C4 J1E3C3/' "$TMPDIR/ours.ini"
refused 65 "[rounds] 6: 'J1E3C3': somebody" schedule --ruleset "$TMPDIR/ours.ini" --size 4
plan
