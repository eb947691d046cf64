#!/bin/bash
# A judge's ballot: given, corrected, sealed, and nothing lost when the terminal is killed; at a
# keyboard it opens by itself and takes no key that was meant for an entity.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

# lines FILE: its lines without times and checksums.
lines() { sed -E '1d; s/^[0-9]+ //; s/ \*[0-9a-f]{8}$//' "$1"; }
holds() { lines "$1" 2>/dev/null | grep -qxF -- "$2"; }
last_is() { [[ $(lines "$1" | tail -n 1) == "$2" ]]; }
all_typed() { [[ $(typed_in "$journal" judge | paste -sd '') == "$1" ]]; }
ballot() { echo "$work/judge/$1-judge.ballot"; }

cable left
cable right

# Without a screen: a script gives the ballot, corrects it, and types more than there is time for.
printf '%s\n' 'pace 50' 'type Hello.' 'ballot left 60 right 40 notes the left is quick' \
    'wait 1500' 'ballot left 35 right 65' 'pace 3000' 'type this is never typed to the end' \
    'ballot left 34 right 66 notes after the cut' >"$work/judge.script"
judge() {
    start judge judge --left "serial:$work/left.a" --right "serial:$work/right.a" \
        --ruleset loebner-2004 --session head --plan '6 both,8 change' --headless --json \
        --script "$work/judge.script" --journal judge
}
answerers head
judge
file=$(ballot head)
ok 'a script gives a ballot' eventually holds "$file" \
    'given left 60 right 40 notes the left is quick'
slay judge
ok 'the first line says what for' grep -qE \
    '^boothlink-ballot 1 session=head rules=loebner-2004 kind=points sealed=session \*[0-9a-f]{8}$' \
    "$file"
cp "$file" "$work/before"
printf '1795000000000000 given left 70 ri' >>"$file" # a power cut in mid-line
judge
ended judge
is 'killed and started again it ends well' $? 0
head -c "$(stat -c %s "$work/before")" "$file" >"$work/begin"
equal 'what was given before is still there' "$work/begin" "$work/before"
is 'the corrections came, the last is sealed' "$(lines "$file" | sed '1d' | tail -n 3)" \
    "given left 35 right 65
given left 34 right 66 notes after the cut
sealed"
is 'the report says so' "$(report judge '.ballot | .given, .sealed, .late' | xargs)" \
    'left 34 right 66 notes after the cut true false'
ok 'nothing in it tells more than sides' test "$(grep -ciE 'program|entry|confederate|human' "$file")" = 0
judge
ended judge
is 'a sealed ballot stays as it is' "$(lines "$file" | tail -n 1)" sealed
answerers_stop

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
refused 'other rules than the ballot was begun under' 64 \
    "judge/head-judge.ballot was begun for session head under loebner-2004, for a ballot of the kind 'points': give the same --ruleset, or another --session NAME" \
    --ruleset loebner-2009 --starts either --session head
refused 'rules that are none' 66 \
    "there is no ruleset 'loebner-1999': loebner-1996, loebner-2003, loebner-2004, loebner-2009, loebner-2010, loebner-2011, loebner-2012, loebner-2013, longbet-2002, three-party-2025, or a file that ends with .ini" \
    --ruleset loebner-1999 --session none

# At a keyboard, after the cut.
answerers keys
window judge 80 24 judge --left "serial:$work/left.a" --right "serial:$work/right.a" \
    --ruleset loebner-2009 --session keys --plan '6 both,600 review' --begin ready --journal judge
file=$(ballot keys)
journal=$work/judge/keys-judge.journal
refusals() { notes "$journal" refused | wc -l; }
# Who types on through the cut: an L among it would choose.
types_on() {
    keys judge -l 'x'
    (($(refusals) >= 6))
}
ok 'what is still typed to an entity after the cut is refused' eventually types_on
reads 'the ballot opens by itself' judge 'Press Return to give it.'
before=$(refusals)
ok 'and nothing is on it' test -z "$(lines "$file")"
keys judge F3 l
reads 'it takes letters, and F3 does not close what has just opened' judge '√ [L] LEFT is the human'
keys judge Tab
keys judge -l 'wrote of its dog'
reads 'notes' judge 'Notes wrote of its dog'
ok 'what stands on it is kept' eventually holds "$file" 'draft human left notes wrote of its dog'
kill -9 "$(window_pid judge)"
window judge 80 24 judge --left "serial:$work/left.a" --right "serial:$work/right.a" \
    --ruleset loebner-2009 --session keys --plan '6 both,600 review' --begin ready --journal judge
reads 'killed and started again it is still there' judge 'Notes wrote of its dog'
reads 'and not given' judge 'NOT GIVEN YET'
keys judge F3 Enter
reads 'Return gives it' judge ': LEFT is the human'
ok 'on disk' eventually holds "$file" 'given human left notes wrote of its dog'
keys judge r Enter
ok 'a correction' eventually holds "$file" 'given human right notes wrote of its dog'
is 'no key of it went to an entity' \
    "$(typed_in "$journal" judge | tr -d 'x\n' | wc -c) $(refusals)" "0 $before"
window_close judge
answerers_stop

