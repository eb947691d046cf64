#!/bin/bash
# A referee's listener on a hub: who talks to whom, frames that are no line's, and a record of its own
# whose transcript is the judge's, byte for byte; gaps are named; it sends nothing.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/listener.sh

SEED=${SEED:-$RANDOM}
if ! hub h --port judge --port entity --port tap --port other --seed "$SEED"; then
    skip 'a listener on a hub' "$(why_no_hub h)"
    plan
fi
echo "# SEED=$SEED"
"$bl" key new "$work/line.key" >"$work/words" 2>&1
ok "a referee's key is made" "$bl" key referee "$work/referee.key"
is 'its secret part is for its user alone' "$(stat -c %a "$work/referee.key")" 600
mkdir "$work/heard"

printf '%s\n' 'pace 20' 'type "who is there\nh\bwell\n"' >"$work/judge.keys"
printf '%s\n' 'pace 30' 'type "nobody, \u{e9} and more\n"' >"$work/entity.keys"

# session NAME OPTION...: a short conversation on the line booth3, both ends with these options.
session() {
    local name=$1
    shift
    start judge judge --left ether:eth0/booth3 --starts either --session "$name" --headless \
        --script "$work/judge.keys" --journal "$work/judge" "$@" "${judge_options[@]}"
    start entity entity --line ether:eth0/booth3 --session "$name" --headless \
        --script "$work/entity.keys" --journal "$work/entity" "$@"
    ended judge
    is "$name: the judge's end ends well" $? 0
    ended entity
}

# same NAME FORMAT: the transcript of what was heard and the judge's.
same() {
    "$bl" transcript convert "$work/judge/$1-judge.journal" --to "$2" >"$work/$1.said"
    "$bl" transcript convert "$work/heard/$1-tap.journal" --to "$2" >"$work/$1.heard"
    equal "$1: the transcript ($2) is the judge's, byte for byte" "$work/$1.heard" "$work/$1.said"
}

# sent PORT: frames. (/sys would tell of the machine's own interface of that name.)
sent() { at "$1" cat /proc/net/dev | awk '$1 == "eth0:" { print $11 }'; }
judge_options=(--referee "$work/referee.key.pub")
start tap tap --interface eth0 --referee-key "$work/referee.key" --line-key "$work/line.key" \
    --journal "$work/heard" --write "$work/hub.pcap"
hears 'it listens' listening
session sealed --key "$work/line.key"
hears "the judge's end is named" "booth3: the judge's end is at "
hears "the entity's end too" "booth3: the entity's end is at "
hears 'the session is named' 'booth3: session sealed'
hears 'a key is told' 'booth3: judge w'
hears 'the end of the segment is told' 'booth3: part 1, end '
hears 'and the goodbye' 'booth3: one end said goodbye'
# What is recorded and played again is refused: the next session's keys are newer.
start_attacker() {
    "$sim/hub" --control "$work/h.control" --enter other "$BUILD/tests/system/attacker" eth0 "$@" \
        </dev/null >"$work/attacker.out" 2>&1 &
    pid_of[attacker]=$!
}
start_attacker record "$work/recorded"
eventually test -e "$work/recorded"
session old --key "$work/line.key"
hears 'an encrypted session is heard' 'booth3: session old'
stop attacker
session new --key "$work/line.key"
hears 'and the next one' 'booth3: session new'
start_attacker replay "$work/recorded"
hears 'a recording that is played on the hub is refused and named' \
    'booth3: keys that are older than those before are refused: somebody plays a recording'
ended attacker
is 'nobody is taken in by it' "$(grep -c 'booth3: session old' "$work/tap.out")" 1
judge_options=()
session plain --insecure
hears 'a session without a key is heard too' 'booth3: session plain'
at other bash -c 'ip address add 10.1.2.3/24 dev eth0; echo hello >/dev/udp/10.1.2.4/5353'
hears 'a frame of somebody else is named' 'foreign: ARP from '
session deaf --key "$work/line.key"
hears 'a line whose keys are not given away stays closed to it' \
    'booth3: connected, encrypted: its keys are not known here'
stop tap
is 'it ends well' $? 0

cp "$work/tap.out" "$work/quiet.out"

# Who may run the program by its capability, and is not root, hears lines of ours and nothing else.
if ((UID == 0)); then
    
    : >"$work/tap.out"
    "$sim/hub" --control "$work/h.control" --enter tap setpriv --reuid nobody --regid nogroup \
        --clear-groups --inh-caps -all,+net_raw --ambient-caps +net_raw \
        "$bl" tap --interface eth0 >"$work/tap.out" 2>&1 </dev/null &
    pid_of[tap]=$!
    hears 'a user who is not root listens' listening
    at other bash -c 'echo hello >/dev/udp/10.1.2.4/5353'
    session mine --insecure
    hears 'he hears a line of ours' 'booth3: session mine'
    is 'and nothing that is not' "$(grep -c foreign "$work/tap.out")" 0
    stop tap
else
    skip 'a user who is not root hears lines of ours alone' 'only root can become another user'
fi

# On a hub that loses frames the listener misses what the ends have: that is named, and nothing is made up.
start tap tap --interface eth0 --referee-key "$work/referee.key" --line-key "$work/line.key" \
    --journal "$work/heard"
hears 'another one listens' listening
perl -e 'print "pace 10\n"; print "type \"", "abcdefghij" x 30, "\"\n"' >"$work/judge.keys"
start judge judge --left ether:eth0/booth3 --starts either --session lossy --headless \
    --script "$work/judge.keys" --journal "$work/judge" --key "$work/line.key" \
    --referee "$work/referee.key.pub"
start entity entity --line ether:eth0/booth3 --session lossy --headless \
    --script "$work/entity.keys" --journal "$work/entity" --key "$work/line.key"
