#!/bin/bash
# The words on standard error, with the exit codes of sysexits.h, of a terminal that cannot start; and a
# line whose port another program meddles with. world/test_words has the words for lines that fail.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

judge=$work/judge/words-judge.journal

# noted DESCRIPTION TEXT [TIMES]: it is in the judge's record, so often.
noted_times() { (($(notes "$judge" line | grep -cF -- "$1") >= $2)); }
noted() { ok "$1" eventually noted_times "$2" "${3:-1}"; }

# fails DESCRIPTION STATUS TEXT COMMAND...: one line, with this in it, and this exit status.
fails() {
    local description=$1 status=$2 text=$3 got said
    shift 3
    said=$("$@" 2>&1 >/dev/null </dev/null)
    got=$?
    [[ $got == "$status" && $said == "boothlink ${failing-judge}: "*"$text"* && $said != *$'\n'* ]]
    result $? "$description"
    ((got == status)) || echo "# exit status $got"
    [[ $said == *"$text"* ]] || echo "# ${said//$'\n'/$'\n# '}"
}

# A line that works.
cable line
window judge 80 24 judge --left "serial:$work/line.a" --journal judge --session words
window entity 80 24 entity --line "serial:$work/line.b" --keyboard --journal entity
reads 'the line is up' judge ' connected '
noted 'and so it is recorded' 'the line is up'
tell line meddle a 9600 # another program sets the port: it is set again
noted 'settings that another program changes do not stay' 'the line is up' 2
reads 'on the screen' judge ' connected '

tell line garbage both 2000
keys judge -l 'after the noise'
reads 'garbage on the line does no harm' entity 'after the noise'

# What cannot start.
device=$(readlink "$work/line.a")
cable free
busy() { booth judge --left "serial:$work/line.a" --journal "$work/other" --headless; }
fails 'the port is busy' 75 "$device is held by " busy
device=$(readlink "$work/free.a")
sleep infinity <>"$device" &
holder=$!
held() { booth judge --left "serial:$work/free.a" --journal "$work/other" --headless; }
ok 'a check blames it, and not the cable' grep -qF "$device is held by sleep (pid $holder)" \
    <(booth check --left "serial:$work/free.a")
fails 'a program that keeps no lock has the port' 75 "$device is held by sleep (pid $holder)" held
kill $holder
device=$(readlink "$work/line.a")
fails 'its holder is named' 75 "boothlink (pid $(window_pid judge))" busy
fails 'the record is busy' 75 "words-judge.journal is being written by boothlink, pid" \
    booth judge --left "serial:$work/free.b" --journal "$work/judge" --session words --headless
window_close judge
window_close entity
slay line

judge_at() { booth judge --journal "$work/none" --headless --left "$@"; }
entity_at() { booth entity --journal "$work/none" --headless --line "$@"; }
fails 'no such device' 66 "there is no device $work/nothing" judge_at "serial:$work/nothing"
fails 'a device of another kind' 66 '/dev/null is no serial port' judge_at serial:/dev/null
fails 'no way to write a port' 64 'a port is written serial:DEVICE[@BAUD]' judge_at "$work/free.a"
fails 'no such speed' 64 "the speed '1200': expected a number from 9600 to 921600" \
    judge_at "serial:$work/free.a@1200"
fails 'no line' 64 'missing a line: --left PORT or --right PORT' booth judge --headless
fails 'no such option' 64 'did you mean --left?' booth judge --lift serial:x
fails 'no such plan' 64 'must last 5 to 28800 seconds' \
    judge_at "serial:$work/free.a" --plan '2 left'
fails 'no such session name' 64 "session 'a/b': expected 1 to 40 letters" \
    judge_at "serial:$work/free.a" --session a/b
fails 'no script' 66 "$work/nothing: No such file" judge_at "serial:$work/free.a" --script "$work/nothing"
printf 'pace 5\ntypo x\n' >"$work/bad"
fails 'a wrong script' 65 "$work/bad:2: \"typo\" is no command" \
    judge_at "serial:$work/free.a" --script "$work/bad"
fails 'no screen' 69 'standard input is no terminal: run it in one; judge, entity and demo have --headless too' \
    booth judge --left "serial:$work/free.a" --journal "$work/none"
fails 'no place for the record' 74 '/proc/none: cannot make this directory for the record' \
    judge_at "serial:$work/free.a" --journal /proc/none
failing=entity
fails 'no entity' 64 "expected one of --program 'CMD', --lpp DIR, --lpp2 PORT, --web URL, --cgi 'CMD', --chat URL and --keyboard" \
    entity_at "serial:$work/free.b"
fails 'no such prompt' 64 'strip-prompt "(", character 2' \
    entity_at "serial:$work/free.b" --program true --strip-prompt '('
failing=judge

# A port of another group. Root may open everything, so nobody tries, in a folder open to all.
open=$(mktemp -d /tmp/booth.XXXXXX)
chmod 0755 "$open"
cp "$bl" "$sim/shim.so" "$open"
mkdir -m 0777 "$open/record"
device=$(readlink "$work/free.a")
nobody=()
if ((UID == 0)); then
    chgrp dialout "$device"
    nobody=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
fi
chmod 0060 "$device"
cp "$work/free.shm" "$open/shm"
chmod 0666 "$open/shm"
denied() {
    "${nobody[@]}" env BOOTHLINK_SIM="$open/shm" LD_PRELOAD="$open/shim.so" "$open/boothlink" \
        judge --headless --left "serial:$device" --journal "$open/record"
}
fails 'no permission names the group' 77 "group $(stat -c %G "$device")" denied
rm -rf "$open"
slay free

# Tickets that are refused, each with its line.
cat >"$work/judge.ini" <<INI
[ticket]
format = 1
role = judge
session = r2-j3
round = 2
[line.left]
port = serial:$work/line.a@57600
[rules]
ruleset = loebner-2009
plan = 6 left,30 review
INI
# broken DESCRIPTION WORDS SED...: a ticket that is changed so.
broken() {
    sed "${@:3}" "$work/judge.ini" >"$work/broken.ini"
    fails "$1" 65 "$work/broken.ini$2" booth judge --ticket "$work/broken.ini" --headless
}
broken 'a number that is none' \
    ":5: [ticket] round = 'two': expected a number from 0 to 9999" 's/^round = 2/round = two/'
broken 'a field that is none' \
    ':9: [rules] rule: no such field; boothlink-ticket(5) lists them' 's/^ruleset/rule/'
broken "an entity in the judge's ticket" \
    ": [entity]: a judge's ticket must not speak of the entity" -e '$ a [entity]\nkeyboard = yes'
broken 'a line that is none' ":2: expected 'key = value' or '[section]'" 's/^format = 1/format/'
broken "another's ticket" ': [line] port is missing' 's/^role = judge/role = entity/'
plan
