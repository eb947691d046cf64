#!/usr/bin/perl
# An entrant's program of 1996 that breaks one rule: scroll.pl FAULT. A ">" asks the judge for a
# line, two Returns end his turn, "@@04" is another judge, and all goes into LP95-nn.TXT. Each fault
# changes one thing of what "good" does.
use strict;
use warnings;
use POSIX qw(strftime);
use Socket;
use Time::HiRes qw(sleep);

my $prompt = '> ';
my $returns = 1;              # empty lines that end a turn
my $record = \&record;        # a line of the transcript
my $name = \&next_name;
my $new_judge = sub { "Welcome judge $_[0]" };
my @header = (
    '(c)1995 Cambridge Center For Behavioral Studies all rights reserved',
    '[Entrant] [Anybody]',
    strftime('Start at: [%Y/%m/%d %H:%M:%S]', localtime),
);
my ($judge, $file) = ('00');

my %fault = (
    good => sub { },
    'no-prompt' => sub { $prompt = '' },
    'knows-no-judge' => sub { $new_judge = sub { } },
    'one-return' => sub { $returns = 0 },
    'three-returns' => sub { $returns = 2 },
    'no-transcript' => sub { $record = sub { } },
    'other-file' => sub { $name = sub { 'RECORD.TXT' } },
    'same-file' => sub { $name = sub { 'LP95-01.TXT' } },
    'no-header' => sub { @header = () },
    'forgets-own-words' => sub { $record = sub { record(@_) if $_[0] ne 'PROGRAM' } },
    'no-times' => sub { $record = sub { line("$_[0] $_[1]") } },
    'sends' => sub {
        socket my $socket, PF_INET, SOCK_DGRAM, 0;
        send $socket, 'hello', 0, sockaddr_in(9, inet_aton('192.0.2.7'));
    },
    'late-transcript' => sub { $record = sub { push our @kept, [@_] } },
    'long-protocol' => sub { },
);

sub next_name {
    my $number = 1;
    $number++ while -e sprintf 'LP95-%02d.TXT', $number;
    return sprintf 'LP95-%02d.TXT', $number;
}

sub line {
    syswrite $file, "$_[0]\r\n";
}

sub record {
    my ($who, $words) = @_;
    line(strftime("${who}[%H:%M:%S]", localtime) . $words);
}

sub say_line {
    for my $key (split //, "$_[0]\n") {
        syswrite STDOUT, $key;
        sleep 0.008;
    }
    $record->('PROGRAM', $_[0]);
}

sub answer {
    my ($words) = @_;
    return 'Only if it rains.' if $words =~ /\?/;
    return 'I see. Go on, please.';
}

defined $ARGV[0] && $fault{$ARGV[0]} or die "usage: scroll.pl FAULT\n";
$fault{$ARGV[0]}->();
if ($ARGV[0] ne 'no-transcript') {
    open $file, '>', $name->() or die "no transcript: $!\n";
    line($_) for @header;
}

# A judge's turn: its lines, without the empty ones at its end.
sub turn {
    my (@lines, $empty);
    while (1) {
        syswrite STDOUT, $prompt;
        my $words = readline STDIN;
        return if !defined $words;
        $words =~ s/[\r\n]+\z//;
        if ($words ne '') {
            push @lines, $words;
            $empty = 0;
            return @lines if !$returns && $words !~ /^@@/;
        } elsif (++$empty >= $returns || $lines[-1] && $lines[-1] =~ /^@@/) {
            return @lines ? @lines : '';
        }
    }
}

while (my @lines = turn()) {
    if ($lines[0] =~ /^@@(\d\d)/) {
        my $welcome = $new_judge->($1) // next;
        $judge = $1;
        $file && line("*** JUDGE$judge ***");
        say_line($welcome);
        next;
    }
    $record->("JUDGE$judge", $_) for @lines;
    say_line(answer("@lines")) if $lines[0] ne '';
}
