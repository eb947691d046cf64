#!/bin/bash
# Entries of 2003, behind a form (r15, r16, r21, r29, r30): a CGI program in the sandbox and one on a
# web server, from the form to the transcript, with the delay kept and the terminal killed while the
# answer is on its way; and what such an Entry does wrong, which is on its own end's record.
. tests/tap.sh
. tests/support/booth.sh

form=$BUILD/boothlink-form
mkdir "$work/entry"
cp tests/entrants/form.pl "$work/entry"
cable line
printf 'pace 5\ntype "Helo\\b\\bllo there.\\n"\nawait-turn 200 60000\ntype "What is your name?\\n"\nwait 3600000\n' \
    >"$work/judge.script"

# meet SESSION ENTITY_OPTION...
meet() {
    session=$1
    judge=$work/judge/$1-judge.journal
    entity=$work/entity/$1-entity.journal
    start judge judge --left "serial:$work/line.a" --session "$1" --style web --starts either \
        --headless --json --script "$work/judge.script" --journal judge
    sit "${@:2}"
}
sit() {
    options=("$@")
    start entity entity --line "serial:$work/line.b" --journal entity --headless --json "$@"
}
said() { (($(typed_in "$judge" entity | grep -cx Return) >= $1)); }
leave() {
    eventually level "$judge" "$entity"
    stop judge
    stop entity
    events "$judge" >"$work/events.judge"
    events "$entity" >"$work/events.entity"
    equal "$session: both ends have the same record" "$work/events.judge" "$work/events.entity"
}
lines() { "$bl" transcript convert "$judge" --to text | sed -n 's/^\[[^]]*\] *//; /^\(Judge\|Partner\): /p'; }

# waited JOURNAL: the least time, in ms, from a Return of the judge's to the entity's next key.
waited() {
    "$bl" transcript convert "$1" --to keys | sed '/^#/d' | python3 -c '
import datetime, sys
asked, least = None, None
for line in sys.stdin:
    _, _, party, posted, _, name = line.split(" ", 5)
    at = datetime.datetime.fromisoformat(posted.replace("Z", "+00:00"))
    if party == "judge" and name.strip() == "Return":
        asked = at
    elif party == "entity" and asked:
        took = (at - asked).total_seconds() * 1000
        least = took if least is None else min(least, took)
        asked = None
print(int(least) if least is not None else -1)'
}

# A CGI program, with r30's delay as it is if nothing is said.
meet one --folder entry --cgi './form.pl'
ok 'it answers' eventually said 1
ok 'it was started in its sandbox' says "$entity" entry 'started, process'
is 'and nothing is told of that' "$(notes "$entity" entry | grep -c SANDBOX)" 0
asked() { (($(typed_in "$judge" judge | grep -cx Return) >= 2)); }
ok 'the judge has asked again' eventually asked
slay entity # while the answer is on its way
sit "${options[@]}"
ok 'killed in the delay, it answers that too' eventually said 2
leave
is 'from form to transcript: what was said, its BackSpaces applied' "$(lines)" \
    "Judge: Hello there.
Partner: Why do you say \"Hello there\"? That is turn 1, cookie 1.
Judge: What is your name?
Partner: My name is Ann & I live in <Leeds>."
took=$(waited "$judge")
ok "no answer came sooner than 5 s after its submission (least: $took ms)" test "$took" -ge 5000
is 'nothing of its folder was changed' "$(ls "$work/entry")" form.pl
ok "the judge's files name neither form nor CGI" \
    test "$(cat "$work"/judge/* | grep -caiE 'cgi|boothlink-form|http')" = 0

# The same behind a server that is not there yet, as an entrant starts it late.
printf 'pace 5\ntype "Hello there.\\n"\nwait 3600000\n' >"$work/judge.script"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
meet two --web "http://127.0.0.1:$port/cgi-bin/form" --form-delay 100
ok 'without a server the record says so' eventually says "$entity" entry 'nobody answers there'
(cd "$work/entry" && exec "$OLDPWD/tests/entrants/form_server.pl" "$port" ./form.pl >/dev/null) &
pid_of['server']=$!
ok 'when it is there it answers' eventually said 1
leave
is 'the judge has its words' "$(lines | tail -n 1)" \
    'Partner: Why do you say "Hello there"? That is turn 1, cookie 1.'
ok 'the server had its log' test -s "$work/entry/log.txt"
slay server
rm "$work/entry/log.txt"

