#!/bin/bash
# F3 at a booth's boards checks the next session's lines at both ends, without a shell; nothing is begun.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

cable line
for machine in judge cable-a; do
    role=entity
    [[ $machine == cable-a ]] || role=judge
    mkdir -p "$work/$machine.stick" "$work/$machine/booth-1-$machine"
    printf '[place]\nformat = 1\nbooth = 1\nmachine = %s\n' "$machine" >"$work/$machine.ini"
    printf '[ticket]\nformat = 1\nrole = %s\nsession = r1-j1\n' "$role" \
        >"$work/$machine/booth-1-$machine/001.ticket"
done
printf '[line.left]\nport = serial:%s\ncable = a\n' "$work/line.a" >>"$work/judge/booth-1-judge/001.ticket"
printf '[line]\nport = serial:%s\ncable = a\n[entity]\nkeyboard = yes\n' "$work/line.b" \
    >>"$work/cable-a/booth-1-cable-a/001.ticket"
for machine in judge cable-a; do
    window "$machine" 80 24 booth --place "$machine.ini" --tickets "$machine.stick" --journal "$machine"
done
begins() { # MACHINE: F3 counts once nobody has typed for a second
    keys "$1" F3
    pause 1.1
    has "$1" 'being checked'
}
reads 'a waiting machine offers it' judge 'F3 check cables'
ok 'it begins by one key' eventually begins cable-a
reads 'and says where else' cable-a "Press F3 at the judge's machine too."
reads 'and how it is stopped' cable-a 'Enter stop'
ok 'at the judge'\''s end too' eventually begins judge
reads 'what was found' judge 'Cable A: everything is right.'
reads 'at either end' cable-a 'Cable A: everything is right.'
reads 'in one line' judge 'Everything is right.'
keys judge Enter
reads 'Enter returns' judge 'Round 1 comes next.'
ok 'and has begun nothing' test ! -e "$work/judge/r1-j1-judge.journal"

# A port that there is not, and one whose other end is silent.
keys cable-a Enter
eventually has cable-a 'Round 1 comes next.'
sed -i 's|line\.b|nothing|' "$work/cable-a/booth-1-cable-a/001.ticket"
begins_or_fails() { begins "$1" || has "$1" 'Not ready'; }
ok 'again' eventually begins_or_fails cable-a
reads 'what is wrong is said' cable-a 'Not ready. Do what is said below, then check again.'
reads 'with its line' cable-a 'Cable A: NOT READY.'
steps_below() { has cable-a '1. Push the plug' && grep -q 'NOT READY\. *$' <<<"$screen_text"; }
ok 'and its steps below, each in a line of its own' steps_below
scrolls() { keys cable-a Down && lacks cable-a 'NOT READY'; }
ok 'no key is offered for what is on the screen' lacks cable-a 'Down more'
ok 'they scroll' eventually scrolls

# A device that is no serial port has another remedy than a plug that is out.
keys cable-a Enter
eventually has cable-a 'Round 1 comes next.'
sed -i "s|^port = serial:.*|port = serial:/dev/null|" "$work/cable-a/booth-1-cable-a/001.ticket"
ok 'another port' eventually begins_or_fails cable-a
reads 'one that is no serial port' cable-a 'port: /dev/null is no serial port'
no_port() { keys cable-a Down && has cable-a 'Tell the manager: venue.ini is to name a serial port'; }
ok 'and what would be right' eventually no_port
lacks_plug() { lacks cable-a 'Push the plug of its adapter in'; }
ok 'no plug is to be pushed in' lacks_plug
ok 'one that calls' eventually begins judge
reads 'it says meanwhile which cable it is at, and for how long' judge 'Cable A: calling for'
reads 'and that nothing is plugged in or there' judge 'no signal comes yet: is it plugged in at both ends?'
keys judge Enter
reads 'stopped, it says what it has found' judge 'nothing came from it in'
keys judge Enter
reads 'and then returns' judge 'Round 1 comes next.'

# Two cables without a signal: the time to go is that of both, and falls.
cable other
sed "s|^port = .*|port = serial:$work/other.a|; s/left/right/; s/cable = a/cable = b/" "$work/judge/booth-1-judge/001.ticket" |
    sed -n '/^\[line/,$p' | cat "$work/judge/booth-1-judge/001.ticket" - >"$work/two.ticket"
cables=$work/line.shm:$work/other.shm booth check --ticket "$work/two.ticket" --json --quick --wait 21 >"$work/two.json" 2>"$work/two.said"
sed -n 's/.*calling for \([0-9]*\) s.*/\1/p' "$work/two.said" >"$work/left"
ok 'two silent cables share the time' test "$(sort -rnu "$work/left")" = "$(uniq "$work/left")"
is 'from its length' "$(head -n 1 "$work/left")" 21
is 'and both are told' "$(jq -r '.lines[].findings[] | select(.what == "other end") | .text' "$work/two.json" | grep -c 'nothing came')" 2

# A session held while no stick is in: its record is on none, and the board says so.
ok 'no record is here before' lacks judge 'on no stick yet'
enters() { # a key counts once nobody has typed for a second
    keys judge Enter
    pause 1.1
    test -e "$work/judge/r1-j1-judge.journal"
}
ok 'a session begins' eventually enters
leaves() {
    keys judge F10
    reads 'it can be left' judge 'leave'
    keys judge leave Enter
}
leaves
reads 'a record made without the stick is said to be on none' judge 'They are on no stick yet.'
plan
