#!/bin/bash
# A session by its plan: two lines, cuts that are announced and agreed, the judge's terminal killed
# within a segment, keys after the cut; and tickets instead of options.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh


# The judge types for longer than both segments last, at whichever side is open.
printf 'pace 150\n%s\n' "$(yes 'type A judge asks and asks.' | head -n 20)" >"$work/judge.script"
# A confederate types ahead of and beyond every cut.
printf 'pace 120\n%s\n' "$(yes 'type Left answers.' | head -n 20)" >"$work/left.script"
printf 'pace 130\n%s\n' "$(yes 'type Right too.' | head -n 20)" >"$work/right.script"
judge=$work/judge/plan-judge.journal

cable one
cable two
judge_start() {
    start judge judge --left "serial:$work/one.a" --right "serial:$work/two.a" --starts either \
        --session plan --plan '5 left,15 right,2 review' --script "$work/judge.script" \
        --headless --json --journal judge
}
judge_start
for side in left:one right:two; do
    start ${side%:*} entity --line "serial:$work/${side#*:}.b" --journal ${side%:*} --headless \
        --json --script "$work/${side%:*}.script"
done

# remaining: what the record says is left of the second segment, in ms, one on a line.
remaining() {
    entries "$judge" 'select(.kind == "segment" and .index == 1 and .state == "open") |
        .remaining_us / 1000 | floor'
}
keys_right() { entries "$judge" 'select(.kind == "keys" and .side == "right").last' | tail -n 1; }
right_has() { (($(keys_right) >= $1)); }
ok 'the second segment begins' eventually right_has 12
slay judge
before=$("$bl" transcript convert "$judge" --to keys | grep -c '^[0-9]')
"$bl" transcript convert "$judge" --to keys | grep '^[0-9]' >"$work/before"
left_before=$(remaining | tail -n 1)
judge_start
for name in judge left right; do
    ended $name
    is "$name: ends well" $? 0
done

"$bl" transcript convert "$judge" --to keys | grep '^[0-9]' >"$work/all"
head -n "$before" "$work/all" >"$work/begin"
equal 'started again the judge has the same keys on the same sides' "$work/begin" "$work/before"
ok 'and the session went on' test "$(wc -l <"$work/all")" -gt "$before"
is 'the time that is left never grew' \
    "$(remaining | awk 'NR > 1 && $1 > last { print $1, ">", last } { last = $1 }')" ''
ok 'and was on record' test "$left_before" -le 15000
for side in left right; do
    entity=$work/$side/plan-entity.journal
    ok "$side: the cut is agreed at the judge's end" agrees "$(report judge ".sides.$side.end")"
    ok "$side: and at the entity's" agrees "$(report $side .end)"
    is "$side: with the same page" "$(report $side .digest)" \
        "$(report judge ".sides.$side.digest")"
    events "$judge" --side $side >"$work/events.judge"
    events "$entity" >"$work/events.entity"
    same_events "$side"
    pressed=$(report $side .keys_pressed)
    is "$side: what found no place is counted" "$(report $side .keys_unplaced)" \
        "$((pressed - $(report $side .keys_entity)))"
done
"$bl" transcript convert "$judge" >"$work/text"
ok 'the transcript has both sides' test "$(grep -cE '\] (left  |right )(Judge|Entity): ' \
    "$work/text")" -ge 4
is 'three segments, and the plan is over' \
    "$(entries "$judge" 'select(.kind == "segment").state' | tail -n 1)" finished
slay one
slay two

