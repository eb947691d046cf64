#!/bin/bash
# "boothlink replay": the last page by its digest, and what a person sees of it in a terminal.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

# Five minutes with long pauses, of two sessions.
cat >"$work/film.keys" <<'KEYS'
# boothlink keys 1
# @title Our Prize
# @part
# @program ELIZA
# @judge 1
# @human 3
# @left human
1 left judge 2009-09-06T15:00:00.000000Z - H
2 left judge 2009-09-06T15:00:00.200000Z - i
3 left judge 2009-09-06T15:00:00.400000Z - Return
1 right judge 2009-09-06T15:00:05.000000Z - Y
2 right judge 2009-09-06T15:00:05.500000Z - o
3 right entity 2009-09-06T15:00:20.000000Z - x
4 right entity 2009-09-06T15:00:20.500000Z - BackSpace
5 right entity 2009-09-06T15:00:21.000000Z - w
4 left entity 2009-09-06T15:03:00.000000Z - h
5 left entity 2009-09-06T15:03:01.000000Z - o
# @part
# @program ELIZA
# @judge 2
# @left program
6 left judge 2009-09-06T15:04:58.000000Z - e
7 left judge 2009-09-06T15:05:00.000000Z - n
8 left judge 2009-09-06T15:05:00.100000Z - d
KEYS
film=$work/film.keys
replay() { "$bl" replay "$@"; }
digests() { replay "$@" --json | jq -r '"\(.keys) \(.left) \(.right)"'; }

# The same film out of other formats: the same pages. (Of the film without its pressed times there
# is nothing that 2012 cannot hold.)
for to in 2007 2009 2012 asciicast; do
    "$bl" transcript convert "$film" --to $to --output "$work/film.$to" 2>/dev/null
    is "the end, from $to" "$(digests "$work/film.$to")" "$(digests "$film")"
    is "half a minute in, from $to" "$(digests "$work/film.$to" --at 30)" "$(digests "$film" --at 30)"
done
is 'how many keys there are by then' "$(replay "$film" --headless --at 30 | head -n 1)" '8 of 13 keys'
is 'how long it lasts' "$(replay "$film" --json | jq -c '[.keys, .of, .length_us, .part]')" \
    '[13,13,300100000,2]'
is 'a time may be written in three ways' "$(digests "$film" --at 0:03:00) $(digests "$film" --at 3:00)" \
    "$(digests "$film" --at 180) $(digests "$film" --at 180)"
is 'one side' "$(replay "$film" --json --side right | jq .keys)" 5

# A journal: the page that its judge saw.
printf 'pace 20\ntype Hello.\\n\nawait-turn 300 20000\n' >"$work/script"
cable line
start judge judge --left "serial:$work/line.a" --starts either --session live --headless --json \
    --script "$work/script" --journal judge
start entity entity --line "serial:$work/line.b" --journal entity --headless --program cat
ended judge
stop entity
journal=$work/judge/live-judge.journal
is "the judge's page again" "$(replay "$journal" --json | jq -r '"\(.keys) \(.left)"')" \
    "$(report judge '.sides.left | "\(.keys) \(.digest)"')"
"$bl" transcript convert "$journal" --to asciicast --output "$work/live.cast"
is 'also from its recording' "$(digests "$work/live.cast")" "$(digests "$journal")"

# What cannot be.
fails() {
    local description=$1 status=$2 text=$3 said got
    shift 3
    said=$(replay "$@" 2>&1 >/dev/null </dev/null)
    got=$?
    is "$description" "$got: $(grep -cF -- "$text" <<<"$said")" "$status: 1"
}
fails 'no file' 64 'expected replay FILE'
fails 'no such file' 66 'No such file' "$work/none"
fails 'too fast' 64 '0.25 to 50' "$film" --speed 51
fails 'too slow' 64 '0.25 to 50' "$film" --speed 0.2
fails 'no time' 64 'MM:SS' "$film" --at 1:x
fails 'no terminal' 69 'no terminal' "$film"

# By hand. Paused, so that nothing depends on when we look.
golden=$PWD/tests/golden
same() { [[ $(screen film) == "$(cat "$golden/$1.screen")" ]]; }
# shows NAME DESCRIPTION: the screen becomes tests/golden/NAME.screen; GOLDEN_UPDATE=1 writes it.
shows() {
    if [[ ${GOLDEN_UPDATE-} ]]; then
        pause 1
        screen film >"$golden/$1.screen"
    fi
    eventually same "$1"
    is "$2" "$(screen film)" "$(cat "$golden/$1.screen")"
}
window film 80 24 replay "$film" --paused --at 1
shows replay-begin 'the page, paused'
keys film Right
keys film Right
shows replay-seek 'twenty seconds on'
keys film Left
reads 'and ten back' film '00:00:11 of'
keys film n
shows replay-next 'the next key'
keys film w
reads 'who is who can be hidden' film 'LEFT hidden RIGHT hidden'
keys film w
reads 'and shown' film 'LEFT human 3 RIGHT program ELIZA'
keys film .
reads 'a minute on' film '00:01:20 of'
keys film ,
reads 'a minute back' film '00:00:20 of'
keys film e
shows replay-end 'the end, which is of the second session'
keys film b
reads 'the beginning' film 'Paused 1x 00:00:00 of'
for speed in 2x 4x 8x 16x 32x 50x 50x; do
    keys film +
    reads "faster: $speed" film "Paused $speed"
done
keys film Space
reads 'it plays, and comes to its end by itself' film 'The end 50x 00:05:00 of'
window_close film
window film 80 24 replay "$film" --blind --speed 0.25
reads 'blind, slow, playing' film 'Playing 0.25x'
reads 'nobody is named' film 'LEFT hidden RIGHT hidden'
ok 'nor anywhere on the screen' lacks film ELIZA
keys film -
reads 'not slower than that' film 'Playing 0.25x'
window_close film

# The terminal is given back.
window film 80 24
eventually has film '$'
keys film "$bl replay $film --paused; echo status \$?" Enter
eventually has film 'Paused 1x'
keys film q
reads 'q leaves' film 'status 0'
is 'and the screen is as it was' "$(tm display-message -p -t film '#{alternate_on} #{cursor_flag}')" '0 1'
plan
