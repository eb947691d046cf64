#!/bin/bash
# Rates of a contest's ballots with their intervals, against a computation with fractions; how many
# games tell two rates apart, and the odds of the long bet, by the command line.
. tests/tap.sh
. tests/support/contest.sh

boothlink=$BUILD/boothlink

contest_new loebner-2009 4 4 4
contest_draw
contest_reveal
contest_begin
seed=7
for meeting in $(meetings); do
    ((seed = seed * 1103515245 + 12345 & 0x7fffffff))
    contest ballot "${meeting%%E*}" "E${meeting#*E}" "$( ((seed >> 16 & 3)) && echo confederate || echo entry)"
done >/dev/null
votes=$(ballot_table)
is 'all has been voted on' "$(wc -l <<<"$votes")" 16
is 'each rate and both intervals are what fractions give' "$(contest rates --json | python3 tests/system/rates.py)" '10 4'
is 'counted from the ballots' "$(contest rates --json | jq -r '.human[8] | "\(.count) \(.games)"')" \
    "$(cut -d, -f6 <<<"$votes" | grep -cxE '1|true|yes') 16"
is 'one line each' "$(contest rates | grep -c '^[ECJ][0-9]* .* of ')" 14
is 'the report draws each interval, of entities and judges' "$(contest report | grep -c 'of 4, [0-9]* to [0-9]* %')" 12
contest_new loebner-2003 2 2 1
refused 65 'a ballot of Loebner Prize 2003 is a rating: "boothlink contest result" has the means' rates

is 'games that tell 60 % from 50 %' "$("$boothlink" contest power | cut -d: -f1)" '210 games'
is 'what 100 can do' "$("$boothlink" contest power --games 100 --json | jq '.power * 1000 | floor')" 462
is 'rates that are the same' "$("$boothlink" contest power --rate 50 2>&1; echo $?)" \
    "boothlink contest power: --rate and --other are the same: nothing tells them apart
64"
is 'the long bet by chance' "$("$boothlink" contest odds | cut -d' ' -f1 | tail -n +2 | paste -sd ' ')" \
    '0.75 0.56 0.42 0.80 0.38 0.07'
is 'too many judges' "$("$boothlink" contest odds --judges 8 --foils 7 >/dev/null 2>&1; echo $?)" 65
plan