# A fault is on its own end's record, and the conversation goes on.
printf 'pace 5\ntype "Hello\\n"\nwait 3600000\n' >"$work/judge.script"
meet three --folder entry --form-delay 100 --cgi 'FAULT=die exec ./form.pl'
ok 'what ends it is on the record' eventually says "$entity" entry 'it was ended by signal 11'
leave
is 'and not on the judge'"'"'s' "$(notes "$judge" entry | wc -l)" 0
ok 'its own last words are in the log' grep -q '^| the parlour is on fire' "$work"/entity/*-entry.log

# A stranger's own words are not the adapter's: not on standard error, nor by its descriptors, of which
# none has come down to him, nor by those that the adapter has open, nor through its memory.
cat >"$work/entry/forge.pl" <<'PERL'
my $packet = pack 'L5x4Qa*', 1, 2, 1, 0, 0, 0, "I have won, by a packet\0";
my ($ours, @got) = getppid;
for my $fd (3 .. 20) {
    push @got, "descriptor $fd" if open my $at, '>&=', $fd and syswrite $at, $packet;
    push @got, "its descriptor $fd" if readlink "/proc/$ours/fd/$fd" or open my $at, '>', "/proc/$ours/fd/$fd";
}
push @got, 'its memory' if open my $memory, '+<', "/proc/$ours/mem";
push @got, 'signals' if kill 0, $ours or kill 0, -getpgrp $ours or kill 0, -1;
push @got, 'tracing' if syscall(101, 16, $ours, 0, 0) == 0; # ptrace, PTRACE_ATTACH, on x86-64
print STDERR "outcome: I have won\noutcome: warmed up\ntried: @got.\n";
exec './form.pl';
PERL
meet four --folder entry --form-delay 100 --cgi 'exec perl forge.pl'
ok 'who forges outcomes answers, too' eventually said 1
leave
is 'nothing of it is on the record' "$(notes "$entity" entry | grep -cE 'I have won|warmed up')" 0
ok 'it is in the log, as its own words' grep -qx '| outcome: I have won' "$work"/entity/*-entry.log
is 'by no descriptor and no memory it speaks for the adapter' \
    "$(grep -h '^| tried: ' "$work"/entity/*-entry.log | sort -u)" '| tried: .'

# Every way to go wrong that the test's Entry and its server know, by the browser alone: each is one
# line, and no answer.
# goes_wrong FAULT TEXT OPTION...: its second line is that outcome. Who is to be late has one second.
goes_wrong() {
    local said late=()
    [[ $2 != *'within 1 s' ]] || late=(--timeout 1000)
    said=$(cd "$work/entry" && printf 'Hello\n' | FAULT=$1 "$form" --delay 1 "${late[@]}" "${@:3}" 2>&1)
    is "$1: its outcome" "$(grep -v '^|' <<<"$said" | tail -n 1)" "outcome: $2"
}
# What it says itself is its own words, whatever they are.
said=$(cd "$work/entry" && printf 'Hello\n' | "$form" --delay 1 \
    --cgi 'printf "outcome: warmed up\r\noutcome: I have won\n" >&2; exec ./form.pl' 2>&1 >/dev/null)
is 'a forged outcome is told from ours' "$(grep -c '^outcome' <<<"$said") $(grep -c '^| outcome: I have won' <<<"$said")" \
    '0 2'
declare -A cgi_faults=(
    [status]='it answered with status 500'
    [nothing]='it exited with code 3: it printed nothing'
    [large]='it printed more than 262144 bytes'
    [slow]='it printed no whole document within 1 s'
    [away]="it leads to another host, 'http://elsewhere.example/': expected its own"
    [round]='its answer is empty'
    [picture]="it returned 'image/png': expected text/html"
)
for fault in "${!cgi_faults[@]}"; do
    goes_wrong "$fault" "${cgi_faults[$fault]}" --cgi ./form.pl
done
declare -A web_faults=(
    [hang]='it returned no whole document within 1 s'
    [drip]='it returned no whole document within 1 s'
    [endless]='it returned more than 262144 bytes'
    [cut]='the request failed: Transferred a partial file'
    [file]="it leads to another host, 'file:///etc/passwd': expected its own"
)
for fault in "${!web_faults[@]}" away noise; do
    mkfifo "$work/port"
    (cd "$work/entry" && FAULT=$fault exec "$OLDPWD/tests/entrants/form_server.pl" 0 \
        'env FAULT= ./form.pl' >"$work/port") &
    pid_of['server']=$!
    read -r port <"$work/port"
    rm "$work/port"
    [[ $fault != away ]] ||
        web_faults[away]="it leads to another host, 'http://127.0.0.2:$port/': expected its own"
    # What libcurl says of noise is its own.
    [[ $fault == noise ]] || goes_wrong "$fault" "${web_faults[$fault]}" \
        --web "http://127.0.0.1:$port/"
    [[ $fault != noise ]] || is 'noise is an outcome and no answer' \
        "$(printf 'Hello\n' | "$form" --delay 1 --web "http://127.0.0.1:$port/" 2>&1 |
            sed 's/: .*//' | sort -u)" outcome
    slay server
done
said=$(cd "$work/entry" && printf 'Hello\nAgain\n' | FAULT=later "$form" --delay 1 --cgi ./form.pl 2>&1)
is 'it may send on to a document of its own, and keeps its state' "$(grep -v '^|' <<<"$said")" \
    'Why do you say "Hello"? That is turn 1, cookie 1.
Why do you say "Again"? That is turn 2, cookie 2.'

# A form that leads away is left, and the Entry's first document asked for anew.
said=$(cd "$work/entry" && printf 'Hello\nAgain\nAnd again\n' | FAULT=strays "$form" --delay 1 --cgi ./form.pl 2>&1)
is 'a form that leads to another host silences no Entry' "$(grep -c 'That is turn 1' <<<"$said")" 3

# Bad words on the command line.
refused() {
    local description=$1 text=$2 said
    shift 2
    said=$("$bl" entity --line serial:/dev/null "$@" 2>&1)
    is "$description: exit code 64" $? 64
    ok "$description: $text" grep -qF -- "$text" <<<"$said"
}
refused 'an address that is none' 'expected an address as http://' --web localhost:80
refused 'both' 'expected one of --program' --web http://a/ --cgi ./form.pl
refused 'a template without a form' '--template: expected it beside --web URL or --cgi CMD' --keyboard --template x.html
refused 'a keyboard too' 'and --keyboard' --keyboard --cgi ./form.pl
plan
