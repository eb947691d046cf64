#!/bin/bash
# A whole session with two sides that a controller counts and cuts, its firmware's own binary in the
# lines; and what is wrong before one begins. world/test_controlled has the other stories.
. tests/tap.sh
. tests/support/controlled.sh
patient "$0"
. tests/support/booth.sh

script() { printf "pace $1\n%s\n" "$(yes "type $2" | head -n 60)"; }
script 150 'A judge asks and asks.' >"$work/judge.script"
script 120 'One answers.' >"$work/one.script"
script 130 'Another too.' >"$work/two.script"

# entity LINE SCRIPT
entity() {
    start "e.$1" entity --line "serial:$work/$1.b" --script "$work/$2.script" --headless --json \
        --journal "e.$1"
}
entity_of() { echo "$work/e.$1/whole-entity.journal"; }

whole=$work/j.whole/whole-judge.journal
cable left
cable right
controller c.whole left right
start j.whole judge --left "serial:$work/left.a" --right "serial:$work/right.a" \
    --controller "serial:$work/c.whole" --starts either --session whole --plan '5 left,5 right,2 review' \
    --script "$work/judge.script" --headless --json --journal j.whole
entity left one
entity right two

for name in j.whole e.left e.right; do
    ended $name
    is "$name ends well" $? 0
    [[ $name != j.whole ]] || agreed j.whole left right # else an entity's end waits for a steward
done
for side in left right; do
    cut=$(report j.whole ".sides.$side | .end, .cut_by, .cut_agreed" | xargs)
    # Ends of which one was stopped as the line was cut agree when it goes on.
    ! is_stalled || cut=${cut/settled controller false/agreed controller true}
    is "$side: cut by the controller, agreed" "$cut" 'agreed controller true'
    is "$side: at the entity's end too, on the same page" \
        "$(report e.$side '.end, .digest' | xargs)" \
        "agreed $(report j.whole ".sides.$side.digest")"
    events "$whole" --side $side >"$work/events.judge"
    events "$(entity_of $side)" >"$work/events.entity"
    same_events "$side"
    is "$side: the entity's journal says why it ends" \
        "$(notes "$(entity_of $side)" controller | tail -n 1)" \
        'the controller cuts the line: the time is over, the last part ends'
done
is 'the journal says what the controller did, in order' "$(notes "$whole" controller |
    sed -nE 's/^(started|next is|part [0-9]+ runs|cut: .* part [0-9]+|the plan is over).*/\1/p' |
    paste -sd ,)" "started,part 1 runs,cut: the time of part 1,next is,part 2 runs,\
cut: the time of part 2,next is,part 3 runs,cut: the time of part 3,the plan is over"

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
