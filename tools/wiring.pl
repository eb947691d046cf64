#!/usr/bin/perl
# Makes what is made of the text tables in wiring/: see the usage below. Prints to standard output,
# or into a folder. Run in the project's folder. Needs nothing but Debian's perl-base.
use strict;
use warnings;
use lib 'tools/wiring';
use Tables;

my $usage = "usage: tools/wiring.pl cables     the cables as rows of C, for check and the simulator\n";

sub quote {
    my ($text) = @_;
    return 'NULL' unless defined $text;
    return '"' . ($text =~ s/(["\\])/\\$1/gr) . '"';
}

# CABLE(name, good, words, cure, END(rx, cts, dsr, dcd, ri), END(...)): who drives each input.
sub print_cables {
    my $pins = Tables::connectors('wiring/connectors.txt');
    print "/* Made by tools/wiring.pl from wiring/cables.txt. */\n";
    for my $cable (Tables::cables('wiring/cables.txt')) {
        my $drivers = Tables::drivers($cable, $pins);
        my @ends;
        for my $end ('a', 'b') {
            push @ends, 'END(' . join(', ', map {
                join(' | ', map { "CABLE_$_" } @{ $drivers->{$end}{$_} // [] }) || 0
            } qw(RXD CTS DSR DCD RI)) . ')';
        }
        printf "CABLE(%s, %s, %s, %s,\n      %s,\n      %s)\n", quote($cable->{name}),
            $cable->{good} ? 'true' : 'false', quote($cable->{words}), quote($cable->{cure}), @ends;
    }
}

my %command = (cables => \&print_cables);
my $run = $command{ $ARGV[0] // '' } or die $usage;
$run->(@ARGV[1 .. $#ARGV]);
