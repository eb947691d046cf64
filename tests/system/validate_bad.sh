#!/bin/bash
# Entrants' programs, of which each breaks one rule or none: the validator finds just that.
# ENTRANTS: a pattern for the rows of the table, to try some; JOBS: how many at once. All checks are
# run with FULL=1, as tests/soak/validate.sh does; else those of the family that is broken, those at
# the start, and the one that says what no other does.
. tests/tap.sh
. tests/entrants/entrants.sh

# Those of a form and of LPP v2, each by a program in validate_form.sh and validate_lpp2.sh.
is 'each check of an Entry is failed by one in the table, and no other is named there' \
    "$(comm -3 <("$BUILD/boothlink" validate list --json |
        jq -r '.[] | select(.kind == "entry").id' | grep -vE '^(web|lpp2)[.]' | sort) \
        <(entrants_rows ' (FAIL|WARN) ' | awk '{print $4}' | sort -u))" ''

if ! can_validate; then
    skip 'every entrant breaks what it should, and no more' 'a sandbox needs root or user namespaces'
    plan
fi

# Most of the time all of them wait.
jobs_most=${JOBS:-24}
mapfile -t rows < <(entrants_rows "${ENTRANTS:-.}")
if ! is_bounded; then
    skip 'a fork bomb' 'root needs control groups with the pids controller'
    mapfile -t rows < <(printf '%s\n' "${rows[@]}" | grep -v '^forks ')
fi

running=0
for number in "${!rows[@]}"; do
    read -ra words <<<"${rows[number]}"
    options=("${words[@]:4}")
    family=${words[3]%%.*}
    case ${words[3]-} in
    limit.memory | crash.signal) family=talk,limit ;; # found while there is talk
    esac
    [[ ${FULL-} ]] || options+=(--only "start,talk.first,crash,$family")
    [[ ${words[2]} != good ]] || options=("${words[@]:3}")
    entrant_validate "$stage/$number" "${words[@]:0:2}" "${options[@]}" &
    ((++running < jobs_most)) || {
        wait -n
        ((running--))
    }
done
wait

for number in "${!rows[@]}"; do
    read -r program ruleset verdict check options <<<"${rows[number]}"
    wanted="$verdict $check"
    [[ $verdict != good ]] || wanted=
    findings=$(entrant_findings "$stage/$number")
    if is_stalled && [[ $findings != "$wanted" ]] && entrant_differs_in_time "$findings" "$wanted"; then
        skip "$program, $ruleset" 'its program was stopped, and a verdict is about time'
        continue
    fi
    # Accepted is what was looked at as a whole: in 2009 it speaks LPP, and 1996, 2003 and the long bet
    # want --long.
    status=1
    if [[ $options != *--only* && ($verdict == good || ${FULL-}) ]]; then
        case $program/$ruleset in
        */2004 | lpp/*/2009 | example/lpp_*/2009) status=0 ;;
        esac
    fi
    [[ $verdict != FAIL ]] || status=65
    is "$program, $ruleset: ${wanted:-nothing} is found" "$findings" "$wanted"
    found=$(cat "$stage/$number.status")
    is "$program, $ruleset: which decides whether it is accepted" "$found" $status
    # A terminal obeys what is no text.
    is "$program, $ruleset: it is told in text" \
        "$(jq -c '[.. | strings | select(test("[[:cntrl:]]"))]' "$stage/$number.json")" '[]'
    ((found == status)) || sed 's/^/# /' "$stage/$number.err"
done
plan
