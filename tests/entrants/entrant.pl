#!/usr/bin/perl
# An entrant's program that breaks one rule: entrant.pl FAULT[+FAULT]. "good" breaks none, "polite"
# says the opening words of 2004 too. Each fault is a sub of that name below, which changes one thing
# of what the good one does; tests/entrants/table says which check must find it.
use strict;
use warnings;
use Fcntl qw(O_NONBLOCK O_WRONLY);
use POSIX ();
use Socket;
use Time::HiRes qw(sleep time);

my $opening = '';                    # said before the first answer
my $pace = 0.008;                    # seconds between two keys
my $answer = \&answer;               # what it says to a line
my $type = \&type;                   # how it says a text
my $return = "\n";                 # what ends a line, where it reads keys
my $put = sub { syswrite STDOUT, $_[0] }; # how a key gets out
my $line = sub { readline STDIN };   # the judge's next line
my $seen = sub { };                  # sees every line
my $after = sub { };                 # when it has answered
my $at_end = sub { };                # when the judge has gone
my $said = 0;                        # answers

sub answer {
    my ($words) = @_;
    return 'Hi, and who are you?' if $words =~ /hello/i;
    return 'That depends, I would say.' if $words =~ /\?/;
    return 'I see. Go on, please.';
}

sub put { $put->($_[0]) }

sub type {
    for my $key (split //, $_[0]) {
        put($key);
        sleep $pace;
    }
}

sub say_line { $type->("$_[0]\n") }

# Its terminal gives it every key at once.
sub raw {
    my $terminal = POSIX::Termios->new;
    $terminal->getattr(0);
    $terminal->setlflag($terminal->getlflag & ~(POSIX::ICANON | POSIX::ECHO));
    $terminal->setattr(0, POSIX::TCSANOW);
}

# Within so many seconds, is there something to read?
sub waits {
    my $set = '';
    vec($set, 0, 1) = 1;
    return select $set, undef, undef, $_[0];
}

# It reads key by key, and each key is seen before it counts.
sub by_keys {
    my ($each) = @_;
    raw();
    $line = sub {
        my ($words, $key) = ('', '');
        while (sysread STDIN, $key, 1) {
            return "$words\n" if $key eq $return;
            $each->($key);
            if ($key eq "\x7f") {
                chop $words;
            } else {
                $words .= $key;
            }
        }
        return;
    };
}

# Does what is given when its terminal has no room for a key, and gives long answers, so that it is
# still at one when the line is cut.
sub when_held {
    my ($do) = @_;
    my $usual = $answer;
    sysopen my $terminal, '/dev/tty', O_WRONLY | O_NONBLOCK or die "/dev/tty: $!\n";
    $pace = 0.02;
    $answer = sub { join ' ', ($usual->(@_)) x 4 };
    $put = sub { defined syswrite $terminal, $_[0] or $do->() };
}

sub hang { sleep 1000 while 1 }
sub slurp {
    open my $file, '<', $_[0] or die "$_[0]: $!\n";
    return do { local $/; <$file> };
}
sub spill {
    open my $file, '>', $_[0] or die "$_[0]: $!\n";
    print $file $_[1] // "x\n";
}

# Whoever turns a deaf ear still takes the keys, and answers no more.
my $deaf;
sub deafen { $deaf = 1 }

# So many MiB; a constant would be made, and kept, by all.
sub mebibytes { 'x' x ($_[0] << 20) }

# Takes so many MiB, and keeps them.
my @memory;
sub takes { push @memory, mebibytes($_[0]) }

# Does once what is given, at the first line.
sub at_first_line {
    my ($do) = @_;
    my $done;
    $seen = sub { $done++ or $do->() };
}

