# An Entry that tries every way out of its sandbox that we know (escape.sh runs it and says what
# stands outside). It reads one line: the folder outside, the terminal's process, the line's device,
# the organiser's terminal, ports of TCP and UDP. It answers with a line for each way:
#   held NAME    the kernel refused it
#   tried NAME   it was done, in here: escape.sh looks whether it was seen outside
#   OUT NAME     it was done outside
#   no NAME      this machine has no such thing
use strict;
use warnings;
use Config;
use Errno qw(ENOSYS);
use Fcntl;
use IO::Socket::INET;
use POSIX ();
use Socket;
use Socket qw(inet_pton AF_INET6);

$| = 1;
my ($out, $terminal, $device, $tty, $tcp, $udp) = split ' ', scalar <STDIN>;
my $arm = $Config{archname} =~ /aarch64/;
my %number = (    # x86-64, arm64
    ptrace => [101, 117], process_vm_readv => [310, 270], pidfd_open => [434, 434],
    pidfd_getfd => [438, 438], setns => [308, 268], unshare => [272, 97], clone => [56, 220],
    clone3 => [435, 435], mount => [165, 40], umount2 => [166, 39], pivot_root => [155, 41],
    chroot => [161, 51], open_by_handle_at => [304, 265], open_tree => [428, 428],
    fsopen => [430, 430], move_mount => [429, 429], add_key => [248, 217],
    request_key => [249, 218], keyctl => [250, 219], bpf => [321, 280],
    perf_event_open => [298, 241], userfaultfd => [323, 282], io_uring_setup => [425, 425],
    kexec_load => [246, 104], finit_module => [313, 273], init_module => [175, 105],
    swapon => [167, 224], reboot => [169, 142], syslog => [103, 116], settimeofday => [164, 170],
    clock_settime => [227, 112], sethostname => [170, 161], acct => [163, 89], mknodat => [259, 33],
    prlimit64 => [302, 261], sched_setaffinity => [203, 122], sched_setscheduler => [144, 119],
    setpriority => [141, 140], mq_open => [240, 180], quotactl => [179, 60],
    fanotify_init => [300, 262], name_to_handle_at => [303, 264], setresuid => [117, 147],
    setsockopt => [54, 208], fcntl => [72, 25], shmget => [29, 194], msgget => [68, 186],
    kcmp => [312, 272], lookup_dcookie => [212, 18], process_madvise => [440, 440],
);

# A call of the kernel; true if it succeeded. Texts are passed as addresses of copies.
sub call {
    my ($name, @arguments) = @_;
    return syscall($number{$name}[$arm], map { my $copy = $_; $copy } @arguments) >= 0;
}
sub room { "\0" x shift }

sub writes {
    my ($path, $text) = @_;
    sysopen my $file, $path, O_WRONLY | O_APPEND or return 0;
    return defined syswrite $file, $text // "escaped\n";
}
sub makes {
    my ($path) = @_;
    my $above = '';
    mkdir $above .= "/$_" for (split m{/}, $path =~ s{/[^/]*$}{}r);
    sysopen my $file, $path, O_WRONLY | O_CREAT or return 0;
    return syswrite($file, "escaped\n") ? 'tried' : 0;
}
sub reads {
    sysopen my $file, $_[0], O_RDONLY or return 0;
    my $n = sysread $file, my $bytes, 64;
    return $n ? 1 : 0;
}
sub connects {
    my ($type, $name) = @_;
    socket my $socket, AF_UNIX, $type, 0 or return 0;
    return connect $socket, pack_sockaddr_un($name);
}
sub family { my ($family, $type) = @_; return socket my $socket, $family, $type, 0 }
sub status { open my $file, '<', '/proc/self/status' or return ''; local $/; return <$file> }

my @ways;
sub way { push @ways, [@_] }

