# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # booth.sh gives work and cables
# Sessions that a controller cuts while both ends type as fast as they can over a line with bit
# errors. Source after tests/support/controlled.sh.

# storm_begin NUMBER SEED: one session of 5 to 10 s in the background.
storm_begin() {
    local i=$1 seed=$2
    cables=
    rm -rf "$work/j.$i" "$work/e.$i"
    cable "line.$i" --bit-error-rate 1e-4 --seed "$seed"
    controller "c.$i" "line.$i" ''
    start "j.$i" judge --left "serial:$work/line.$i.a" --controller "serial:$work/c.$i" \
        --plan "$((5 + seed % 6)) left" --starts either --session "s.$i" --journal "j.$i" \
        --script "$work/flood" --headless --json
    start "e.$i" entity --line "serial:$work/line.$i.b" --script "$work/flood" --headless --json \
        --journal "e.$i"
}

# storm_flood: more keys than any session has time for, without a pause.
storm_flood() {
    {
        echo 'pace 5'
        yes 'type "The line is full of keys, and they go on and on.\n"' | head -n 100
    } >"$work/flood"
}

# storm_late NUMBER: for how many ms its cable stood still at most, as this machine had more to do.
storm_late() {
    "$sim/nullmodem" --control "$work/line.$1.control" --send stats |
        jq '[.a_to_b.late_max_us, .b_to_a.late_max_us] | max / 1000 | floor'
}

# storm_end NUMBER SEED: what must be after it, in one verdict. Fails, without one, where the machine
# stood still for so long that nobody could have agreed on anything.
storm_end() {
    local i=$1 seed=$2 late status wrong='' judge=$work/j.$1/s.$1-judge.journal entity
    entity=$work/e.$1/s.$1-entity.journal
    for status in j e; do
        ended "$status.$i" || wrong+=" $status ends with $?"
    done
    late=$(storm_late "$i")
    slay "c.$i"
    slay "line.$i"
    if ((late >= 250)); then
        echo "# session $i: this machine stood still for $late ms"
        return 1
    fi
    [[ $(report "j.$i" '.sides.left | .end, .cut_by' | xargs) == 'agreed controller' ]] ||
        wrong+=" judge: $(report "j.$i" .sides.left.end)"
    [[ $(report "e.$i" .end) == agreed ]] || wrong+=" entity: $(report "e.$i" .end)"
    [[ $(report "e.$i" .digest) == "$(report "j.$i" .sides.left.digest)" ]] ||
        wrong+=' the pages differ'
    cmp -s <(events "$judge") <(events "$entity") || wrong+=' the events differ'
    (($(report "j.$i" .sides.left.keys_judge) > 100 &&
        $(report "j.$i" .sides.left.keys_entity) > 100)) || wrong+=' the line was not full'
    "$bl" journal show "$judge" | grep -qE \
        '^[0-9T:.-]+Z left +note +controller: cut: the time of part 1 is over' ||
        wrong+=" the judge's journal does not say when and why"
    "$bl" journal show "$entity" | grep -qE \
        '^[0-9T:.-]+Z left +note +controller: the controller cuts the line: the time is over' ||
        wrong+=" the entity's journal does not say when and why"
    [[ ! $wrong ]]
    result $? "session $i, seed $seed: cut by the controller, agreed"
    if [[ $wrong ]]; then
        echo "#$wrong"
        "$bl" journal show "$judge" | grep -v ' keys ' | sed 's/^/# judge: /'
        "$bl" journal show "$entity" | grep -vE ' keys | pressed ' | sed 's/^/# entity: /'
    fi
    rm -rf "$work/j.$i" "$work/e.$i"
    return 0
}

# storms COUNT SEED AT_ONCE
storms() {
    local i j try again=()
    storm_flood
    for ((i = 0; i < $1; i += $3)); do
        for ((j = i; j < i + $3 && j < $1; j++)); do
            storm_begin "$j" $(($2 + j))
        done
        for ((j = i; j < i + $3 && j < $1; j++)); do
            storm_end "$j" $(($2 + j)) || again+=("$j")
        done
    done
    for j in "${again[@]}"; do
        for ((try = 0; try < 10; try++)); do
            storm_begin "$j" $(($2 + j))
            ! storm_end "$j" $(($2 + j)) || continue 2
        done
        result 1 "session $j: this machine stands still again and again"
    done
}
