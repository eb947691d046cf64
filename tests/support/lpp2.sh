# shellcheck shell=bash
# An Entry of LPP v2 under a judge at a serial line, and a whole round of it: source this after
# tests/tap.sh and tests/support/booth.sh. entry_command is what is started as the Entry, with its
# URL, its name, its secret and its transports; the cable is $work/line.

terminal() {
    start entity entity --line "serial:$work/line.b" --journal entity --headless --json \
        --lpp2 "$port" "$@"
}

# server: the process of ours beside the terminal, to which the Entry connects.
server() {
    local child
    for child in $(cat "/proc/${pid_of[entity]}/task/"*/children); do
        [[ $(cat "/proc/$child/comm") == boothlink-lpp2 ]] && echo "$child"
    done 2>/dev/null
}
serves() { [[ $(server) ]]; }

# listens PID: how many of its sockets of TCP listen.
listens() {
    readlink "/proc/$1/fd/"* |
        grep -cxFf <(awk '$4 == "0A" { print "socket:[" $10 "]" }' /proc/net/tcp)
}

entry() { # TRANSPORTS [SECRET]
    "${entry_command[@]}" "http://127.0.0.1:$door" ai0 "${2:-abc123}" "$1" >"$work/client" 2>&1 &
    pid_of['client']=$!
}

heard() { grep -qxF -- "$1" "$work/client"; }
heard_times() { (($(grep -cF -- "$1" "$work/client") >= $2)); }
judge_has() { # TEXT, on the judge's own record
    [[ $("$bl" transcript convert "$work/judge/$round-judge.journal" --to text) == *"$1"* ]]
}
conversation() { # of that record, without times; a line that a long pause parted is one
    "$bl" transcript convert "$work/$1/$round-$1.journal" --to text |
        sed -nE 's/^\[[0-9:]+\] (Judge|Entity): (.*)/\1: \2/p' |
        awk -F ': ' '$1 == last { line = line substr($0, length($1) + 3); next }
            NR > 1 { print line }
            { last = $1; line = $0 }
            END { print line }'
}
# a_round TRANSPORTS
a_round() {
    local transports=$1 still=300 before=1500 # ms of quiet, longer than a stop of the Entry
    ! is_stalled || still=10000 before=30000
    round=by-${transports//,/-}
    port=$(free_port)
    cat >"$work/judge.script" <<END
pace 5
type "Hello, naïve Entry 😀\u{21}\n"
await-turn $still 240000
type "The second lix\bne.\n"
await-turn $before 240000
type "Not with the cable pulled.\n"
await-turn $still 240000
type "Are you <b>back</b>?\n"
await-turn $still 240000
END
    terminal --session "$round"
    mkfifo "$work/door"
    python3 tests/support/cutter.py "$port" >"$work/door" &
    pid_of['cutter']=$!
    read -r door <"$work/door"
    rm "$work/door"
    entry "$transports"
    ok "$1: it connects before the judge is there" eventually heard 'round -1 Not Started'
    start judge judge --left "serial:$work/line.a" --journal judge --headless --json \
        --script "$work/judge.script" --session "$round"
    # The third line goes into a cable that is pulled, and is lost there.
    eventually judge_has 'Answer 2: you said "The second line.".'
    kill -USR1 "${pid_of[cutter]}"
    eventually judge_has 'Not with the cable pulled.'
    kill -USR2 "${pid_of[cutter]}"
    ended judge
    is "$1: the judge's end ends well" $? 0
    ended entity
    is "$1: the entity's end ends well" $? 0
    is "$1: the conversation on the judge's record, each line once" "$(conversation judge)" \
        'Judge: Hello, naïve Entry 😀!
Entity: Answer 1: you said "Hello, naïve Entry 😀!".
Judge: The second line.
Entity: Answer 2: you said "The second line.".
Judge: Not with the cable pulled.
Entity: Answer 3: you said "Not with the cable pulled.".
Judge: Are you <b>back</b>?
Entity: Answer 4: you said "Are you <b>back</b>?".'
    ok "$1: that it has registered is on record" says "$work/entity/$round-entity.journal" entry \
        'ai0 has registered by '
    is "$1: it came back" "$(grep -cx connect "$work/client")" 2
    # Unasked, after it has registered: else its first line could come before it knows its partner.
    is "$1: when it is back it is told of the round before anything else" \
        "$(awk '$1 == "connect" { back++ } back == 2 && $1 != "connect" { print; exit }' "$work/client")" \
        'round 0 Running'
    if is_stalled && ! heard 'control endRound'; then
        skip "$1: the end of the round is told" 'its server was stopped as the session ended'
    else
        ok "$1: the end of the round is told" eventually heard 'control endRound'
        ok "$1: the rounds were told" test "$(grep -c '^control' "$work/client" | xargs)" = 3
    fi
    ok "$1: a message as of 2016" heard \
        'message {"content":"Are you <b>back</b>?","to":"ai0","id":"judge0","secret":""}'
    ok "$1: a recap of what was said" eventually heard_times \
        '{"content":"Answer 2: you said \"The second line.\".","to":"judge0","id":"ai0","secret":""}' 1
    [[ $tap_bad == 0 ]] || sed 's/^/# /' "$work/client"
    kill "${pid_of[client]}" "${pid_of[cutter]}"
    wait "${pid_of[client]}" "${pid_of[cutter]}" 2>/dev/null
    unset "pid_of[client]" "pid_of[cutter]"
}

# client_goes: the client is ended, and bash says nothing of it.
client_goes() {
    kill "${pid_of[client]}"
    wait "${pid_of[client]}" 2>/dev/null
    unset "pid_of[client]"
}

start_judge() {
    start judge judge --left "serial:$work/line.a" --journal judge --headless --json \
        --script "$work/judge.script" --session "$round"
}
