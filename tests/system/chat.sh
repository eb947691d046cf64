#!/bin/bash
# A language model as an Entry, against a server of the tests: what it answers, streamed or not, and
# what goes wrong with it, by boothlink-chat alone; then in the sandbox at an entity's terminal, whose
# kill and whose F9 leave the model the whole conversation, by TCP and by a socket without a network.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

chat=$BUILD/boothlink-chat
cp tests/entrants/chat_server.py "$work/server.py"
# server NAME ADDRESS: its log is $work/NAME.log, what it does wrong stands in $work/NAME.faults.
server() {
    : >"$work/$1.log"
    : >"$work/$1.faults"
    python3 "$work/server.py" "$2" "$work/$1.log" "$work/$1.faults" >"$work/$1.port" 2>"$work/$1.errors" &
    pid_of[$1]=$!
    ok "the server $1 is there" eventually test -s "$work/$1.port"
}
server tcp 0
url=http://127.0.0.1:$(<"$work/tcp.port")
server local "$work/model.socket"

last() { tail -n 1 "$work/$1.log" | jq -rc "$2"; }

# persona STREAM TIMEOUT: with no gaps; a second is for who gets no answer.
persona() {
    printf -- '---\ngap: 0\ntimeout: %s\nretries: 1\nfallback: Hm.\ntemperature: 0.5\nseed: 7\nstream: %s\n---\nYou are Ann in {session}, {remaining} left.\n' "$2" "$1"
}
for stream in yes no; do
    persona $stream 60 >"$work/$stream.txt"
    persona $stream 1 >"$work/$stream.silence.txt"
done
(umask 077 && echo secret-of-the-server >"$work/server.key")

# answers STREAM FAULT ANSWER OUTCOME: what the judge gets, and what the record.
answers() {
    local said persona=$work/$1.txt
    [[ $2 != silence ]] || persona=$work/$1.silence.txt
    printf '%s\n' "$2" >"$work/tcp.faults"
    said=$(printf 'Hello\n' | http_proxy=$url all_proxy=$url ALL_PROXY=$url "$chat" --chat "$url" \
        --persona "$persona" --chat-key "$work/server.key" 2>"$work/why")
    is "stream $1, ${2:-well}: the judge gets it" "$said" "$3"
    ok "stream $1, ${2:-well}: $4" grep -qF -- "$4" "$work/why"
}
for stream in yes no; do
    answers $stream '' 'You say: Hello' 'request 1: answered;'
    answers $stream think 'You say: Hello' '5 tokens in, 3 out, finish stop'
    answers $stream markdown 'Well You say: Hello - "right"... snake_case 2 * 3' 'request 1: answered'
    answers $stream empty 'You say: Hello' 'request 1: an empty answer'
    answers $stream 429 'You say: Hello' 'request 1: status 429: no? room'
    answers $stream 503 'You say: Hello' 'request 2: answered'
    answers $stream 400 'Hm.' 'no answer after 1 request: the fallback is typed'
    for status in 301 302 307 308; do
        answers $stream $status 'Hm.' "request 1: status $status"
    done
    answers $stream silence 'You say: Hello' 'request 1: the server says nothing'
    answers $stream html 'You say: Hello' 'request 2: answered'
    answers $stream latin 'You say: Hello' 'request 1: what it sent is no answer'
    answers $stream open 'You say: Hello' 'request 1: an empty answer'
    answers $stream forged 'You say: Hello' 'request 1: status 503: no?outcome: request 9: answered, 1 ms'
    is "stream $stream: nothing but its own words came of it" \
        "$(grep -c '^outcome: request 9' "$work/why")" 0
    answers $stream garbage 'You say: Hello' 'request 1: what it sent is no answer'
done
answers yes $'500\n500' 'Hm.' 'no answer after 2 requests'
answers no long 'Hm.' 'no answer after 1 request'
answers yes long "$(yes a | head -n 8192 | paste -sd ' ')" 'its answer has more than 16384 keys'
is 'no redirect was followed, no proxy asked' \
    "$(jq -r .path "$work/tcp.log" | sort -u) $(sort -u "$work/tcp.log.gets")" \
    '/v1/chat/completions /v1/models'