hears 'a session is heard' 'booth3: session lossy'
tell h lose 0.1
ended judge
is "lossy: the judge's end ends well" $? 0
ended entity
tell h lose 0
stop tap
# numbered JOURNAL: its keys, one on a line: number, party, key.
numbered() {
    # shellcheck disable=SC2016 # jq's variables
    entries "$1" 'select(.kind == "keys") | .first as $first | .party as $party |
        .text | explode | to_entries[] | "\($first + .key) \($party) \(.value)"'
}
numbered "$work/judge/lossy-judge.journal" | sort >"$work/judge.numbered"
numbered "$work/heard/lossy-tap.journal" | sort >"$work/tap.numbered"
is 'what it heard of it was said, each key with its number' \
    "$(comm -13 "$work/judge.numbered" "$work/tap.numbered")" ''
# The gaps as the record names them, and where it ends without knowing whether it is the end.
entries "$work/heard/lossy-tap.journal" 'select(.kind == "note") | .text' >"$work/tap.notes"
sed -nE 's/^gap: keys ([0-9]+) to ([0-9]+) were missed$/seq \1 \2/p' "$work/tap.notes" | sh |
    sort >"$work/tap.missed"
echo "# $(wc -l <"$work/tap.missed") of $(wc -l <"$work/judge.numbered") keys were missed"
cut -d ' ' -f 1 "$work/tap.numbered" | sort - "$work/tap.missed" | sort -n >"$work/tap.accounted"
is 'each key up to the last that it knows of is heard or named as missed, and none is both' \
    "$(cat "$work/tap.accounted")" "$(seq "$(wc -l <"$work/tap.accounted")")"
unknown=$(sed -nE "s/^gap: the session's end was not heard: whether keys came after key ([0-9]+) .*/\1/p" \
    "$work/tap.notes" | tail -1)
accounted=$(wc -l <"$work/tap.accounted")
[[ $accounted == "$(wc -l <"$work/judge.numbered")" || $accounted == "$unknown" ]]
result $? 'which is the last of all, or it says that it does not know'

# A listener whose interface goes says that it is deaf, and hears again when it is back; a file of frames
# that cannot be written is told, and so is one that would be mixed with the words.
start tap tap --interface eth0 --referee-key "$work/referee.key" --line-key "$work/line.key" \
    --journal "$work/heard/made/by/it" --write /dev/full
hears 'a third one listens' listening
ok 'it makes the directory of its records at once' test -d "$work/heard/made/by/it"
again() { (($(grep -c 'gap: eth0 is heard again' "$work/tap.out") == $1)); }
tell h down tap
hears 'that its interface is off is told' 'gap: nothing is heard: eth0 is switched off'
tell h up tap
ok 'and that it is on again' eventually again 1
tell h unplug tap
hears 'that its cable is out' 'gap: nothing is heard: eth0 has no carrier'
tell h plug tap
ok 'and that it is in again' eventually again 2
tell h remove tap
hears 'that its interface is gone' 'gap: nothing is heard: eth0 is gone'
tell h restore tap
ok 'and that it is back' eventually again 3
is 'it hears what is for others, as before' \
    "$(at tap ip -d link show eth0 | grep -o 'promiscuity [0-9]*')" 'promiscuity 1'
printf '%s\n' 'pace 20' 'type "still there?\n"' | tee "$work/judge.keys" >"$work/entity.keys"
judge_options=(--referee "$work/referee.key.pub")
session back --key "$work/line.key"
hears 'a session after that is heard to its end' 'booth3: one end said goodbye'
cp "$work/heard/made/by/it/back-tap.journal" "$work/heard"
hears 'a file of frames on a full disk is told' '--write /dev/full: No space left on device'
stop tap 2>"$work/stopped"
is 'and in its exit status' $? 74
ok 'frames do not go where the words go' grep -q 'expected a file' \
    <("$bl" tap --interface eth0 --write - 2>&1)

for name in sealed old new plain back; do
    for format in text keys asciicast; do
        same "$name" "$format"
    done
done
is 'nothing was missed' "$(grep -F gap "$work/quiet.out")" ''
ok 'its record is sound' "$bl" journal check "$work/heard/sealed-tap.journal"
ok 'there is no record of what it could not read' test ! -e "$work/heard/deaf-tap.journal"
is 'the file of frames is for its user alone' "$(stat -c %a "$work/hub.pcap")" 600
cp "$work/hub.pcap" "$work/hub.before"
ok 'it is not overwritten' grep -q 'nothing is overwritten: give another name' \
    <(at tap "$bl" tap --interface eth0 --write "$work/hub.pcap" 2>&1)
equal 'nothing of it has changed' "$work/hub.pcap" "$work/hub.before"
is 'the file of frames is one' "$(head -c 4 "$work/hub.pcap" | od -An -tx1 | tr -d ' ')" d4c3b2a1
if command -v tshark >/dev/null; then
    # As the user who runs this, so that Wireshark lets a script of another folder run.
    tshark -X lua_script:host/share/wireshark/boothlink.lua -r "$work/hub.pcap" -T fields \
        -e boothlink.line -e boothlink.inner 2>"$work/tshark.err" | sort -u >"$work/dissected"
    for text in $'booth3\tASK' $'booth3\tHAND2' $'booth3\tPASS to the referee' \
        $'booth3\tDATA of the judge\'s end, encrypted' $'booth3\tHELLO'; do
        ok "Wireshark's dissector tells: ${text#*$'\t'}" grep -qxF "$text" "$work/dissected"
    done
else
    skip 'the dissector for Wireshark' 'there is no tshark here'
fi
is 'it sent nothing' "$(sent tap)" 0
ok 'as the others did' test "$(sent judge)" -gt 100
plan
