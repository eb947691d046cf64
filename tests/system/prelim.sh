#!/bin/bash
# A preliminary round by the ordinary commands: tickets of a judge with each of his Entries (2003 r33,
# r34), one of these sessions with an Entry's program and without a ballot, its record collected, the
# judge's list; and the Prelim Eight (2004 A8.4).
. tests/tap.sh
. tests/support/booth.sh
. tests/support/contest.sh
. tests/support/windows.sh

cable line
mkdir "$work/program"
# shellcheck disable=SC2016 # the Entry's own
printf '#!/bin/bash\nwhile read -r asked; do echo "You said $asked"; done\n' >"$work/program/entry.sh"
chmod +x "$work/program/entry.sh"
{
    printf '[venue]\nformat = 1\nkeys = none\n[machines]\n'
    printf 'booth1.judge-a = serial:%s\nbooth1.entity-a = serial:%s\n' "$work/line.a" "$work/line.b"
    for i in {1..9}; do
        printf 'entry%d.program = ./entry.sh\nentry%d.program-io = pipe\nentry%d.folder = %s\n' \
            "$i" "$i" "$i" "$work/program"
    done
} >"$work/venue.ini"

contest_new loebner-2003 0 9 1
refused 65 'there is no judge of the preliminary round (2003 r34)' tickets --preliminary 1 \
    --venue "$work/venue.ini" --out "$work/sticks"
for i in 1 2 3; do contest add preliminary "Panel $i" >/dev/null; done
is 'a ticket at both ends for each judge and Entry' \
    "$(contest tickets --preliminary 1 --venue "$work/venue.ini" --out "$work/sticks" | cut -d: -f1)" '54 tickets'
judge=$work/sticks/judges-room/boothlink/booth-1-judge entity=$work/sticks/back-room/boothlink/booth-1-cable-a
session=$(sed -n 's/^session = //p' "$judge/001.ticket")
is 'the first is of judge P1, at both ends' \
    "${session%-*} $(sed -n 's/^session = //p' "$entity/001.ticket")" "p1 $session"
is 'his sheet has the Entries in the order of the sessions, and his booth' \
    "$(contest sheet --for preliminary --venue "$work/venue.ini" | grep -c "<td>p1-e[1-9]</td>\|<b>booth 1</b>")" 12

# The first session as the two machines hold it from the sticks.
mkdir "$work/judge" "$work/entity"
printf '[place]\nformat = 1\nbooth = 1\nmachine = judge\n' >"$work/judge.ini"
printf '[place]\nformat = 1\nbooth = 1\nmachine = cable-a\n' >"$work/entity.ini"
ln -s "$work/sticks/judges-room" "$work/judge.stick"
ln -s "$work/sticks/back-room" "$work/entity.stick"
window judge 100 24 booth --place judge.ini --tickets judge.stick --journal judge
window entity 100 24 booth --place entity.ini --tickets entity.stick --journal entity
reads 'the judge has his tickets' judge 'Round 1 comes next.'
reads 'and the Entry' entity 'Round 1 comes next.'
pause 1.1
keys judge Enter
keys entity Enter
reads 'they meet' judge ' connected '
keys judge Hello. Enter
reads 'the Entry answers, five seconds later (r30)' judge 'You said Hello.'
keys judge F10
reads 'F10 asks' judge 'Leave?'
keys judge leave Enter
reads 'he leaves with F10, and the next Entry comes' judge 'Round 2 comes next.'
reads 'at its end, too' entity 'Round 2 comes next.'
is 'with question and answer' "$(typed_in "$work/judge/$session-judge.journal" judge | paste -sd '')$(
    typed_in "$work/judge/$session-judge.journal" entity | paste -sd '')" Hello.ReturnYouspacesaidspaceHello.Return
ok 'no ballot was asked for' test ! -e "$work/judge/$session-judge.ballot"
ok 'its records are collected' contest collect "$work/judge" "$work/entity"
ok 'and are no fault of the contest' contest verify --records "$file.records"
is 'it is held once more, as another session' \
    "$(contest tickets --preliminary 2 --venue "$work/venue.ini" --out "$work/sticks" >/dev/null
    sed -n 's/^session = //p' "$judge/001-2.ticket"; find "$judge" -name '*.ticket' ! -name '*-2.ticket')" "$session-2"
contest allot >/dev/null
for i in 1 2 3; do contest prelim "P$i" E9 E8 E7 E6 E5 E4 E3 E2 E1 >/dev/null; done
ok 'the lists select' contest select --final
refused 64 'expected a whole number from 1 to 99' tickets --preliminary 0

file=$work/eight.db
contest_new loebner-2004 4 5 4
is 'the Prelim Eight: the judges with each Entry, without confederates' \
    "$(contest tickets --preliminary 1 --venue "$work/venue.ini" --out "$work/eight" | cut -d: -f1)" '40 tickets'
is 'of which nobody is at two' "$(sed -n 's/^session = //p' "$work"/eight/judges-room/boothlink/booth-1-judge/*.ticket |
    sort | uniq | wc -l)" 20
plan
