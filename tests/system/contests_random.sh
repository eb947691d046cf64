#!/bin/bash
# Random contests by the command line against tests/contests/model.py: 100, a seventh of them under
# sanitizers. SEED=N takes others than 1, 2, 3 and so on.
. tests/tap.sh

part=1
[[ $BUILD != *-san ]] || part=7

# agree RULESET COUNT
agree() {
    ok "$1: $(($2 / part)) contests agree with the rules" env BOOTHLINK="$BUILD/boothlink" \
        python3 tests/contests/contests.py --leave-out ranks --leave-out returns --ruleset "$1" --count $(($2 / part)) --first "${SEED:-1}"
}

agree loebner-1996 14
agree loebner-2003 22
agree loebner-2004 18
agree loebner-2009 16
for year in 2010 2011 2012 2013; do
    agree loebner-$year $((part > 1 ? part : 4))
done
agree longbet-2002 14
plan
