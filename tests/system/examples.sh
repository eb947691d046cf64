#!/bin/bash
# The examples for entrants: each is short, compiles without a warning, and answers a judge over a
# line key by key, also after Returns alone, corrections, Unicode and a question typed while it
# speaks.
. tests/tap.sh
. tests/support/booth.sh

examples=host/share/examples
for file in "$examples"/*.*; do
    ok "${file##*/} has less than a hundred lines" test "$(wc -l <"$file")" -lt 100
    case $file in
    *.c)
        is "${file##*/} compiles without a warning" \
            "$(gcc -O2 -Wall -Wextra -Wshadow -o "$work/$(basename "$file" .c)" "$file" 2>&1)" ''
        ;;
    *)
        cp "$file" "$work"
        ;;
    esac
done

cat >"$work/judge.script" <<'SCRIPT'
pace 5
type \n\nhellx\bo\n
await-turn 300 20000
type Ünïx€\b?\n
type Was that all\b\b\b\b\b\b\b\b\b it?\n\n
await-turn 300 20000
type "I thought so, (\"yes\").\n"
await-turn 300 20000
wait 3600000
SCRIPT
cable line

# said NAME: what the entity has said, as a text.
said() {
    typed_in "$work/judge/$1-judge.journal" entity |
        awk '{ printf "%s", $0 == "Return" ? "\n" : $0 == "space" ? " " : $0 }'
}
has_said() { [[ $(said "$1") == "$2" ]]; }

# talk NAME ANSWERS OPTION...: a conversation with it, and what it must say.
talk() {
    local name=$1 answers=$2
    shift 2
    start judge judge --left "serial:$work/line.a" --session "$name" --headless \
        --script "$work/judge.script" --journal judge
    start entity entity --line "serial:$work/line.b" --journal entity --headless "$@"
    eventually has_said "$name" "$answers"
    stop judge
    is "$name: the judge's end ends well" $? 0
    stop entity
    is "$name: and the entity's" $? 0
    is "$name: it says what it should" "$(said "$name")" "$answers"
}

# The last but one is asked while it still answers the one before.
answers='Hi! Nice to meet you.
Hm, I would have to think about that.
Hm, I would have to think about that.
I see. Go on.'
talk entry "Hello, my name is Bob and I am the human.
$answers" --program './entry --name Bob --pace 5'
for program in lpp_entry lpp_entry.pl lpp_entry.py; do
    mkdir "$work/folder"
    talk "${program/./-}" "$answers" --lpp folder --program "./$program folder 5"
    is "${program/./-}: the folder is empty" "$(ls "$work/folder")" ''
    rmdir "$work/folder"
done
plan
