# shellcheck shell=bash
# The two files of a contest's manager, for the system tests: source this after tests/tap.sh, and
# after tests/support/booth.sh where there are booths as well. They lie in $work.

: "${work:=$TMPDIR/work}"

# people_fill FOLDER: types the names into a template there.
people_fill() {
    sed -i -E 's/^name =$/name = A contest/; s/\.(rights|receipt|unknown) =$/.\1 = yes/; s/\.age =$/.age = adult/; s/^(entry[0-9]+)\.(submitter|comms) =$/\1.\2 = S \1/
        s/^(judge|entry|confederate)([0-9]+) =$/\1\2 = The \1 \2/' "$1/people.ini"
}

# template RULESET BOOTHS: both files, with the names; a ruleset in a file lies beside them.
template() {
    "$BUILD/boothlink" contest template --ruleset "$1" --booths "$2" "$work" >/dev/null || return
    people_fill "$work"
    [[ $1 != */* ]] || sed -i "s/^ruleset = .*/ruleset = ${1##*/}/" "$work/people.ini"
}

# venue_of_cables LINE...: one booth with the cables a and b, and these lines for its Entry.
venue_of_cables() {
    printf '%s\n' '[venue]' 'format = 1' 'begin = ready' '[machines]' \
        "booth1.judge-a = serial:$work/a.a" "booth1.entity-a = serial:$work/a.b" \
        "booth1.judge-b = serial:$work/b.a" "booth1.entity-b = serial:$work/b.b" "$@" >"$work/venue.ini"
}

# venue_of_line FILE: four booths at one line, and a program for each of two Entries.
venue_of_line() {
    local i
    {
        printf '[venue]\nformat = 1\n[machines]\n'
        for i in 1 2 3 4; do
            printf 'booth%d.judge-a = serial:%s\nbooth%d.entity-a = serial:%s\n' \
                "$i" "$work/line.a" "$i" "$work/line.b"
        done
        printf 'entry%d.program = ./entry\n' 1 2
    } >"$1"
}

# venue_setup: sets the contest up from both.
venue_setup() { "$BUILD/boothlink" contest setup --unsigned "$work/people.ini" "$work/venue.ini"; }
