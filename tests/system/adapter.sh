#!/bin/bash
# An adapter that is pulled and plugged in again where its name is udev's: /dev/booth goes with the last
# adapter and is made anew with the first.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

above=$work/dev
booth=$above/booth
name_ports() {
    local side
    mkdir -p "$booth"
    for side in left right; do
        ln -s "$(readlink "$work/$side.a")" "$booth/$side"
    done
}

# both_read DESCRIPTION TEXT: waits until each side has it.
both_have() { [[ $(words judge) == *"$1"*"$1"* ]]; }
both_read() {
    local status
    eventually both_have "$2"
    status=$?
    result $status "$1"
    ((status == 0)) || screen judge | sed 's/^/# /'
}

# watched DESCRIPTION FOLDER: waits until the kernel tells the judge's terminal of what happens there.
is_watched() { grep -q "^inotify .* ino:$1 " "/proc/$(window_pid judge)/fdinfo/"*; }
watched() { ok "$1" eventually is_watched "$(printf %x "$(stat -c %i "$2")")"; }

# The names go first, so that their folder is watched while there is nothing in it.
pull() {
    local side
    rm "$booth"/{left,right}
    for side in left right; do
        tell $side remove a
    done
    both_read "$1" 'NOT REACHABLE'
    watched 'and the folder of their names is watched' "$booth"
}
plug() {
    local side
    for side in left right; do
        tell $side restore a
    done
    name_ports
    both_read "$1" ' connected '
}

for side in left right; do
    cable $side
    start "$side-entity" entity --line "serial:$work/$side.b" --headless --script /dev/null --journal $side
done
name_ports
window judge 160 24 judge --left "serial:$booth/left" --right "serial:$booth/right" --journal judge
both_read 'two adapters' ' connected '

pull 'both pulled'
rmdir "$booth" "$above"
watched 'gone with the folder above it: the next one is watched' "$work"
plug 'plugged in again'

pull 'both pulled'
rmdir "$booth"
watched 'the folder gone: the one above is watched' "$above"
mkdir "$booth"
watched 'there again without a name' "$booth"
rmdir "$booth"
watched 'and gone again' "$above"
plug 'plugged in again'

# A link of one's own stays when what it points to goes, and its folder tells nothing. The cable that is
# out tells when the port has been tried in vain.
window_close judge
stop left-entity >/dev/null
stop right-entity >/dev/null
mkdir "$work/own"
ln -s "$work/left.a" "$work/own/name"
start left-entity entity --line "serial:$work/left.b" --headless --script /dev/null --journal own-left
start right-entity entity --line "serial:$work/right.b" --headless --script /dev/null --journal own-right
window judge 160 24 judge --left "serial:$work/own/name" --right "serial:$work/right.a" --journal own
both_read 'a link of its own' ' connected '
tell left remove a
tell right unplug
reads 'pulled' judge 'nothing heard for 3 s'
tell left restore a
tell right plug
both_read 'plugged in again' ' connected '
plan
