#!/bin/bash
# A courier as it is installed, under a system manager: by its unit it reads the records of its console, of
# another user's, and reaches the one address that it was given; nothing else is there for it. The tickets that
# it lays out are for the terminal's user and for nobody else. And a live referee's page, by its unit.
. tests/tap.sh
. tests/support/journals.sh
. tests/support/booth.sh
. tests/support/venue.sh
. tests/support/systemd.sh
trap 'system_end; cleanup' EXIT

if ! system_may_be; then
    skip 'the unit of a courier' "a system manager of the test's own needs root, namespaces and control groups"
    plan
fi
if [[ ! -x /usr/sbin/nats-server ]]; then
    skip 'the unit of a courier' 'nats-server is not installed; make deps does that'
    plan
fi
port=$(free_port)
mkdir -p "$work/units"
template loebner-2009 2
venue_setup >/dev/null || exit
keys=$work/contest.db.keys/places
"$BUILD/boothlink-desk" --keys "$keys" --make-key judges-room-referee
"$BUILD/boothlink-desk" --folder "$work/inbox" --keys "$keys" --sticks "$work/sticks" --listen "127.0.0.1:$port" 2>"$work/desk.err" &
pid_of[desk]=$!
ok 'a desk is open' eventually grep -q 'open for the places' "$work/desk.err"

