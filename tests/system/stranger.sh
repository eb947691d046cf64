#!/bin/bash
# Another local user of a machine whose screen is a page in a browser: nothing is told to him, taken from him,
# or to be read from what every user may see, whatever dies and whoever has the port meanwhile.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/browser.sh

mkdir "$work/stick" "$work/records" "$work/bin" "$work/run"
printf '[place]\nformat = 1\nbooth = 1\nmachine = judge\n' >"$work/place.ini"
asked_begin() { start judge booth --place place.ini --tickets stick --journal records --screen web; }
# With the terminal of the session that it holds.
asked_kill() { slay judge; }
# The kiosk's command, with a compositor that only notes how it was called.
printf '#!/bin/bash\ntr "\\0" " " </proc/$$/cmdline >%q\n' "$work/called" >"$work/bin/cage"
cp "$work/bin/cage" "$work/bin/chromium"
chmod +x "$work"/bin/*
kiosk() {
    echo "$1" >"$work/run/url"
    rm -f "$work/called"
    PATH=$work/bin:$PATH XDG_RUNTIME_DIR=$work/run WLR_BACKENDS=headless KIOSK_PATIENCE=${2-} \
        host/share/kiosk/kiosk show "$work/run/url" >"$work/said" 2>&1
}
called_without() { [[ -s $work/called ]] && ! grep -qF "$1" "$work/called"; }
shown=0
asked_kiosk() {
    if ((shown++ == 0)); then
        kiosk "$1" 1
        is 'the kiosk opens no page at a port that a stranger has' \
            "$? $(sed 's/port [0-9]*/port N/' "$work/said") $(ls "$work/run")" \
            "75 kiosk: port N: another program answers there; the booth's own address is looked for again url"
        return
    fi
    kiosk "$1" 60
    is 'it opens one at the booth'"'"'s' "$? $(cat "$work/said")" '0 '
    ok 'no argument tells where' called_without "${1#*#}"
    is 'which a file of its user has' "$(stat -c %a "$work/run/page.html") $(grep -cF "\"$1\"" "$work/run/page.html")" '600 1'
}

# What root fetches for the browser lies in a folder of the booth's user, who may have put a link there.
if ((UID == 0)); then
    lies=$(mktemp -d /tmp/fetch.XXXXXX) # where that user may go
    mkdir "$lies/booths" "$lies/screens"
    chmod 711 "$lies"
    echo 'http://127.0.0.1:9/#0123456789abcdef0123456789abcdef' >"$lies/secret"
    chmod 600 "$lies/secret"
    chown nobody "$lies/booths" "$lies/screens"
    printf '#!/bin/bash\nprintf "%%s\\n" "$@" >>%q\nexec %q "$@"\n' "$lies/called" "$(command -v setpriv)" \
        >"$lies/setpriv"
    chmod +x "$lies/setpriv"
    fetched() {
        PATH=$lies:$PATH host/share/kiosk/kiosk fetch "$lies/booths/url" "$lies/screens/url" nobody >"$work/said" 2>&1
    }
    ln -s "$lies/secret" "$lies/booths/url"
    fetched
    is 'a link to what the booth may not read gives nothing' "$? $(ls "$lies/screens")" '65 '
    rm "$lies/booths/url"
    echo 'root:x:0:0' >"$lies/booths/url"
    fetched
    is 'nor does what is no address' "$? $(ls "$lies/screens")" '65 '
    cp "$lies/secret" "$lies/booths/url"
    chown nobody "$lies/booths/url"
    : >"$lies/mine"
    ln -s "$lies/mine" "$lies/screens/url"
    fetched
    is 'an address is given to its user alone, and through no link' \
        "$? $(stat -c '%U %a' "$lies/screens/url") $(cat "$lies/screens/url") $(stat -c %s "$lies/mine")" \
        "0 nobody 400 $(cat "$lies/secret") 0"
    # shellcheck disable=SC2016 # eval expands them
    ok 'and in no argument' eval '[[ -s $lies/called ]] && ! grep -q 0123456789abcdef "$lies/called"'
    rm -r "$lies"
else
    skip 'what root fetches' 'only root can be another user'
fi

asked_begin
ok 'the booth has an address' eventually test -s "$work/records/booth.url"
is 'for its user alone' "$(stat -c %a "$work/records/booth.url")" 600
serve tests/system/stranger.py "$work"
is 'its address is in nothing that it says' "$(grep -c '#[0-9a-f]\{32\}' "$work"/judge.{out,err} | xargs)" \
    "$work/judge.out:0 $work/judge.err:0"
if command -v node >/dev/null; then
    results node tests/system/stranger.js host/web/door.js host/web/page.js
else
    skip 'a page at a port that a stranger takes' 'node is not installed; make deps NPM=1 does that'
fi
plan
