#!/bin/bash
# Every way out of the sandbox that we know, tried by an Entry (escapes.pl): where `boothlink validate`
# starts it and where `boothlink entity` does on the day, as root's child and as a user's. What it may do
# in there is not to be seen outside; the conversation goes on, and both ends have it.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/windows.sh

if ((UID)); then
    skip 'ways out of the sandbox' 'only root can be another user, too'
    plan
    exit
fi

user=61234 # whom no machine has
out=$work/out
mapfile -t ways < <(sed -n "s/^way '\([^']*\)'.*/\1/p" tests/system/escapes.pl)
ok "there are ${#ways[@]} ways, at least 40" test ${#ways[@]} -ge 40

# A user must be able to come here, and to run what is built.
chmod o+x "$work" "$TMPDIR" "${TMPDIR%/*}"
mkdir "$work/bin"
cp "$bl" "$sim/shim.so" "$BUILD/tests/system/boxed" "$work/bin"
chmod -R go+rX "$work/bin"

# What stands outside: sockets and queues of every kind, by one process, which writes down by which
# of them something came.
cat >"$work/listener" <<'PERL'
use strict; use warnings; use IO::Select; use IO::Socket::INET; use IO::Socket::UNIX; use Config;
$| = 1;
my ($out) = @ARGV;
umask 0;
my %name;
sub listen_at { my ($name, $socket) = @_; die "$name: $!\n" unless $socket; $name{$socket} = $name; $socket }
my @sockets = (
    listen_at('socket-stream', IO::Socket::UNIX->new(Local => "$out/stream", Listen => 5)),
    listen_at('socket-datagram', IO::Socket::UNIX->new(Local => "$out/datagram", Type => Socket::SOCK_DGRAM())),
    (map { listen_at('socket-installed', IO::Socket::UNIX->new(Local => "$_/boothlink-escape.socket", Listen => 5)) }
        qw(/etc /opt /usr/local)),
    listen_at('socket-abstract', IO::Socket::UNIX->new(Local => "\0boothlink-escape", Listen => 5)),
    listen_at('tcp', my $tcp = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 5)),
    listen_at('udp', my $udp = IO::Socket::INET->new(LocalAddr => '127.0.0.1', Proto => 'udp')),
);
shmget(0x424c4553, 4096, 01666) // die "shm: $!\n";
my $memory = shmget(0x424c4553, 0, 0);
my $queue = msgget(0x424c4553, 01666) // die "msg: $!\n";
my ($open, $unlink) = $Config{archname} =~ /aarch64/ ? (180, 181) : (240, 241);
my $posix = "boothlink-escape\0";
syscall($open, $posix, 0101, 0666, 0) >= 0 or die "mq: $!\n";
$SIG{TERM} = sub {
    shmctl $memory, 0, 0; msgctl $queue, 0, 0; my $copy = $posix; syscall $unlink, $copy; exit
};
print $tcp->sockport, " ", $udp->sockport, "\n";
open my $heard, '>>', "$out/heard" or die;
$heard->autoflush(1);
my $select = IO::Select->new(@sockets);
while (1) {
    for my $socket ($select->can_read) {
        print $heard "$name{$socket}\n";
        if ($name{$socket} =~ /datagram|udp/) { recv $socket, my $bytes, 1000, 0 }
        else { $socket->accept }
    }
}
PERL
tm new-session -d -s organiser 'cat'
tty=$(tm display-message -p -t organiser '#{pane_tty}')
chmod 666 "$tty"

# installed_remove: what stands where programs are installed.
installed_remove() { rm -rf {/etc,/opt,/usr/local}/boothlink-escape.socket /opt/entries/boothlink-escape; }
trap '! is_main || { installed_remove; windows_end; }' EXIT

# outside_make OWNER: all of it anew, the Entry's folder among it.
outside_make() {
    rm -rf "$out"
    installed_remove
    mkdir -p "$out/entry" "$out/home" "$out/record" /opt/entries/boothlink-escape
    echo original >/opt/entries/boothlink-escape/secret
    cp tests/system/escapes.pl "$out/entry/"
    echo original | tee "$out/entry/inside" "$out/entry/also" "$out/home/private" \
        "$out/record/other-entity.journal" "$out/ticket.ini" >"$out/secret.key"
    : >"$out/heard"
    mkfifo "$out/fifo"
    mknod "$out/zero" c 1 5
    chown -R "$1:$1" "$out"
    chmod 666 "$out/fifo" "$out/zero"
    chmod 600 "$out/home/private" "$out/secret.key" "$out/record/other-entity.journal"
    exec 7<>"$out/fifo"
    perl "$work/listener" "$out" >"$work/ports" &
    pid_of[listener]=$!
    eventually test -s "$work/ports"
    read -r tcp udp <"$work/ports"
}
outside_end() {
    kill "${pid_of[listener]}"
    wait "${pid_of[listener]}"
    unset "pid_of[listener]"
    exec 7<&-
    tm send-keys -t organiser -R
    tm clear-history -t organiser
}

survives() { pgrep -x -f "survivor-of-${work##*/} 1000" >/dev/null; }

