#!/bin/bash
# A spare machine takes the place of a judge's that failed in mid-session. With a controller: what is in
# it is this session, so nobody is told to abort it there. With two lines: one that cannot be taken does
# not keep the other back.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
. tests/support/controlled.sh

cable left
cable right
controller c left right
# judge NAME: a judge's machine, with nothing on its disk.
judge() {
    window "$1" 100 24 judge --left "serial:$work/left.a" --right "serial:$work/right.a" \
        --controller "$work/c" --plan '600 left,600 right' --starts either --session one --journal "$1"
}
record() { echo "$work/$1/one-judge.journal"; }
for side in left right; do
    start e.$side entity --line "serial:$work/$side.b" --headless --journal e.$side \
        --program 'sed -u "s/^/You said: /"'
done
judge first
reads 'the controller is ready' first 'press F9 to begin'
keys first F9
reads 'the session begins' first ' open '
keys first 'Hello there.' Enter
reads 'and is answered' first 'You said: Hello there.'
kill -9 "$(window_pid first)"
ok 'the machine fails, and the controller cuts the line' eventually is_cut c left
before=$(left_of "$(record first)" 1 | tail -n 1)
rm -r "${work:?}/first"

judge spare
reads 'a spare machine says that the session has begun' spare 'F8 takes it over'
ok 'and not to abort it' lacks spare 'to abort it'
ok 'the line is cut again, for the machine has no part in the session yet' eventually is_cut c left
# stays: that is to be read until the machine looks at the controller again.
stays() {
    local looks=0
    while is_cut c left; do
        ((++looks < 5 * patience)) && has spare 'F8 takes it over' && lacks spare 'to abort it' || return
        pause 0.2
    done
}
ok 'what is to be done is still to be read, whether the other end is heard or not' stays
keys spare F8
reads 'then it has what was shown' spare 'You said: Hello there.'
ok 'the controller goes on with the session' eventually did "$(record spare)" 'part 1 runs, '
reads 'which is open' spare ' open '
ok 'with no more time than was left' test "$(left_of "$(record spare)" 1 | sort -n | tail -n 1)" -le "$before"
keys spare 'Again.' Enter
reads 'the judge is heard again, and answered' spare 'You said: Again.'
window_close spare
slay c

# Without a controller, two lines that are open at once; what the one has is refused.
cables=
cable good
cable bad
both() {
    window "$1" 100 24 judge --left "serial:$work/good.a" --right "serial:$work/bad.a" \
        --plan '600 both' --starts either --begin ready --session two --journal "$1"
}
two=$work/third/two-judge.journal
for side in good bad; do
    start e.$side entity --line "serial:$work/$side.b" --headless --journal e.$side \
        --program 'sed -u "s/^/You said: /"'
done
both second
reads 'a session of two open lines begins' second ' open '
keys second 'Hello there.' Enter
reads 'and is answered' second 'You said: Hello there.'
kill -9 "$(window_pid second)"
slay e.bad
rm -r "${work:?}/second"
BOOTHLINK_SIM=$cables LD_PRELOAD=$sim/shim.so "$BUILD/tests/system/linkend" \
    "serial:$work/bad.b" entity other >"$work/other.out" 2>&1 </dev/null &
pid_of[other]=$!

both third
reads 'the one line has the session that began' third 'F8 takes it over'
ok 'the other has another one' eventually says "$two" difference 'the other end is in another session'
keys third F8
reads 'what the one has is taken' third 'You said: Hello there.'
ok 'and what the other has is not' eventually has third 'records differ'
goes_on() { (($(left_of "$two" 1 | sort -u | wc -l) > 3)); }
ok "the plan's clock goes on" eventually goes_on
is 'and never back' "$(left_of "$two" 1 | grows)" ''
keys third 'Again.' Enter
reads 'the good line is heard' third 'You said: Again.'
window_close third
slay other
plan