# edit NAME LINE...: what the machine's owner writes, of a courier or of boothlink-referee.
edit() {
    local unit=boothlink-courier@$1
    [[ $1 != *referee ]] || unit=boothlink-$1
    mkdir -p "$work/units/$unit.service.d"
    printf '%s\n' '[Unit]' 'After=prepare.service' 'Requires=prepare.service' '[Service]' \
        "Environment=DESK=nats://127.0.0.1:$port" "StandardError=file:$work/$1.err" "${@:2}" \
        >"$work/units/$unit.service.d/override.conf"
}
edit tty1 IPAddressAllow=127.0.0.1
edit deaf
edit other IPAddressAllow=127.0.0.2
edit try "StandardOutput=file:$work/tried" Restart=no ExecStart= "ExecStart=/bin/bash /usr/lib/try"
edit referee
sed 's,@PREFIX@,/usr,' host/share/systemd/boothlink-referee.service.in >"$work/units/boothlink-tryreferee.service"
edit tryreferee "StandardOutput=file:$work/tryreferee.out" Restart=no ExecStart= "ExecStart=/bin/bash /usr/lib/tryreferee"
cat >"$work/tryreferee" <<'SH'
cd /var/lib
echo "user $UID"
echo "sees" * */*.key
(: >boothlink-referee/new) 2>/dev/null && echo "keeps its page's address"
(: >/var/lib/new) 2>/dev/null && echo "makes a file"
cd /
for at in etc/passwd etc/shadow var/log root/* root/.[a-z]* home/* opt/* tmp/*; do
    [[ ! -e $at ]] || echo "finds $at"
done
echo done
SH
cat >"$work/try" <<'SH'
cd /var/lib/boothlink
echo "user $UID"
echo "sees" *
read -r line <try/r1-j4-judge.journal && echo "reads a record"
(echo changed >>try/r1-j4-judge.journal) 2>/dev/null && echo "writes a record"
(: >try/new) 2>/dev/null && echo "makes a file"
cd /
for at in etc/passwd etc/shadow var/log var/lib/boothlink-entries root/* root/.[a-z]* home/* opt/* tmp/*; do
    [[ ! -e $at ]] || echo "finds $at"
done
echo done
SH
cat >"$work/look" <<'SH'
at=/run/boothlink-courier/tty1.stick
exec 3<> <(:) # nobody writes there: a pause without a process
until [[ -e $at ]]; do read -rt 0.2 -u 3; done
set -- $at/boothlink/booth-1-judge/*.ticket # of the rounds that were drawn
[[ ! -r $1 ]] || echo "reads a ticket"
[[ ! -w $1 ]] || echo "writes a ticket"
echo done
SH
# looks NAME USER: whether he may read the tickets.
looks() {
    printf '%s\n' '[Unit]' 'After=prepare.service' 'Requires=prepare.service' '[Service]' "User=$2" \
        'ExecStart=/bin/bash /usr/lib/look' "StandardOutput=file:$work/$1.looked" >"$work/units/$1.service"
}
looks board boothlink
looks entry boothlink-entry
journal judge r1-j1 one two >"$work/r1-j1-judge.journal"
for session in r1-j2 r1-j3 r1-j4; do
    { echo a line; journal judge $session one; } >"$work/$session-judge.journal"
done
cat >"$work/prepare" <<SH
set -e
cp $work/try $work/tryreferee $work/look /usr/lib
install -D -o boothlink-referee -m 600 $keys/judges-room-referee.key /var/lib/boothlink-referee/referee.key
mkdir -p /opt/entries
install -d -o boothlink -m 700 /var/lib/boothlink
n=0
for at in tty1 deaf other try; do
    install -d -o boothlink -m 700 /var/lib/boothlink/\$at
    n=\$((n + 1))
    install -o boothlink -m 600 $keys/booth-1-judge.key /var/lib/boothlink/\$at/place.key
    install -o boothlink -m 600 $work/r1-j\$n-judge.journal /var/lib/boothlink/\$at
done
SH
printf '%s\n' '[Service]' 'Type=oneshot' 'RemainAfterExit=yes' "ExecStart=/bin/bash $work/prepare" "StandardError=file:$work/prepare.err" \
    >"$work/units/prepare.service"

system_boot prepare.service board.service entry.service boothlink-{,try}referee.service \
    boothlink-courier@{tty1,deaf,other,try}.service
booted() { [[ -s $work/tried ]] || ! runs system; }
eventually booted
[[ -s $work/tried ]] || sed "s/^/# /" "$work/system.log"
is_there() { cmp -s "$work/r1-j1-judge.journal" "$work/inbox/booth-1-judge/r1-j1-judge.journal"; }
ok 'a record comes to the desk by the unit' eventually is_there
ok 'what the unit leaves open was tried' eventually grep -q ^done "$work/tried"
is 'it reads the records of its console, and nothing else is there' "$(sed "s/^user [1-9][0-9]*$/user N/" "$work/tried")" \
    'user N
sees try
reads a record
done'
ok "its place's tickets are laid out" eventually grep -q ^done "$work/board.looked"
is "the terminal's user reads them" "$(<"$work/board.looked")" $'reads a ticket\ndone'
ok "an Entry's" eventually grep -q ^done "$work/entry.looked"
is 'does not' "$(<"$work/entry.looked")" 'done'
ok 'one that was given no address does not reach its desk' eventually grep -q 'there is no way to the desk' "$work/deaf.err"
ok 'nor one that was given another' eventually grep -q 'there is no way to the desk' "$work/other.err"
is 'and nothing comes of them' "$(ls "$work/inbox/booth-1-judge")" r1-j1-judge.journal
ok "a referee's page reaches the desk by its unit" eventually grep -q 'the way to the desk is open' "$work/referee.err"
page=$(sed -nE "s|.*the referee's page: http://127.0.0.1:([0-9]+)/.*|\1|p" "$work/referee.err" | head -n 1)
shows() {
    exec 5<>"/dev/tcp/127.0.0.1/$page" || return
    printf 'GET / HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$page" >&5
    grep -q "The referee's page" <&5
}
ok 'and a browser reaches the page' shows
eventually grep -q ^done "$work/tryreferee.out"
is 'its key is all that it sees' "$(sed "s/^user [1-9][0-9]*$/user N/" "$work/tryreferee.out")" \
    "user N
sees boothlink-referee boothlink-referee/referee.key
keeps its page's address
done"
plan