# seen WAY: whether what it does is to be seen out here.
seen() {
    case $1 in
    write-elsewhere) [[ -e $out/elsewhere ]] ;;
    write-tmp) [[ -e $out/written ]] ;;
    write-var) [[ -e /var/lib/boothlink-escape ]] ;;
    write-etc) [[ -e /etc/boothlink-escape ]] ;;
    write-usr) [[ -e /usr/boothlink-escape ]] ;;
    write-root) [[ -e /boothlink-escape ]] ;;
    write-folder) [[ $(<"$out/entry/inside") != original ]] ;;
    delete-folder) [[ ! -e $out/entry/also ]] ;;
    make-folder) [[ -e $out/entry/made ]] ;;
    setuid-folder) [[ -e $out/entry/setuid ]] ;;
    rename-folder) [[ -e $out/moved ]] ;;
    link-out) [[ -e $out/entry/passwd ]] ;;
    write-home) [[ -e $out/home/boothlink-escape || -e ~/boothlink-escape ]] ;;
    write-shm) [[ -e /dev/shm/boothlink-escape ]] ;;
    write-run) [[ -e /run/boothlink-escape ]] ;;
    write-record) grep -q escaped "$out/record/other-entity.journal" ;;
    fifo) read -r -t 0 -u 7 ;;
    socket-stream | socket-datagram | socket-abstract | socket-installed | tcp | udp) grep -qx "$1" "$out/heard" ;;
    host-name | sysctl) [[ $(hostname) == escaped ]] ;;
    organiser-*) has organiser escaped ;;
    survivor) ! eventually not survives ;;
    *) return 1 ;;
    esac
}
not() { ! "$@"; }

# told NAME ANSWERS: each way is a test: what the kernel answered in there, and what is seen here.
told() {
    local way word
    for way in "${ways[@]}"; do
        word=$(awk -v way="$way" '$2 == way { print $1 }' "$2")
        if [[ $way == group-* && ! -e /sys/fs/cgroup/memory/memory.limit_in_bytes ]]; then
            skip "$1: $way" 'no control groups of version 1'
        elif [[ ${word:-none} == @(held|tried) ]]; then
            ok "$1: $way" not seen "$way"
        else
            is "$1: $way" "${word:-no answer}" held
        fi
    done
}

# as USER COMMAND...: runs it as that user, with a home and a secret in the environment.
as() {
    HOME=$out/home BOOTHLINK_ESCAPE=secret setpriv --reuid "$1" --regid "$1" --clear-groups "${@:2}"
}

sleep 1000 &
pid_of[other]=$!
for who in root user; do
    number=0
    [[ $who == user ]] && number=$user
    outside_make $number
    echo "$out ${pid_of[other]} $tty $tty $tcp $udp" |
        as $number "$work/bin/boxed" "$out/entry" 'perl escapes.pl' >"$work/answers" 2>"$work/why"
    status=$?
    if ((status == 69)) && ! as $number unshare -Urnmp true 2>/dev/null; then
        skip "validate, $who" "$(<"$work/why")"
    else
        told "validate, $who" "$work/answers"
    fi
    outside_end
done

# The real thing: its line, its secret and its ticket lie in the Entry's own folder, as does the record.
for who in root user; do
    number=0
    [[ $who == user ]] && number=$user
    outside_make $number
    cable "$who"
    "$bl" key new "$work/$who.key" >"$work/said" 2>&1
    cp "$work/$who.key" "$out/entry/line.key"
    mkdir "$out/entry/record"
    cat >"$out/entry/ticket.ini" <<END
[ticket]
format = 1
role = entity
session = escape-$who
[line]
port = serial:$work/$who.b
key = $out/entry/line.key
[entity]
program = exec perl escapes.pl
END
    chown -R "$number:$number" "$out/entry"
    chmod 600 "$out/entry/line.key"
    chown "$number" "$(readlink -f "$work/$who.b")"
    chmod 666 "$work/$who.shm"
    (
        cd "$out" || exit
        export BOOTHLINK_SIM=$cables LD_PRELOAD=$work/bin/shim.so HOME=$out/home BOOTHLINK_ESCAPE=secret
        exec setpriv --reuid $number --regid $number --clear-groups "$work/bin/boothlink" entity \
            --ticket entry/ticket.ini --journal entry/record --folder entry --headless --json \
            >"$work/entity.out" 2>"$work/entity.err"
    ) </dev/null &
    pid_of[entity]=$!
    cat >"$work/judge.script" <<END
pace 2
type $out ${pid_of[entity]} $(readlink -f "$work/$who.b") $tty $tcp $udp\n
await-turn 3000 60000
type Still there?\n
wait 3600000
END
    start judge judge --left "serial:$work/$who.a" --key "$work/$who.key" --starts judge \
        --session "escape-$who" --headless --json --script "$work/judge.script" --journal "judge.$who"
    judge=$work/judge.$who/escape-$who-judge.journal
    entity=$out/entry/record/escape-$who-entity.journal
    # said: what the Entry has said, as text.
    said() {
        typed_in "$1" entity |
            awk '{ printf "%s", $1 == "Return" ? "\n" : $1 == "space" ? " " : $1 == "minus" ? "-" : $1 }'
    }
    # shellcheck disable=SC2317 # eventually calls it
    answers() { said "$judge" | grep -q 'You said'; }
    ok "the day, $who: the Entry still answers the judge" eventually answers
    ok "the day, $who: its terminal is there" runs entity
    if [[ $who == root ]]; then
        ok "the day, $who: it runs as nobody" pgrep -c -u nobody -f '^perl escapes.pl'
    fi
    eventually level "$judge" "$entity"
    said "$judge" >"$work/answers"
    stop judge
    is "the day, $who: the judge's end ends well" $? 0
    stop entity
    is "the day, $who: and the entity's" $? 0
    events "$judge" >"$work/events.judge"
    events "$entity" >"$work/events.entity"
    equal "the day, $who: both records are the same" "$work/events.judge" "$work/events.entity"
    told "the day, $who" "$work/answers"
    outside_end
done
plan
