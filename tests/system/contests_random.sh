#!/bin/bash
# Random contests by the command line against tests/contests/model.py and verifier.py: with SOAK=1, as
# "make soak" and "make holes-contests" have it, 129, else a third of them, and a seventh under sanitizers. SEED=N takes
# others than 1, 2, 3 and so on.
. tests/tap.sh

part=$((${SOAK:-0} ? 1 : 3))
[[ $BUILD != *-san ]] || part=7

# hold RULESET COUNT: fails if a contest disagrees, and says how to hold it again.
hold() {
    local status
    BOOTHLINK=$BUILD/boothlink python3 tests/contests/contests.py --ruleset "$1" --count "$2" \
        --first "${SEED:-1}" >"$TMPDIR/said" 2>&1
    status=$?
    sed 's/^/# /' "$TMPDIR/said"
    return "$status"
}

# agree RULESET COUNT
agree() {
    local count=$((($2 + part - 1) / part))
    ok "$1: $count contests agree with the rules" hold "$1" $count
}

agree loebner-1996 19
agree loebner-2003 25
agree loebner-2004 19
agree loebner-2009 17
for year in 2010 2011 2012 2013; do
    agree loebner-$year 4
done
agree longbet-2002 18
agree three-party-2025 6
agree class 3
agree two-party-2023 3
agree two-party-2024 3
plan
