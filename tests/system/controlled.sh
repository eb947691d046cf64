#!/bin/bash
# Sessions that a controller counts and cuts, its firmware's own binary in the lines: a whole one
# with two sides; one in which the host is killed, the controller reset and unplugged, and the key
# turned to pause and back; one that the steward aborts. All three run at once.
. tests/tap.sh
. tests/support/controlled.sh
patient "$0"
. tests/support/booth.sh

script() { printf "pace $1\n%s\n" "$(yes "type $2" | head -n 60)"; }
script 150 'A judge asks and asks.' >"$work/judge.script"
script 120 'One answers.' >"$work/one.script"
script 130 'Another too.' >"$work/two.script"

# judge NAME LEFT RIGHT PLAN: the judge's end of session NAME at the controller c.NAME.
judge() {
    start "j.$1" judge --left "serial:$work/$2.a" ${3:+--right "serial:$work/$3.a"} \
        --controller "serial:$work/c.$1" --starts either --session "$1" --plan "$4" \
        --script "$work/judge.script" --headless --json --journal "j.$1"
}
# entity LINE SCRIPT
entity() {
    start "e.$1" entity --line "serial:$work/$1.b" --script "$work/$2.script" --headless --json \
        --journal "e.$1"
}
# of NAME: the judge's journal of a session; LINE SESSION: the entity's.
of() { echo "$work/j.$1/$1-judge.journal"; }
entity_of() { echo "$work/e.$1/$2-entity.journal"; }

whole=$(of whole) torn=$(of torn) ended=$(of ended)
for line in left right only last; do
    cable $line
done
controller c.whole left right
controller c.torn only ''
controller c.ended last ''
judge whole left right '5 left,5 right,2 review'
judge torn only '' '30 left'
judge ended last '' '60 left'
entity left one
entity right two
entity only one
entity last two

# The steward's abort.
ok 'the third session runs' eventually did "$ended" 'part 1 runs'
ok 'with keys' eventually has_keys "$ended" 10
steward c.ended key pause
ok 'the key pauses it, with what is left' eventually did "$ended" 'pause: the key switch was turned, '
steward c.ended button press

# A host that is killed within the lease, and beyond it.
ok 'the second session runs' eventually has_keys "$torn" 10
slay j.torn
judge torn only '' '30 left'
ok 'killed and started again at once it goes on' eventually has_keys "$torn" 25
slay j.torn
ok 'killed for longer, the controller cuts the line' eventually is_cut c.torn left
judge torn only '' '30 left'
ok 'and after that it goes on too' eventually did "$torn" \
    'goes on with part 1'
ok 'with keys' eventually has_keys "$torn" 40
steward c.torn reset
ok 'the reset of the controller is recorded' eventually did "$torn" 'the controller was reset'
ok 'and why' eventually did "$torn" 'last reset BUTTON'
ok 'and the session goes on' eventually has_keys "$torn" 55
steward c.torn key pause
ok 'the pause is recorded' eventually did "$torn" 'pause: the key switch was turned, '
steward c.torn key run
ok 'and it goes on' eventually has_keys "$torn" 70

# The whole one.
for name in j.whole e.left e.right; do
    ended $name
    is "$name ends well" $? 0
done
agreed j.whole left right
for side in left right; do
    is "$side: cut by the controller, agreed" \
        "$(report j.whole ".sides.$side | .end, .cut_by, .cut_agreed" | xargs)" \
        'agreed controller true'
    is "$side: at the entity's end too, on the same page" \
        "$(report e.$side '.end, .digest' | xargs)" \
        "agreed $(report j.whole ".sides.$side.digest")"
    events "$whole" --side $side >"$work/events.judge"
    events "$(entity_of $side whole)" >"$work/events.entity"
    same_events "$side"
    is "$side: the entity's journal says why it ends" \
        "$(notes "$(entity_of $side whole)" controller | tail -n 1)" \
        'the controller cuts the line: the time is over, the last part ends'
done
is 'the journal says what the controller did, in order' "$(notes "$whole" controller |
    sed -nE 's/^(started|next is|part [0-9]+ runs|cut: .* part [0-9]+|the plan is over).*/\1/p' |
    paste -sd ,)" "started,part 1 runs,cut: the time of part 1,next is,part 2 runs,\
cut: the time of part 2,next is,part 3 runs,cut: the time of part 3,the plan is over"

# The torn one.
ended j.torn
is 'the torn session ends well' $? 0
ended e.only
is 'at both ends' $? 0
agreed j.torn left
is 'agreed all the same' "$(report j.torn '.sides.left | .end, .cut_by' | xargs) \
$(report e.only .end)" 'agreed controller agreed'
events "$torn" >"$work/events.judge"
events "$(entity_of only torn)" >"$work/events.entity"
equal 'with the same ordered events' "$work/events.judge" "$work/events.entity"
is 'the time that is left never grew' "$(left_of "$torn" 1 | grows)" ''
is 'no key was lost' "$(report e.only '.keys_pressed - .keys_entity - .keys_unplaced')" 0

# The aborted one.
ok 'the abort is recorded' eventually did "$ended" 'aborted at the controller'
ended j.ended
is 'and ends the judge'"'"'s session' $? 0
is 'not agreed, for nobody could tell the other end' \
    "$(report j.ended '.sides.left | .end, .cut_by' | xargs)" 'unconfirmed controller'
# Should it have heard of the pause or of the end in the line's last moment, it has nothing to say of that.
waits_or_knows() {
    grep -qF 'waits for the judge' "$work/e.last.err" ||
        "$bl" journal show "$(entity_of last ended)" --json | grep -q '"kind":"end"' ||
        [[ $("$bl" journal show "$(entity_of last ended)" | grep ' segment ' | tail -n 1) == *' waiting, '* ]]
}
ok 'where it says what it waits for' eventually waits_or_knows
waits_or_knows || {
    complaints e.last
    "$bl" journal show "$(entity_of last ended)" | tail -n 20 | sed 's/^/# /'
}
stop e.last
events "$ended" >"$work/events.judge"
events "$(entity_of last ended)" >"$work/events.entity"
head -n "$(wc -l <"$work/events.entity")" "$work/events.judge" >"$work/begin"
equal "what the entity's end has is the beginning of the judge's" "$work/events.entity" \
    "$work/begin"
ok 'and the two can be settled' "$bl" journal settle "$ended" "$(entity_of last ended)"

# Faults of setting up, before there is a record.
said=$(booth judge --left "serial:$work/left.a" --controller "$work/none" --plan '5 left' \
    --headless --journal "$work/no" 2>&1)
is 'a controller that is not there is an error' "$? $(grep -c "none" <<<"$said")" '66 1'
said=$(booth judge --left "serial:$work/left.a" --controller "$work/c.whole" --headless \
    --journal "$work/no" 2>&1)
is 'without a plan too' "$? $(grep -c 'add --plan' <<<"$said")" '64 1'
said=$(booth judge --left "serial:$work/left.a" --controller "$work/c.whole" --headless \
    --journal "$work/no" --plan "$(yes '5 left' | head -n 13 | paste -sd ,)" 2>&1)
is 'and a plan that it cannot keep' "$? $(grep -c 'at most 12 parts' <<<"$said")" '64 1'
ok 'they leave no record' test ! -e "$work"/no/*.journal

# Without a controller the record says so.
start bare judge --left "serial:$work/left.a" --plan '5 left' --begin ready --headless \
    --session bare --journal bare
ok 'without a controller the record says "not enforced"' eventually did \
    "$work/bare/bare-judge.journal" 'not enforced: no controller cuts'
stop bare
plan
