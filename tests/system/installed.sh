#!/bin/bash
# An Entry's folder goes from who hands it in over the manager's machine and the back room's stick to
# the booth, which installs it by itself: the same bytes, whole or not at all, whatever happens.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/venue.sh
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} # cannot look under strace
. tests/support/windows.sh

# What is handed in: a program, data, a link.
mkdir -p "$work/eliza/data"
# shellcheck disable=SC2016 # it is the parrot's
printf '#!/bin/sh\nwhile read -r line; do echo "You said: $line"; done\n' >"$work/eliza/parrot"
chmod +x "$work/eliza/parrot"
{ head -c 299999 /dev/urandom && printf Y; } >"$work/eliza/data/brain" # its last byte is no X
ln -s data/brain "$work/eliza/words"
"$bl" validate manifest --program ./parrot --folder "$work/eliza" >/dev/null
cable a
cable b
template loebner-2009 1
venue_of_cables 'entry1.handed-in = eliza'
setup() { venue_setup >"$work/said" 2>&1; }

# The manager's machine.
mv "$work/eliza/data/brain" "$work/brain" && echo other >"$work/eliza/data/brain"
setup
is 'setup refuses what is not as it was handed in' \
    "$? $(grep -c 'venue.ini:[0-9]*: .*entry1.handed-in: .*brain: it is not as it was handed in' "$work/said")" '65 1'
mv "$work/brain" "$work/eliza/data/brain"
ok 'setup with what was handed in' setup
back=$work/sticks/back-room/boothlink
ticket=$(grep -l '^entry' "$back"/booth-1-cable-?/001.ticket)
name=$(sed -n 's/^entry = //p' "$ticket")
is "the ticket names it, by its manifest, and has the manifest's program" \
    "$(sed -n '/^\[entity\]/,$p' "$ticket" | sed -E 's/-[0-9a-f]{32}$/-HASH/' | xargs)" \
    '[entity] program = ./parrot entry = eliza-HASH'
ok 'the stick has it' diff -r "$work/eliza" "$back/entries/$name"
is "the judges' has nothing of it" "$(find "$work/sticks/judges-room" -name '*entr*' -o -name '*eliza*')" ''
ok 'tickets once more' "$bl" contest tickets "$work/contest.db"
is 'there is one' "$(ls "$back/entries")" "$name"

