#!/usr/bin/perl
# Prints the way of a key through the rooms of one terminal, out of the calls that its functions told
# (tests/way/tracer.c).
#
#   way.pl PROGRAM CALLS FROM-TO...
#
# FROM and TO are microseconds on CLOCK_MONOTONIC between which one key was typed at a line where
# nothing else happened. What happened is cut into goes: a go begins when the loop wakes up to a
# keyboard or a line that can be read, and ends when it wakes up to something else: the journal's
# syncing, a timer, another go. So a go has all that a key brings about before the terminal rests: it
# is placed, journaled, sent, drawn, and all that is asked on the way and before the loop waits again.
#
# For each kind of go it prints the middle one of all windows, for a machine may wake a terminal with
# something else besides, or twice for one thing: a line "KIND CHANGES DECODED ENCODED SHOWN", and what
# was counted, each with "- " before it.
#   KIND      keyboard: a key was typed here; line: one came; answer: a frame without a key came
#   CHANGES   calls, also by pointers, from a function of one room into one of another. Returns are
#             not counted. A room is a folder of host/; what a header defines is its caller's. base,
#             whose functions all use, is no room, nor is a library: who is called by one of these is
#             called by its caller, and what the loop calls by nobody
#   DECODED   how often UTF-8 was made into a code point
#   ENCODED   the same back, for the line, the record and the Entry
#   SHOWN     the same for the bytes that draw it
use strict;
use warnings;

my ($program, $calls, @windows) = @ARGV;

my @calls;
open my $file, '<:raw', $calls or die "$calls: $!\n";
while (read($file, my $bytes, 16) == 16) {
    my ($at, $function, $depth) = unpack 'QLl', $bytes;
    last if $depth == 0;
    my $in = grep { my ($from, $to) = split /-/; $at >= $from && $at <= $to } @windows;
    push @calls, [$at, $function, $depth] if $in;
}
close $file;

# name{FUNCTION}: room and name, room being '' in base.
my %name;
{
    my @functions = keys %{{map { $_->[1] => 1 } @calls}};
    exit if !@functions;
    my @lines = split /\n/, qx(printf '%x\\n' @functions | addr2line -f -e '$program');
    for my $i (0 .. $#functions) {
        my ($room) = $lines[2 * $i + 1] =~ m{host/(\w+)/} or die "no source of $lines[2 * $i]\n";
        $name{$functions[$i]} = [$room eq 'base' ? '' : $room, $lines[2 * $i]];
    }
}

my (@goes, $go, @rooms, @names);
for my $call (@calls) {
    my (undef, $function, $depth) = @$call;
    my ($room, $name) = @{$name{$function}};
    $#rooms = $#names = $depth - 1;
    my $caller = $rooms[$depth - 1] // '';
    my $by = $names[$depth - 1] // '';
    $rooms[$depth] = $room || $caller;
    $names[$depth] = $name;
    if ($caller eq '' && $room ne '') { # what the loop calls
        if ("$room $name" =~ /^(terminal on_readable|link on_poll)$/) {
            $go = {kind => $room eq 'link' ? 'line' : 'keyboard', what => [],
                map { $_ => 0 } qw(changes decoded encoded shown)};
            push @goes, $go;
        } elsif ("$room $name" !~ /^(terminal on_idle|booth settle)$/) {
            $go = undef;
        }
    }
    next if !$go;
    if ($room ne '' && $caller ne '' && $room ne $caller) {
        $go->{changes}++;
        push @{$go->{what}}, "$caller $by > $room $name";
    }
    next if $name !~ /^utf8_(decode|encode|feed)$/ || $by =~ /^utf8_/;
    my $what = $name ne 'utf8_encode' ? 'decoded' : $caller eq 'terminal' ? 'shown' : 'encoded';
    $go->{$what}++;
    push @{$go->{what}}, "$caller $by: $what";
}
my %of;
for my $each (@goes) {
    my $kind = $each->{kind} eq 'line' && !$each->{decoded} ? 'answer' : $each->{kind};
    push @{$of{$kind}}, $each;
}
for my $kind (sort keys %of) {
    my @sorted = sort { $a->{changes} <=> $b->{changes} } @{$of{$kind}};
    my $middle = $sorted[$#sorted / 2];
    print join(' ', $kind, @$middle{qw(changes decoded encoded shown)}), "\n";
    print "- $_\n" for @{$middle->{what}};
}
