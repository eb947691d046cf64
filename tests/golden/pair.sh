#!/bin/bash
# Both real terminals, each in a window of its own: what is typed at either is the same page on both
# screens, whatever their sizes.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

# page NAME: the page area of the entity's screen, or of the judge's, which has the left side in
# its left half: the text between the rulers, without what is blank at its edges.
page() {
    screen "$1" | awk '
        /^─.* (Entity|Judge) ─/ { on = 1; print / Entity / ? "Entity:" : "Judge:"; next }
        / F1 help / || /CANNOT BE REACHED/ { on = 0 }
        on { sub(/│.*/, ""); gsub(/^ +| +$/, ""); if ($0 != "") print }'
}

# alike: both pages hold this text at their end, and are the same.
pages_alike() {
    [[ $(page judge) == *"$1"* && $(page judge) == "$(page entity)" ]]
}
alike() {
    local status
    eventually pages_alike "$2"
    status=$?
    result $status "$1"
    if ((status)); then
        screen judge | sed 's/^/# judge:  /'
        screen entity | sed 's/^/# entity: /'
    fi
}

cable one
cable two
window judge 80 24 judge --left "serial:$work/one.a" --right "serial:$work/two.a" \
    --starts either --session pair --journal judge
window entity 120 40 entity --line "serial:$work/one.b" --keyboard --journal entity
window other 100 30 entity --line "serial:$work/two.b" --keyboard --journal other
reads 'the left is there' judge 'LEFT » you type here connected'
reads 'the right, too' judge 'RIGHT connected'
reads "the entity's end" entity 'connected'

keys judge -l 'Good morning!'
keys judge Enter
keys entity -l 'Hello there'
alike 'what both type is on both' 'Hello there'
keys entity BSpace BSpace
keys judge -l 'How are you?'
alike 'a BackSpace of one and the text of the other' 'How are you?'
keys entity -l '!'
alike 'and on' 'Hello the!'
is 'nothing of it is on the right' "$(page other)" $'Entity:\nJudge:'

keys entity Enter
for line in 1 2 3 4; do
    keys entity -l "$line 中文字漢字仮名交じり文が行を満たす"
    keys entity Enter
done
keys entity -l 'end of it'
alike 'a screenful of wide characters' 'end of it'

resize entity 80 24
keys entity -l ', small'
alike 'made smaller in mid-session' 'end of it, small'
resize entity 120 40
resize judge 120 40
keys judge -l ' Large?'
alike 'made larger, both' 'Large?'
resize judge 80 24
keys entity -l ', again'
alike 'and the judge small again' ', again'

keys judge F2
keys judge -l 'Right?'
reads 'the other side' other 'Right?'
keys judge F2

keys entity F12
reads 'the steward called at the entity' entity 'You have called the steward: raise your hand too, and wait.'
keys judge F12
reads 'and at the judge' judge 'You have called the steward: please wait.'
reads 'of which both are told' other 'The steward is coming.'
keys entity F12
reads 'the one who had called, too' entity 'The steward is coming.'
keys judge F12
eventually lacks entity 'The steward is coming'
is 'on the record of the judge are his own calls' "$(notes "$work/judge/pair-judge.journal" steward | sort -u)" \
    $'the call is taken back\nthe steward is called'

tell one unplug
reads 'unplugged: said at the judge' judge 'LEFT CANNOT BE REACHED: nothing heard for 3 s'
reads 'and at the entity' entity 'THE JUDGE CANNOT BE REACHED: nothing heard for 3 s'
reads 'but not of the right' judge 'RIGHT connected'
keys entity -l ' typed apart'
reads 'keys typed meanwhile wait in sight' entity '12 keys waiting'
tell one plug
alike 'plugged in: they have their places' ', again typed apart'

for name in judge entity other; do
    window_close $name
done

# Every way out gives the terminal back as it was.
# restored HOW COMMAND...: the terminal is ended so; then the shell has its modes and screen.
restored() {
    local how=$1 after
    shift
    window shell 80 24
    eventually has shell '$'
    keys shell "stty -g >before; (echo \$BASHPID >pid; LD_PRELOAD=$sim/shim.so exec $bl entity \
--line serial:$work/one.b --keyboard --journal way); echo status \$? >status; stty -g >after" Enter
    eventually has shell 'F12 steward'
    "$@"
    eventually test -s "$work/after"
    ok "$how: modes" cmp -s "$work/before" "$work/after"
    keys shell "clear; echo \$((6 * 7))" Enter
    ok "$how: the keyboard echoes" eventually has shell '42'
    after=$(tm display-message -p -t shell '#{alternate_on} #{cursor_flag} #{mouse_any_flag}')
    is "$how: screen and cursor" "$after" '0 1 0'
    is "$how: exit status" "$(cat "$work/status")" "status $status"
    window_close shell
    rm -f "$work/before" "$work/after" "$work/status"
}

leave() {
    keys shell F10
    eventually has shell 'leave'
    keys shell -l leave
    keys shell Enter
}
signal() { kill -s "$1" "$(cat "$work/pid")"; }
status=0
restored leaving leave
for name in TERM INT HUP; do
    restored "SIG$name" signal $name
done
status=134
restored SIGABRT signal ABRT
plan
