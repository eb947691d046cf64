#!/bin/bash
# A judge's ballot: what is refused, a venue's own rules, and after the sessions ranks and corrections.
# world/test_ballot has it within a session: given at a screen and by a script, corrected, sealed.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/journals.sh
. tests/support/ballots.sh
. tests/support/windows.sh

# lines FILE: its lines without times and checksums.
lines() { sed -E '1d; s/^[0-9]+ //; s/ \*[0-9a-f]{8}$//' "$1"; }
holds() { lines "$1" 2>/dev/null | grep -qxF -- "$2"; }
last_is() { [[ $(lines "$1" | tail -n 1) == "$2" ]]; }
file_of() { echo "$work/judge/$1-judge.ballot"; }

# held SESSION RULES KIND VOTE: a session of before, with its ballot.
held() {
    STYLE='split wrap=letters' journal judge "$1" finished >"$work/judge/$1-judge.journal"
    printf 'boothlink-ballot 1 session=%s rules=%s kind=%s sealed=session\n1795289010000000 given %s\n' "$@" |
        sums >"$(file_of "$1")"
}
mkdir "$work/judge"
held open loebner-2004 points 'left 80 right 20'
held keys loebner-2009 human 'human right'
held first loebner-2009 'human contest=a1' 'human right'
held second loebner-2009 'human contest=b2' 'human right'

for name in left right bet own; do
    cable $name
done

# refused DESCRIPTION STATUS TEXT ARGUMENT...
refused() {
    local said status
    said=$(cd "$work" && booth judge --left "serial:$work/left.a" --right "serial:$work/right.a" \
        --headless --journal judge --plan '5 both' "${@:4}" 2>&1)
    status=$?
    is "$1" "$status $said" "$2 boothlink judge: $3"
}
printf 'ballot left 50 right 50\n' >"$work/tie.script"
refused 'a tie of a script is told before anything begins' 65 \
    'tie.script: ballot left 50 right 50: 50 and 50 is a tie: one of the two gets 51 or more' \
    --ruleset loebner-2004 --session tie --script tie.script
refused 'a ballot without rules' 65 \
    'tie.script: ballot left 50 right 50: no ballot is asked for; give --ruleset NAME' \
    --session none --script tie.script
refused 'rules that are none' 66 \
    "there is no ruleset 'loebner-1999': class, loebner-1996, loebner-2003, loebner-2004, loebner-2009, loebner-2010, loebner-2011, loebner-2012, loebner-2013, longbet-2002, three-party-2025, two-party-2023, two-party-2024, or a file that ends with .ini" \
    --ruleset loebner-1999 --session none

# Three sessions at once: one whose ballot is sealed with it, one that is corrected after it, and one by a
# venue's own rules, which come beside the ticket.
"$bl" contest rulesets loebner-2003 | sed -E 's/^name = .*/name = venue/; s/^style = .*/style = split/' \
    >"$work/venue.ini"
printf '%s\n' '[ticket]' 'format = 1' 'role = judge' 'session = own' '[line.left]' \
    "port = serial:$work/own.a" '[rules]' 'ruleset = venue' 'plan = 5 left' 'starts = either' \
    '[page]' 'style = split columns=30' >"$work/ticket.ini"
answerers r2
for name in bet own; do
    start $name-entity entity --line "serial:$work/$name.b" --journal entity-$name --headless \
        --script "$work/answers.script"
done
# judge NAME VOTE OPTION...: its judge says something, and votes.
judge() {
    printf 'type Hello.\nballot %s\n' "$2" >"$work/$1.script"
    start "$1" judge --headless --json --script "$work/$1.script" --journal judge "${@:3}"
}
judge r2 'human left' --left "serial:$work/left.a" --right "serial:$work/right.a" \
    --ruleset loebner-2009 --session r2 --plan '5 both,1 review'
judge bet 'verdict machine' --left "serial:$work/bet.a" --ruleset longbet-2002 --session bet \
    --plan '5 left,1 review'
judge own 'rating 3,25' --ticket ticket.ini
ended r2
is 'a session is over' "$? $(lines "$(file_of r2)" | paste -sd,)" '0 given human left,sealed'
ok 'the first line says what for' grep -qE \
    '^boothlink-ballot 1 session=r2 rules=loebner-2009 sealed=session field=human:left,right \*[0-9a-f]{8}$' \
    "$(file_of r2)"