# A name is looked up once, before the start: later it may lead elsewhere.
cat >"$work/lookup.c" <<'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **out)
{
    int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
        (int (*)(const char *, const char *, const struct addrinfo *, struct addrinfo **))dlsym(RTLD_NEXT, "getaddrinfo");
    static int asked;
    if (strcmp(node, "model.test") == 0) {
        if (write(2, "look-up\n", 8) != 8 || asked++)
            return EAI_NONAME;
        node = "127.0.0.1";
    }
    return next(node, service, hints, out);
}
EOF
gcc -shared -fPIC -o "$work/lookup.so" "$work/lookup.c"
said=$(printf 'Hello\n' | LD_PRELOAD=$work/lookup.so "$chat" --chat "http://model.test:${url##*:}" \
    --persona "$work/yes.txt" 2>"$work/why")
is 'a server by its name answers' "$said" 'You say: Hello'
is 'which is looked up once' "$(grep -c look-up "$work/why")" 1
printf 'break\n' >"$work/tcp.faults"
printf 'Hello\n' | "$chat" --chat "$url" --persona "$work/yes.txt" >"$work/said" 2>"$work/why"
ok 'a broken stream: its beginning, or the answer of the next request' \
    grep -qxE 'Yo?u?|You say: Hello' "$work/said"
ok 'it is told' grep -q 'its stream broke off' "$work/why"
is 'the server has the persona' "$(last tcp '.messages[0].content')" 'You are Ann in , unknown left.'
is 'temperature and seed' "$(jq -rc 'select(.stream) | [.temperature, .seed]' "$work/tcp.log" | head -n 1)" '[0.5,7]'
is 'and its key' "$(head -n 1 "$work/tcp.log" | jq -r .authorization)" 'Bearer secret-of-the-server'
printf 'unlisted\n' >"$work/tcp.faults"
printf 'Hello\n' | "$chat" --chat "$url" 2>"$work/why"
is 'a server without a list of models is no Entry' $? 65
ok 'and what would help is said' grep -qF 'no list of models there (status 404): give "model: NAME" in the persona' "$work/why"
printf -- '---\nmodel: own\ngap: 0\n---\nYou are Ann.\n' >"$work/named.txt"
printf 'Hello\n' | "$chat" --chat "$url" --persona "$work/named.txt" >"$work/said" 2>"$work/why"
is 'with that name it is one' $? 0
ok 'what nobody has set is the server'\''s own' grep -qF "temperature the server's own, seed the server's own" "$work/why"
: >"$work/tcp.faults"
printf 'secret-of-systemd\nno line of it\n' >"$work/model"
keyed() { printf 'Hello\n' | CREDENTIALS_DIRECTORY=$1 "$chat" --chat "$url" --chat-key "$2" 2>"$work/why"; }
is 'a credential of systemd is a key' "$(keyed "$work" credential:model)" 'You say: Hello'
is 'the first line of it' "$(last tcp .authorization)" 'Bearer secret-of-systemd'
for name in credential:none credential:../model credential: credential:.; do
    keyed "$work" "$name" >"$work/said"
    is "$name is none: exit code 66" $? 66
done
keyed '' credential:model >"$work/said"
ok 'nor without a unit' grep -qF "credential:model: a server's key: expected credential:NAME" "$work/why"
mkdir "$work/own" && cp "$work/server.key" "$work/own/key"
"$bl" entity --line serial:/dev/null --chat "$url" --folder "$work/own" --chat-key "$work/own/key" >"$work/said" 2>&1
ok "a key in the Entry's folder is refused" grep -qF "it is in the Entry's folder" "$work/said"
ok 'which nobody else is told' test "$(grep -c secret-of "$work/why")" = 0

printf -- '---\ngap: 0\nretries: 0\nopening: Hello, I am Ann.\n---\n' >"$work/opening.txt"
printf '500\n' >"$work/tcp.faults"
is 'opening words are typed even if no answer comes' \
    "$(printf 'one\n' | "$chat" --chat "$url" --persona "$work/opening.txt" 2>"$work/why")" 'Hello, I am Ann.'
two_said() { grep -q 'two$' "$work/said"; }
{
    echo two
    eventually two_said
    echo three
} | "$chat" --chat "$url" --persona "$work/opening.txt" >"$work/said" 2>"$work/why"
is 'and before the first answer alone' "$(<"$work/said")" $'Hello, I am Ann. You say: two\nYou say: three'

