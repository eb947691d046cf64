#!/bin/bash
# The page of a booth alone on a machine's screen, by the command of its unit: the real compositor, which
# draws into memory here, with the real browser; and the console in its place where that cannot be.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

mkdir -p "$work/stick" "$work/records"
printf '[place]\nformat = 1\nbooth = 1\nmachine = judge\n' >"$work/place.ini"
booth=(booth --kiosk --place "$work/place.ini" --tickets "$work/stick" --journal "$work/records")

units=host/share/systemd
kiosk=host/share/kiosk/kiosk
# setting UNIT NAME: what stands in a unit.
setting() { sed -n "s/^$2=//p" "$units/boothlink-$1@.service.in"; }
is 'where the browser cannot be shown the console takes its place' \
    "$(setting kiosk OnFailure) $(setting kiosk RestartPreventExitStatus) $(setting kiosk StartLimitBurst)" \
    'boothlink-booth@%i.service 69 4'
ok 'and one of them at a time has the records' grep -q 'boothlink-web@%i.service' <(setting booth Conflicts)
is 'each goes on with what the other has held' \
    "$(setting web ExecStart | sed 's/ --screen web//')" "$(setting booth ExecStart)"
if command -v systemd-analyze >/dev/null; then
    mkdir "$work/units"
    for unit in "$units"/*.service.in "$units"/*.socket; do
        name=${unit##*/}
        sed "s,@PREFIX@/bin/boothlink,$bl,; s,@PREFIX@/share/boothlink/kiosk,$PWD/host/share/kiosk,g" "$unit" >"$work/units/${name%.in}"
    done
    is 'systemd finds nothing wrong with the units' \
        "$(SYSTEMD_UNIT_PATH=$work/units: systemd-analyze verify --man=no "$work"/units/boothlink-{kiosk,web,booth}@tty1.service 2>&1 |
            grep boothlink- | grep -v -e 'dependency' -e 'plymouth')" ''
else
    skip 'systemd finds nothing wrong with the units' 'systemd-analyze is missing, or older than 250'
fi
policy() { jq -e "$1" host/share/kiosk/policy.json >/dev/null; }
ok 'the policy of the browser can be read' policy '.URLBlocklist == ["*"] and .URLAllowlist == ["127.0.0.1", "file:///run/boothlink-screen/page.html"] and
    .DeveloperToolsAvailability == 2'
is 'an address that is none of ours is refused' "$(echo 'http://example.org/' >"$work/odd"
    "$kiosk" show "$work/odd" 2>&1; echo $?)" "kiosk: $work/odd: expected http://127.0.0.1:PORT/#TOKEN
65"

# served UNIT: what systemd does with that unit: starts its command again as it says, and what is to
# follow when that has failed. Prints what was done.
served() {
    local unit=$1 starts=0 status
    while :; do
        ((++starts))
        "${@:2}" </dev/null >>"$work/served.out" 2>>"$work/served.err"
        status=$?
        echo "$unit: $status"
        [[ $status != "$(setting "$unit" RestartPreventExitStatus)" && $starts -lt $(setting "$unit" StartLimitBurst) ]] || break
    done
    setting "$unit" OnFailure
}
# on_console: the booth that follows, as its own unit starts it.
on_console() {
    window console 80 24 "${booth[@]}"
    reads "$1" console 'There are no tickets for this place yet.'
    tm kill-session -t console
}
echo "http://127.0.0.1:9/#0123456789abcdef0123456789abcdef" >"$work/url"
if [[ -e /dev/dri/card0 ]]; then
    skip 'a machine without graphics' 'this machine has some'
elif ! command -v cage >/dev/null; then
    skip 'a machine without graphics' 'cage is not installed; make deps BROWSER=1 does that'
else
    is 'on a machine without graphics it says so, once' \
        "$(XDG_RUNTIME_DIR=$work served kiosk "$kiosk" show "$work/url"; cat "$work/served.err")" \
        'kiosk: 69
boothlink-booth@%i.service
kiosk: no graphics (/dev/dri/card*): the booth goes to the console'
    on_console 'and the console has the booth'
fi

if ! command -v cage >/dev/null || ! command -v Xwayland >/dev/null; then
    skip 'the page alone on a screen' 'cage is not installed; make deps BROWSER=1 does that'
    plan
fi
if ((UID)); then
    alone=()
else
    alone=(setpriv --reuid nobody --regid nogroup --clear-groups) # cage refuses to be root
fi
# Where that user may go: the folder of a test is its own user's.
run=$(mktemp -d /tmp/kiosk.XXXXXX) || exit 1
trap '! is_main || { windows_end; rm -rf "$run"; }' EXIT
start judge "${booth[@]}" --screen web
ok 'the booth has an address' eventually test -s "$work/records/booth.url"
url=$run/url
if ((UID == 0)); then
    chown nobody:nogroup "$run"
    ok 'the browser gets the address' "$kiosk" fetch "$work/records/booth.url" "$url" nobody
    is 'for its user alone' "$(stat -c '%U %a' "$url")" 'nobody 400'
else
    cp "$work/records/booth.url" "$url"
fi
screened=("${alone[@]}" env -i "PATH=$PATH" LANG=C.UTF-8 "HOME=$run" "XDG_RUNTIME_DIR=$run"
    WLR_RENDERER=pixman WLR_LIBINPUT_NO_DEVICES=1
    'KIOSK_CHROMIUM=--no-sandbox --disable-gpu --force-device-scale-factor=1 --remote-debugging-port=0')
install -m 755 "$kiosk" "$run/kiosk"
"${screened[@]}" WLR_BACKENDS=headless "$run/kiosk" show "$url" </dev/null >"$work/cage.out" 2>&1 &
pid_of[cage]=$!
wayland() { find "$run" -name 'wayland-*' ! -name '*.lock' | grep .; }
ok 'the compositor begins' eventually wayland
page_of() {
    local pid
    for pid in $(pgrep -P "${pid_of[cage]}"); do
        tr '\0' '\n' <"/proc/$pid/cmdline" | grep -q ^file:// && echo "$pid"
    done
}
ok 'with the browser' eventually eval 'page_of | grep .'
browser=$(page_of)
is 'there is one browser, with that page' "$(wc -w <<<"$browser")" 1
if command -v grim >/dev/null && command -v chromedriver >/dev/null; then
    ok 'it is up' eventually test -s "$run/browser/DevToolsActivePort"
    socket=$(basename "$(wayland)")
    results python3 tests/system/kiosk.py "$run" "$socket" "${alone[@]}"
else
    skip 'the page fills the screen' 'grim or chromium-driver is not installed; make deps BROWSER=1 does that'
fi
if [[ $browser =~ ^[0-9]+$ ]]; then kill -9 "$browser"; fi
ok 'when it ends, so does the compositor, for the unit to begin anew' eventually is_over cage

# The compositor finds nothing that draws: there is no graphics card here.
rm -f "$work/served.err"
is 'a compositor that cannot start is tried four times, and then it is the console'"'"'s turn' \
    "$(served kiosk "${screened[@]}" WLR_BACKENDS=headless WLR_RENDERER=gles2 "$run/kiosk" show "$url" | paste -sd' ')" \
    'kiosk: 1 kiosk: 1 kiosk: 1 kiosk: 1 boothlink-booth@%i.service'
kill "${pid_of[judge]}"
ok 'the booth in the browser gives way' ended judge
on_console 'and the console has the booth, too'
plan