# At a keyboard, while the lines are open.
answerers open
window judge 80 24 judge --left "serial:$work/left.a" --right "serial:$work/right.a" \
    --ruleset loebner-2004 --session open --plan '600 both' --begin ready --journal judge
file=$(ballot open)
journal=$work/judge/open-judge.journal
reads 'a conversation' judge 'I answer.'
keys judge -l 'before'
ok 'is typed' eventually has_keys "$journal" 6
keys judge F3 8 0
reads 'with the ballot open' judge 'LEFT [ 80]'
keys judge Tab Tab
keys judge -l 'not for them'
ok 'typing goes to it' eventually holds "$file" 'draft left 80 right 20 notes not for them'
keys judge Enter F3
keys judge -l 'after'
reads 'put away, typing goes to the entity again' judge 'beforeafter'
ok 'and nothing of the ballot did' eventually all_typed beforeafter
is 'the ballot is given' "$(lines "$file" | tail -n 1)" 'given left 80 right 20 notes not for them'
window_close judge
answerers_stop

# After the last round: ranks of those that were taken for machines.
printf 'type Hello.\nballot human left\n' >"$work/judge.script"
answerers r2
start judge judge --left "serial:$work/left.a" --right "serial:$work/right.a" \
    --ruleset loebner-2009 --session r2 --plan '8 both,1 review' --headless \
    --script "$work/judge.script" --journal judge
ended judge
is 'another round' $? 0
answerers_stop
ranks=$work/judge/ranks-judge.ballot
rank() { (cd "$work" && booth judge --rank "$@" 2>&1; echo "status $?"); }
printf 'ballot ranks 2 1\n' >"$work/rank.script"
is 'ranks by a script' "$(rank judge/keys-judge.journal judge/r2-judge.journal --headless \
    --script rank.script)" 'status 0'
is 'are of those that were not taken for the human' "$(head -n 1 "$ranks" | sed 's/ \*.*//')" \
    'boothlink-ballot 1 session=ranks rules=loebner-2009 kind=ranks sealed=contest rank=keys:left rank=r2:right'
is 'a session without a ballot has no ranks' \
    "$(rank judge/keys-judge.journal judge/open-judge.journal --headless --script rank.script)" \
    "boothlink judge: judge/open-judge.journal: rules with a ballot of the kind 'points' ask for no ranks
status 65"
is 'nor is one ranked twice' \
    "$(rank judge/r2-judge.journal judge/r2-judge.journal --headless --script rank.script)" \
    'boothlink judge: session r2 is given twice
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
printf 'type Hello.\nballot verdict machine\n' >"$work/judge.script"
start left-entity entity --line "serial:$work/left.b" --journal entity-bet --headless \
    --script "$work/answers.script"
start judge judge --left "serial:$work/left.a" --ruleset longbet-2002 --session bet \
    --plan '5 left,1 review' --headless --script "$work/judge.script" --journal judge
ended judge
is 'a verdict' "$? $(lines "$(ballot bet)")" '0 given verdict machine'
stop left-entity >/dev/null
printf 'ballot verdict human\n' >"$work/correct.script"
correct() { (cd "$work" && booth judge --correct "$@" 2>&1; echo "status $?"); }
is 'is corrected' "$(correct judge/bet-judge.journal --headless --script correct.script
    lines "$(ballot bet)")" 'status 0
given verdict machine
given verdict human'
is 'where the session seals, it is not' "$(correct judge/r2-judge.journal --headless \
    --script rank.script)" 'boothlink judge: judge/r2-judge.ballot: by loebner-2009 a ballot is sealed with its session
status 65'
# A venue's own rules come beside the ticket.
"$bl" contest rulesets loebner-2003 | sed -E 's/^name = .*/name = venue/; s/^style = .*/style = split/' \
    >"$work/venue.ini"
printf '%s\n' '[ticket]' 'format = 1' 'role = judge' 'session = own' '[line.left]' \
    "port = serial:$work/left.a" '[rules]' 'ruleset = venue' 'plan = 5 left' >"$work/ticket.ini"
printf 'ballot rating 3,25\n' >"$work/judge.script"
start left-entity entity --line "serial:$work/left.b" --journal entity-own --headless \
    --script "$work/answers.script"
start judge judge --ticket ticket.ini --headless --script "$work/judge.script" --journal judge
ended judge
is "a venue's rules beside the ticket" \
    "$? $(sed -n '1s/.*\(rules=.*\) .*/\1/p' "$(ballot own)") $(lines "$(ballot own)")" \
    '0 rules=venue kind=scale sealed=contest most=5 given rating 3.25'
stop left-entity >/dev/null
printf 'ballot ranks 1\n' >"$work/rank.script"
is 'and all are ranked' "$(rank judge/bet-judge.journal --session bet-ranks --headless \
    --script rank.script; lines "$work/judge/bet-ranks-judge.ballot")" 'status 0
given ranks 1'
window judge 80 24 judge --correct judge/bet-judge.journal
reads 'at a keyboard too' judge '√ [H] HUMAN'
keys judge m Enter
ok 'until it is handed in' eventually last_is "$(ballot bet)" 'given verdict machine'
plan
