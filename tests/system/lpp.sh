#!/bin/bash
# Entries that speak LPP, in every behaviour of DESIGN.md, "Entrants": what they type is on both records
# once and in order, what the judge types reaches them as the rules say, and what they do wrong is
# told on the entity's record alone.
. tests/tap.sh
. tests/support/booth.sh

client() { "$BUILD/tests/system/lppclient" "$@"; }

folder=$work/folder
# Every special key of the rules, digits and letters of both cases; and what the rules do not name.
cat >"$work/judge.script" <<'SCRIPT'
pace 3
type "{}[]() ,.></\\|\"'=_+-!@#$%*^~`&:;?\t0aZ\bé\n"
wait 3600000
SCRIPT
asked=(braceleft braceright bracketleft bracketright parenleft parenright space comma period
    greater less slash backslash bar quotedbl quoteright equal underscore plus minus exclam at
    numbersign dollar percent asterisk asciicircum asciitilde quoteleft ampersand colon semicolon
    question Tab 0 a Z BackSpace é Return)
asked_count=${#asked[@]}

cable line

# begin NAME [OPTION...]: a session of that name, the Entry's folder empty.
begin() {
    session=$1
    judge=$work/judge/$1-judge.journal
    entity=$work/entity/$1-entity.journal
    rm -rf "$folder" "$work/got" "$work/sent"
    mkdir "$folder"
    start judge judge --left "serial:$work/line.a" --session "$1" --headless --json \
        --script "$work/judge.script" --journal judge
    go_on "${@:2}"
}

go_on() {
    start entity entity --line "serial:$work/line.b" --journal entity --headless --json \
        --lpp "$folder" "$@"
}

# entity_keys: what the Entry typed, in the words of a transcript.
entity_keys() { typed_in "$judge" entity; }
count_keys() { (($(entity_keys | wc -l) >= $1)); }

# all_come KEYS: that many keys have come, each in good time after those before it.
all_come() {
    local came
    until came=$(entity_keys | wc -l) && ((came >= $1)); do
        eventually count_keys $((came + 1)) || return
    done
}

# finish [KEYS]: waits for that many keys of the Entry, ends both, compares their records.
finish() {
    if (($#)) && ! all_come "$1"; then
        entity_keys | xargs -d '\n' echo '# it has typed:'
        result 1 "$session: all $1 keys are on the judge's page"
    fi
    eventually level "$judge" "$entity"
    stop judge
    is "$session: the judge's end ends well" $? 0
    stop entity
    is "$session: the entity's end ends well" $? 0
    events "$judge" >"$work/events.judge"
    events "$entity" >"$work/events.entity"
    equal "$session: both have the same record" "$work/events.judge" "$work/events.entity"
    is "$session: nothing of the Entry is in the judge's record" \
        "$(notes "$judge" entry)$(notes "$judge" ignored)" ''
}

has_typed() { is "$session: $1" "$(entity_keys | xargs -d '\n' echo)" "${*:2}"; }
left() { find "$folder" -mindepth 1 | wc -l; }
is_empty() { [[ $(left) == 0 ]]; }
told() { ok "$session: it is told: $2" eventually says "$entity" "$1" "$2"; }

# talk NAME KEYS WORDS -- EXPECTED...: an Entry that reads all that the judge says, then acts.
talk() {
    local name=$1 keys=$2 words=()
    shift 2
    while [[ $1 != -- ]]; do
        words+=("$1")
        shift
    done
    begin "$name"
    client "$folder" got="$work/got" "read=$asked_count" "${words[@]}" taken
    is "$name: the Entry has what it waited for" $? 0
    finish "$keys"
    has_typed 'it has typed what it meant' "${@:2}"
    is "$name: and has read each key by the rules' names" "$(xargs -d '\n' <"$work/got")" \
        "${asked[*]}"
    ok "$name: the folder is empty" is_empty
}

talk rules 8 'type=Hi, "a|b' -- H i , space '"' a '|' b
talk ten-digits 3 digits=10 number=7 type=abc -- a b c
talk unpadded 4 digits=0 number=8 type=abcd -- a b c d
talk fourteen 2 digits=14 type=ab -- a b
talk x11 5 names=x11 "type='\`\"\t\n" -- "'" '`' '"' Tab Return
talk wild 5 names=wild "type='\`\"\t\n" -- "'" '`' '"' Tab Return
talk case 3 extension=.OTHER 'type=aB ' -- a B space
talk files 3 make=file type=abc -- a b c
talk one-number 5 number=5 step=0 pace=30000 type=abcde -- a b c d e
talk restarted 6 digits=0 number=1 type=abc taken number=1 type=def -- a b c d e f
talk deletes-all 4 delete=all type=abcd -- a b c d

# Numbers count, however they are written, when they were there before they were read.
begin sorted
mkdir "$work/batch"
while mkdir "$work/batch"/{10.c,9.b,0000000011.d,8.a,000000000000000000000000000012.e}.other; do
    # A pause between two would make it another counter.
    (($(stat -c %.3W "$work"/batch/* | tr -d . | sort -n | sed -n '$p;1p' | xargs |
        awk '{ print $2 - $1 }') > 15)) || break
    rm -r "$work"/batch/*
done
slay entity
mv "$work"/batch/* "$folder"
go_on
finish 5
has_typed 'numbers of any length are sorted as numbers' a b c d e

# A second client and a third, whose counters begin again while keys of the first wait.
begin restarted-while-held
client "$folder" read="$asked_count" number=100 digits=0 type=ab taken
slay entity
client "$folder" number=102 digits=0 type=cd
pause 0.05 # the clock of files has a coarse grain
client "$folder" number=1 digits=0 pace=20000 type=ef number=103 type=g
pause 0.05
client "$folder" number=1 digits=0 type=hi
go_on
finish 9
has_typed 'the old counter comes first, then each new one' a b c d e f g h i

# 5,000 at once, more than a line carries at once: what it does not carry waits in the folder.
begin batch
client "$folder" read="$asked_count" digits=10 number=1 sent="$work/sent" random=5000,7
finish 5000
entity_keys >"$work/typed"
equal 'batch: each of 5,000 keys once and in order' "$work/typed" "$work/sent"

# Whoever never removes the judge's directories reads on all the same; it is told.
begin never-deletes
client "$folder" delete=never got="$work/got" read="$asked_count" type=ok
finish 2
is 'never-deletes: it reads each key' "$(wc -l <"$work/got")" "$asked_count"
is 'never-deletes: they stay' "$(left)" "$asked_count"
begin after-it
client "$folder" type=hi taken
finish 2
has_typed 'only its own keys' h i

# A terminal that is killed while an Entry types and is read: nothing twice, nothing less.
begin killed
client "$folder" got="$work/got" sent="$work/sent" pace=2000 "type=The quick brown " crash
is 'killed: the Entry crashes in mid-word' $? 137
ok 'killed: what it had typed is there' eventually count_keys 16
slay entity
client "$folder" sent="$work/sent" number=1 digits=0 type=fox
go_on
client "$folder" got="$work/got" sent="$work/sent" read="$asked_count" type=! taken
finish 20
entity_keys >"$work/typed"
equal 'killed: each of its keys once and in order' "$work/typed" "$work/sent"
is 'killed: it has read each key once' "$(xargs -d '\n' <"$work/got")" "${asked[*]}"

# What is no key.
begin strange
mkdir "$folder/other-one"
ln -s /etc "$folder/12.a.other"
client "$folder" name=5.Shift_L.other name=6...other name=x.b.other name=7.other \
    name=notes.txt number=50 make=full type=y make=dir type=z
finish 3
has_typed 'what can be a key is one, a period by itself too' . y z
session=strange
for name in "'5.Shift_L.other' names no key" "'x.b.other' has no number" "'7.other' has no key" \
    "'12.a.other' is a link" "'notes.txt' is passed over" "'other-one' is passed over"; do
    told ignored "$name"
done
is 'strange: what is not of the protocol stays, and what cannot go has another name' \
    "$(cd "$folder" && printf '%s\n' *.txt *-one *.taken)" "notes.txt
other-one
$(basename "$folder"/*50.y.other.taken)"

# An Entry of ours to start: its end is told at once, what it prints is no key.
begin started --no-sandbox --program "echo printed; exec $BUILD/tests/system/lppclient $folder read=3 type=a crash"
told entry 'ended by signal 9'
finish 1
has_typed 'what it typed is there, what it printed is not' a

# Nobody is there.
begin nobody
told entry 'has not taken the judge'"'"'s first key'
finish

# The folder goes away and comes back; and one that cannot be watched is looked at.
begin lost
client "$folder" read=3 type=a taken
mv "$folder" "$folder.moved"
told entry 'is gone'
mkdir "$folder"
client "$folder" type=b taken
finish 2
has_typed 'the keys of both' a b
rm -rf "$folder.moved"
begin looked --lpp-scan 20
told entry 'looked at every 20 ms'
client "$folder" read="$asked_count" type=abc taken
finish 3
has_typed 'it is read' a b c

# Without a line: the folder is the judge's.
practise() {
    start judge lpp-judge "$folder" --session practice --headless --json \
        --script "$work/judge.script" --journal judge
}
rm -rf "$folder" "$work/got"
mkdir "$folder"
practise
judge=$work/judge/practice-judge.journal
client "$folder" got="$work/got" read=10 type=ab taken
slay judge
client "$folder" type=cd
practise
client "$folder" got="$work/got" read=$((asked_count - $(wc -l <"$work/got"))) type=e \
    name=5.Shift_L.other taken
is "practice: the Entry has read each key once" "$(xargs -d '\n' <"$work/got")" "${asked[*]}"
session=practice
ok 'practice: all keys are there' eventually count_keys 5
has_typed 'the keys of both, in order' a b c d e
ok 'practice: what is no key is told' eventually says "$judge" ignored "'5.Shift_L.other' names no key"
stop judge
is 'practice: it ends well' $? 0

# Two of them, each on its side.
rm -rf "$folder"
mkdir "$folder" "$work/second"
printf 'type "to the left"\nwait 3600000\n' >"$work/judge.script"
start judge lpp-judge "$folder" "$work/second" --starts either --session two \
    --headless --json --script "$work/judge.script" --journal judge
judge=$work/judge/two-judge.journal
client "$folder" read=11 type=one taken
client "$work/second" type=two taken
of_side() {
    "$bl" transcript convert "$judge" --to keys |
        awk -v side="$1" '$2 == side && $3 == "entity" { printf "%s", $NF }'
}
two_are_there() { [[ $(of_side left) == one && $(of_side right) == two ]]; }
ok 'practice: two folders are two pages' eventually two_are_there
stop judge
is 'practice with two: it ends well' $? 0

# Mistakes.
refused() {
    is "$1: exit code" "$(booth "${@:3}" 2>&1 >/dev/null; echo $?)" "boothlink ${*:3:1}: $2"
}
refused 'a folder that is not there' "$work/none: this folder is not there; make it, or name the \
one that the Entry has
66" entity --line "serial:$work/line.b" --headless --lpp "$work/none"
refused 'the same without a line' "$work/none: this folder is not there; make it, or name the \
one that the Entry has
66" lpp-judge "$work/none" --headless
refused 'three folders' "'$folder' is too much; expected lpp-judge [OPTION]... [DIR [DIR2]]
64" lpp-judge "$folder" "$folder" "$folder" --headless
refused 'no folder and no screen' "missing the folder, which without a screen nobody can choose: boothlink lpp-judge DIR
64" lpp-judge --headless
plan
