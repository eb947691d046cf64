# shellcheck shell=bash
# Strangers at a hub who send what anybody can make, as much as the machine carries, against two real
# terminals: what their records grow by. Source after tests/support/booth.sh.

attacker=$BUILD/tests/system/attacker
# Frames a second: what a hub of 100 Mb/s carries. The simulated one loses some, ours among them, where
# that is more than this machine carries.
a_second=148800

# begin LINE OPTION...: two terminals in whose conversation a key falls each half a second.
begin() {
    local end
    for end in judge entity; do
        {
            echo 'pace 500'
            perl -e 'print "type \"", ("abcdefghij" x 5), "\"\n" for 1 .. 100'
        } >"$work/flood.$end"
        rm -rf "${work:?}/$end"
    done
    start judge judge --left "ether:eth0/$1" --starts either --session flood \
        --script "$work/flood.judge" --headless --json --journal "$work/judge" "${@:2}"
    start entity entity --line "ether:eth0/$1" --session flood \
        --script "$work/flood.entity" --headless --json --journal "$work/entity" "${@:2}"
    eventually has_keys "$work/judge/flood-judge.journal" 4
}

# received NAME: frames that have come to a port of the hub.
# shellcheck disable=SC2016 # for awk
received() { at "$1" awk '$1 == "eth0:" { print $3 }' /proc/net/dev; }

# size NAME: of an end's record.
size() { stat -c %s "$work/$1/flood-$1.journal"; }

# flood LINE SECONDS: what a second of it comes to: came, grew_judge, grew_entity; and keys, those that
# found their places in all.
flood() {
    local judge entity before rx from us sent
    judge=$(size judge) entity=$(size entity)
    before=$(keys_in "$work/judge/flood-judge.journal")
    rx=$(received judge)
    from=$EPOCHREALTIME
    sent=$(at evil "$attacker" eth0 forge "$2" "$1" "$a_second")
    us=$((${EPOCHREALTIME/./} - ${from/./}))
    came=$((($(received judge) - rx) * 1000000 / us))
    sent=$((sent * 1000000 / us))
    grew_judge=$((($(size judge) - judge) * 1000000 / us))
    grew_entity=$((($(size entity) - entity) * 1000000 / us))
    keys=$(($(keys_in "$work/judge/flood-judge.journal") - before))
    echo "# $sent forged frames a second, $came came; the records grew by $grew_judge and" \
        "$grew_entity bytes a second; $keys keys in $((us / 1000)) ms"
    ((came * 10 >= sent * 8))
}

# flooded LINE SECONDS OPTION...: the same against two new terminals, with fewer frames where the hub
# has lost some. The terminals run on.
flooded() {
    while :; do
        begin "$1" "${@:3}" || return
        ! flood "$1" "$2" && ((a_second > 3000)) || return 0
        a_second=$((a_second * 2 / 3))
        stop judge
        stop entity
    done
}