# The booth at the Entry's cable. The stick is as FAT has it: all can be run, and there are no links.
place=$(basename "$(dirname "$ticket")")
place=${place#booth-1-}
fat() {
    rm -rf "$work/good" && mkdir "$work/good" && cp -r "$back" "$work/good/boothlink" &&
        rm "$work/good/boothlink/entries/$name/words" &&
        printf data/brain >"$work/good/boothlink/entries/$name/words" &&
        chmod -R 0700 "$work/good"
}
ok 'a stick like FAT' fat
machine=$work/machine
mkdir "$machine"
printf '[place]\nformat = 1\nbooth = 1\nmachine = %s\n' "$place" >"$machine/place.ini"
at=$machine/records/entries/$name
put_in() { rm -f "$machine/stick" && ln -s "$1" "$machine/stick"; }
nothing() { [[ ! -e $at && ! -e $at.part ]]; }
same() {
    [[ $(cd "$at" && find . -printf '%P %y %l %#m\n' | sed '/^boothlink\|^data d\|^ d/d' | sort | xargs) == \
        'data/brain f 0644 parrot f 0755 words l data/brain 0777' ]] && diff -r "$work/eliza" "$at"
}
opened() {
    rm -f "$machine/stick"
    window "$1" 80 24 booth --place machine/place.ini --tickets machine/stick --journal machine/records
    reads "$1: a machine without an Entry" "$1" "booth 1, cable"
}
tm set-environment -g BOOTHLINK_SIM_PASS 1 # to the booth's sessions
opened one
cp -r "$work/good" "$work/bad"
printf X | dd of="$work/bad/boothlink/entries/$name/data/brain" bs=1 seek=299999 conv=notrunc 2>/dev/null
put_in "$work/bad"
reads 'one byte is another: it says so, and what to do' one 'cannot be installed; take the stick back to the manager'
ok 'and which file' has one 'brain: it is not as it was handed in'
ok 'and nothing is there' nothing
begins() { # a key at the board counts once nobody has typed for a second
    lacks "$1" 'ress Enter' && return
    keys "$1" Enter
    pause 1.1
    lacks "$1" 'ress Enter'
}
ok 'an attendant begins' eventually begins one
reads 'the session waits for it' one 'put in the stick of the back room'
rm "$work/bad/boothlink/entries/$name/data/brain"
put_in "$work/bad"
reads 'a stick that was pulled while it was written' one 'brain: No such file'
ok 'and nothing is there then' nothing
sed 's/ - data/ - ..\/data/' "$work/eliza/boothlink.manifest" >"$work/bad/boothlink/entries/$name/boothlink.manifest"
put_in "$work/bad"
reads 'another manifest is none' one 'boothlink.manifest: it is not the one that was handed in'
ok 'and nothing is there either' nothing
put_in "$work/good"
ok 'the right one is installed' eventually same
reads 'and the session begins by itself' one 'started, process'
start judge judge --left "serial:$work/${place#cable-}.a" --session r1-j1 --journal judge --headless
handed() { says "$machine/records/r1-j1-entity.journal" entry 'as it was handed in: 3 files'; }
ok 'the record says what runs' eventually handed
stop judge
window_close one

# Killed anywhere, and a disk that is full.
if strace -o "$work/trace" true 2>"$work/why"; then
    traced() { # NAME OPTION...
        tm new-session -d -s "$1" -x 80 -y 24 "cd '$work' && exec strace -qq -f ${*:2} \
            '$bl' booth --place machine/place.ini --tickets machine/stick --journal machine/records"
    }
    new() { rm -rf "$machine/records" && put_in "$work/good"; }
    new
    traced full -o /dev/null -P "$at.part/data/brain" -e trace=write -e inject=write:error=ENOSPC:when=2
    reads 'a machine that is full says so' full 'The Entry cannot be installed; make room on this machine'
    ok 'and has no half of it' nothing
    tm kill-session -t full
    # Each call that has to do with it, numbered as strace does: "3 rename" is the third one.
    changing=mkdir,write,fchmod,symlink,rename,unlink,rmdir,syncfs,fsync
    new
    traced counted -e trace=$changing -y -o "$work/calls"
    ok 'the calls are counted' eventually same
    window_close counted
    mapfile -t moments < <(sed -nE 's/^[0-9]+ +([a-z0-9]+)\((.*)/\1 \2/p' "$work/calls" |
        awk -v name="$name" '{ ++count[$1]; if (index($0, name)) print count[$1], $1 }')
    every=$((${SOAK:-0} ? 1 : 4))
    for ((n = ${SEED:-$RANDOM} % every; n < ${#moments[@]}; n += every)); do
        call=${moments[n]}
        new
        traced "killed$n" -o /dev/null -e trace=$changing \
            -e inject="${call#* }:signal=KILL:when=${call% *}"
        bad=
        eventually window_gone "killed$n" || bad='it was not killed'
        [[ ! -e $at ]] || same || bad='a half has its name'
        window "again$n" 80 24 booth --place machine/place.ini --tickets machine/stick --journal machine/records
        eventually same || bad='the next start does not install it'
        [[ ! -e $at.part ]] || bad='a half is left'
        window_close "again$n"
        is "killed at call $n of ${#moments[@]}, $call: the next start goes on" "$bad" ''
    done
else
    skip 'killed anywhere' "strace may not trace here: $(head -n 1 "$work/why")"
fi

# An Entry that was damaged on the machine is made anew; another one takes its place on the stick.
opened later
echo x >>"$at/parrot"
put_in "$work/good"
ok 'what was damaged is made anew' eventually same
echo more >>"$work/eliza/data/brain"
"$bl" validate manifest --program ./parrot --folder "$work/eliza" >/dev/null
ok 'a new version is handed in' "$bl" contest tickets "$work/contest.db"
is 'the stick has that one alone' "$(find "$back/entries"/* -maxdepth 0 | wc -l) $(test -e "$back/entries/$name"; echo $?)" '1 1'
put_in "$work/sticks/back-room"
at=$machine/records/entries/$(ls "$back/entries")
ok 'and the booth installs it' eventually same
plan