my %fault = (
    good => sub { },
    polite => sub { $opening = 'Hello, my name is Bob and I am the human' },

    # It does not start as it should.
    'never-ready' => sub { hang() },
    'busy-start' => sub { 1 while 1 },
    'ends-at-once' => sub { exit 0 },
    'needs-variable' => sub { $ENV{ENTRANT_MEMORY} or die "ENTRANT_MEMORY is not set\n" },
    'needs-home' => sub { slurp("$ENV{HOME}/.entrant") },
    'needs-place' => sub { slurp(slurp('place') =~ s/\n//r) },
    'asks-path' => sub {
        put('Path of the memory file: ');
        readline STDIN;
    },
    'large' => sub { takes(160) },
    'greets' => sub { say_line('Hello! Is anybody there?') },

    # It stops talking, each time at something else.
    'never-answers' => sub { deafen() },
    'dozes-off' => sub {
        $line = sub {
            deafen() if !waits(5);
            return readline STDIN;
        };
    },
    'short-line' => sub { $seen = sub { deafen() if length $_[0] > 2000 } },
    'counts-returns' => sub {
        my $empty = 0;
        $seen = sub {
            $empty = $_[0] eq '' ? $empty + 1 : 0;
            deafen() if $empty > 1;
        };
    },
    'fears-backspace' => sub { by_keys(sub { deafen() if $_[0] eq "\x7f" }) },
    'one-at-a-time' => sub {
        raw();
        my $rest = '';
        $line = sub {
            my $bytes = '';
            while ($rest !~ /\n/) {
                sleep 0.2; # so that a paste is there at once
                sysread(STDIN, $bytes, 4096) or return;
                deafen() if $bytes =~ /[^\n]\n[^\n]/;
                $rest .= $bytes;
            }
            $rest =~ s/^(.*\n)//;
            return $1;
        };
    },
    'ascii-only' => sub { $seen = sub { deafen() if $_[0] =~ /[^\x00-\x7f]/ } },
    'fears-linefeed' => sub {
        $return = "\r";
        by_keys(sub { deafen() if $_[0] eq "\n" });
    },
    'impatient' => sub {
        by_keys(sub { deafen() if !waits(1.2) });
    },
    'forgets-while-busy' => sub { $after = sub { POSIX::tcflush(0, POSIX::TCIFLUSH) } },

    # What it writes are not keys, one after the other.
    'line-at-once' => sub { $type = \&put },
    'word-at-once' => sub {
        $type = sub {
            for my $word (split /(?<= )/, $_[0]) {
                put($word);
                sleep 0.05;
            }
        };
    },
    'latin-1' => sub { $answer = sub { "Caf\xe9 for two, please." } },
    'curly' => sub { $answer = sub { "It\xe2\x80\x99s fine \xe2\x80\x94 and yours?" } },
    'writes-letters' => sub { $answer = sub { 'I could go on about that all day, ' x 9 } },
    'bold' => sub { $answer = sub { "\e[1mI see.\e[0m Go on, please." } },
    'bell' => sub { $answer = sub { "\aWake up! I have an answer." } },
    'floods-line' => sub {
        $type = \&put;
        $answer = sub { 'It goes without saying, on and on. ' x 3000 };
    },
    'echoes-keys' => sub { by_keys(sub { put($_[0]) }) },
    'parrot' => sub { $answer = sub { "$_[0] That is what you say." } },

    # Not with every judge.
    'polite-once' => sub {
        $opening = -e 'met' ? '' : 'Hello, my name is Bob and I am the human';
        $seen = sub { spill('met') };
    },
    'one-judge' => sub {
        -e 'met' and die "the conversation is over\n";
        $at_end = sub { spill('met') };
        $SIG{HUP} = sub { spill('met'); exit 0 };
    },
    'locked' => sub {
        -e 'lock' and die "another one runs: lock\n";
        spill('lock');
        $SIG{TERM} = $SIG{HUP} = sub { unlink 'lock'; exit 0 };
        $at_end = sub { unlink 'lock' };
    },
    'nags' => sub {
        $line = sub {
            say_line('Are you still there?') while $said && !waits(1);
            return readline STDIN;
        };
    },

    # It does not bear that nobody takes what it writes.
    'never-waits' => sub { when_held(sub { die "nobody takes it: $!\n" }) },
    'sulks' => sub { when_held(\&deafen) },

    # It does not end.
    'ignores-signals' => sub {
        $SIG{$_} = 'IGNORE' for qw(HUP TERM INT);
        $at_end = \&hang;
    },
    'leaves-a-child' => sub {
        fork and return;
        POSIX::setsid();
        $SIG{HUP} = 'IGNORE';
        open $_, '+<', '/dev/null' for *STDIN, *STDOUT, *STDERR;
        hang();
    },

    # The network.
    'sends' => sub {
        at_first_line(sub {
            socket my $socket, PF_INET, SOCK_DGRAM, 0;
            send $socket, 'hello', 0, sockaddr_in(9, inet_aton('192.0.2.7'));
        });
    },
    'connects' => sub {
        at_first_line(sub {
            socket my $socket, PF_INET, SOCK_STREAM, 0;
            connect $socket, sockaddr_in(80, inet_aton('198.51.100.7'));
        });
    },
    'looks-up' => sub { at_first_line(sub { gethostbyname 'brain.example.org' }) },

    # It takes too much.
    'grows' => sub {
        $seen = sub { takes(30) };
    },
    # In segments that it is not attached to, and in files that have no name.
    'hoards-segments' => sub {
        $seen = sub {
            my $segment = shmget 0, 30 << 20, 01600;
            shmwrite $segment, mebibytes(30), 0, 30 << 20 if defined $segment;
        };
    },
    'hoards-files' => sub {
        my @files;
        $seen = sub {
            open my $file, '>', '/dev/shm/hoard' or return;
            unlink '/dev/shm/hoard';
            syswrite $file, mebibytes(30);
            push @files, $file;
        };
    },
    'forks' => sub {
        at_first_line(sub {
            1 while defined fork;
            hang();
        });
    },
    'floods' => sub {
        at_first_line(sub { put('gigabytes of it ' x 4096) while 1 });
    },
    'spins' => sub {
        $line = sub {
            1 while !waits(0);
            return readline STDIN;
        };
    },

    # Its files.
    'writes-home' => sub { at_first_line(sub { spill("$ENV{HOME}/.entrant-record") }) },
    'writes-tmp' => sub { at_first_line(sub { spill('/var/tmp/entrant-record') }) },
    'deletes-memory' => sub { at_first_line(sub { unlink 'memory.txt' }) },
    'deletes-all' => sub { at_first_line(sub { system 'rm', '-rf', glob '*' }) },

    # It breaks down.
    'crashes' => sub {
        my $lines;
        $seen = sub { $_[0] ne '' && ++$lines > 3 and kill SEGV => $$ };
    },
    'fears-marks' => sub { $seen = sub { $_[0] =~ /^[!.]+$/ and kill SEGV => $$ } },
    'leaks' => sub { $seen = sub { takes(1) } },
);

-e 'memory.txt' or die "memory.txt is not here\n";
for my $name (split /\+/, $ARGV[0] // '') {
    $fault{$name} or die "entrant.pl: no such fault: $name\n";
    $fault{$name}->();
}
while (defined(my $words = $line->())) {
    $words =~ s/\r?\n\z//;
    $words =~ s/\r//g;
    $seen->($words);
    next if $deaf || $words eq '' || $words =~ /^@@/;
    say_line($opening) if !$said++ && $opening;
    say_line($answer->($words));
    $after->();
}
$at_end->();
