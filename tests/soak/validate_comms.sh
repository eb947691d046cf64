#!/bin/bash
# No false alarm: communications programs that match their Entries are validated RUNS times, with
# another seed each time, while every core is kept busy.
. tests/tap.sh
set -u

RUNS=${RUNS:-20}
bl=$(realpath "$BUILD/boothlink")
work=$(mktemp -d "$TMPDIR/comms.XXXXXX") || exit 1
busy=()
finish() {
    kill "${busy[@]}" 2>/dev/null
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

mkdir "$work/programs"
cp "$BUILD/tests/system/terminals" "$work/programs/"
for program in entry comms; do
    ok "the template $program can be compiled" \
        "${CC:-cc}" -O2 -o "$work/programs/$program" "host/share/examples/$program.c"
done
for ((i = 0; i < $(nproc); i++)); do
    (while :; do :; done) &
    busy+=($!)
done

# validate RUN ENTRY JUDGE_END ENTITY_END
validate() {
    "$bl" validate comms --ruleset loebner-2004 --folder "$work/programs" --turns 2 --quiet 0.8 \
        --outage 0.5 --seed "$1" --program "$2" --judge-end "$3" --entity-end "$4" \
        >"$work/report" 2>&1
    local status=$?
    ((status == 0)) || sed 's/^/# /' "$work/report"
    return "$status"
}
for ((run = 1; run <= RUNS; run++)); do
    ok "a pair that draws, run $run" validate "$run" './terminals entry' \
        './terminals judge {port}' './terminals entity {port}'
    ok "the templates, run $run" validate "$run" './entry --name Kim' './comms {port}' \
        './comms {port}'
done
plan
