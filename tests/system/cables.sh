#!/bin/bash
# A cable is plugged once, and the draw puts it on either side: sessions by the contest's tickets for
# both draws, with two cables and a controller; and one whose cables are swapped at the controller.
. tests/tap.sh
. tests/support/controlled.sh
patient "$0"
. tests/support/booth.sh
. tests/support/contest.sh

"$bl" contest rulesets loebner-2009 |
    sed -E 's/^name = .*/name = short/; s/^plan = .*/plan = 6 left,6 right,2 review/' >"$work/short.ini"

# tickets NAME PLACE: of a contest, for a booth PLACE with cables and a controller of that name.
tickets() {
    local i
    {
        printf '[venue]\nformat = 1\n[machines]\n'
        for i in 1 2; do
            printf "booth$i.%s = serial:%s\n" judge-a "$work/$2-a.a" entity-a "$work/$2-a.b" \
                judge-b "$work/$2-b.a" entity-b "$work/$2-b.b" controller "$work/c.$2"
            printf 'entry%d.program = sed -u "s/^/You said /"\n' "$i"
        done
    } >"$work/$2.ini"
    "$bl" contest tickets "$work/$1.db" --venue "$work/$2.ini" --out "$work/$2"
} >>"$work/contest.out" 2>&1

# drawn PLACE CABLE: the judge's ticket of the first session with this cable on the left.
drawn() {
    grep -lzP "\[line.left\]\nport = [^\n]*\ncable = $2\n" "$work/$1"/judges-room/boothlink/*/*.ticket |
        sort | head -n 1
}

# Both draws are in one contest, nearly always.
for try in {1..9}; do
    contest_drawn "try$try" "$work/short.ini" >>"$work/contest.out" 2>&1 || break
    tickets "try$try" one
    tickets "try$try" two
    [[ ! $(drawn one a) || ! $(drawn two b) ]] || break
done
sed 's/^/# /' "$work/contest.out" | grep -i boothlink
judge_one=$(drawn one a) judge_two=$(drawn two b)
is 'a contest draws both ways' "${judge_one:+a}${judge_two:+b}" ab

printf 'pace 40\n%s\n' "$(yes 'type "Is that so?\n"
wait 300' | head -n 90)" >"$work/judge.script"

# session PLACE TICKET: both entities and the judge, by their tickets; nobody types for the
# confederate but a program.
session() {
    local name ticket port
    name=$(sed -n 's/^session = //p' "$2")
    for ticket in "$work/$1"/back-room/boothlink/*/*.ticket; do
        grep -qx "session = $name" "$ticket" || continue
        sed -i 's/^keyboard = yes/program = sed -u "s,^,I was asked: ,"/' "$ticket"
        port=$(sed -n 's/^port = serial://p' "$ticket")
        port=$(basename "$port" .b)
        start "e.$port" entity --ticket "$ticket" --headless --json --journal "e.$port"
    done
    start "j.$1" judge --ticket "$2" --script "$work/judge.script" --headless --json \
        --journal "j.$1"
}
judge_of() { echo "$work/j.$1/$(sed -n 's/^session = //p' "$2")-judge.journal"; }
entity_of() { echo "$work/e.$1"/*-entity.journal; }

# place NAME LEFT RIGHT [OPTION...]: two cables, and a controller with these at its relays. Nobody
# sees the ports of another place.
place() {
    cables=
    cable "$1-a"
    cable "$1-b"
    controller "c.$1" "$1-$2" "$1-$3" "${@:4}"
}
place one a b
session one "$judge_one"
place two a b
session two "$judge_two"

# Meanwhile, one with the cables swapped at the box.
place three b a --store "$work/three.store"
start e.three-a entity --line "serial:$work/three-a.b" --program 'sed -u "s/^/You said /"' \
    --headless --json --journal e.three-a
start e.three-b entity --line "serial:$work/three-b.b" --program 'sed -u "s/^/You said /"' \
    --headless --json --journal e.three-b
swapped() {
    start j.three judge --left "serial:$work/three-a.a" --right "serial:$work/three-b.a" \
        --controller "$work/c.three" --session swapped --plan '6 left,6 right' --headless --json \
        --script "$work/judge.script" --journal j.three "$@"
}
swapped
three=$work/j.three/swapped-judge.journal
ok 'swapped at the controller: the record says which port hears' eventually did "$three" \
    'cable A is joined, but the port of cable B hears the other end: the two are swapped'
ok 'the controller opens the line' eventually is_cut c.three left
is 'no key was placed' "$(keys_in "$three")" 0
slay j.three
is 'no second was counted' "$(booth controller status "$work/c.three" --json | jq '.left_s == 6')" true
swapped --cables b,a
ended j.three
is 'the other mapping is refused for a session that was begun' \
    "$? $(grep -c 'by its record cable A is the left' "$work/j.three.err")" '64 1'
swapped
found_again() { (($(notes "$three" controller | grep -c 'the two are swapped') == 2)); }
ok 'begun again it is found again' eventually found_again
steward c.three key pause
ok 'the steward comes' eventually did "$three" 'pause: the key switch was turned, '
kill "${pid_of[c.three]}"
wait "${pid_of[c.three]}"
controller c.three three-a three-b --store "$work/three.store"

for place in one two; do
    ticket=judge_$place
    ended j.$place
    is "draw $place ends well" $? 0
    agreed j.$place left right
    journal=$(judge_of $place "${!ticket}")
    for side in left right; do
        cable=$(sed -n "/line.$side/,/cable/s/^cable = //p" "${!ticket}")
        ended "e.$place-$cable"
        is "$side, cable $cable: the entity's end ends well" $? 0
        is "$side: cut by the controller, agreed" \
            "$(report j.$place ".sides.$side | .end, .cut_by" | xargs)" 'agreed controller'
        events "$journal" --side $side >"$work/events.judge"
        events "$(entity_of "$place-$cable")" >"$work/events.entity"
        equal "$side: both ends have the same events" "$work/events.judge" "$work/events.entity"
        ok "$side: both have said something" test \
            "$(typed judge <"$work/events.judge" | wc -l)" -gt 3 -a \
            "$(typed entity <"$work/events.judge" | wc -l)" -gt 3
    done
done

ok 'swapped back, the session goes on' eventually has_keys "$three" 10
ended j.three
is 'to its end' $? 0
ok 'with all its time' test "$(left_of "$three" 1 | head -n 1)" -ge 5900
is 'agreed on both sides' "$(report j.three '.sides[] | .end' | sort -u)" agreed
plan
