#!/bin/bash
# A spare machine takes the place of a judge's that failed in mid-session, with two lines that are open at
# once: one that cannot be taken does not keep the other back. world/test_spare_judge has a controller.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
. tests/support/controlled.sh

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
