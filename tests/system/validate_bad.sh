#!/bin/bash
# Entrants' programs, of which each breaks one rule or none: the validator finds just that.
# ENTRANTS: a pattern for the rows of the table, to try some; JOBS: how many at once.
. tests/tap.sh
. tests/entrants/entrants.sh

# Most of the time all of them wait.
jobs_most=${JOBS:-16}
mapfile -t rows < <(entrants_rows "${ENTRANTS:-.}")

running=0
for number in "${!rows[@]}"; do
    read -ra words <<<"${rows[number]}"
    ((options_at = 4))
    [[ ${words[2]} != good ]] || ((options_at = 3))
    entrant_validate "$stage/$number" "${words[@]:0:2}" "${words[@]:options_at}" &
    ((++running < jobs_most)) || {
        wait -n
        ((running--))
    }
done
wait

for number in "${!rows[@]}"; do
    read -r program ruleset verdict check _ <<<"${rows[number]}"
    wanted="$verdict $check"
    [[ $verdict != good ]] || wanted=
    status=0
    [[ $verdict != FAIL ]] || status=65
    is "$program, $ruleset: ${wanted:-nothing} is found" "$(entrant_findings "$stage/$number")" \
        "$wanted"
    found=$(cat "$stage/$number.status")
    is "$program, $ruleset: which decides whether it is accepted" "$found" $status
    ((found == status)) || sed 's/^/# /' "$stage/$number.err"
done
plan
