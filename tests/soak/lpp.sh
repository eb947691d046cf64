#!/bin/bash
# 100,000 keys of an Entry through its folder while our terminal is killed ten times, at key numbers
# that the seed gives: none lost, none doubled, all in order; and the same for the judge's. Once
# with numbers that rise, once with a counter that begins again each time the terminal is gone.
# KEYS and KILLS make it shorter, SEED repeats a run's decisions.
. tests/tap.sh
. tests/support/booth.sh

SEED=${SEED:-$RANDOM}
KEYS=${KEYS:-100000}
KILLS=${KILLS:-10}
patience=${PATIENCE:-300}
folder=$work/folder

go_on() {
    start entity entity --line "serial:$work/line.b" --journal entity --headless --json \
        --lpp "$folder"
}

# part N: of the Entry's keys before its N-th pause.
parts() {
    perl -e 'my ($seed, $keys, $kills) = @ARGV; srand $seed;
        my %at; $at{1 + int rand($keys - 2)} = 1 while keys %at < $kills;
        my $last = 0; for my $at (sort { $a <=> $b } keys(%at), $keys) {
            print $at - $last, "\n"; $last = $at }' "$@"
}

# run NAME RESTARTED WORDS...: words set the client's numbers.
run() {
    local name=$1 number=1 count done=0 words killer
    shift
    judge=$work/judge/$name-judge.journal
    entity=$work/entity/$name-entity.journal
    rm -rf "$folder" "$work/sent" "$work/got"
    mkdir "$folder"
    # The judge types all the while.
    perl -e 'srand shift; print "pace 25\n"; for (1 .. shift) {
        print "type \"", join("", map { chr(97 + int rand 26) } 1 .. 60), "\"\n" }
        print "wait 100000000\n"' "$SEED" "$((KEYS / 1000 + 5))" >"$work/judge.script"
    start judge judge --left "serial:$work/line.a" --starts either --session "$name" --headless \
        --json --script "$work/judge.script" --journal judge
    go_on
    local parts
    mapfile -t parts < <(parts "$SEED" "$KEYS" "$KILLS")
    for count in "${parts[@]}"; do
        words=("${@:2}")
        [[ $1 == rising ]] || words+=(number=1)
        [[ $1 != rising ]] || words+=("number=$number")
        "$BUILD/tests/system/lppclient" "$folder" "${words[@]}" digits=10 sent="$work/sent" \
            got="$work/got" "random=$count,$((SEED + number))" &
        number=$((number + count))
        killer=$!
        if ((number <= KEYS)); then
            # In its midst: the Entry types on, and what it typed while nobody was there waits.
            while [[ -d /proc/$killer ]] && (($(wc -l <"$work/sent") < done + count / 2)); do
                sleep 0.01
            done 2>/dev/null
            slay entity
            wait $killer
            echo "# key $((number - 1)): killed, $(find "$folder" -name '*.other' | wc -l) wait"
            sleep 0.05 # whoever starts anew takes longer
        else
            wait $killer
        fi
        done=$((number - 1))
        runs entity 2>/dev/null || go_on
    done
    all_there() { is_empty && (($("$bl" journal check "$judge" | wc -l))) && has_all; }
    is_empty() { [[ ! $(find "$folder" -name '*.other' -print -quit) ]]; }
    has_all() { has_keys "$judge" "$KEYS" && (($(events "$judge" | typed entity | wc -l) >= KEYS)); }
    ok "$name: all keys come" eventually all_there
    "$BUILD/tests/system/lppclient" "$folder" got="$work/got" read=0
    stop judge
    is "$name: the judge's end ends well" $? 0
    "$BUILD/tests/system/lppclient" "$folder" got="$work/got" read=0
    stop entity
    is "$name: the entity's end ends well" $? 0
    events "$judge" >"$work/events"
    typed entity <"$work/events" >"$work/typed"
    typed judge <"$work/events" >"$work/asked"
    equal "$name: each of $KEYS keys of the Entry once and in order" "$work/typed" "$work/sent"
    equal "$name: each of the judge's keys once and in order" "$work/got" "$work/asked"
    ok "$name: the judge's journal is sound" "$bl" journal check "$judge"
    ok "$name: the entity's journal is sound" "$bl" journal check "$entity"
}

echo "# SEED=$SEED, $KEYS keys, $KILLS kills"
cable line --unpaced
run rising rising
run restarted restarted
plan
