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

# parts: how many keys the Entry types before each kill, and after the last.
parts() {
    perl -e 'my ($seed, $keys, $kills) = @ARGV; srand $seed;
        my %at; $at{1 + int rand($keys - 2)} = 1 while keys %at < $kills;
        my $last = 0; for my $at (sort { $a <=> $b } keys(%at), $keys) {
            print $at - $last, "\n"; $last = $at }' "$SEED" "$KEYS" "$KILLS"
}

entry() { "$BUILD/tests/system/lppclient" "$folder" pace=50 got="$work/got" "$@"; }
has_sent() { (($(wc -l <"$work/sent") >= $1)); }
nothing_waits() { [[ ! $(find "$folder" -name '*.other' -print -quit) ]]; }
all_typed() { nothing_waits && (($(events "$judge" | typed entity | wc -l) >= KEYS)); }
both_have_all() { (($(keys_in "$judge") == $(keys_in "$entity"))); }

# run NAME: rising or restarted.
run() {
    local name=$1 typed=0 number=1 digits=10 count parts
    judge=$work/judge/$name-judge.journal
    entity=$work/entity/$name-entity.journal
    rm -rf "$folder" "$work/sent" "$work/got"
    mkdir "$folder"
    touch "$work/sent"
    # The judge types meanwhile.
    perl -e 'srand shift; print "pace 5\n"; for (1 .. shift) {
        print "type \"", join("", map { chr(97 + int rand 26) } 1 .. 60), "\"\n" }
        print "wait 1000000\n"' "$SEED" $((KEYS / 1000 + 5)) >"$work/judge.script"
    start judge judge --left "serial:$work/line.a" --starts either --session "$name" --headless \
        --json --script "$work/judge.script" --journal judge
    go_on
    mapfile -t parts < <(parts)
    for count in "${parts[@]}"; do
        entry "digits=$digits" "number=$number" sent="$work/sent" "random=$count,$((SEED + typed))" &
        if ((typed + count < KEYS)); then
            # In its midst: it types on, and what it types while nobody reads waits.
            eventually has_sent $((typed + count / 2))
            slay entity
            wait $!
            echo "# $((typed + count)) keys typed: killed, $(find "$folder" -name '*.other' |
                wc -l) wait"
            go_on
        else
            wait $!
        fi
        typed=$((typed + count))
        if [[ $name == rising ]]; then
            number=$((typed + 1))
        else
            digits=$((digits + 1)) # a name that still waits cannot be made again
        fi
        sleep 0.05 # no Entry is started anew in less
    done
    ok "$name: all keys come" eventually all_typed
    ok "$name: both ends have all" eventually both_have_all
    entry read=0
    stop judge
    is "$name: the judge's end ends well" $? 0
    entry read=0
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
run rising
run restarted
plan
