#!/bin/bash
# Two contests on one machine, such as a rehearsal and the day: their sessions have the same names. Each
# has its own records, and the manager takes none of the other.
# shellcheck disable=SC2030,SC2031 # each contest is made in a folder of its own
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
. tests/support/venue.sh
. tests/support/journals.sh
. tests/support/ballots.sh

bl=$BUILD/boothlink
first=$work/first second=$work/second
records=$work/records
mkdir "$records"
printf '[place]\nformat = 1\nbooth = 1\nmachine = judge\n' >"$work/place.ini"
for folder in "$first" "$second"; do
    mkdir "$folder"
    (
        work=$folder
        template loebner-2009 1 && venue_setup >/dev/null
    ) || bail_out 'no contest'
    [[ $folder == "$first" ]] || sed -i 's/^name = .*/&, the day/' "$folder/people.ini"
done
# put CONTEST: its judges' stick in the place of another one.
put() { rm -f "$work/stick" && ln -s "$1/sticks/judges-room" "$work/stick"; }
id_of() { sed -n 's/^contest = //p' "$1"/sticks/judges-room/boothlink/booth-1-judge/001.ticket; }
is 'a contest is known by more than its name' \
    "$(id_of "$first" | grep -cxE '[0-9a-f]{1,16}') $([[ $(id_of "$first") != $(id_of "$second") ]] && echo two)" '1 two'

window judge 100 24 booth --place place.ini --tickets stick --journal records
put "$first"
reads 'the first one'"'"'s tickets come' judge 'Round 1 comes next.'
journal judge r1-j1 "contest $(id_of "$first")" finished >"$records/r1-j1-judge.journal"
ballot r1-j1 left | sed "1s/ sealed=/ contest=$(id_of "$first") sealed=/; s/ \*[0-9a-f]*$//" | sums >"$records/r1-j1-judge.ballot"
put "$first"
reads 'its session is over' judge 'All sessions of this place are over.'
cp -r "$first/sticks/judges-room" "$work/held"

put "$second"
reads 'the second contest begins with its first round' judge 'Round 1 comes next.'
is 'the records of the first are apart' "$(cd "$records" && echo contest-*/*)" \
    "$(cd "$records" && for name in r1-j1-judge.ballot r1-j1-judge.journal records.saved; do
        echo "contest-$(id_of "$first")/$name"
    done | sort | xargs)"
is 'and not on its stick' "$(find "$second/sticks" -name '*.journal' -o -name '*.ballot')" ''
echo second >"$records/r1-j1.over"
put "$second"
reads 'its session is over, too' judge 'All sessions of this place are over.'

put "$first"
ok 'with the stick of the first it has its records again' eventually test -e "$records/r1-j1-judge.ballot"
is 'and the second has its own apart' "$(cd "$records" && grep -c given r1-j1-judge.ballot) $(cd "$records" && echo contest-*/*)" \
    "1 contest-$(id_of "$second")/r1-j1.over"
put "$second"
ok 'the second has its own again' eventually test -e "$records/r1-j1.over"
is 'and no other' "$(cd "$records" && cat r1-j1.over && echo *.ballot)" 'second
*.ballot'

# A stop in the middle of the change, with some of the second's files still apart.
window_close judge
mv "$records/r1-j1.over" "$records/contest-$(id_of "$second")"
rm "$work/stick"
window judge 100 24 booth --place place.ini --tickets stick --journal records
reads 'the change is completed at the start' judge 'All sessions of this place are over.'

# One stick that serves two contests, with the records of the first on it: nobody else has held the second.
mkdir "$work/shared"
cp -r "$work/held/boothlink" "$work/shared"
for part in stick.list booth-1-judge; do
    rm -r "$work/shared/boothlink/$part"
    cp -r "$second/sticks/judges-room/boothlink/$part" "$work/shared/boothlink"
done
rm "$records/r1-j1.over"
ln -s "$work/shared" "$work/stick"
reads 'a shared stick gives the second contest' judge 'Round 1 comes next.'
reads 'it may be taken out' judge 'The stick may be taken out.'
ok 'its record of the first is not taken for the second'"'"'s' test ! -e "$records/r1-j1.elsewhere"

# A stick that went back to another contest's manager.
import() { "$bl" contest import "$second/contest.db" "$work/held/boothlink/records/booth-1-judge/r1-j1-judge.ballot" 2>&1; }
collect() { "$bl" contest collect "$1/contest.db" "$work/held" 2>&1; }
is 'the manager takes nothing of another contest' \
    "$(collect "$second" | grep -c 'refused: .*it is of another contest') $(find "$second/contest.db.records" -type f 2>/dev/null)" '2 '
is 'nor by its file alone' "$(import | grep -c 'it is of another contest')" 1
verify() { "$bl" contest verify "$1/contest.db" --records "$work/held" 2>&1; }
is 'nor are they compared with it' "$(verify "$second" | grep -c 'records/booth-1-judge/r1-j1-judge.*: it is of another contest')" 2
is 'but with its own' "$(verify "$first" | grep -c 'another contest')" 0
is 'the contest takes its own' "$(collect "$first" | grep -c 'another contest') $(find "$first/contest.db.records" -type f | wc -l)" '0 2'
plan
