#!/bin/bash
# A session between real terminals, and a courier on each machine: the judge's record comes to the desk while
# the session is held, the entity's when it is over, and both are the booths' to the byte.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/post.sh

if [[ ! -x $nats_server ]]; then
    skip 'a session over a network' 'nats-server is not installed; make deps does that'
    plan
fi
for place in booth-1-judge booth-1-cable-a; do "$desk" --keys "$keys" --make-key $place; done
begin_desk
for place in booth-1-judge booth-1-cable-a; do begin_courier $place; done
ok 'the desk opens' eventually opens_after 0

cable line
{
    echo 'pace 5'
    for i in {1..40}; do printf 'type "Line %d of the judge.\\n"\n' "$i"; done
    echo 'wait 3600000'
} >"$work/judge.script"
printf 'pace 7\ntype "I answer.\\n"\nwait 3600000\n' >"$work/entity.script"
start judge judge --left "serial:$work/line.a" --starts either --session r1-j1 --headless --script judge.script \
    --journal booth-1-judge
start entity entity --line "serial:$work/line.b" --session r1-j1 --headless --script entity.script \
    --journal booth-1-cable-a
copy=$inbox/booth-1-judge/r1-j1-judge.journal
ok "the judge's keys come to the desk while he types" eventually has_keys "$copy" 500
ok "and the entity's with them" eventually has_keys "$copy" 870
ok 'the entity has a record, too' eventually has_keys "$work/booth-1-cable-a/r1-j1-entity.journal" 870
is 'of which nothing was sent' "$(ls "$inbox")" $'booth-1-judge\nserver'
# By a machine that would send, and asks nobody, one can see that there was time.
cp "$work/booth-1-judge/r1-j1-judge.journal" "$work/booth-1-judge/r1-j2-judge.journal"
ok 'while others went' eventually is_there booth-1-judge r1-j2-judge.journal
is 'nor afterwards' "$(ls "$inbox")" $'booth-1-judge\nserver'
stop judge
stop entity
ok "the judge's record is whole" eventually is_there booth-1-judge r1-j1-judge.journal
ok "and then the entity's" eventually is_there booth-1-cable-a r1-j1-entity.journal
ok 'with all keys' has_keys "$inbox/booth-1-cable-a/r1-j1-entity.journal" 870
is 'nobody has a second copy' "$(ls "$inbox")" $'booth-1-cable-a\nbooth-1-judge\nserver'
plan
