# shellcheck shell=bash
# A contest's file for the system tests: source this after tests/tap.sh, and after
# tests/support/booth.sh where there are booths as well.

file=${work:-$TMPDIR}/contest.db

# contest VERB ARGUMENT...: the manager's command for $file.
contest() {
    "$BUILD/boothlink" contest "$1" "$file" "${@:2}"
}

# refused STATUS TEXT VERB ARGUMENT...: it fails with that status and one line, which has the text
# in it.
refused() { refusal "$1" "$2" contest "${@:3}"; }

# people JUDGES ENTRIES CONFEDERATES: what is in $hostile is part of every name.
people() {
    local i more=${hostile:+ $hostile}
    for ((i = 1; i <= $1; i++)); do contest add judge "Judge $i$more" || return; done
    for ((i = 1; i <= $2; i++)); do
        contest add entry "Entry $i$more" --submitter "Author $i$more" --rights --receipt --comms comms || return
    done
    for ((i = 1; i <= $3; i++)); do
        contest add confederate "Confederate $i$more" --unknown || return
    done
} >/dev/null

# contest_new RULESET JUDGES ENTRIES [CONFEDERATES]: a contest with people, in place of one that
# there may be; as many confederates as Entries unless told.
contest_new() {
    rm -f "$file" "$file".*
    contest new --unsigned --name "A contest${hostile:+ $hostile}" --ruleset "$1" && people "$2" "$3" "${4-$3}"
} >/dev/null

# contest_draw: commits to the sides and makes the schedule; contest_reveal: tells the sides.
contest_draw() { contest draw commit && contest schedule; } >/dev/null
contest_reveal() { contest draw reveal; } >/dev/null

# contest_drawn NAME RULESET: $work/NAME.db, a contest of two judges, Entries and confederates whose
# sides are told.
contest_drawn() {
    file=$work/$1.db
    contest_new "$2" 2 2 && contest_draw && contest_reveal
}

# contest_begin: begins every round.
contest_begin() {
    local round rounds
    rounds=$(contest show | grep -c '^  round')
    for ((round = 1; round <= rounds; round++)); do
        contest begin "$round" || return
    done
} >/dev/null

# ballot_table: the ballots that count, a line each: trial (where there are several), judge, entry,
# confederate, the points of the two, human, rating.
ballot_table() {
    contest show --json | jq -r '.ballots[] | [.trial, .judge, .entry // "", .confederate // "",
        .points[0] // "", .points[1] // "", (if has("human") then .human else "" end), .rating // ""] |
        map(select(. != null) | tostring) | join(",")'
}

# meetings: of all rounds, as J1E2C3, a line each.
meetings() {
    contest show | sed -n 's/^  round [0-9]*[^:]*://p' | tr -d '*' | tr ' ' '\n' | grep .
}
