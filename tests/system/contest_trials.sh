#!/bin/bash
# The long bet by the manager's commands: the booths are drawn anew for each trial, in the tickets,
# on the sheets and nowhere else, and ballots name their trial.
. tests/tap.sh
. tests/support/contest.sh

venue=$TMPDIR/venue.ini
{
    printf '[venue]\nformat = 1\n[machines]\nentry1.program = ./computer\n'
    for booth in 1 2 3 4; do
        printf 'booth%d.judge-a = serial:/dev/j%d\nbooth%d.entity-a = serial:/dev/e%d\n' \
            "$booth" "$booth" "$booth" "$booth"
    done
} >"$venue"

# tickets TRIAL: of each session of it, "SESSION BOOTH computer|human", by the back room's tickets.
# Those of the round that has begun last are among them still.
tickets() {
    rm -rf "$TMPDIR/out" && contest tickets --venue "$venue" --out "$TMPDIR/out" >/dev/null || return
    local ticket booth kind
    for ticket in "$TMPDIR"/out/back-room/boothlink/booth-*/*.ticket; do
        booth=${ticket%-cable-a/*} booth=${booth##*booth-} kind=human
        grep -q '^program = ./computer$' "$ticket" && kind=computer
        printf '%s %s %s\n' "$(sed -n 's/^session = //p' "$ticket")" "$booth" "$kind"
    done | awk -v least=$((4 * $1 - 3)) 'substr($1, 2) + 0 >= least' | sort >"$TMPDIR/trial$1"
}

# computer TRIAL: the booths in which its judges meet the computer.
computer() { awk '$3 == "computer" { print $2 }' "$TMPDIR/trial$1" | sort -u | paste -sd' '; }

# placed TRIAL: which candidate is in which booth, by the sheets: the set-up's rows "BOOTH CANDIDATE".
placed() {
    contest sheet --for setup --venue "$venue" | sed -n "/<h2>Trial $1</,/<\/table>/p" |
        sed -n 's/^<tr><th>\([0-9]\)<.*<td>\([EC][0-9]\) .*/\1\2/p' | paste -sd' '
}

seen='' moved=0 orders='' whole='' told=''
for seed in 1 2 3 4 5 6; do
    contest_new longbet-2002 3 1 3
    printf '%-32d' "$seed" >"$file.seed"
    contest_draw && contest_reveal
    for trial in 1 2 3; do
        ((trial == 1)) || { contest trial && contest schedule; } >/dev/null
        tickets "$trial" || break
        # Each of three judges at each of four booths once, and the computer in one of them.
        whole+=$(awk '{ n++; split($1, at, "-j"); pair[at[2] $2]++ } END { print n, length(pair) }' \
            "$TMPDIR/trial$trial")$'\n'
        seen+=$(computer "$trial")' '
        for ((round = 4 * trial - 3; round <= 4 * trial; round++)); do
            contest begin "$round"
        done >/dev/null
    done
    was=$(computer 1)
    for trial in 2 3; do
        [[ $(computer $trial) == "$was" ]] || ((moved++))
        was=$(computer $trial)
    done
    for trial in 1 2 3; do orders+=$(placed "$trial")$'\n'; done
    for trial in 1 2 3; do
        told+=$(contest sheet --for entries | sed -n "s|.*In trial $trial the Entry stays at <b>booth \([0-9]\), door A.*|\1|p")' '
    done
done
is 'twelve sessions a trial, each judge at each booth' "$(grep . <<<"$whole" | sort -u)" '12 12'
is 'the computer is in one booth for all judges of a trial' "$(wc -w <<<"$seen")" 18
# Chance decides: two booths, two moves or six orders come once in 30,000 runs at the most.
booths=$(tr ' ' '\n' <<<"$seen" | grep . | sort -u | paste -sd' ')
ok "in three of the four or more: $booths" test "$(wc -w <<<"$booths")" -ge 3
ok "and elsewhere in the next trial, as often as not: $moved of 12" test "$moved" -ge 3
is "its operator's sheet says where" "$told" "$seen"
ok 'so do the foils change booths: seven orders or more of eighteen' \
    test "$(grep . <<<"$orders" | sort -u | wc -l)" -ge 7
is 'all four are on the set-up sheet of each trial' "$(grep -c . <<<"$orders") $(grep . <<<"$orders" |
    awk '{ print NF }' | sort -u)" '18 4'
is "a judge's sheet says the booth of each round, and of the candidates nothing" \
    "$(contest sheet --for judges | grep -c 'Booth [1-4]<') $(contest sheet --for judges |
        grep -cE 'door|cable|Entry 1|Confederate [0-9]')" '36 0'

# Ballots of the last trial; a later one of an earlier trial is asked which.
refused 64 'give --trial N: 3 trials have begun' ballot J1 E1 machine
contest ballot J1 E1 machine --trial 2 >/dev/null
contest ballot J1 E1 human --trial 3 >/dev/null
is 'ballots name their trial' "$(contest export --json |
    jq -c '[.acts[] | select(.kind == "ballot") | .body.trial]')" '[2,3]'
contest ballot J2 C3 human --trial 1 >/dev/null
is 'in the list of those that count, too, where a foil is a confederate' "$(ballot_table)" \
    '2,1,1,,,,false,
3,1,1,,,,true,
1,2,,3,,,true,'
ok 'it verifies' contest verify
plan
