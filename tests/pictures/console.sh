#!/bin/bash
# What a console shows in each style, at the sizes of common screens, in $BUILD/pictures as SVG and, where
# rsvg-convert is there, as PNG: `make pictures`. For people to look at.
folder=$(realpath -m "${BUILD:-build}/pictures")
. tests/tap.sh
. tests/golden/lib.sh
here=$PWD/tests/pictures
mkdir -p "$folder"

# picture NAME COLUMNS ROWS: of the screen as it is.
picture() {
    local cursor
    eventually still
    cursor=$(tm display-message -p -t golden '#{?cursor_flag,#{cursor_x} #{cursor_y},}')
    # shellcheck disable=SC2086 # two numbers, or none
    tm capture-pane -e -N -p -t golden | perl "$here/screen_svg.pl" "$2" "$3" $cursor >"$folder/$1.svg"
    ! command -v rsvg-convert >/dev/null || rsvg-convert -o "$folder/$1.png" "$folder/$1.svg"
    echo "$folder/$1.svg"
}

talk() {
    say 'state L open' 'active L yes' \
        'say L entity Good morning. I came by train; it was late, of course, and crowded.\n' \
        'say L judge Good morning! How was your journey?\n' \
        'say L entity The strangest thing was a man with a parrot on his shoulder. ' \
        'say L judge What did the parrot say? I have alw'
}

for size in '80 24' '100 30' '128 48' '240 67'; do
    read -r columns rows <<<"$size"
    at=${columns}x$rows
    begin "$columns" "$rows" TERM=tmux-256color
    say 'role judge' 'segment LEFT · part 1 of 2' 'left 272' 'enforced yes' 'sides 2' 'state R closed'
    talk
    say 'say R entity Hello.\n' 'say R judge Hello there, on the right.\n'
    picture "console-split-$at" "$columns" "$rows"
    say 'reach L no the cable is out or the other terminal is off'
    picture "console-unreachable-$at" "$columns" "$rows"
    say 'reach L yes' 'ballot human' 'ballot about Press Return to give it. It can be corrected until the session ends.'
    keys F3
    picture "console-ballot-$at" "$columns" "$rows"
    for style in split scroll web; do
        begin "$columns" "$rows" TERM=tmux-256color
        say "style $style columns=78" 'role judge' 'segment part 1 of 2' 'left 272' 'enforced yes' 'sides 1' \
            'title L YOU ARE THE JUDGE'
        talk
        picture "console-$style-one-$at" "$columns" "$rows"
    done
done