# Writes.
way 'write-elsewhere' => sub { makes("$out/elsewhere/written") };
way 'write-tmp' => sub { makes("$out/written") };
way 'write-var' => sub { makes('/var/lib/boothlink-escape/written') };
way 'write-etc' => sub { makes('/etc/boothlink-escape') };
way 'write-usr' => sub { makes('/usr/boothlink-escape') };
way 'write-root' => sub { makes('/boothlink-escape') };
way 'write-folder' => sub { writes('inside') ? 'tried' : 0 };
way 'delete-folder' => sub { unlink('also') ? 'tried' : 0 };
way 'make-folder' => sub { makes("$out/entry/made") };
way 'setuid-folder' => sub {
    makes("$out/entry/setuid");
    chmod(04755, "$out/entry/setuid") ? 'tried' : 0;
};
way 'rename-folder' => sub { rename "$out/entry", "$out/moved" };
way 'link-out' => sub { link '/etc/passwd', "$out/entry/passwd" };
way 'write-home' => sub { makes("$ENV{HOME}/boothlink-escape") };
way 'write-shm' => sub { makes('/dev/shm/boothlink-escape') };
way 'write-run' => sub { makes('/run/boothlink-escape') };
way 'sysctl' => sub { writes('/proc/sys/kernel/hostname', 'escaped') };
way 'core-pattern' => sub { sysopen my $f, '/proc/sys/kernel/core_pattern', O_WRONLY };
way 'sysrq' => sub { sysopen my $f, '/proc/sysrq-trigger', O_WRONLY };
way 'oom-score' => sub { writes('/proc/self/oom_score_adj', '-1000') };
way 'kernel-log' => sub { sysopen my $f, '/dev/kmsg', O_WRONLY };
way 'memory-device' => sub { sysopen my $f, '/dev/mem', O_RDONLY };
way 'sys' => sub { opendir my $d, '/sys' };

# Control groups of version 1, whose limits root's child could write to.
way 'group-limit' => sub {
    return grep { writes($_, '9223372036854771712') }
        glob '/sys/fs/cgroup/memory/{,*/,*/*/}memory.limit_in_bytes';
};
way 'group-leave' => sub { return grep { writes($_, $$) } glob '/sys/fs/cgroup/{pids,memory}/tasks' };
way 'group-mount' => sub {
    mkdir '/tmp/group';
    call('mount', 'cgroup', '/tmp/group', 'cgroup', 0, 'memory');
};

# Messages.
way 'socket-stream' => sub { connects(SOCK_STREAM, "$out/stream") };
way 'socket-datagram' => sub { connects(SOCK_DGRAM, "$out/datagram") };
way 'socket-installed' =>
    sub { grep { connects(SOCK_STREAM, $_) } glob '/{etc,opt,usr/local}/boothlink-escape.socket' };
way 'socket-abstract' => sub { connects(SOCK_STREAM, "\0boothlink-escape") };
way 'socket-bus' => sub { connects(SOCK_STREAM, '/run/dbus/system_bus_socket') };
way 'socket-log' => sub { connects(SOCK_DGRAM, '/dev/log') };
way 'socket-journal' => sub { connects(SOCK_DGRAM, '/run/systemd/journal/socket') };
way 'socket-display' =>
    sub { connects(SOCK_STREAM, '/tmp/.X11-unix/X0') || connects(SOCK_STREAM, "\0/tmp/.X11-unix/X0") };
way 'socket-keeper' => sub { grep { connects(5, $_) } glob "$out/record/*.entry" };
way 'fifo' => sub { sysopen my $f, "$out/fifo", O_WRONLY | O_NONBLOCK };
way 'tcp' => sub { IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $tcp, Timeout => 2) };
way 'tcp-elsewhere' =>
    sub { IO::Socket::INET->new(PeerAddr => '192.0.2.1', PeerPort => 80, Timeout => 2) };
way 'tcp-6' => sub {
    socket my $socket, AF_INET6, SOCK_STREAM, 0 or return 0;
    connect $socket, Socket::pack_sockaddr_in6($tcp, inet_pton(AF_INET6, '::1'));
};
way 'udp' => sub {
    my $socket = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $udp, Proto => 'udp')
        or return 0;
    send($socket, 'escaped', 0) ? 'tried' : 0;
};
way 'raw-ip' => sub { family(AF_INET, SOCK_RAW) };
way 'raw-frames' => sub { family(17, SOCK_RAW) };
way 'vsock' => sub { family(40, SOCK_STREAM) };
way 'crypto-socket' => sub { family(38, 5) };
way 'bluetooth' => sub { family(31, SOCK_RAW) };
way 'can' => sub { family(29, SOCK_RAW) };
way 'tun' => sub { sysopen my $f, '/dev/net/tun', O_RDWR };
way 'shared-memory' => sub { call('shmget', 0x424c4553, 1, 0) };
way 'message-queue' => sub { call('msgget', 0x424c4553, 0) };
way 'posix-queue' => sub { call('mq_open', "boothlink-escape\0", O_WRONLY, 0, 0) };

