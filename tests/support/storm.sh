# shellcheck shell=bash
# The storm: two scripts type at once over a line with faults, while the cable comes out and both
# ends are killed, all at key numbers that the seed gives. Source after tests/support/booth.sh.
# On serial the faults are bit errors; with storm_medium=ether the line is a hub that loses 10 % of
# the frames, doubles 5 % and lets 10 % come late.
storm_medium=${storm_medium:-serial}
storm_judge_port=serial:$work/line.a
storm_entity_port=serial:$work/line.b
storm_options=()
if [[ $storm_medium == ether ]]; then
    storm_judge_port=ether:eth0/storm
    storm_entity_port=ether:eth0/storm
    "$bl" key new "$work/storm.key" >"$work/storm.words" 2>&1
    storm_options=(--key "$work/storm.key")
fi

# storm_script PARTY SEED KEYS: a script of random keys in storm.PARTY, and their names in
# storm.PARTY.keys as a transcript names them.
storm_script() {
    perl -CO -e '
        my ($party, $seed, $keys, $script, $names) = @ARGV;
        srand $seed + ($party eq "judge" ? 0 : 1_000_003);
        open my $s, ">:utf8", $script or die;
        open my $n, ">:utf8", $names or die;
        my @far = map { chr } 0xE9, 0x3B1, 0x416, 0x4E2D, 0xFF21, 0x1F642, 0x5D0;
        my %quoted = ("\\" => "\\\\", "\"" => "\\\"");
        print $s "pace 5\ntype \"";
        for my $i (1 .. $keys) {
            my ($dice, $text, $name) = rand;
            if ($dice < 0.03) { ($text, $name) = ("\\n", "Return") }
            elsif ($dice < 0.07) { ($text, $name) = ("\\b", "BackSpace") }
            elsif ($dice < 0.08) { ($text, $name) = ("\\t", "Tab") }
            elsif ($dice < 0.22) { ($text, $name) = (" ", "space") }
            elsif ($dice < 0.26) { $text = $far[rand @far]; $name = sprintf "U+%04X", ord $text }
            else { $name = chr(0x21 + int rand 94); $text = $quoted{$name} // $name }
            print $s $text, $i % 60 ? "" : "\"\ntype \"";
            print $n "$name\n";
        }
        print $s "\"\n";
        # What the entity typed while its line was out, or its terminal was started again, comes later,
        # 60 ms a key (host/entity/pace.h), and leaving would cut it off.
        print $s "await-turn 12000 120000\n" if $party eq "judge";' "$1" "$2" "$3" "$work/storm.$1" "$work/storm.$1.keys"
}

# storm_events SEED KEYS UNPLUGS KILLS: "KEY WHAT MS", by key number of both parties together.
storm_events() {
    perl -e '
        my ($seed, $keys, $unplugs, $kills) = @ARGV;
        srand $seed + 2_000_003;
        my @what = (("unplug") x $unplugs, ("judge") x $kills, ("entity") x $kills);
        my %at;
        for my $what (@what) {
            my $key;
            do { $key = 1 + int rand 2 * $keys * 0.97 } while $at{$key};
            # An unplug of 0.1 to 5 s; before a kill frames are held up on the wire.
            $at{$key} = sprintf "%d %s %d", $key, $what,
                $what eq "unplug" ? 100 + rand 4900 : rand 200;
        }
        print "$at{$_}\n" for sort { $a <=> $b } keys %at;' "$@"
}

# storm_line SEED: makes the line.
storm_line() {
    if [[ $storm_medium == ether ]]; then
        hub line --port judge --port entity --lose 0.1 --twice 0.05 --late 0.1 --seed "$1"
    else
        cable line --bit-error-rate 1e-4 --seed "$1"
    fi
}

# storm_cable out|in
storm_cable() {
    case $storm_medium-$1 in
    ether-out) tell line unplug all ;;
    ether-in) tell line plug all ;;
    serial-out) tell line unplug ;;
    serial-in) tell line plug ;;
    esac
}

# storm_kill END MS: kills it while its last frames are on their way, and starts it again.
storm_kill() {
    if [[ $storm_medium == ether ]]; then
        tell line delay "$2"
    else
        tell line "stall both $2"
    fi
    if runs "$1"; then
        slay "$1"
        "storm_$1"
    else
        # All was typed, and it has left, before this machine came to look at the record.
        echo "# too late to kill the $1's end"
    fi
    [[ $storm_medium != ether ]] || tell line delay 0
}

storm_judge() {
    start judge judge --left "$storm_judge_port" "${storm_options[@]}" --starts either \
        --session storm --script "$work/storm.judge" --headless --json --journal "$work/judge"
}

storm_entity() {
    start entity entity --line "$storm_entity_port" "${storm_options[@]}" --session storm \
        --script "$work/storm.entity" --headless --json --journal "$work/entity"
}

plug_later() {
    pause "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"
    storm_cable in
}

# storm SEED KEYS UNPLUGS KILLS: one storm, and what must be after it.
storm() {
    local seed=$1 keys=$2 key what ms party plugs=() judge entity
    judge=$work/judge/storm-judge.journal
    entity=$work/entity/storm-entity.journal
    rm -rf "$work"/judge "$work"/entity
    echo "# SEED=$seed, $keys keys each way, $3 unplugs, $4 kills of each end"
    storm_script judge "$seed" "$keys"
    storm_script entity "$seed" "$keys"
    storm_line "$seed"
    storm_judge
    storm_entity
    while read -r key what ms; do
        echo "# at key $key: $what, $ms ms"
        if ! eventually has_keys "$judge" "$key"; then
            result 1 "seed $seed: the line goes on to key $key"
            break
        fi
        if [[ $what == unplug ]]; then
            storm_cable out
            plug_later "$ms" &
            plugs+=($!)
        else
            storm_kill "$what" "$ms"
        fi
    done < <(storm_events "$@")
    ((${#plugs[@]} == 0)) || wait "${plugs[@]}"
    ended judge
    is "seed $seed: the judge's end ends well" $? 0
    ended entity
    is "seed $seed: the entity's end ends well" $? 0
    slay line

    is "seed $seed: both say that the pages are the same" "$(report entity .digest) agreed" \
        "$(report judge .sides.left.digest) $(report judge .sides.left.end)"
    is "seed $seed: nothing differed, was refused or left without a place" \
        "$(report judge '.sides.left | .differences, .refused' | xargs) \
$(report entity '.differences, .refused, .keys_unplaced' | xargs)" '0 0 0 0 0'
    events "$judge" >"$work/events.judge"
    events "$entity" >"$work/events.entity"
    equal "seed $seed: the ordered events of both journals are the same" "$work/events.judge" \
        "$work/events.entity"
    for party in judge entity; do
        typed $party <"$work/events.judge" >"$work/got"
        equal "seed $seed: each key of the $party once and in order" "$work/got" \
            "$work/storm.$party.keys"
    done
    ok "seed $seed: the judge's journal is sound" "$bl" journal check "$judge"
    ok "seed $seed: the entity's journal is sound" "$bl" journal check "$entity"
}

# storms: twenty of full size, or COUNT of them. SEED repeats a run's decisions.
storms() {
    local first=${SEED:-$RANDOM} i
    for ((i = 0; i < ${COUNT:-20}; i++)); do
        storm $((first + i)) 10000 10 5
    done
}
