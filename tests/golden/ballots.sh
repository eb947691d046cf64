#!/bin/bash
# Ballots of each kind at 80 columns and 24 rows, below pages that can still be read.
. tests/tap.sh
. tests/golden/lib.sh

pair() {
    begin 80 24
    say 'role judge' 'sides 2' 'segment REVIEW · part 3 of 4' 'left 542' 'enforced yes' 'state L closed' \
        'state R closed'
    for i in {1..9}; do
        say "say L judge Question $i to the left?\n" "say L entity The left's answer $i.\n" \
            "say R judge Question $i to the right?\n" "say R entity The right's answer $i.\n"
    done
}

single() {
    begin 80 24
    say 'role judge' 'segment the session is over' 'title L ENTITY' 'state L closed'
    for i in {1..9}; do
        say "say L judge Question $i?\n" "say L entity The answer $i.\n"
    done
}

# given TEXT: the log has this ballot.
given() { told "give $1"; }

pair
say 'ballot points' 'ballot about Press Return to give it. It can be corrected until the session ends.'
shows ballot-shown 'a ballot that came by itself'
keys 5 Enter
told 'key U\+000D'
shows ballot-shown 'takes no key that was meant for an entity'
keys F3 6 0
shows ballot-points 'points: one fills the other'
keys Tab 3 5
keys Tab
keys -l 'The left one is quick, the right one makes mistakes that a person makes, corrects them '
keys -l 'and asks back; it also remembered what I had said at the beginning of the round.'
shows ballot-notes 'with notes'
keys PPage
shows ballot-back 'while one looks back on the left'
keys End Right Home
shows ballot-back-right 'and on the right'
keys End Enter
given 'left 65 right 35 notes The left one .*'
shows ballot-given 'given: Return is not asked for until something is changed'
keys Up 5 0 Enter
shows ballot-tie 'a tie is refused, in words'
keys 1 0 1
shows ballot-most 'more than 100 cannot be typed'
keys Enter
given 'left 90 right 10 notes .*'
keys F3
eventually has 'F3 ballot'
ok 'put away, the pages have the screen' test "$(screen | grep -c BALLOT)" = 0
keys F3
say 'ballot standing 2' 'ballot about The session is over: give it now. It is recorded as late.'
shows ballot-overdue 'the time is over'
say 'ballot standing 3' 'ballot about It is on record. Thank you.'
keys 7
shows ballot-sealed 'sealed'

pair
say 'ballot human' 'ballot about Press Return to give it. It can be corrected until the session ends.'
eventually has 'F3 ballot'
keys F3 x
shows ballot-human 'which is the human?'
keys F12
ok 'a call pushes no key off that one needs' eventually has 'F12 cancel call' 'Return give' 'F3 put away' 'F10 leave'
keys F12
eventually has 'F12 steward'
keys Enter
eventually has 'Press L or R first'
keys r
shows ballot-human-right 'the right'
keys Enter
given 'human right'
keys l F10
ok 'who leaves with a change that is not given reads so' eventually has 'Your last change is not given.'
keys q r Enter
given 'human right'
keys F10
ok 'who has given all reads of no ballot' eventually has 'This leaves the conversation.'
ok 'and of no change' eventually lacks 'Your last change'
keys q

single
say 'ballot scale 5' 'ballot about Press Return to give it. It can be corrected until you leave.'
eventually has 'F3 ballot'
keys F3 3 , 2 5
shows ballot-scale 'the six anchors of 2003'
keys Enter
given 'rating 3.25'

single
say 'ballot how-human 10'
eventually has 'F3 ballot'
keys F3 1 1
shows ballot-how-human 'how human'
keys BSpace 9 Enter
given 'rating 9'

single
say 'ballot verdict'
eventually has 'F3 ballot'
keys F10
shows leave-ballot 'who would leave without giving it is told'
keys x
keys F3 h
shows ballot-verdict 'human or machine'
keys Enter
given 'verdict human'

pair
say 'segment Round 1' 'left none' 'ballot ranks'
eventually has 'F3 ballot'
keys F3 4 Tab 1 Tab 2
shows ballot-ranks 'ranks of four'
keys Enter
eventually has 'Type a rank for each'
keys Down 1
keys Enter
eventually has 'two have the rank 1'
keys 3 Enter
given 'ranks 4 1 2 3'

begin 80 24 -- --columns 60
say 'role judge' 'sides 2' 'ballot points'
eventually has 'F3 ballot'
keys F3 6 0
resize 62 15
ok 'a small window keeps what it can' eventually has 'YOUR BALLOT' 'is hidden'
resize 80 24
ok 'and has all when it is large again' eventually has 'LEFT [ 60]'

plan
