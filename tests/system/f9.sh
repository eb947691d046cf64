#!/bin/bash
# DESIGN.md, "Blindness": an attendant starts the Entry again with F9 under a keeper that the system
# starts, and that is not there yet: the line goes on meanwhile, as a person's would.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

# As systemd would: a keeper takes the socket when somebody connects; the n-th when there is a file.
cat >"$work/service.pl" <<'PERL'
use Socket;
use POSIX;
my ($path, $program) = @ARGV;
$^F = 99;
socket my $listener, AF_UNIX, SOCK_SEQPACKET, 0 or die;
bind $listener, pack_sockaddr_un($path) or die;
listen $listener, 4 or die;
for my $n (1 .. 2) {
    select undef, undef, undef, 0.05 until -e "$path.$n";
    vec(my $readable = '', fileno $listener, 1) = 1;
    select $readable, undef, undef, undef;
    if (!fork) {
        $ENV{LISTEN_FDS} = 1;
        POSIX::dup2(fileno $listener, 3);
        exec $program, 'keeper';
    }
    wait;
}
PERL
# shellcheck disable=SC2016 # the Entry's shell
echo 'while read -r line; do echo "You say $line"; done' >"$work/entry.sh"

mkdir "$work/entry"
mv "$work/entry.sh" "$work/entry/"
perl "$work/service.pl" "$work/keeper" "$bl" &
pid_of[service]=$!
: >"$work/keeper.1"
ok 'the system has a socket' eventually test -S "$work/keeper"
cable line
window judge 80 24 judge --left "serial:$work/line.a" --starts either --session one --journal judge
window entity 80 24 entity --line "serial:$work/line.b" --journal entity --folder "$work/entry" \
    --keeper "$work/keeper" --program 'sh entry.sh'
entity=$work/entity/one-entity.journal
reads 'the judge has his line' judge ' connected '
reads 'and it is open' judge ' open '
keys judge -l one
keys judge Enter
reads 'the Entry answers' judge 'You say one'
pid=$(notes "$entity" entry | sed -n 's/^started, process \([0-9]*\).*/\1/p')
kill -9 "$pid"
reads 'it has ended' entity 'F9 starts it again'
keys entity F9
ok 'F9 starts it again' eventually says "$entity" entry 'started again by an attendant'
keys judge -l two
ok 'its keeper is not there, and what the judge types is on record all the same' \
    eventually has_keys "$entity" $((4 + 12 + 3))
keys entity F9
reads 'F9 once more waits, too' entity 'The Entry is being started'
: >"$work/keeper.2"
keys judge Enter
reads 'when the keeper is there the Entry answers' judge 'You say two'
window_close judge
window_close entity

# What an Entry was asked when it ended is its successor's to answer, whole.
cat >"$work/entry/entry.sh" <<'SH'
while read -r line; do
    if [ "$line" = why ] && [ ! -e awake ]; then
        exec sleep 1234
    fi
    echo "You say $line"
done
SH
window judge 80 24 judge --left "serial:$work/line.a" --starts either --session two --journal judge
window entity 80 24 entity --line "serial:$work/line.b" --journal entity --folder "$work/entry" \
    --program 'sh entry.sh'
entity=$work/entity/two-entity.journal
reads 'another session' judge ' connected '
reads 'is open' judge ' open '
keys judge -l one
keys judge Enter
reads 'its Entry answers' judge 'You say one'
keys judge -l why
keys judge Enter
sleeps() { pgrep -x -f 'sleep 1234' >/dev/null; }
ok 'one question it does not answer' eventually sleeps
touch "$work/entry/awake"
kill -9 "$(notes "$entity" entry | sed -n 's/^started, process \([0-9]*\).*/\1/p')"
reads 'and ends' entity 'F9 starts it again'
keys entity F9
reads 'the next one is given all of that question, and nothing before it' judge 'You say why'
is 'once' "$(typed_in "$entity" entity | grep -cx Return)" 2
window_close judge
window_close entity
plan
