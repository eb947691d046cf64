#!/bin/bash
# A cut that nobody announced leaves the entity's page a beginning of the judge's, and
# `boothlink journal settle` makes the journals equal.
. tests/tap.sh
. tests/support/booth.sh

judge=$work/judge/cut-judge.journal
entity=$work/entity/cut-entity.journal

# Both type; the cable comes out; what the judge goes on typing reaches nobody; then both end.
printf 'pace 10\n%s' "$(yes 'type A judge types this and more of it.' | head -n 200)" \
    >"$work/judge.script"
printf 'pace 5\ntype And so does the entity, before it.\\n\n' >"$work/entity.script"
mkdir "$work/judge" "$work/entity"

cable line
start judge judge --left "serial:$work/line.a" --starts either --session cut --headless --json \
    --script "$work/judge.script" --journal judge
start entity entity --line "serial:$work/line.b" --script "$work/entity.script" --headless \
    --json --journal entity
all_said() { (($(typed_in "$judge" entity | wc -l) == 35)); }
ok 'both type, and the entity all that it has to say' eventually all_said
tell line unplug
unplugged=$(keys_in "$judge")
more_keys() { has_keys "$judge" $((unplugged + 3)); }
ok 'the judge goes on typing without a cable' eventually more_keys
slay judge
slay entity
is 'nothing of it reached the entity' "$(($(keys_in "$entity") < $(keys_in "$judge")))" 1
events "$judge" >"$work/events.judge"
events "$entity" >"$work/events.entity"
head -n "$(wc -l <"$work/events.entity")" "$work/events.judge" >"$work/begin"
equal "what the entity's end has is the beginning" "$work/begin" "$work/events.entity"

ok 'the journals of other sessions are refused' \
    test "$("$bl" journal settle "$judge" "$judge" >/dev/null 2>&1; echo $?)" = 64
before=$(keys_in "$judge")
said=$("$bl" journal settle "$judge" "$entity")
is 'settling is done' $? 0
is 'and says what it did' "$said" "settled the left: 0 keys added to the judge's journal, \
$((before - $(wc -l <"$work/begin"))) to the entity's, $before in both now"
events "$judge" >"$work/events.judge"
events "$entity" >"$work/events.entity"
equal 'the journals are equal' "$work/events.judge" "$work/events.entity"
ok "it stands in the judge's" says "$judge" settled 'settled with the other end'
ok "and in the entity's" says "$entity" settled 'settled with the other end'
cp "$judge" "$work/was.judge"
cp "$entity" "$work/was.entity"
is 'again, in the other order, it has nothing to do' "$("$bl" journal settle "$entity" "$judge")" \
    "already equal: $before keys on the left"
equal 'and changes nothing' "$judge" "$work/was.judge"
equal 'at either end' "$entity" "$work/was.entity"

# The two ends go on in the same session, from the settled page.
tell line plug
start judge judge --left "serial:$work/line.a" --starts either --headless --json --journal judge
start entity entity --line "serial:$work/line.b" --script "$work/entity.script" --headless \
    --json --journal entity
ended judge
is 'the session goes on after it' $? 0
ended entity
is 'at both ends' $? 0
is 'with the same page' "$(report entity .digest)" "$(report judge .sides.left.digest)"
ok 'on which they agree' agrees "$(report judge .sides.left.end)"
is "and all the entity's keys on it" "$(report judge .sides.left.keys_entity)" 35

# A segment of a plan, whose end nobody hears.
start judge judge --left "serial:$work/line.a" --starts either --session plan --headless --json \
    --plan '20 left' --script "$work/judge.script" --journal judge
start entity entity --line "serial:$work/line.b" --script "$work/entity.script" --headless \
    --json --session plan --journal entity
judge=$work/judge/plan-judge.journal
entity=$work/entity/plan-entity.journal
ok 'both type' eventually has_keys "$entity" 20
tell line unplug
ended judge
is 'the plan ends without a cable' $? 0
is 'and the end is not confirmed' "$(report judge .sides.left.end)" unconfirmed
stop entity
is "the entity's end is stopped" $? 0
ok "and has less" test "$(keys_in "$entity")" -lt "$(keys_in "$judge")"
ok 'settled' "$bl" journal settle "$entity" "$judge"
events "$judge" >"$work/events.judge"
events "$entity" >"$work/events.entity"
equal 'the journals are equal' "$work/events.judge" "$work/events.entity"
is 'its end stands in both as settled' \
    "$(entries "$judge" 'select(.kind == "end").outcome' | tail -n 1) \
$(entries "$entity" 'select(.kind == "end").outcome' | tail -n 1)" 'settled settled'
tell line plug

# Journals that contradict each other: the same session told twice, each time otherwise.
# differ WORD: a session named differ with this word, at both ends.
differ() {
    printf 'pace 0\ntype %s\n' "$1" >"$work/$1.script"
    start judge judge --left "serial:$work/line.a" --session differ --headless --json \
        --script "$work/$1.script" --journal "$1.judge"
    printf 'pace 0\nwait 1\n' >"$work/silent.script"
    start entity entity --line "serial:$work/line.b" --script "$work/silent.script" \
        --headless --json --journal "$1.entity"
    ended judge && ended entity
}
ok 'a session' differ black
ok 'and another of the same name' differ blank
cp "$work/black.judge/differ-judge.journal" "$work/was.judge"
cp "$work/blank.entity/differ-entity.journal" "$work/was.entity"
said=$("$bl" journal settle "$work/black.judge/differ-judge.journal" \
    "$work/blank.entity/differ-entity.journal" 2>&1)
is 'journals that differ are refused' $? 65
ok 'the first key that differs is named' grep -qE \
    "^boothlink journal settle: the journals differ at key 1: the judge's has b of the judge, [^ ]*Z; \
the entity's has b of the judge, [^ ]*Z; nothing was changed$" <<<"$said"
equal 'and nothing is' "$work/black.judge/differ-judge.journal" "$work/was.judge"
equal 'at either end' "$work/blank.entity/differ-entity.journal" "$work/was.entity"
plan
