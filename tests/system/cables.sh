#!/bin/bash
# A cable is plugged once, and the draw puts it on either side: the contest's tickets for both draws.
. tests/tap.sh
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

# pairs TICKET: the judge's ports of a session, left first, and those of its entities, in order.
pairs() {
    local name
    name=$(sed -n 's/^session = //p' "$1")
    sed -n '/^\[line/,/^$/s/^port = serial:.*\/\(.*\)/\1/p' "$1" | xargs
    grep -lx "session = $name" "${1%/judges-room/*}"/back-room/boothlink/*/*.ticket |
        xargs sed -n 's/^port = serial:.*\/\(.*\)/\1/p' | sort | xargs
}
is 'drawn one way, the left line is cable A' "$(pairs "$judge_one" | xargs)" 'one-a.a one-b.a one-a.b one-b.b'
is 'drawn the other way, cable B' "$(pairs "$judge_two" | xargs)" 'two-b.a two-a.a two-a.b two-b.b'
plan
