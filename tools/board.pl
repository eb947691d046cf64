#!/usr/bin/perl
# Makes what is needed of a board's description (boards/README.md), to standard output:
#
#   tools/board.pl header BOARD       the C header that the firmware is compiled with
#   tools/board.pl get BOARD WORD     mcu, clock, level, flash, programmer, baud, or avrdude's words for the fuses
#   tools/board.pl table BOARD        the wires from the board's pins
#   tools/board.pl fuses BOARD        the fuses bit by bit
#   tools/board.pl drawing BOARD      the board's header with its wires, as SVG
#   tools/board.pl check BOARD        nothing, when no rule is broken
#
# A rule that is broken is said with file and line; the exit status is then 65.
use strict;
use warnings;
no warnings 'once';    # names of the MCU's own file

my ($what, $name, $word) = @ARGV;
defined $name or die "usage: tools/board.pl header|get|table|fuses|drawing|check BOARD [WORD]\n";
my $file = "boards/$name/board.txt";
my %board = (level => 5);
my (@fuses, @pins, @power, $broken);

sub complain {
    my ($line, $text) = @_;
    print STDERR "$file:$line: $text\n";
    $broken = 1;
}

# The nets that the firmware knows, with the direction and the safe level that each must have.
my %needed = (
    HOST_RX => 'in high', HOST_TX => 'out high', KEY => 'in high', BUTTON => 'in high',
    map { $_ => 'out low' } qw(A_PUMP B_PUMP BUZZER LAMP_A LAMP_B LAMP_BREAK LAMP_FAULT),
);