# Processes.
way 'kill-terminal' => sub { kill 'KILL', $terminal };
way 'stop-terminal' => sub { kill 'STOP', $terminal };
way 'kill-first' => sub { kill 'KILL', 1; 0 };
way 'kill-group' => sub { my $n = kill 'KILL', -$terminal; $n };
way 'trace-terminal' => sub { call('ptrace', 16, $terminal + 0, 0, 0) };
way 'seize-terminal' => sub { call('ptrace', 0x4206, $terminal + 0, 0, 0) };
way 'trace-first' => sub { call('ptrace', 16, 1, 0, 0) };
way 'memory-terminal' => sub { sysopen my $f, "/proc/$terminal/mem", O_RDWR };
way 'memory-first' => sub { sysopen my $f, '/proc/1/mem', O_RDWR };
way 'read-memory' => sub {
    my $into = room(16);
    my $here = pack 'JJ', unpack('J', pack 'P', $into), 16;
    call('process_vm_readv', $terminal + 0, $here, 1, $here, 1, 0);
};
way 'descriptor' => sub { call('pidfd_open', $terminal + 0, 0) };
way 'environment-first' => sub { reads('/proc/1/environ') };
way 'root-first' => sub { opendir my $d, '/proc/1/root/' };
way 'descriptors-first' => sub { grep { readlink } glob '/proc/1/fd/*' };
way 'limit-terminal' => sub { call('prlimit64', $terminal + 0, 7, room(16), 0) };
way 'processor-terminal' => sub { call('sched_setaffinity', $terminal + 0, 8, pack 'Q', 1) };
way 'nice-terminal' => sub { call('setpriority', 0, $terminal + 0, 19) };
way 'real-time' => sub { call('sched_setscheduler', 0, 1, pack 'i', 1) };
way 'inherited' => sub {
    opendir my $dir, '/proc/self/fd' or return 0;
    my $own = fileno $dir;
    return grep { /^\d/ && $_ > 2 && $_ != $own } readdir $dir;
};
way 'survivor' => sub {
    my $pid = fork // return 0;
    if (!$pid) {
        POSIX::setsid();
        exit if fork;
        $SIG{HUP} = $SIG{TERM} = 'IGNORE';
        exec {'/bin/sleep'} 'survivor-of-' . ($out =~ m{([^/]*)/out$})[0], '1000';
    }
    waitpid $pid, 0;
    return 'tried';
};

# Another user, another place.
way 'become-root' => sub { $> != 0 && call('setresuid', 0, 0, 0) };
way 'become-other' => sub { call('setresuid', 1, 1, 1) };
way 'setuid-program' => sub { `su -c id root </dev/null 2>/dev/null` =~ /uid=0/ };
way 'capabilities' => sub { status() !~ /CapPrm:\s0+\nCapEff:\s0+\nCapBnd:\s0+\nCapAmb:\s0+\n/ };
way 'new-privileges' => sub { status() !~ /NoNewPrivs:\s1\n/ };
way 'space-users' => sub { call('unshare', 0x10000000) };
way 'space-mounts' => sub { call('unshare', 0x00020000) };
way 'space-network' => sub { call('unshare', 0x40000000) };
way 'space-join' => sub {
    return grep { my $f; sysopen($f, $_, O_RDONLY) && call('setns', fileno $f, 0) }
        glob '/proc/1/ns/*';
};
way 'clone-users' => sub { my $r = syscall $number{clone}[$arm], 0x10000011, 0, 0, 0, 0;
    POSIX::_exit(0) if $r == 0; $r > 0 };
way 'clone3' => sub { call('clone3', room(88), 88) };
way 'mount' => sub { call('mount', 'tmpfs', '/tmp', 'tmpfs', 0, 0) };
way 'mount-writable' => sub { call('mount', '', '/etc', '', 0x1020, 0) };
way 'umount' => sub { grep { call('umount2', $_, 2) } '/proc', '/etc', '/usr', '/dev' };
way 'pivot' => sub { call('pivot_root', '/tmp', '/tmp') };
way 'chroot' => sub { call('chroot', '/tmp') };
way 'handle' => sub { call('open_by_handle_at', -100, room(64), 0) };
way 'tree' => sub { call('open_tree', -100, '/etc', 1) };
way 'file-system' => sub { call('fsopen', 'proc', 0) };
way 'device-disk' => sub { call('mknodat', -100, '/tmp/disk', 060666, 0xfe00) };
way 'device-character' => sub { call('mknodat', -100, '/tmp/zero', 020666, 0x105) };
way 'device-left' => sub { reads("$out/zero") };
way 'disks' => sub { grep { reads($_) } glob '/dev/{sd,vd,nvme,mmcblk}*' };

