#!/bin/bash
# Each kind of the table, for real: it is validated and screened, has a ticket, is started, is killed and
# started again with F9, its terminal is killed, and it is moved to a spare machine; and answers each time.
# A kind without a case here is a failure. All of it in many orders is in tests/world/test_kinds.c.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh
. tests/support/contest.sh

if ! unshare -Urnm true 2>/dev/null; then
    skip 'each kind for real' 'namespaces are not allowed'
    plan
fi

# case_WORD: into $words, the Entry's as NAME=VALUE; $options of a terminal beside them.
mkdir "$work/entry"
case_keyboard() { words=(keyboard=yes); }
case_program() {
    # shellcheck disable=SC2016 # the Entry's shell
    echo 'while read -r line; do echo "You say $line"; done' >"$work/entry/entry.sh"
    words=('program=sh entry.sh')
}
case_lpp() {
    cp host/share/examples/lpp_entry.py "$work/entry"
    words=(lpp=folder 'program=python3 lpp_entry.py folder 5')
}
case_lpp2() {
    cp tests/support/lpp2_client.py "$work/entry"
    words=(lpp2=8080 'program=python3 lpp2_client.py http://127.0.0.1:8080 ai0 any websocket')
}
case_cgi() {
    cp tests/entrants/form.pl "$work/entry"
    words=('cgi=./form.pl')
    options=(--form-delay 1)
}
case_web() {
    cp tests/entrants/form.pl "$work/entry"
    (cd "$work/entry" && exec perl "$OLDPWD/tests/entrants/form_server.pl" 0 ./form.pl >"$work/web.port") &
    pid_of[web]=$!
    eventually test -s "$work/web.port"
    words=("web=http://127.0.0.1:$(<"$work/web.port")/")
    options=(--form-delay 1)
}
case_chat() {
    : >"$work/chat.log"
    : >"$work/chat.faults"
    python3 tests/entrants/chat_server.py 0 "$work/chat.log" "$work/chat.faults" >"$work/chat.port" &
    pid_of[chat]=$!
    eventually test -s "$work/chat.port"
    printf -- '---\ngap: 0\n---\nYou are Ann.\n' >"$work/ann.txt"
    words=("chat=http://127.0.0.1:$(<"$work/chat.port")" "persona=$work/ann.txt")
}

# long: the words as a command line has them.
long() {
    local word
    command=()
    for word in "${words[@]}"; do
        command+=("--${word%%=*}")
        [[ $word == *=yes ]] || command+=("${word#*=}")
    done
}

# answered: so many answers are on record.
answered() { (($(typed_in "$record" entity | grep -cx Return) >= $1)); }
turn=0
# question: the judge asks one more question. asks WHEN: and is answered.
question() {
    ((++turn))
    keys judge -l "hello $turn"
    keys judge Enter
}
asks() {
    question
    if [[ $who == person ]]; then
        eventually has entity "hello $turn"
        keys entity -l "You say hello $turn"
        keys entity Enter
    fi
    ok "$kind: it answers $1" eventually answered $turn
}

terminal() {
    window entity 80 24 entity --ticket "$work/ticket" --journal "$1" --folder "$work/entry" "${options[@]}"
}

# listens PID: the sockets at which a process listens, of which a terminal has none: strangers reach a program of
# ours. threads PID: how many threads it has: its own, and libuv's for the disk, which a keyboard's has, too.
listens() {
    local at inode sockets=
    for at in "/proc/$1/fd"/*; do
        inode=$(readlink "$at")
        [[ $inode != socket:* ]] || sockets+=" ${inode//[!0-9]/}"
    done
    awk -v own="$sockets " '
        FILENAME ~ /tcp/ && $4 == "0A" && index(own, " " $10 " ") { print "TCP", $2 }
        FILENAME ~ /unix/ && $4 == "00010000" && index(own, " " $7 " ") { print "UNIX", $8 }
    ' "/proc/$1/net/tcp" "/proc/$1/net/tcp6" "/proc/$1/net/unix" 2>/dev/null
}
threads() {
    local all=("/proc/$1/task"/*)
    echo "${#all[@]}"
}

# talk: the events of a session.
talk() {
    local pid folder=$kind
    record=$work/$folder/$kind-entity.journal
    turn=0
    {
        printf '[ticket]\nformat = 1\nrole = entity\nsession = %s\n[line]\nport = serial:%s\n[entity]\n' \
            "$kind" "$work/line.b"
        printf '%s\n' "${words[@]/=/ = }"
    } >"$work/ticket"
    window judge 80 24 judge --left "serial:$work/line.a" --starts either --session "$kind" --journal judge
    terminal "$folder"
    reads "$kind: by its ticket it is started" judge ' connected '
    eventually has judge ' open '
    asks 'by its ticket'
    pid=$(window_pid entity)
    [[ $who == entry ]] || alone=$(threads "$pid")
    is "$kind: its terminal listens nowhere, and has no thread more than a keyboard's" \
        "$(listens "$pid")$(threads "$pid")" "$alone"
    if [[ $starts != never ]]; then
        pid=$(notes "$record" entry | sed -n 's/^started, process \([0-9]*\).*/\1/p')
        kill -9 "$pid"
        reads "$kind: its end is seen" entity 'F9 starts it again'
        question
        eventually has entity "hello $turn"
        keys entity F9
        ok "$kind: after F9 it answers what was asked meanwhile" eventually answered $turn
    fi
    pid=$(window_pid entity)
    kill -9 "$pid"
    eventually window_gone entity
    terminal "$folder"
    asks 'after kill -9 of its terminal'
    window_close entity
    record=$work/$folder-spare/$kind-entity.journal
    terminal "$folder-spare"
    asks 'on a spare machine'
    window_close entity
    window_close judge
}

# beforehand: its validation and its screening, beside the session.
printf 'things: What is a hammer?\n' >"$work/questions"
beforehand() {
    file=$work/$kind.db
    contest_new loebner-2009 1 1 1
    "$bl" validate entry --folder "$work/entry" "${command[@]}" --ruleset loebner-2003 --only start.time \
        --start-time 60 >"$work/$kind.validated" 2>&1
    contest screen E1 "$work/questions" --folder "$work/entry" "${command[@]}" >"$work/$kind.screened" 2>&1
}
cable line
while read -r kind who starts; do
    words=() options=()
    if ! declare -F "case_$kind" >/dev/null; then
        result 1 "$kind: it has a case here: write case_$kind"
        continue
    fi
    "case_$kind"
    long
    [[ $who != entry ]] || beforehand &
    talk
    wait $!
    [[ $who == entry ]] || continue
    ok "$kind: it is validated" grep -q '^PASS.*start.time' "$work/$kind.validated"
    ok "$kind: it is screened" grep -q '^   [^(]' "$work/$kind.screened"
done < <("$BUILD/tests/system/kinds")
ok 'a server of the tests is seen to listen' grep -q TCP <<<"$(listens "${pid_of[chat]}")"
plan
