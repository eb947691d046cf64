#!/bin/bash
# A command loads the libraries that it needs and no others. What a start costs is measured by
# tests/bench/bench_start.c.
. tests/tap.sh
export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS} # it would look under LD_DEBUG
bl=$BUILD/boothlink

# loads COMMAND...: the libraries that it loads, at its start or later, in $loaded, a file's name each.
loads() {
    local file line
    rm -f "$TMPDIR"/ld.*
    LD_DEBUG=files LD_DEBUG_OUTPUT=$TMPDIR/ld "$bl" "$@" >"$TMPDIR/said" 2>&1
    loaded=
    for file in "$TMPDIR"/ld.*; do
        while read -r line; do
            [[ $line =~ file=([^ ]+)\ \[[0-9]+\]\;\ +generating ]] || continue
            loaded+=${BASH_REMATCH[1]##*/}$'\n'
        done <"$file"
    done
}

late=(pcap websockets glpk sqlite3 vterm seccomp pcre2 serialport ncursesw inih)
heavy=(dbus systemd ssl crypto) # that those bring

# has: which of these were loaded.
has() {
    local name
    for name in "${late[@]}" "${heavy[@]}"; do
        [[ $loaded != *"lib$name".so* && $loaded != *"lib$name"-* ]] || echo "$name"
    done | xargs
}

# The loader itself and the kernel's vdso count, too.
loads version
count=$(($(wc -l <<<"$loaded") + 1))
echo "# ${loaded//$'\n'/ }"
ok "version loads $count libraries, at most 12" test "$count" -gt 3 -a "$count" -le 12
is 'and none of those that are loaded late' "$(has)" ''
loads version --all
is 'version --all loads each of them' "$(has)" "${late[*]} ${heavy[*]}"
is 'and names what it has loaded' "$(grep -cE '^(libpcap|libwebsockets|sqlite|ncurses) ' "$TMPDIR/said")" 4

loads contest new "$TMPDIR/contest.db" --name Start --ruleset loebner-2009
is 'a contest has a store' "$(has)" 'sqlite3 inih'
loads ports
is 'a list of ports asks libserialport' "$(has)" serialport
loads line --help
is 'a help asks nobody' "$(has)" ''

# A library that is not there is named, with what would be right.
mkdir "$TMPDIR/broken" && : >"$TMPDIR/broken/$(sed -n 's/^#define LATE_FILE_SERIALPORT "\(.*\)"/\1/p' "$BUILD/gen/late.h")"
said=$(LD_LIBRARY_PATH=$TMPDIR/broken "$bl" ports 2>&1)
is "one that is broken is named ($?)" "$(grep -cE '^boothlink ports: .*libserialport\.so.*install' <<<"$said")" 1
plan
