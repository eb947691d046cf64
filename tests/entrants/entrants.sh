# shellcheck shell=bash
# Entrants' programs of tests/entrants/table in folders of their own, and what the validator says of
# them. Source it after tests/tap.sh.

. tests/support/bounded.sh

BUILD=$(realpath "${BUILD:-build}")
entrants=$PWD/tests/entrants
examples=$PWD/host/share/examples
stage=$(mktemp -d "${TMPDIR:-/tmp}/entrants.XXXXXX") || exit 1

# How patient the validator is: as little as a machine with much else to do allows.
quick=(--start-time 20 --answer 10 --quiet 0.4 --silence 3 --end-time 3)

stage_end() {
    local pid
    for pid in $(jobs -p); do
        kill "$pid"
    done
    wait
    rm -rf "$stage"
} 2>/dev/null
trap stage_end EXIT

# can_validate: whether this machine has what a sandbox needs.
can_validate() {
    mkdir -p "$stage/probe"
    "$BUILD/boothlink" validate entry --folder "$stage/probe" --program cat --ruleset loebner-2003 \
        --only start.time --start-time 20 >/dev/null 2>&1
    (($? != 69))
}

# entrants_rows PATTERN: the rows of the table that match.
entrants_rows() {
    sed '/^#/d; /^$/d' "$entrants/table" | grep -E -- "$1"
}

# entrant_make FOLDER PROGRAM: puts a program there, and its command on standard output.
entrant_make() {
    local folder=$1 fault=${2#*/}
    mkdir -p "$folder"
    case $2 in
    lpp/*)
        cp "$entrants/lpp.pl" "$folder"
        echo "perl lpp.pl lpp $fault"
        ;;
    scroll/*)
        cp "$entrants/scroll.pl" "$folder"
        [[ $fault != long-protocol ]] || yes word | head -n 2501 >"$folder/protocol.txt"
        echo "perl scroll.pl $fault"
        ;;
    other/eliza)
        cp "$entrants/eliza.pl" "$folder"
        echo 'perl eliza.pl'
        ;;
    other/doctor)
        cp "$entrants/doctor.el" "$folder"
        echo 'emacs -Q --batch -l doctor.el'
        ;;
    example/*.*)
        cp "$examples/$fault" "$folder"
        echo "./$fault lpp 8"
        ;;
    example/lpp_entry)
        gcc -O2 -o "$folder/$fault" "$examples/$fault.c" && echo "./$fault lpp 8"
        ;;
    example/*)
        gcc -O2 -o "$folder/$fault" "$examples/$fault.c" && echo "./$fault --name Bob --pace 8"
        ;;
    *)
        cp "$entrants/entrant.pl" "$folder"
        echo memory >"$folder/memory.txt"
        echo "$folder/memory.txt" >"$folder/place"
        echo "perl entrant.pl $fault"
        ;;
    esac
}

# entrant_validate FOLDER PROGRAM RULESET OPTION...: writes the report to FOLDER.json, what it has
# said besides to FOLDER.err, its exit status to FOLDER.status.
entrant_validate() {
    local folder=$1 program=$2 ruleset=$3 command options=("${@:4}")
    command=$(entrant_make "$folder" "$program")
    [[ $program != *lpp* ]] || options+=(--lpp lpp)
    case $ruleset in
    longbet) ruleset=longbet-2002 ;;
    ????) ruleset=loebner-$ruleset ;;
    esac
    mkdir -p "$folder.home"
    echo remembered >"$folder.home/.entrant"
    HOME=$folder.home ENTRANT_MEMORY=yes \
        "$BUILD/boothlink" validate entry --json --folder "$folder" --program "$command" \
        --ruleset "$ruleset" "${quick[@]}" "${options[@]}" >"$folder.json" 2>"$folder.err"
    echo $? >"$folder.status"
}

# entrant_differs_in_time FOUND WANTED: findings of one alone are all about time. Of a program that is stopped
# (STALLED) the validator says rightly that it is slow.
entrant_differs_in_time() {
    ! sort <(echo "$1") <(echo "$2") | uniq -u | grep -vE "(^| )($timed_checks)\$|^\$" | grep -q .
}

# entrant_findings FOLDER: the checks that were not passed, "FAIL talk.first", one on a line.
entrant_findings() {
    jq -r '.checks[] | select(.verdict == "FAIL" or .verdict == "WARN") | "\(.verdict) \(.id)"' \
        "$1.json"
}
