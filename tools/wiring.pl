#!/usr/bin/perl
# Makes what is made of the text tables in wiring/: see the usage below. Prints to standard output,
# or into a folder. Run in the project's folder. Needs nothing but Debian's perl-base.
use strict;
use warnings;
use lib 'tools/wiring';
use Tables;
use Circuit;
use Pump;
use Svg;
use Page;
use Staff;

my $usage = <<'END';
usage: tools/wiring.pl cables         the cables as rows of C, for check and the simulator
       tools/wiring.pl check          nothing, when no rule is broken; else a line for each, exit 65
       tools/wiring.pl opening BOARD  how long the contacts of a board take to open, in ms
       tools/wiring.pl draw FOLDER    drawings and the printable page
The tables are in wiring/, or in the folder that WIRING names; boards in boards/, or that of
BOARDS.
END
my $folder = $ENV{WIRING} // 'wiring';
my $board_folder = $ENV{BOARDS} // 'boards';

sub quote {
    my ($text) = @_;
    return 'NULL' unless defined $text;
    return '"' . ($text =~ s/(["\\])/\\$1/gr) . '"';
}

# The cables through the controller's box, which joins what its circuit says.
sub box_cables {
    my $boards = Circuit::boards($board_folder);
    my $circuit = Circuit::parse("$folder/controller.txt", $boards, (Circuit::levels($boards))[0]);
    my @crosses = map { [split /-/] } sort keys %{ $circuit->{lines}[0]{cross} };
    return Tables::box_cables("$folder/box.txt", @crosses);
}

# CABLE(name, box, words, cure, END(rx, cts, dsr, dcd, ri), END(...)): who drives each input.
sub print_cables {
    my $pins = Tables::connectors("$folder/connectors.txt");
    my @cables = Tables::cables("$folder/cables.txt");
    my @boxed = box_cables();
    $_->{box} = 1 for @boxed;
    print "/* Made by tools/wiring.pl from wiring/cables.txt and wiring/box.txt. */\n";
    for my $cable (@cables, @boxed) {
        my $drivers = Tables::drivers($cable, $pins);
        my @ends;
        for my $end ('a', 'b') {
            push @ends, 'END(' . join(', ', map {
                join(' | ', map { "CABLE_$_" } @{ $drivers->{$end}{$_} // [] }) || 0
            } qw(RXD CTS DSR DCD RI)) . ')';
        }
        printf "CABLE(%s, %s, %s, %s,\n      %s,\n      %s)\n", quote($cable->{name}),
            $cable->{box} ? 'true' : 'false', quote($cable->{words}), quote($cable->{cure}), @ends;
    }
}

# The controller's for each level of a board, and the Ethernet line's.
sub circuits {
    my ($boards) = @_;
    my @levels = Circuit::levels($boards);
    return (map { Circuit::parse("$folder/controller.txt", $boards, $_) } @levels),
        Circuit::parse("$folder/ethernet.txt", $boards, $levels[0]);
}

# opening_of BOARD: as Pump::opening(), with the table's values.
sub opening_of {
    my ($board) = @_;
    my $values = Pump::values_of("$folder/pump.txt", $board->{level});
    return { %{ Pump::opening($values, Pump::frequency($board)) }, limit => $values->{limit},
             release => $values->{release} };
}

# The broken rules of the circuits, and boards whose contacts open too late or never close.
sub broken {
    my $boards = Circuit::boards($board_folder);
    my %told;
    my @wrong = grep { !$told{$_}++ } map { Circuit::check($_) } circuits($boards);
    for my $name (sort keys %$boards) {
        if (!Pump::frequency($boards->{$name})) {
            push @wrong, "boards/$name: A_PUMP does not say its frequency, as '250 Hz'";
            next;
        }
        my $opening = opening_of($boards->{$name});
        push @wrong, sprintf 'boards/%s: the contacts open after %.1f ms, later than %d', $name,
            $opening->{ms}, $opening->{limit}
            if $opening->{ms} > $opening->{limit};
        push @wrong, sprintf 'boards/%s: the store falls to %.2f V: the relays may not stay closed',
            $name, $opening->{least}
            unless $opening->{closes};
    }
    return @wrong;
}

sub check {
    my @wrong = broken();
    print STDERR "$_\n" for @wrong;
    exit 65 if @wrong;
    return;
}

sub opening {
    my ($name) = @_;
    my $board = Circuit::boards($board_folder)->{ $name // '' } or die $usage;
    printf "%.1f\n", opening_of($board)->{ms};
    return;
}

sub save {
    my ($file, $text) = @_;
    open my $out, '>', $file or die "$file: $!\n";
    print $out $text;
    close $out or die "$file: $!\n";
    return;
}

sub opening_times {
    my ($boards) = @_;
    return Page::table(['board', 'drive', 'store at least', 'store runs empty in', 'relay releases in',
                        'contacts open after', 'allowed'],
        map {
            my $o = opening_of($boards->{$_});
            [$boards->{$_}{name}, Pump::frequency($boards->{$_}) . ' Hz', sprintf('%.2f V', $o->{least}),
             sprintf('%.1f ms', $o->{decay}), "$o->{release} ms", sprintf('%.1f ms', $o->{ms}), "$o->{limit} ms"]
        } sort keys %$boards);
}

sub draw {
    my ($into) = @_;
    die $usage unless defined $into && -d $into;
    check();
    my $pins = Tables::connectors("$folder/connectors.txt");
    my $boards = Circuit::boards($board_folder);
    my @circuits = circuits($boards);
    my (@good, @faults, @box, @rows, $null_modem, %heading);
    my $figure = sub {
        my ($name, $svg) = @_;
        save("$into/$name.svg", $svg);
        return "<figure>\n$svg</figure>\n";
    };
    for my $cable (Tables::cables("$folder/cables.txt")) {
        $null_modem = $cable if $cable->{name} eq '3-wire';
        push @{ $cable->{good} ? \@good : \@faults },
            $figure->("cable-$cable->{name}", Svg::cable($cable, $pins));
    }
    push @box, [$_->{words}, $_->{cure} // 'nothing: it does no harm'] for box_cables();
    my $first = 1;
    for my $c (@circuits) {
        my $boards = Circuit::names($c->{boards});
        for my $draw (grep { $first || !$_->{common} || !$c->{parts}{board} } @{ $c->{draws} }) {
            push @rows, "<h3>$boards</h3>\n" if $c->{parts}{board} && !$draw->{common} && !$heading{$boards}++;
            push @rows, $figure->($draw->{name}, Svg::row($c, $draw));
        }
        $first = 0;
    }
    save("$into/index.html", '<!DOCTYPE html><html lang="en"><meta charset="utf-8">'
        . "<title>boothlink: wiring</title>\n" . Page::style()
        . Staff::pages($folder, sub { save("$into/$_[0]", $_[1]) }, $null_modem)
        . "<h1>For whoever builds the controller and its cables</h1>\n"
        . "<h2>Traps, each with its cure</h2>\n" . Page::traps("$folder/traps.txt")
        . "<h2>The controller</h2>\n<div class=\"scale\">\n" . join('', @rows) . "</div>\n"
        . "<h2>From the end of the drive to open contacts</h2>\n" . opening_times($boards)
        . "<h2>The board's pins</h2>\n" . Page::board_pins($boards)
        . join('', map { '<h2>Wires of ' . ($_->{parts}{board} ? "the controller with $_->{parts}{board}{words}"
                                                               : 'an Ethernet line') . "</h2>\n" . Page::nets($_) } @circuits)
        . "<h2>What to buy</h2>\n" . Page::parts("$folder/parts.txt", @circuits)
        . "<h2>1:1 cables at the controller's box: what may be wrong</h2>\n"
        . Page::table(['what', 'what to do'], @box)
        . "<h2>Null-modem cables that will do</h2>\n<div class=\"cables\">\n" . join('', @good) . '</div>'
        . "<h2>Cables that will not</h2>\n<div class=\"cables\">\n" . join('', @faults)
        . "</div></html>\n");
    return;
}

my %command = (cables => \&print_cables, check => \&check, opening => \&opening, draw => \&draw);
my $run = $command{ $ARGV[0] // '' } or die $usage;
$run->(@ARGV[1 .. $#ARGV]);
