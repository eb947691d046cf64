# shellcheck shell=bash
# A conversation on a hub while one who is there too does what he can. Source after
# tests/support/booth.sh.

attacker=$BUILD/tests/system/attacker

# What the memory of an end may differ by, in KiB: far less than a few bytes for each frame that was
# thrown at it.
rss_slack=16384

# rss NAME: KiB of memory that a terminal holds.
rss() { awk '/^VmRSS/ { print $2 }' "/proc/${pid_of[$1]}/status"; }

# goes_on WHAT: whether keys of both find their places after it.
goes_on() {
    local keys
    keys=$(keys_in "$work/judge/attack-judge.journal")
    eventually has_keys "$work/judge/attack-judge.journal" $((keys + 4))
    result $? "the conversation goes on after $1"
}

# strike WHAT COMMAND...: the attacker's work, to its end, and what comes of it.
strike() {
    local what=$1 count
    count=$(at evil "$attacker" eth0 "${@:2}")
    ok "$what: it was sent" test "${count:-0}" -gt 0
    goes_on "$what"
}

# evil: one with a wrong key.
evil() {
    start evil entity --line ether:eth0/left --key "$work/wrong.key" --session evil \
        --script "$work/attack.entity" --headless --journal "$work/evil"
}

# talk: a judge and an entity type, a key every 50 ms, for longer than all that is done to them. Before
# the entity one comes who has a wrong key, and finds the judge alone.
talk() {
    local party
    for party in judge entity; do
        {
            echo 'pace 50'
            perl -e 'print "type \"", ("abcdefghij" x 5), "\"\n" for 1 .. 1000'
        } >"$work/attack.$party"
    done
    start judge judge --left ether:eth0/left --key "$work/line.key" --starts either \
        --session attack --script "$work/attack.judge" --headless --json --journal "$work/judge"
    evil
    ok 'who has a wrong key is refused by the judge who is alone' \
        eventually says "$work/judge/attack-judge.journal" line 'another secret'
    slay evil
    start entity entity --line ether:eth0/left --key "$work/line.key" --session attack \
        --script "$work/attack.entity" --headless --json --journal "$work/entity"
    goes_on 'the beginning'
}

# as_typed PARTY: whether its keys in the judge's record are the first ones of what it types.
as_typed() {
    typed "$1" <"$work/attack.events" | tr -d '\n' |
        perl -e 'my $all = <STDIN>; exit !(length $all && index("abcdefghij" x 5000, $all) == 0)'
}

# attack RANDOM SECONDS: all of them, one after the other.
attack() {
    local judge entity wrong fault faults
    "$bl" key new "$work/line.key" >"$work/words" 2>/dev/null
    "$bl" key new "$work/wrong.key" >>"$work/words" 2>/dev/null
    # With the handshake.
    "$sim/hub" --control "$work/hub.control" --enter listener "$attacker" eth0 record \
        "$work/recorded" </dev/null &
    pid_of[listener]=$!
    eventually test -e "$work/recorded"
    talk
    judge=$(rss judge)
    entity=$(rss entity)
    stop listener
    strike 'a replay of what was recorded' replay "$work/recorded"
    strike 'a replay as of another line' replay "$work/recorded" right
    strike 'what was recorded, sent back' reflect "$work/recorded"

    evil
    goes_on 'one with a wrong key has come'
    wrong=$(keys_in "$work"/evil/*.journal)
    is 'who has a wrong key gets no word' "$wrong" 0
    slay evil

    echo "# SEED=$SEED"
    strike "$1 random, cut and grown frames" random "$1" "$SEED" "$work/recorded"
    strike 'a flood' flood "$2" "$work/recorded"

    # The one in the middle: everything goes through him.
    faults=(reflect:0.5 late:0.5 lose:0.3 twice:0.3 corrupt:0.3)
    for fault in "${faults[@]}"; do
        tell hub "${fault%:*} ${fault#*:}"
    done
    pause "$2"
    ok 'one in the middle has sent back and changed some' eventually middle_did
    for fault in "${faults[@]}"; do
        tell hub "${fault%:*} 0"
    done
    goes_on 'one in the middle swapped, dropped, doubled, changed and reflected'

    echo "# memory: the judge's $judge KiB, then $(rss judge); the entity's $entity, then $(rss entity)"
    ok "the judge's memory has not grown" test "$(rss judge)" -lt $((judge + rss_slack))
    ok "the entity's memory has not grown" test "$(rss entity)" -lt $((entity + rss_slack))
    stop judge
    is "the judge's end ends well" $? 0
    stop entity
    is "the entity's end ends well" $? 0
    is 'nothing differed or was refused' \
        "$(report judge '.sides.left | .refused, .differences' | xargs)" '0 0'
    events "$work/judge/attack-judge.journal" >"$work/attack.events"
    events "$work/entity/attack-entity.journal" >"$work/attack.shown"
    ok 'nothing was accepted as of the judge that was not typed' as_typed judge
    ok 'nor as of the entity' as_typed entity
    head -n "$(wc -l <"$work/attack.shown")" "$work/attack.events" >"$work/attack.begin"
    equal "the entity's page is the judge's, or the beginning of it" "$work/attack.shown" \
        "$work/attack.begin"
}

middle_did() {
    "$sim/hub" --control "$work/hub.control" --send stats |
        jq -e '.reflect > 0 and .late > 0 and .lose > 0 and .corrupt > 0' >/dev/null
}
