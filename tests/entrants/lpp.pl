#!/usr/bin/perl
# An entrant's program that speaks the Loebner Prize Protocol and breaks one rule:
# lpp.pl DIR FAULT. Each fault changes one thing of what "good" does.
use strict;
use warnings;
use Time::HiRes qw(sleep time);

my %name = (
    ' ' => 'space', ',' => 'comma', '.' => 'period', "'" => 'quoteright', '!' => 'exclam',
    "\n" => 'Return', '?' => 'question', '"' => 'quotedbl', '-' => 'minus', "\b" => 'BackSpace',
);
my %key = reverse %name;
my $pace = 0.008;                    # seconds between two keys
my $digits = 18;
my $extension = '.other';
my $number = sub { int(time() * 1000) };    # the next one; at least one more than the last
my $take = sub { rmdir $_[0] };             # removes a key of the judge; did it?
my $look = 0;                               # seconds between two looks for the judge's keys
my $make = sub { mkdir $_[0] };
my $press = sub { };                        # when it presses a key
my $start = sub { };

my ($folder, $fault) = @ARGV;
my ($last, $line, $out, $due, $deaf) = (0, '', '', 0, 0);

my %fault = (
    good => sub { },
    mute => sub { $deaf = 1 },
    'x11-names' => sub { $name{"'"} = 'apostrophe' },
    'own-names' => sub { @name{'"', "\n"} = qw(quotedble CR) },
    'wild-names' => sub { $press = sub { mkdir "1.\e[2J\n.other" } },
    'raw-names' => sub { @name{',', '!'} = (',', '!') },
    'thirteen-digits' => sub { $digits = 0 },
    'backwards' => sub {
        my $count = 9e17;
        $number = sub { $last = 0; $count-- };
    },
    'one-number' => sub { $number = sub { $last = 0; 4711 } },
    'begins-again' => sub {
        my $count = 1;
        $number = sub { $count++ };
    },
    'never-deletes' => sub {
        my %seen;
        $take = sub { !$seen{$_[0]}++ };
    },
    'deletes-some' => sub {
        my ($count, %seen) = (0);
        $take = sub {
            return if $seen{$_[0]}++;
            return ++$count % 5 == 0 || rmdir $_[0];
        };
    },
    'throws-backlog-away' => sub {
        $start = sub { rmdir for glob '*.judge' };
    },
    'looks-seldom' => sub { $look = 2.5 },
    'makes-files' => sub { $make = sub { open my $file, '>', $_[0] } },
    'gives-up' => sub {
        my ($first, $made);
        $pace = 0.05;
        $make = sub {
            ($first, $made) = ($_[0], time()) if !defined $first || !-e $first;
            time() - $made < 1.2 or die "nobody takes $first\n";
            mkdir $_[0];
        };
    },
    'leaves-notes' => sub {
        $press = sub { open my $file, '>', 'entrant.log' };
    },
    'wrong-extension' => sub {
        $press = sub { mkdir sprintf '%018d.%s.entry', $last, 'a' };
    },
    'dies-at-unknown' => sub {
        $take = sub { $_[0] =~ /^\d+\.[\x00-\x7f]+$/ or die "what is $_[0]?\n"; rmdir $_[0] };
    },
);

sub press_key {
    my ($key) = @_;
    my $next = $number->();
    $last = $next > $last ? $next : $last + 1;
    $make->(sprintf "%0${digits}d.%s%s", $last, $name{$key} // $key, $extension);
    $press->();
}

sub answer {
    my ($words) = @_;
    return qq(Hi! I'm Bob, who are you?) if $words =~ /hello/i;
    return qq("That depends", I would say.) if $words =~ /\?/;
    return qq(I see, and don't mind. Go on!);
}

sub take_key {
    my $key = $key{$_[0]} // $_[0];
    if ($key eq "\n") {
        $out .= answer($line) . "\n" if $line ne '' && !$deaf;
        $line = '';
    } elsif ($key eq "\b") {
        chop $line;
    } else {
        $line .= $key;
    }
}

defined $fault && $fault{$fault} or die "usage: lpp.pl DIR FAULT\n";
chdir $folder or die "lpp.pl: $folder: $!\n";
$fault{$fault}->();
$start->();
my $next_look = 0;
while (1) {
    if (time() >= $next_look) {
        opendir my $directory, '.' or die "lpp.pl: $folder: $!\n";
        for (sort grep { /^\d+\..+\.judge$/ } readdir $directory) {
            take_key(/^\d+\.(.+)\.judge$/) if $take->($_);
        }
        closedir $directory;
        $next_look = time() + $look;
    }
    if ($out ne '' && time() >= $due) {
        press_key(substr $out, 0, 1, '');
        $due = time() + $pace;
    }
    sleep 0.005;
}