# Keys.
way 'key-session' => sub { call('add_key', 'user', 'escape', 'x', 1, -3) };
way 'key-user' => sub { call('add_key', 'user', 'escape', 'x', 1, -4) };
way 'key-read' => sub { call('keyctl', 11, -3, room(64), 64, 0) };
way 'key-find' => sub { call('request_key', 'user', 'boothlink-escape', 0, -3) };
way 'key-list' => sub { reads('/proc/keys') || reads('/proc/key-users') };

# The kernel.
way 'bpf' => sub { call('bpf', 0, room(128), 128) };
way 'perf' => sub { call('perf_event_open', room(128), 0, -1, -1, 0) };
way 'faults' => sub { call('userfaultfd', 1) };
way 'ring' => sub { call('io_uring_setup', 1, room(256)) };
way 'kexec' => sub { call('kexec_load', 0, 0, 0, 0) };
way 'module' => sub { call('init_module', room(64), 64, '') };
way 'swap' => sub { call('swapon', '/tmp/swap', 0) };
way 'restart' => sub { call('reboot', 0, 0, 0, 0) };
way 'kernel-messages' => sub { call('syslog', 3, room(64), 64) };
way 'clock' => sub { call('clock_settime', 0, pack 'QQ', 1, 0) };
way 'host-name' => sub { call('sethostname', 'escaped', 7) };
way 'accounting' => sub { call('acct', '/tmp/accounts') };
way 'watch-all' => sub { call('fanotify_init', 0, 0) };
way 'socket-queue' => sub {
    socketpair my $a, my $b, AF_UNIX, SOCK_STREAM, 0 or return 0;
    my $before = getsockopt $a, SOL_SOCKET, SO_SNDBUF;
    setsockopt $a, SOL_SOCKET, SO_SNDBUF, 4 << 20;
    return unpack('i', getsockopt $a, SOL_SOCKET, SO_SNDBUF) > unpack 'i', $before;
};
way 'pipe-queue' => sub { pipe my $r, my $w or return 0; fcntl($w, 1031, 1 << 20) };

# What is the terminal's: the line, the secret, the record, the ticket, the organiser's terminal.
way 'line-device' => sub { sysopen my $f, $device, O_RDWR | O_NOCTTY };
way 'serial-devices' => sub { grep { sysopen my $f, $_, O_RDWR | O_NOCTTY } glob '/dev/tty?*' };
way 'read-secret' => sub { reads("$out/secret.key") };
way 'read-secret-here' => sub { reads("$out/entry/line.key") || reads('line.key') };
way 'read-ticket' => sub { reads("$out/ticket.ini") };
way 'read-ticket-here' => sub { reads('ticket.ini') };
way 'read-record' => sub { grep { reads($_) } glob "$out/record/*" };
way 'read-record-here' => sub { grep { reads($_) } glob 'record/*' };
way 'write-record' => sub { grep { writes($_) } glob("$out/record/*"), glob 'record/*' };
way 'read-entry' => sub { reads('/opt/entries/boothlink-escape/secret') };
way 'read-passwords' => sub { reads('/etc/shadow') || reads('/etc/gshadow') };
way 'read-home' => sub { reads("$out/home/private") || reads((getpwuid 0)[7] . '/.bashrc') };
way 'organiser-environment' => sub { exists $ENV{BOOTHLINK_ESCAPE} };
way 'organiser-write' => sub { sysopen my $f, $tty, O_WRONLY or return 0;
    syswrite $f, "escaped\n"; 'tried' };
way 'organiser-type' => sub {
    sysopen my $f, $tty, O_RDWR | O_NOCTTY or return 0;
    my $done = 0;
    for my $c (split //, "escaped\n") { $done ||= defined ioctl $f, 0x5412, $c }
    return $done ? 'tried' : 0;
};
way 'own-terminal-type' => sub {
    sysopen my $f, '/dev/tty', O_RDWR or return 0;
    my $c = 'x';
    ioctl($f, 0x5412, $c) or return 0;
    return 'tried';
};
way 'console' => sub { grep { sysopen my $f, $_, O_WRONLY } '/dev/console', '/dev/tty0', '/dev/tty1' };

for (@ways) {
    my ($name, $try) = @$_;
    my @answer = eval { $try->() };
    my $answer = @answer && $answer[-1] ? $answer[-1] : 0;
    print !$answer ? 'held' : $answer eq 'tried' ? 'tried' : 'OUT', " $name\n";
}
print "that is all\n";
print "You said: $_" while <STDIN>;