# --busy: a line that comes while the answer is made.
# busy WAY [LINES]: the answers, one after the other.
busy() {
    rm -f "$work/tcp.faults.go"
    : >"$work/tcp.log"
    printf 'wait\n' >"$work/tcp.faults"
    mkfifo "$work/busy"
    exec 8<>"$work/busy"
    "$chat" --chat "$url" --persona "$work/yes.txt" --busy "$1" <"$work/busy" >"$work/said" \
        2>"$work/why" 8>&- &
    echo one >&8
    eventually test -s "$work/tcp.log"
    echo "${2:-two}" >&8
    read_all() { [[ $(python3 -c 'import array, fcntl, sys, termios
n = array.array("i", [0]); fcntl.ioctl(8, termios.FIONREAD, n); print(n[0])') == 0 ]]; }
    eventually read_all
    : >"$work/tcp.faults.go"
    exec 8>&-
    wait $!
    rm "$work/busy"
    paste -sd '|' "$work/said"
}
is 'join: the line joins the next' "$(busy join)" 'You say: one|You say: two'
is 'which has the answer before it' "$(last tcp '[.messages[1:][].role] | join(" ")')" 'user assistant user'
ok 'cancel: the answer ends there' test "$(busy cancel | sed 's/.*|//; s/one$//')" != 'You say: '
ok 'and the next has the new line' test "$(last tcp '.messages[-1].content' | grep -c 'two$')" = 1
is 'ignore: it is not answered' "$(busy ignore)" 'You say: one'
many=$(head -c 3900 /dev/zero | tr '\0' y)
many=$(for _ in {1..20}; do echo "$many"; done)
busy join "$many"$'\nend' >"$work/answers"
is 'of more lines than there is room for, the last go into the next request' \
    "$(last tcp '.messages[-1].content | [length <= 32768, length > 28000, endswith("\nend")]')" '[true,true,true]'
ok 'and the rest is told' grep -q 'no room for the whole conversation: 12 messages of it are not sent' "$work/why"

# At a terminal, in the sandbox.
cable line
: >"$work/tcp.log"
window judge 80 24 judge --left "serial:$work/line.a" --starts either --session one --journal judge
# meet URL
meet() {
    window entity 80 24 entity --line "serial:$work/line.b" --journal entity --chat "$1" \
        --persona "$work/yes.txt" --chat-key "$work/server.key"
}
meet "$url"
entity=$work/entity/one-entity.journal
reads 'the judge is connected' judge ' connected '
reads 'and the line is open when the model is warm' judge ' open '
question() {
    keys judge -l "$1"
    keys judge Enter
}
# replies DESCRIPTION WORD: the answer stands on the judge's page, its Return too, so that the next
# question does not come into it.
replies() {
    reads "$1" judge "You say: $2"
    eventually line_ended
}
line_ended() { [[ $(events "$work/judge/one-judge.journal" | tail -n 1 | cut -d ' ' -f 2,4) == 'entity Return' ]]; }
question one
replies 'the model answers' one
ok 'its name and settings are on the record' eventually says "$entity" entry 'model mock-1b'
ok 'with the whole SHA-256 of its persona' eventually says "$entity" entry \
    "the persona's SHA-256: $(sha256sum "$work/yes.txt" | cut -d ' ' -f 1)"
ok 'and how the request went' eventually says "$entity" entry 'request 1: answered'

# conversation NAME: the messages of its last request, without the persona.
conversation() { last "$1" '[.messages[] | select(.role != "system") | .role[0:1] + ":" + .content] | join("|")'; }
kill -9 "$(window_pid entity)"
ok 'the terminal is killed' eventually window_gone entity
meet "$url"
reads 'and is back' judge ' connected '
question two
replies 'the same model answers' two
is 'without a plan no time is known' "$(last tcp '.messages[0].content')" 'You are Ann in one, unknown left.'
is 'it had all of the page' "$(conversation tcp)" 'u:one|a:You say: one|u:two'

# Killed in mid-answer, with F9: the page is what the next one knows.
rm -f "$work/tcp.faults.go"
printf 'silence\n' >"$work/tcp.faults"
question three
was_asked() { [[ $(conversation tcp) == *'u:three' ]]; }
ok 'a question is being answered' eventually was_asked
kill -9 "$(notes "$entity" entry | sed -n 's/^started, process \([0-9]*\).*/\1/p' | tail -n 1)"
reads 'the model has ended' entity 'F9 starts it again'
keys entity F9
replies 'the next one answers the question' three
is 'and was told the whole conversation' "$(conversation tcp)" \
    'u:one|a:You say: one|u:two|a:You say: two|u:three'

# page: the judge's page as a conversation; what it has is what a model must be told.
page() {
    events "$work/judge/one-judge.journal" | awk '
        function end() { sub(/\n+$/, "", text); if (text != "") all = all (all == "" ? "" : "|") who ":" text; text = "" }
        { key = $4 == "space" ? " " : $4 == "Return" ? "\n" : $4; party = $2 == "judge" ? "u" : "a" }
        party != who { end(); who = party }
        { text = text key }
        END { end(); print all }'
}
# half_typed QUESTION: an answer to it has begun, and no more of it comes.
half_typed() {
    rm -f "$work/tcp.faults.go"
    printf 'wait\n' >"$work/tcp.faults"
    question "$1"
    ok "$1: an answer is half typed" eventually half_there "$1"
}
half_there() { [[ $(page) == *"|u:$1|a:Yo" ]]; }
warm() { (($(notes "$entity" entry | grep -c '^warmed up') >= $1)); }
model_kill() {
    kill -9 "$(notes "$entity" entry | sed -n 's/^started, process \([0-9]*\).*/\1/p' | tail -n 1)"
    reads 'the model has ended' entity 'F9 starts it again'
}

# F9 in a half-typed answer: what stands there is the model's, and the next answer begins behind it.
half_typed four
model_kill
keys entity F9
ok 'F9: another model is ready' eventually warm 3
question five
replies 'F9: it answers' five
is 'F9: it was told what the page has, the half answer too' "$(conversation tcp)" "$(page | sed 's/|a:[^|]*$//')"
ok 'F9: that is the whole conversation' grep -q '|u:three|a:You say: three|u:four|a:Yo|u:five$' <(conversation tcp)

answered_there() { [[ $(tail -n 1 "$work"/entity/*-entry.log) == 'outcome: request 2: answered'* ]]; }

# kill -9 of the terminal in mid-answer: the same model goes on, and with F9 behind it another one.
half_typed six
kill -9 "$(window_pid entity)"
ok 'the terminal is killed in mid-answer' eventually window_gone entity
: >"$work/tcp.faults.go"
ok 'the answer ends meanwhile' eventually answered_there
meet "$url"
reads 'and is back' judge ' connected '
replies 'the answer is typed to its end' six
half_typed seven
kill -9 "$(window_pid entity)"
ok 'the terminal is killed in another one' eventually window_gone entity
meet "$url"
reads 'and is back once more' judge ' connected '
model_kill
keys entity F9
ok 'killed and F9: another model is ready' eventually warm 4
question eight
replies 'killed and F9: it answers' eight
is 'killed and F9: it was told what the page has' "$(conversation tcp)" "$(page | sed 's/|a:[^|]*$//')"
ok 'killed and F9: that is the whole conversation' \
    grep -q '|u:six|a:You say: six|u:seven|a:Yo|u:eight$' <(conversation tcp)
stats() { "$bl" transcript stats "$entity" --json | jq -c ".requests$1"; }
all_asked() { [[ $(stats .count) == 6 ]]; }
ok 'its last request is on record' eventually all_asked
window_close judge
window_close entity
is 'transcript stats has its requests' "$(stats ' | [.model, .count, .answered, .tokens_out]')" \
    '["mock-1b",6,6,18]'
ok 'and their latencies' test "$(stats .most_ms)" -ge "$(stats .median_ms)"
ok 'on paper, too' grep -q '^model mock-1b: 6 requests, 6 answered, 0 failed' <("$bl" transcript stats "$entity")
is "of the judge's end none" "$("$bl" transcript stats "$work/judge/one-judge.journal" --json | jq -c .requests)" null

# A plan of ten minutes, of which the model is told what is left.
printf -- '---\ngap: 0\n---\nYou have {remaining}.\n' >"$work/yes.txt"
window judge 80 24 judge --left "serial:$work/line.a" --starts either --session two --journal judge \
    --plan '600 left' --begin ready
meet "unix:$work/model.socket"
reads 'another session' judge ' connected '
reads 'is open' judge ' open '
question four
reads 'by a socket, without a network, it answers, too' judge 'You say: four'
ok 'and knows how much time is left' grep -qxE 'You have (9|10) minutes\.' <(last local '.messages[0].content')
is 'the key is in no command line, nor in an environment' \
    "$(grep -laz 'secret-[o]f' /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | wc -l)" 0
window_close judge
window_close entity
is "the judge's files name neither model nor server" \
    "$(cat "$work"/judge/* | grep -caiE 'mock-1b|127.0.0.1|request 1|secret-of')" 0
is "the server's key is on no record" "$(cat "$work"/entity/* | grep -ca secret-of)" 0
"$bl" entity --line serial:/dev/null --chat ftp://x >"$work/said" 2>&1
is 'an address that is none: exit code 64' $? 64
ok 'and what would be one' grep -q 'expected http://HOST' "$work/said"
"$bl" entity --line serial:/dev/null --keyboard --persona x >"$work/said" 2>&1
ok 'a persona without a model is refused' grep -qF -- '--persona: expected it beside --chat URL' "$work/said"
plan
