# shellcheck shell=bash
# A conversation on a hub while one who is there too does what he can. Source after
# tests/support/booth.sh.

attacker=$BUILD/tests/system/attacker

# What the memory of an end may differ by, in KiB: far less than a few bytes for each frame that was
# thrown at it.
rss_slack=16384

# rss NAME: KiB of memory that a terminal holds.
rss() { awk '/^VmRSS/ { print $2 }' "/proc/${pid_of[$1]}/status"; }

# goes_on WHAT: whether keys of both find their places after it; says how long that took.
goes_on() {
    local from=$EPOCHREALTIME keys
    keys=$(keys_in "$work/judge/attack-judge.journal")
    eventually has_keys "$work/judge/attack-judge.journal" $((keys + 4))
    result $? "the conversation goes on after $1"
    echo "# after $(((${EPOCHREALTIME/./} - ${from/./}) / 1000)) ms"
}

# strike WHAT COMMAND...: the attacker's work, to its end, and what comes of it.
strike() {
    local what=$1 count
    count=$(at evil "$attacker" eth0 "${@:2}")
    ok "$what: it was sent" test "${count:-0}" -gt 0
    goes_on "$what"
}

# talk KEYS: a judge and an entity type so many keys each, one every 50 ms.
talk() {
    local party
    for party in judge entity; do
        {
            echo 'pace 50'
            perl -e 'print "type \"", ("abcdefghij" x 5), "\"\n" for 1 .. $ARGV[0] / 50' "$1"
        } >"$work/attack.$party"
    done
    start judge judge --left ether:eth0/left --key "$work/line.key" --starts either \
        --session attack --script "$work/attack.judge" --headless --json --journal "$work/judge"
    start entity entity --line ether:eth0/left --key "$work/line.key" --session attack \
        --script "$work/attack.entity" --headless --json --journal "$work/entity"
    goes_on 'the beginning'
}

# attack KEYS RANDOM SECONDS: all of them, one after the other.
attack() {
    local judge entity wrong fault faults
    "$bl" key new "$work/line.key" >"$work/words" 2>/dev/null
    "$bl" key new "$work/wrong.key" >>"$work/words" 2>/dev/null
    # With the handshake.
    "$sim/hub" --control "$work/hub.control" --enter ear "$attacker" eth0 record \
        "$work/recorded" </dev/null &
    pid_of[ear]=$!
    eventually test -e "$work/recorded"
    talk "$1"
    judge=$(rss judge)
    entity=$(rss entity)
    stop ear
    strike 'a replay of what was recorded' replay "$work/recorded"
    strike 'a replay as of another line' replay "$work/recorded" right
    strike 'what was recorded, sent back' reflect "$work/recorded"

    start evil entity --line ether:eth0/left --key "$work/wrong.key" --session evil \
        --script "$work/attack.entity" --headless --journal "$work/evil"
    goes_on 'one with a wrong key has come'
    wrong=$(keys_in "$work"/evil/*.journal)
    is 'who has a wrong key gets no word' "$wrong" 0
    slay evil

    echo "# SEED=$SEED"
    strike "$2 random, cut and grown frames" random "$2" "$SEED" "$work/recorded"
    strike 'a flood' flood "$3" "$work/recorded"

    # The one in the middle: everything goes through him.
    faults=(reflect:0.5 late:0.5 lose:0.3 twice:0.3 corrupt:0.3)
    for fault in "${faults[@]}"; do
        tell hub "${fault%:*} ${fault#*:}"
    done
    sleep "$3"
    for fault in "${faults[@]}"; do
        tell hub "${fault%:*} 0"
    done
    ok 'one in the middle has sent back and changed some' middle_did
    goes_on 'one in the middle swapped, dropped, doubled, changed and reflected'

    echo "# memory: the judge's $judge KiB, then $(rss judge); the entity's $entity, then $(rss entity)"
    ok "the judge's memory has not grown" test "$(rss judge)" -lt $((judge + rss_slack))
    ok "the entity's memory has not grown" test "$(rss entity)" -lt $((entity + rss_slack))
    ended judge
    is "the judge's end ends well" $? 0
    ended entity
    is "the entity's end ends well" $? 0
    is 'nothing was accepted that was not typed' \
        "$(report judge '.sides.left | .keys_judge, .keys_entity, .refused, .differences' | xargs)" \
        "$1 $1 0 0"
    is 'both have the same page' "$(report judge .sides.left.digest)" "$(report entity .digest)"
}

middle_did() {
    "$sim/hub" --control "$work/hub.control" --send stats |
        jq -e '.reflect > 0 and .late > 0 and .lose > 0 and .corrupt > 0' >/dev/null
}