is 'the report says so' "$(report r2 '.ballot | .given, .sealed, .late' | xargs)" 'human left true false'
ok 'nothing in it tells more than sides' test \
    "$(grep -ciE 'program|entry|confederate' "$(file_of r2)")" = 0
refused 'other rules than the ballot was begun under' 64 \
    "judge/r2-judge.ballot was begun for session r2 under loebner-2009, for a ballot of the kind 'human': give the same --ruleset, or another --session NAME" \
    --ruleset loebner-2004 --starts judge --session r2 \
    --style 'split columns=38 wrap=words label.judge=Judge label.entity=Entity'
ended bet
is 'a verdict' "$? $(lines "$(file_of bet)")" '0 given verdict machine'
ended own
is "a venue's rules beside the ticket" \
    "$? $(sed -n '1s/.*\(rules=.*\) .*/\1/p' "$(file_of own)") $(lines "$(file_of own)")" \
    '0 rules=venue sealed=contest field=scale:0..5 given rating 3.25'
is 'session and style are those of the ticket' "$(entries "$work/judge/own-judge.journal" \
    'select(.kind == "header") | .session, .starts, .style' | sed 's/ wrap.*//' | xargs)" 'own 1 split columns=30'

# After the last round: ranks of those that were taken for machines.
ranks=$work/judge/ranks-judge.ballot
rank() { (cd "$work" && booth judge --rank "$@" 2>&1; echo "status $?"); }
printf 'ballot ranks 2 1\n' >"$work/rank.script"
is 'ranks by a script' "$(rank judge/keys-judge.journal judge/r2-judge.journal --headless \
    --script rank.script)" 'status 0'
is 'are of those that were not taken for the human' "$(head -n 1 "$ranks" | sed 's/ \*.*//')" \
    'boothlink-ballot 1 session=ranks rules=loebner-2009 sealed=contest rank=keys:left rank=r2:right'
is 'a session without a ballot has no ranks' \
    "$(rank judge/keys-judge.journal judge/open-judge.journal --headless --script rank.script)" \
    "boothlink judge: judge/open-judge.journal: rules with a ballot of the kind 'points' ask for no ranks
status 65"
is 'nor is one ranked twice' \
    "$(rank judge/r2-judge.journal judge/r2-judge.journal --headless --script rank.script)" \
    'boothlink judge: session r2 is given twice
status 65'
is 'nor are sessions of two contests' \
    "$(rank judge/first-judge.journal judge/second-judge.journal --headless --script rank.script)" \
    'boothlink judge: sessions first and second are of two contests that were set up apart: rank one contest
status 65'
window judge 80 24 judge --rank judge/keys-judge.journal judge/r2-judge.journal
reads 'at a keyboard' judge 'rank [ 2] keys, LEFT'
keys judge 1 Tab
reads 'with the conversation of the one that is ranked' judge 'Hello.'
keys judge 2 Enter
ok 'the ranks are corrected' eventually holds "$ranks" 'given ranks 1 2'
keys judge F10
left() { ! tm has-session -t judge 2>/dev/null; }
ok 'F10 leaves' eventually left

# Where the contest's end seals: corrected after the session, from its record.
printf 'ballot verdict human\n' >"$work/correct.script"
correct() { (cd "$work" && booth judge --correct "$@" 2>&1; echo "status $?"); }
is 'is corrected' "$(correct judge/bet-judge.journal --headless --script correct.script
    lines "$(file_of bet)")" 'status 0
given verdict machine
given verdict human'
is 'where the session seals, it is not' "$(correct judge/r2-judge.journal --headless \
    --script rank.script)" 'boothlink judge: judge/r2-judge.ballot: by loebner-2009 a ballot is sealed with its session
status 65'
printf 'ballot ranks 1\n' >"$work/rank.script"
is 'and all are ranked' "$(rank judge/bet-judge.journal --session bet-ranks --headless \
    --script rank.script; lines "$work/judge/bet-ranks-judge.ballot")" 'status 0
given ranks 1'
window judge 80 24 judge --correct judge/bet-judge.journal
reads 'at a keyboard too' judge '√ [H] HUMAN'
keys judge m Enter
ok 'until it is handed in' eventually last_is "$(file_of bet)" 'given verdict machine'
plan
