#!/bin/bash
# A judge's second opportunity with somebody (1996 r14, 2003 r42): its tickets, its ballot, which takes
# the place of the first one though it says the same, and a record that all can recompute.
. tests/tap.sh
. tests/support/contest.sh
. tests/support/ballots.sh
. tests/support/journals.sh

contest_new loebner-2003 5 2 1
contest_draw
contest_reveal
{
    printf '[venue]\nformat = 1\n[machines]\n'
    for i in {1..5}; do
        printf 'booth%d.judge-a = serial:/dev/none0\nbooth%d.entity-a = serial:/dev/ttyS%d\n' "$i" "$i" "$i"
        printf 'entry%d.program = ./entry%d\n' "$i" "$i"
    done
} >"$TMPDIR/venue.ini"
mkdir "$TMPDIR/stick"

# given SESSION RATING: what a booth leaves of it.
given() {
    {
        echo "boothlink-ballot 1 session=$1 rules=loebner-2003 kind=scale sealed=contest most=5"
        echo "1795289010000000 given rating $2"
    } | sums >"$TMPDIR/stick/$1-judge.ballot"
    journal judge "$1" "the judge's journal" >"$TMPDIR/stick/$1-judge.journal"
    journal entity "$1" "the entity's" >"$TMPDIR/stick/$1-entity.journal"
}
tickets() { contest tickets --venue "$TMPDIR/venue.ini" --out "$TMPDIR/sticks" >/dev/null; }
collect() { contest collect "$TMPDIR/stick" >"$TMPDIR/said" 2>&1; }
names() { (cd "$TMPDIR/sticks" && grep -rl "session = $1\$" . | sed 's/.*\///' | sort | xargs); }
ballots() { contest export --json | jq '[.acts[] | select(.kind == "ballot")] | length'; }

tickets
mapfile -t sessions < <(grep -rh '^session' "$TMPDIR/sticks/judges-room" | sed 's/.* //')
one=${sessions[0]}
printf -v round '%03d' "$(grep -o '[0-9]*' <<<"$one" | head -1)"
refused 65 'has not begun' repeat "$one" --further --why 'asked for it'
contest_begin
for session in "${sessions[@]}"; do given "$session" 2; done
collect
before=$(ballots)
is 'further is one more' "$(contest repeat "$one" --further --why 'asked for it' | head -1)" \
    "$one counts until there is a ballot of $one-2, by tickets $round-2.ticket"
collect
is 'the contest waits for nothing more' "$(grep -c '^missing' "$TMPDIR/said")" 0
tickets
is 'it has tickets at both ends' "$(names "$one-2")" "$round-2.ticket $round-2.ticket"
given "$one-2" 2
collect
is 'its ballot counts, though it says the same' "$(ballots)" $((before + 1))
tickets
is 'and the tickets go, but those of the last round' "$(names "$one-2" | wc -w)" "$([[ $round == 005 ]] && echo 2 || echo 0)"
collect
is 'once' "$(ballots)" $((before + 1))
ok 'it verifies' contest verify
contest seal --why 'enough for a test' >/dev/null
contest publish --out "$TMPDIR/published" >/dev/null
ok 'a stranger recomputes it' python3 tests/contests/verifier.py "$TMPDIR/published/contest.json"
plan