sub read_board {
    open my $in, '<', $file or die "board: $file: $!; boards are the folders of boards/\n";
    while (<$in>) {
        s/\s*#.*//;
        s/\s+$//;
        next if /^$/;
        if (/^(name|title|mcu)\s+(\S.*)$/) {
            $board{$1} = $2;
        } elsif (/^clock\s+(\d+)\s+(\S.*)$/) {
            @board{qw(clock crystal)} = ($1, $2);
        } elsif (/^level\s+([\d.]+)\s+V\s+\S.*$/) {
            $board{level} = $1;
        } elsif (/^flash\s+(\d+)\s+\S.*$/) {
            $board{flash} = $1;
        } elsif (/^programmer\s+(\S+)(?:\s+(\d+)(?:\s+(\S.*))?)?$/) {
            @board{qw(programmer baud programmer_note)} = ($1, $2 // '', $3 // '');
        } elsif (/^fuse\s+(low|high|extended)\s+([0-7])\s+(\w+)\s+([01])\s+(\S.*)$/) {
            push @fuses, { line => $., byte => $1, bit => $2, name => $3, value => $4, why => $5 };
        } elsif (/^pin\s+(\w+)\s+(\w+)\s+(in|out)\s+(high|low)\s+([A-Z_]+)\s+(\S.*)$/) {
            push @pins, { line => $., pin => $1, label => $2, direction => $3, safe => $4,
                          net => $5, what => $6 };
        } elsif (/^power\s+(\w+)\s+(\w+)\s+(\S.*)$/) {
            push @power, { pin => '', label => $2, direction => '', safe => '', net => $1, what => $3 };
        } else {
            complain($., "'$_' is no line of a board; boards/README.md tells which there are");
        }
    }
    close $in;
    return;
}

# The names of the MCU's pins and how the header tells of them: firmware/hal/MCU/pins.pm.
sub read_mcu {
    my $mcu = $board{mcu} // return;
    my $pins = "firmware/hal/$mcu/pins.pm";
    -f $pins or die "$file: mcu $mcu: there is no $pins; there are @{[glob 'firmware/hal/*/pins.pm']}\n";
    require "./$pins";
    return;
}

sub check {
    my (%net, %pin, %bit);
    for my $key (qw(name title mcu clock programmer)) {
        complain($., "the board has no line '$key'") unless defined $board{$key};
    }
    for my $p (@pins) {
        complain($p->{line}, "pin $p->{pin} is used twice") if $pin{ $p->{pin} }++;
        complain($p->{line}, "the $board{mcu} has no pin $p->{pin}")
            if defined $board{mcu} && $p->{pin} !~ /^$pins::pattern$/;
        complain($p->{line}, "net $p->{net} has a second pin of the board") if $net{$p->{net}}++;
        my $need = $needed{$p->{net}};
        if (!defined $need) {
            complain($p->{line}, "net $p->{net} is unknown to the firmware");
        } elsif ($need ne "$p->{direction} $p->{safe}") {
            complain($p->{line}, "net $p->{net} must be '$need', not '$p->{direction} $p->{safe}'");
        }
    }
    for my $net (sort keys %needed) {
        complain($., "no pin has the net $net") unless $net{$net};
    }
    complain($., 'no line is power GND') unless grep { $_->{net} eq 'GND' } @power;
    for my $f (@fuses) {
        complain($f->{line}, "bit $f->{bit} of fuse $f->{byte} is there twice")
            if $bit{"$f->{byte} $f->{bit}"}++;
    }
    return;
}

sub fuse_byte {
    my ($byte) = @_;
    my $value = 0xff;
    for my $f (grep { $_->{byte} eq $byte } @fuses) {
        $value &= ~(1 << $f->{bit}) unless $f->{value};
    }
    return sprintf '0x%02X', $value;
}

sub header {
    print "/* Made by tools/board.pl of $file. */\n#ifndef BOARD_H\n#define BOARD_H\n\n";
    print "#define BOARD_NAME  \"$board{name}\"\n#define BOARD_CLOCK ${\ $board{clock}}UL\n";
    print "#define BOARD_FLASH $board{flash}u\n" if defined $board{flash};
    pins::header(\@pins);
    print "\n#endif\n";
    return;
}

sub get {
    if (($word // '') eq 'fuses') {
        print join(' ', map { '-U ' . substr($_, 0, 1) . 'fuse:w:' . fuse_byte($_) . ':m' }
            qw(low high extended)), "\n";
    } else {
        print $board{ $word // '' } // die("board: no '${\ ($word // '')}' in $file\n"), "\n";
    }
    return;
}

sub table {
    printf "%-6s %-5s %-4s %-5s %-11s %s\n", qw(label pin way safe net what);
    printf "%-6s %-5s %-4s %-5s %-11s %s\n", @{$_}{qw(label pin direction safe net what)} for @pins, @power;
    return;
}

sub fuses {
    for my $byte (qw(low high extended)) {
        print "$byte ", fuse_byte($byte), "\n";
        printf "  bit %d  %-9s %d  %s\n", @{$_}{qw(bit name value why)}
            for grep { $_->{byte} eq $byte } @fuses;
    }
    return;
}

sub drawing {
    my $height = 90 + 34 * (@pins + @power);
    my ($y, $ink) = (88, '#222');
    my $esc = sub { $_[0] =~ s/&/&amp;/gr =~ s/</&lt;/gr };
    print qq(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 $height" width="900" )
        . qq(height="$height" font-family="DejaVu Sans, sans-serif" font-size="14" fill="$ink">\n)
        . qq(<rect width="900" height="$height" fill="white"/>\n)
        . qq(<text x="20" y="34" font-size="18" font-weight="bold">${\ $esc->($board{title})}</text>\n)
        . qq(<text x="20" y="56">$board{mcu}, ${\ ($board{clock} / 1e6)} MHz</text>\n)
        . qq(<rect x="20" y="68" width="150" height="${\ (34 * (@pins + @power) + 4)}" fill="#e8f0f6" stroke="$ink"/>\n);
    for my $p (@pins, @power) {
        my $mid = $y - 5;
        my $arrow = $p->{direction} eq '' ? ''
            : $p->{direction} eq 'out' ? "M 226 ${\ ($mid - 5)} l 12 5 l -12 5 z"
                                       : "M 190 ${\ ($mid - 5)} l -12 5 l 12 5 z";
        print qq(<text x="30" y="$y">$p->{pin}</text>)
            . qq(<text x="160" y="$y" text-anchor="end" font-weight="bold">$p->{label}</text>)
            . qq(<path d="M 170 $mid H 246" stroke="$ink" fill="none"/>) . ($arrow && qq(<path d="$arrow"/>))
            . qq(<text x="254" y="$y" font-family="DejaVu Sans Mono, monospace">$p->{net}</text>)
            . qq(<text x="380" y="$y">${\ $esc->($p->{what})}</text>\n);
        $y += 34;
    }
    print "</svg>\n";
    return;
}

my %command = (header => \&header, get => \&get, table => \&table, fuses => \&fuses,
               drawing => \&drawing, check => sub { });
$command{$what} or die "board: no '$what'; there are: @{[sort keys %command]}\n";
read_board();
read_mcu();
check();
exit 65 if $broken;
$command{$what}->();
