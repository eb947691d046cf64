#!/bin/bash
# The way of one key through the rooms of both terminals, counted in programs whose functions tell of
# their calls: how often it changes rooms while a terminal is awake for it, and how often it is
# decoded and encoded. tests/way/way.pl says what is counted. VERBOSE=1 prints each change.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

letters=abcdef

# told NAME COMMAND...: a window, as of windows.sh, with a record of its functions' calls.
told() {
    local bl="env BOOTHLINK_WAY=$work/$1.way $BUILD/way/keyway"
    window "$1" 80 24 "${@:2}"
}

now() { perl -MTime::HiRes=clock_gettime,CLOCK_MONOTONIC -e 'printf "%d", 1e6 * clock_gettime(CLOCK_MONOTONIC)'; }

shown() { [[ $(words "$1") == *"$letters"* && $(words "$2") == *"$letters"* ]]; }

# types TYPIST OTHER: types the letters so slowly that each has gone its way before the next, and so
# fast that seldom one of them takes a digest of the page with it, which goes once a second at most.
types() {
    local i from
    windows=()
    for ((i = 0; i < ${#letters}; i++)); do
        from=$(now)
        keys "$1" -l "${letters:i:1}"
        sleep 0.2
        windows+=("$from-$(now)")
    done
    eventually shown "$1" "$2"
    result $? "the keys of $1 are shown"
    keys "$1" Enter
    sleep 1
}

# counts WHERE KIND WHAT MOST DECODED ENCODED: what a go cost at this terminal.
counts() {
    local changes decoded encoded shown way
    way=$(tests/way/way.pl "$BUILD/way/keyway" "$work/$1.way" "${windows[@]}" |
        awk -v kind="$2" '/^[^-]/ { on = $1 == kind } on')
    read -r _ changes decoded encoded shown <<<"$way"
    ok "$3: $changes changes of room, at most $4; decoded $decoded, encoded $encoded, for the screen $shown" \
        test "${changes:-99}" -le "$4" -a "${decoded:-9}" -le "$5" -a "${encoded:-9}" -le "$6"
    [[ ! ${VERBOSE-} ]] || sed -n 's/^- /#     /p' <<<"$way"
}

cable line --unpaced # a frame comes in one piece
told judge judge --left "serial:$work/line.a" --starts either --session way --journal judge
told entity entity --line "serial:$work/line.b" --keyboard --journal entity
reads 'the judge is there' judge 'LEFT » you type here connected'
reads 'the entity, too' entity 'connected'

types judge entity
counts judge keyboard "a judge's key, from his keyboard to the line" 20 1 1
counts entity line "a judge's key, from the line to the other screen" 20 1 1
counts judge answer 'its acknowledgement' 20 0 0

types entity judge
counts entity keyboard "an entity's key, from the keyboard to the line" 20 1 1
counts judge line "an entity's key, placed" 20 1 1
counts entity line "an entity's key, come back with its place" 20 1 1

cable other --unpaced
told asker judge --left "serial:$work/other.a" --starts either --session other --journal asker
told entry entity --line "serial:$work/other.b" --program 'cat >/dev/null' --journal entry
reads 'another judge is there' asker 'LEFT » you type here connected'
reads 'an Entry, too' entry 'connected'
types asker entry
counts entry line "a judge's key, from the line to an Entry" 20 1 1
plan
