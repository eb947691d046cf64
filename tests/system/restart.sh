#!/bin/bash
# An entity's terminal that was killed and started again meets the judge's end and goes on, whatever it
# takes up. tests/world/test_pace.c has the moment before which it does not: DESIGN.md, "Blindness".
. tests/tap.sh
. tests/support/booth.sh

mkdir "$work/folder"
types='$| = 1; while (1) { print "a"; select undef, undef, undef, 0.05 }'
# Directories appear one after the other, as an Entry of LPP makes them.
lpp_types() {
    local n
    for ((n = 1000; ; n++)); do
        mkdir "$work/folder/${n}000000.a.other"
        pause 0.05
    done
}
perl -e 'print "pace 50\n"; print "type \"", "a" x 50, "\"\n" for 1 .. 99' >"$work/script"

lines_up() { notes "$judge" line | grep -c 'the line is up'; }
is_up_again() { (($(lines_up) > ups)); }

# Without it a judge's end ends a session once nobody has typed for 2 s.
echo 'wait 3600000' >"$work/judge.script"

for source in keyboard pty pipe lpp; do
    case $source in
    keyboard) given=(--script "$work/script") ;;
    pty | pipe) given=(--program-io "$source" --program "exec perl -e '$types'") ;;
    lpp) given=(--lpp "$work/folder") ;;
    esac
    cable $source
    start judge judge --left "serial:$work/$source.a" --starts either --session $source --headless \
        --script "$work/judge.script" --journal "$source.judge"
    judge=$work/$source.judge/$source-judge.journal
    entity() { start entity entity --line "serial:$work/$source.b" --headless --journal "$source.entity" "${given[@]}"; }
    entity
    if [[ $source == lpp ]]; then
        lpp_types &
        pid_of[types]=$!
    fi
    ok "$source: the entity types" eventually has_keys "$judge" 5
    slay entity
    ups=$(lines_up)
    entity
    # What was on the line at the kill may come late as well: the line's coming up is waited for first.
    ok "$source: started again, it is met" eventually is_up_again
    placed=$(keys_in "$judge")
    ok "$source: and goes on" eventually has_keys "$judge" $((placed + 5))
    [[ ! ${pid_of[types]-} ]] || slay types
    stop entity
    stop judge
done
plan
