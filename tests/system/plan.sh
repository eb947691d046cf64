#!/bin/bash
# A session by tickets instead of options, with keys after the cut; and tickets that are refused.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

# By tickets, at keyboards: the same as by options.
cable line
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
starts = either
[page]
style = split columns=30
INI
cat >"$work/entity.ini" <<INI
[ticket]
format = 1
role = entity
session = r2-j3
[line]
port = serial:$work/line.b@57600
[entity]
keyboard = yes
INI
window judge 80 24 judge --ticket judge.ini --begin ready --journal judge
window entity 80 24 entity --ticket entity.ini --journal entity
judge=$work/judge/r2-j3-judge.journal
entity=$work/entity/r2-j3-entity.journal
reads 'a plan out of a ticket' judge 'LEFT · part 1 of 2'
reads 'begins when both are there' judge ' open '
reads 'at both ends' entity 'part 1 of 2'
keys judge -l 'a question'
keys entity -l 'an answer'
reads 'both may begin' entity 'a question'
reads 'and both see it' judge 'an answer'
reads 'the segment is cut' judge 'REVIEW · part 2 of 2'
reads 'who types there is asked to stay' entity 'Your part is over; please stay.'
reads 'and the entity has heard of it' entity 'The session is over'
keys judge -l xy
keys entity -l z
reads 'a key after it is refused' judge 'The session is over: that key'
reads 'at both ends' entity 'The session is over: that key'
ok "and that is on the judge's record" eventually says "$judge" refused x
ok "and on the entity's" eventually says "$entity" refused z
is 'it is on no page' "$(typed_in "$judge" judge | paste -sd '')" 'aspacequestion'
is 'session and style are those of the ticket' \
    "$(entries "$judge" 'select(.kind == "header") | .session, .starts, .style' |
        sed 's/ wrap.*//' | xargs)" 'r2-j3 1 split columns=30'
window_close judge
window_close entity

# broken DESCRIPTION WORDS SED...: a ticket changed so is refused with its line.
broken() {
    local said status
    sed "${@:3}" "$work/judge.ini" >"$work/broken.ini"
    said=$(cd "$work" && booth judge --ticket broken.ini --headless 2>&1)
    status=$?
    is "$1" "$status $said" "65 boothlink judge: broken.ini$2"
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
