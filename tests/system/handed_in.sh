#!/bin/bash
# An Entry is handed in with its manifest, and on the day it is the same bytes or does not start.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

mkdir -p "$work/entry/data" "$work/stick/boothlink/booth-1-cable-a" "$work/records/booth-1-cable-a"
cat >"$work/entry/parrot" <<'END'
#!/bin/sh
while read -r line; do echo "You said: $line"; done
END
chmod +x "$work/entry/parrot"
{ printf A && head -c 300000 /dev/urandom; } >"$work/entry/data/brain"
byte() { printf %s "$1" | dd of="$work/entry/data/brain" bs=1 conv=notrunc 2>/dev/null; }
manifest() { "$bl" validate manifest --program ./parrot --folder "$work/entry"; }
is 'no program that is not there is handed in' "$("$bl" validate manifest --program ./nosuch --folder "$work/entry" 2>&1)" \
    "boothlink validate manifest: ./nosuch: there is no such program in $(realpath "$work/entry")"
ok 'and no manifest of it is left' test ! -e "$work/entry/boothlink.manifest"
is 'an entrant writes its manifest' "$(manifest)" \
    "$(realpath "$work/entry")/boothlink.manifest: 2 files; hand the folder in as it is now"
is 'which says how it is started, and with what' "$(sed -n '2,3p' "$work/entry/boothlink.manifest" | xargs)" 'program ./parrot interpreter /bin/sh'
cable line
cat >"$work/records/booth-1-cable-a/001.ticket" <<END
[ticket]
format = 1
role = entity
session = r1-j1
round = 1
[line]
port = serial:$work/line.b
[entity]
program = ./parrot
END
printf '[place]\nformat = 1\nbooth = 1\nmachine = cable-a\n' >"$work/place.ini"
tm set-environment -g BOOTHLINK_SIM_PASS 1 # to the booth's session
byte B
booth entity --line "serial:$work/line.b" --program ./parrot --folder "$work/entry" --headless \
    --journal "$work/none" >"$work/said" 2>&1
is 'with one byte changed it does not start' "$? $(grep -c 'brain: it is not as it was handed in' "$work/said")" '65 1'
window one 80 24 booth --place place.ini --tickets none --journal records --folder entry
begins() {
    has one 'Round 1' || return
    keys one Enter
    pause 1.1 # a key at the board counts once nobody has typed for a second
    lacks one 'ress Enter'
}
ok 'nor at the booth' eventually begins
reads 'whose screen says why' one 'brain: it is not as it was handed in'
byte A
reads 'as it was, it starts by itself' one 'started, process'
start judge judge --left "serial:$work/line.a" --session r1-j1 --journal judge --headless
handed() { says "$work/records/r1-j1-entity.journal" entry 'as it was handed in: 2 files'; }
ok 'and its record says so' eventually handed
ok "nothing of the judge's does" test -z "$(grep -a handed "$work/judge"/*.journal)"
stop judge

# A terminal that finds its Entry running does not look again: how long that takes would show on the line.
cable again
entity() {
    start entity entity --line "serial:$work/again.b" --program ./parrot --folder "$work/entry" --headless \
        --session again --journal again
}
again=$work/again/again-entity.journal
start judge judge --left "serial:$work/again.a" --session again --journal again-judge --headless
entity
ok 'another one begins' eventually says "$again" entry 'as it was handed in: 2 files'
slay entity
byte B
entity
ok 'its terminal was killed, and finds it still there' eventually says "$again" entry 'still there after a restart'
stop entity
entity
ended entity
is 'a new one does not start with one byte changed' $? 65
stop judge
plan
