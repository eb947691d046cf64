#!/bin/bash
# What a key costs in system calls, counted by strace at both terminals, a screen at each: reading
# it, the journal, the line, the screen, the acknowledgement. The greatest numbers allowed are
# those of the program before its rooms were rebuilt.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

letters=abcdefghijklmnopqrstuvwxyzabcd

# Threads are not followed: what they do, the syncing of the journal, keeps no key waiting.
if ! strace -o "$work/trace" true 2>"$work/why"; then
    skip 'what a key costs' "strace may not trace here: $(head -n 1 "$work/why")"
    plan
    exit
fi

# traced NAME COLUMNS ROWS COMMAND...: a window as of windows.sh, with a record of its calls.
traced() {
    local bl="strace -qq -y -o $work/$1.trace $bl"
    window "$@"
}

shown() { [[ $(words judge) == *"$1"* && $(words entity) == *"$1"* ]]; }

# types NAME: types the letters one by one, so fast that not with every key the journal is synced
# too, which is ten times a second at most. One process types them all, by one client of tmux.
types() {
    perl -e '$| = 1;
        for (split //, $ARGV[0]) {
            print "send-keys -t $ARGV[1] -l $_\n";
            select undef, undef, undef, 0.02;
        }' "$letters" "$1" | tm -C attach-session -f ignore-size -t keeper >/dev/null
    eventually shown "$letters" && keys "$1" Enter
}

# costs NAME FROM MOST: how many calls a key takes at this end, from line FROM of its record on: from one
# key's first record in the journal to the next one's. Of all keys it is the cheapest that costs more
# than half of MOST, for a busy machine brings in two pieces, and with two awakenings, what comes in
# one; and what comes late after one key is counted with the next. Less than half: it came in one
# frame with others.
costs() {
    tail -n "+$2" "$work/$1.trace" | awk -v keys=${#letters} -v most="$3" '
        !/^[a-z]/ { next }
        { calls++ }
        /^p?writev?(64)?\(.*\.journal>/ { at[++n] = calls }
        END {
            # A key is written once where it is placed, twice where it is pressed, too.
            each = int((n - 1) / (keys - 1) + 0.5)
            for (i = 1; i + each <= n; i += each)
                if ((cost = at[i + each] - at[i]) * 2 > most)
                    print cost
        }' | sort -n | head -n 1
}

lines() { wc -l <"$work/$1.trace"; }

# What a key may cost: its typist, where it is counted.
declare -A most=([judge.judge]=11 [judge.entity]=6 [entity.entity]=14 [entity.judge]=10) best=()

# round: each types, and the costs are counted; the best of all rounds are kept.
round() {
    local typist place cost
    local -A from
    for typist in judge entity; do
        from=([judge]=$(lines judge) [entity]=$(lines entity))
        types "$typist" || return
        for place in judge entity; do
            cost=$(costs "$place" "${from[$place]}" "${most[$typist.$place]}")
            ((${cost:-1000} >= ${best[$typist.$place]:-1000})) || best[$typist.$place]=$cost
        done
    done
}

good() {
    local which
    for which in "${!most[@]}"; do
        ((${best[$which]:-1000} <= most[$which])) || return
    done
}

cable line --unpaced # a frame comes in one piece: its bytes are not what is counted
traced judge 80 24 judge --left "serial:$work/line.a" --starts either --session calls \
    --journal judge
traced entity 80 24 entity --line "serial:$work/line.b" --keyboard --journal entity
reads 'the judge is there' judge 'YOU ARE THE JUDGE » you type here connected'
reads 'the entity, too' entity 'connected'

# A machine that has much else to do wakes a terminal twice for what it could do at once: a few rounds
# show what the key itself costs.
for ((i = 0; i < 8; i++)); do
    round
    ! good || break
done
for typist in judge entity; do
    for place in judge entity; do
        which=$typist.$place
        ok "a key of the $typist's costs ${best[$which]:-no} system calls at the $place's end, at most ${most[$which]}" \
            test "${best[$which]:-1000}" -le "${most[$which]}"
    done
done
plan
