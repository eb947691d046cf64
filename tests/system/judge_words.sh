#!/bin/bash
# The words of a session that a controller counts, as those read them who know no key switch and no cable: the
# judge in a pause and without the controller, and an entity whose part is over while another's follows.
. tests/tap.sh
. tests/support/controlled.sh
. tests/support/booth.sh
. tests/support/windows.sh

cable left
cable right
controller c left right
window judge 100 24 judge --left "serial:$work/left.a" --right "serial:$work/right.a" \
    --controller "serial:$work/c" --starts either --session words --plan '6 left,600 right' --begin ready \
    --journal judge
window entity 80 24 entity --line "serial:$work/left.b" --keyboard --journal entity
window other 80 24 entity --line "serial:$work/right.b" --keyboard --journal other
reads 'the first part is open' entity 'part 1 of 2'
reads 'it is over' judge 'part 2 of 2'
reads 'who has no other part is asked to stay' entity 'Your part is over; please stay.'
ok 'his screen says nothing of an end of the session' lacks entity 'The session is over'
keys entity -l z
reads 'nor does a refused key' entity 'It is not your part now: that key'
reads 'the other part is open' judge ' open '
steward c key pause
reads 'a judge waits in a pause' judge 'PAUSED: the clock stands. Please wait'
ok 'and reads of no key switch' lacks judge 'key switch'
steward c key run
on_screen lacks 'it goes on' judge PAUSED
stop c
reads 'without a controller he is to call' judge 'The controller does not answer: call the steward (F12).'
keys judge F12
reads 'and has called' judge 'The controller does not answer: the steward has been called.'

# Who has given his ballot after the end reads that he may leave.
cable third
window giver 80 24 judge --left "serial:$work/third.a" --ruleset longbet-2002 --plan '5 left,1 review' \
    --begin ready --session giver --journal giver
window third 80 24 entity --line "serial:$work/third.b" --keyboard --journal third
reads 'a session without a controller ends' giver 'The session is over'
reads 'a ballot is asked for' giver 'NOT GIVEN YET'
ok 'nobody is told to leave before it is given' lacks giver 'F10 leaves'
keys giver F3 h Enter
reads 'it is given' giver 'GIVEN'
reads 'and he may leave' giver 'The session is over: F10 leaves'
keys giver F10
keys giver -l leave
keys giver Enter
reads 'that his terminal is closed then is no fault' third 'line closed'
ok 'and nobody is to be called for it' lacks third 'CANNOT BE REACHED'
plan
