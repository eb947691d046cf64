#!/bin/bash
# DESIGN.md, "Blindness": an entity's terminal that was killed and started again meets the judge's end,
# and gives it the first key, not before a moment that is the same whatever it takes up.
. tests/tap.sh
. tests/support/booth.sh

meets=250000 first_key=850000 by_chance=500000 # us, as host/booth/entity_booth.c has them

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

for source in keyboard pty pipe lpp; do
    case $source in
    keyboard) given=(--script "$work/script") ;;
    pty | pipe) given=(--program-io "$source" --program "exec perl -e '$types'") ;;
    lpp) given=(--lpp "$work/folder") ;;
    esac
    cable $source
    start judge judge --left "serial:$work/$source.a" --starts either --session $source --headless \
        --journal "$source.judge"
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
    began=${EPOCHREALTIME/./}
    entity
    # What was on the line at the kill may come late as well: the line's coming up is waited for first.
    ok "$source: started again, it is met" eventually is_up_again
    placed=$(keys_in "$judge")
    ok "$source: and goes on" eventually has_keys "$judge" $((placed + 5))
    up=$(entries "$judge" 'select(.kind == "note" and .code == "line" and .text == "the line is up") | .time_us' |
        tail -n 1)
    # What was on the line at the kill comes before that.
    key=$(entries "$judge" "select(.kind == \"keys\" and .time_us > $up) | .time_us" | head -n 1)
    echo "# $source: the line is up after $(((up - began) / 1000)) ms, the first key comes after $(((key - began) / 1000))"
    ok "$source: it meets the judge's end not before its time" test $((up - began)) -ge $meets
    ok "$source: nor does it give a key" test $((key - began)) -ge $first_key
    firsts+=($((key - began)))
    [[ ! ${pid_of[types]-} ]] || slay types
    stop entity
    stop judge
done
spread=$(printf '%s\n' "${firsts[@]}" | sort -n | sed -n '1p;$p' | xargs | awk '{ print $2 - $1 }')
ok "how long the kernel took before is hidden by chance: $((spread / 1000)) ms apart" test "$spread" -gt $((by_chance / 20))
plan
