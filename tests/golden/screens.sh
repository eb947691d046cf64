#!/bin/bash
# The screens of a judge and an entity, as a person sees them.
. tests/tap.sh
. tests/golden/lib.sh

conversation() {
    say 'say L entity Good morning. I came by train; it was late, of course.\n' \
        'say L judge Good morning! How was your journey?\nDo you often travel?'
}

judge_one() {
    say 'role judge' 'segment Session 3' 'title L ENTITY' 'left 272' 'enforced yes' 'state L open' \
        'active L yes'
}

judge_two() {
    say 'role judge' 'sides 2' 'segment LEFT · part 1 of 2' 'left 272' 'state L open' 'state R closed' \
        'active L yes'
}

entity() {
    say 'role entity' 'title L YOU ARE THE ENTITY' 'segment part 1 of 4' 'left 61' 'state L open' 'active L yes'
}

begin 80 24
say 'role judge'
shows empty 'nothing has happened yet'

begin 80 24 -- --alone
entity
say 'active L no'
shows alone 'nobody was there yet'
say 'active L yes' 'reach L yes'
eventually has '  connected' # at the end of its row, not "is being connected"
say 'reach L connecting nothing heard for 3 s'
shows alone-again 'somebody was, and is missing'

begin 80 24
judge_one
conversation
shows judge-one 'a judge with one side'

begin 80 24
judge_two
conversation
say 'may switch' 'say R judge Hello there, on the right.\n' 'say R entity Hello.'
shows judge-two 'a judge with two sides'
keys F2
told 'command other side'
shows judge-two-other 'F2 gives the other side'
say 'may begin epoch' 'left none' 'message The records of the two ends differ: call the steward.'
shows judge-two-may 'advice, and keys that are offered'

begin 80 24
judge_two
conversation
say 'insecure L yes'
shows insecure 'a line without encryption, beside one with it'

begin 80 24
entity
conversation
say 'wait yes' 'entry running, writing'
keys -l 'I hear you.'
keys Enter
keys -l 'And'
told 'key U\+0064'
shows entity-pending 'an entity whose keys wait for their place'
keys BSpace BSpace BSpace BSpace Z
told 'key U\+005A'
shows entity-pending-back 'keys that wait are taken back, but no Return'
say place
shows entity-placed 'the same when they have it'

begin 80 24
judge_two
conversation
say 'reach L no the cable is out or the other terminal is off'
shows unreachable 'a partner that cannot be reached'
keys F12
told 'command steward'
shows unreachable-steward 'the steward is called'
say 'reach R no nothing was heard from it for 3 s, although the line is up; it may be the wrong rate'
shows unreachable-both 'neither can be reached'

begin 80 24
entity
conversation
say 'steward L there' \
    'message The Entry has written more than the line carries.'
shows steward-there 'the other end called the steward'
say 'reach L connecting nothing heard for 3 s'
shows entity-unreachable 'the judge cannot be reached'

begin 80 24
judge_one
for i in {1..30}; do
    say "say L entity answer $i\n" "say L judge question $i\n"
done
shows scroll-end 'a full page shows its end'
keys PPage
shows scroll-back 'PgUp looks back'
say 'say L entity answer 31\n'
shows scroll-back-kept 'what is looked at stays when rows come'
keys Home
shows scroll-home 'Home is the beginning'
keys NPage
keys PPage PPage
shows scroll-home 'PgDn and PgUp lead there again'
keys x
told 'key U\+0078'
shows scroll-typed 'typing returns to the end'

begin 80 24
judge_two
say 'say L entity 一二三四五六七八九十一二三四五六七八九二十' \
    'say R entity 1一二三四五六七八九十一二三四五六七八九二十' \
    'say L judge e\tTab é 🙂👍 한국어 ﾊﾝｶｸ\ńalone\n' \
    'say R judge 12345678901234567890123456789012345678'
shows wide 'wide characters at the edges, marks, tabs'
keys -l '中'
told 'key U\+4E2D'
keys BSpace
keys -l 'é'
told 'key U\+00E9'
shows wide-typed 'wide characters typed and taken back'

begin 80 24
judge_two
conversation
resize 120 40
shows resize-large 'a larger window, with a large clock'
resize 60 15
shows resize-small 'a window for one side only'
resize 28 5
shows resize-tiny 'a window for nothing'
resize 1 1
resize 80 24
shows resize-back 'and back'
say 'left 30'
shows part-ends 'the last half minute is said'
say 'left 10'
shows part-ends-soon 'and the last ten seconds'

begin 80 24 -- --columns 60
judge_two
conversation
shows page-60 'a page of 60 columns: two sides do not fit'

begin 80 24
judge_one
conversation
keys F1
shows help 'F1 is help'
keys q
shows judge-one 'any key returns from it'
ok 'which is not typed' test "$(count 'key .*')" = 0
keys F1
eventually has 'F12 works here'
keys F1
eventually lacks 'F12 works here'
say 'sides 2'
keys F1
ok 'with two lines it has the sides, and without a ballot no word of one' eventually eval \
    "has 'F12 works here' 'type to the other side' 'which side' && lacks 'ballot'"
keys F1
eventually lacks 'F12 works here'
say 'sides 1'
keys F1
ok 'with one line it has no sides' eventually eval \
    "has 'F12 works here' && lacks 'type to the other side' && lacks 'which side'"
keys F1
eventually lacks 'F12 works here'
say 'role entity'
keys F1
ok 'at an entity'\''s end it has no word of F9, sides or a ballot' eventually eval \
    "has 'F12 works here' && lacks 'F9' && lacks 'ballot' && lacks 'other side'"
keys F1
eventually lacks 'F12 works here'
say 'role judge'
keys F12
told 'command steward'
ok 'F1 twice calls nobody, F12 the steward' test "$(count 'command steward')" = 1

begin 80 24
judge_one
conversation
keys F10
eventually has 'Leave?'
keys l e
shows leave 'leaving needs a word'
keys x
shows judge-one 'any other key returns'
keys F10 L E A V E Enter
ok 'the word and Return leave' told 'command leave'

begin 80 24
judge_one
keys F8 a
told 'key U\+0061'
ok 'no new epoch that is not offered' test "$(count ignored)" = 1
say 'may epoch'
eventually has 'F8 new epoch'
keys F8
shows epoch 'a new epoch needs a word too'
keys e p o c h Enter
ok 'the word and Return open it' told 'command epoch'

begin 80 24 -- --kiosk
judge_one
conversation
shows kiosk 'a kiosk offers no way out'
keys F10 C-c C-z C-\\ C-d C-s C-q C-v C-l l e a v e Enter
told 'key U\+000D'
ok 'and has none' test "$(count 'ignored')-$(count 'key .*')" = 8-6

begin 80 24 TERM=vt100
judge_two
conversation
say 'reach R no the cable is out'
shows vt100 'a terminal without colours'

begin 80 24 TERM=linux
judge_two
conversation
say 'reach R no the cable is out'
shows vt100 'the Linux console'
ok 'with colours' grep -qE $'\x1b\\[[0-9;]*4[14]m' <(tm capture-pane -pe -t golden)

begin 80 24 NO_COLOR=1
judge_two
conversation
say 'reach R no the cable is out'
shows vt100 'NO_COLOR'
ok 'is respected' test "$(tm capture-pane -pe -t golden | grep -cE $'\x1b\\[[0-9;]*[34][0-7]m')" = 0

plan