# By tickets, at keyboards: the same as by options.
cable line
cat >"$work/judge.ini" <<INI
[ticket]
format = 1
role = judge
session = r2-j3
round = 2
[line.left]
port = serial:$work/line.a@57600
[rules]
ruleset = loebner-2009
plan = 6 left,30 review
starts = either
[page]
style = split columns=30
INI
cat >"$work/entity.ini" <<INI
[ticket]
format = 1
role = entity
session = r2-j3
[line]
port = serial:$work/line.b@57600
[entity]
keyboard = yes
INI
window judge 80 24 judge --ticket judge.ini --begin ready --journal judge
window entity 80 24 entity --ticket entity.ini --journal entity
judge=$work/judge/r2-j3-judge.journal
entity=$work/entity/r2-j3-entity.journal
reads 'a plan out of a ticket' judge 'LEFT · part 1 of 2'
reads 'begins when both are there' judge ' open '
reads 'at both ends' entity 'part 1 of 2'
keys judge -l 'a question'
keys entity -l 'an answer'
reads 'both may begin' entity 'a question'
reads 'and both see it' judge 'an answer'
reads 'the segment is cut' judge 'REVIEW · part 2 of 2'
reads 'who types there is asked to stay' entity 'Your part is over; please stay.'
reads 'and the entity has heard of it' entity 'The session is over'
keys judge -l xy
keys entity -l z
reads 'a key after it is refused' judge 'The session is over: that key'
reads 'at both ends' entity 'The session is over: that key'
ok "and that is on the judge's record" eventually says "$judge" refused x
ok "and on the entity's" eventually says "$entity" refused z
is 'it is on no page' "$(typed_in "$judge" judge | paste -sd '')" 'aspacequestion'
is 'session and style are those of the ticket' \
    "$(entries "$judge" 'select(.kind == "header") | .session, .starts, .style' |
        sed 's/ wrap.*//' | xargs)" 'r2-j3 1 split columns=30'
window_close judge
window_close entity

# Both sides open: a judge who is started again types to the side that he typed to last.
reached() { (($(words both | grep -o ' connected ' | wc -l) == 2)); }
both() {
    window both 80 24 judge --left "serial:$work/three.a" --right "serial:$work/four.a" \
        --starts either --session both --plan '600 both' --begin ready --journal both
    reads "$1" both ' open '
    ok 'with both lines' eventually reached
}
typed_to() { [[ $(typed_in "$both" judge "$1" | paste -sd '') == "$2" ]]; }
both=$work/both/both-judge.journal
for side in three four; do
    cable $side
    start at_$side entity --line "serial:$work/$side.b" --journal $side --headless --script /dev/null
done
both 'both sides open at once'
keys both -l le
ok 'the judge begins with the left' eventually typed_to left le
kill -9 "$(window_pid both)"
both 'killed and started again'
reads 'his screen says that he is at the left still' both 'LEFT » you type here'
keys both -l ft
ok 'and so he is' eventually typed_to left left
keys both F2
keys both -l ri
ok 'he goes to the right' eventually typed_to right ri
kill -9 "$(window_pid both)"
both 'killed and started again there'
reads 'his screen says that he is at the right still' both 'RIGHT » you type here'
keys both -l ght
ok 'and so he is there' eventually typed_to right right
ok 'and nowhere else' typed_to left left
window_close both
for side in three four; do
    slay at_$side
    slay $side
done

# broken DESCRIPTION WORDS SED...: a ticket changed so is refused with its line.
broken() {
    local said status
    sed "${@:3}" "$work/judge.ini" >"$work/broken.ini"
    said=$(cd "$work" && booth judge --ticket broken.ini --headless 2>&1)
    status=$?
    is "$1" "$status $said" "65 boothlink judge: broken.ini$2"
}
broken 'a number that is none' \
    ":5: [ticket] round = 'two': expected a number from 0 to 9999" 's/^round = 2/round = two/'
broken 'a field that is none' \
    ':9: [rules] rule: no such field; boothlink-ticket(5) lists them' 's/^ruleset/rule/'
broken "an entity in the judge's ticket" \
    ": [entity]: a judge's ticket must not speak of the entity" -e '$ a [entity]\nkeyboard = yes'
broken 'a line that is none' ":2: expected 'key = value' or '[section]'" 's/^format = 1/format/'
broken "another's ticket" ': [line] port is missing' 's/^role = judge/role = entity/'
plan
