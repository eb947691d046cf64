# Reads the text tables of wiring/. Every fault in one is said with file and line.
package Tables;
use strict;
use warnings;

# lines FILE: [number, words...] of each line that says something; and the rest after any word.
sub lines {
    my ($file) = @_;
    my @lines;
    open my $in, '<', $file or die "$file: $!\n";
    while (my $line = <$in>) {
        $line =~ s/(^|\s)#.*//s;
        push @lines, { at => "$file:$.", text => $line =~ s/\s+$//r, words => [split ' ', $line] }
            if $line =~ /\S/;
    }
    return @lines;
}

# rest LINE COUNT: the text after its first COUNT words.
sub rest {
    my ($line, $count) = @_;
    return $line->{text} =~ /^\s*(?:\S+\s+){$count}(\S.*)$/ ? $1 : '';
}

# connectors FILE: pin => {signal, way, name}
sub connectors {
    my ($file) = @_;
    my %pins;
    for my $line (lines($file)) {
        my ($pin, $signal, $way) = @{ $line->{words} };
        die "$line->{at}: expected PIN SIGNAL in|out|ground NAME\n"
            unless ($way // '') =~ /^(in|out|ground)$/ && $pin =~ /^[1-9]$/;
        die "$line->{at}: pin $pin is there twice\n" if $pins{$pin};
        $pins{$pin} = { signal => $signal, way => $way, name => rest($line, 3) };
    }
    die "$file: a DE-9 has nine pins\n" unless keys %pins == 9;
    return \%pins;
}

# cables FILE: list of {name, good, words, cure, wires}, a wire being a sorted list of pins.
sub cables {
    my ($file) = @_;
    my (@cables, %named, $cable);
    for my $line (lines($file)) {
        my ($word, @pins) = @{ $line->{words} };
        if ($word eq 'cable') {
            my ($name, $kind) = @pins;
            die "$line->{at}: expected: cable NAME good|fault WORDS\n"
                unless ($kind // '') =~ /^(good|fault)$/ && rest($line, 3);
            die "$line->{at}: $name is there twice\n" if $named{$name};
            $cable = $named{$name} =
                { name => $name, good => $kind eq 'good', words => rest($line, 3), wires => [],
                  at => $line->{at} };
            push @cables, $cable;
            next;
        }
        die "$line->{at}: no cable has begun\n" unless $cable;
        if ($word eq 'cure') {
            $cable->{cure} = rest($line, 1);
        } elsif ($word eq 'as') {
            my $other = $named{ $pins[0] // '' } or die "$line->{at}: there is no cable @pins yet\n";
            $cable->{wires} = [map { [@$_] } @{ $other->{wires} }];
        } elsif ($word eq 'cut' || $word eq 'join') {
            die "$line->{at}: a pin is a1 to a9 or b1 to b9\n" if grep { !/^[ab][1-9]$/ } @pins;
            $word eq 'cut' ? cut($cable, @pins) : join_pins($cable, @pins);
        } else {
            die "$line->{at}: '$word' is none of cable, join, as, cut, cure\n";
        }
    }
    $_->{good} || $_->{cure} || die "$_->{at}: a fault wants a cure\n" for @cables;
    return @cables;
}

sub cut {
    my ($cable, @pins) = @_;
    my %gone = map { $_ => 1 } @pins;
    $cable->{wires} = [
        grep { @$_ > 1 } map { [grep { !$gone{$_} } @$_] } @{ $cable->{wires} }
    ];
}

sub join_pins {
    my ($cable, @pins) = @_;
    my %mine = map { $_ => 1 } @pins;
    my @apart;
    for my $wire (@{ $cable->{wires} }) {
        if (grep { $mine{$_} } @$wire) {
            $mine{$_} = 1 for @$wire;
        } else {
            push @apart, $wire;
        }
    }
    $cable->{wires} = [@apart, [sort keys %mine]];
}

# The wires of a 1:1 cable, from a machine's pin m3 to the box's pin x3; and of a null-modem cable.
my @straight = map { ["m$_", "x$_"] } 1 .. 9;
my @crossed = (['m2', 'x3'], ['m3', 'x2'], ['m5', 'x5'], ['m7', 'x8'], ['m8', 'x7'],
               ['m4', 'x6', 'x1'], ['m6', 'm1', 'x4']);

# box_cables FILE CROSSES: as cables(), of the rows of box.txt: from machine to machine through a box
# that joins these pins of its two sockets, as [3, 2]. End a is the judge's, b the entity's.
sub box_cables {
    my ($file, @crosses) = @_;
    my (@boxes, $box);
    for my $line (lines($file)) {
        my ($word, @w) = @{ $line->{words} };
        my $at = $line->{at};
        if ($word eq 'box') {
            my ($name, $kind) = @w;
            die "$at: expected: box NAME good|harmless|fault WORDS\n"
                unless ($kind // '') =~ /^(good|harmless|fault)$/ && rest($line, 3);
            $box = { name => $name, good => $kind ne 'fault', kind => $kind, words => rest($line, 3),
                     at => $at, half => { judge => [map { [@$_] } @straight],
                                          entity => [map { [@$_] } @straight] } };
            push @boxes, $box;
            next;
        }
        die "$at: no box has begun\n" unless $box;
        if ($word eq 'cure') {
            $box->{cure} = rest($line, 1);
        } elsif ($word eq 'judge' || $word eq 'entity') {
            change_half($at, $box->{half}, $word, @w);
        } else {
            die "$at: '$word' is none of box, judge, entity, cure\n";
        }
    }
    $_->{good} || $_->{cure} || die "$_->{at}: a fault without a cure\n" for @boxes;
    $_->{wires} = through_box($_->{half}, @crosses) for @boxes;
    return @boxes;
}

sub change_half {
    my ($at, $half, $whose, $what, @pins) = @_;
    die "$at: a pin is 1 to 9\n" if grep { !/^[1-9]$/ } @pins;
    my %named = map { $_ => 1 } map { "m$_" } @pins;
    if ($what eq 'crossed') {
        $half->{$whose} = [map { [@$_] } @crossed];
    } elsif ($what eq 'cut') {
        $half->{$whose} = [grep { !$named{ $_->[0] } } @{ $half->{$whose} }];
    } elsif ($what eq 'join') {
        push @{ $half->{$whose} }, [sort keys %named];
    } else {
        die "$at: '$what' is none of cut, join, crossed\n";
    }
    return;
}

# The wires from machine to machine of two half cables and the box between.
sub through_box {
    my ($half, @crosses) = @_;
    my @wires;
    for my $whose ('judge', 'entity') {
        my ($machine, $socket) = $whose eq 'judge' ? ('a', 'X') : ('b', 'Y');
        push @wires, [map { s/^m/$machine/r =~ s/^x/$socket/r } @$_] for @{ $half->{$whose} };
    }
    push @wires, ["X$_->[0]", "Y$_->[1]"] for @crosses;
    my $all = { wires => [] };
    join_pins($all, @$_) for @wires;
    my @outside = map { [grep { /^[ab]/ } @$_] } @{ $all->{wires} };
    return [grep { @$_ > 1 } @outside];
}

# drivers CABLE PINS: {a|b}{signal} => what decides the level of each input, as names of outputs
# seen from that end: OWN_TX, PEER_RTS ... Two outputs on one data wire hold each other at a level
# that is no data, so nothing is heard there; so it is with a wire that touches ground. Without a
# common ground no level of the other end counts.
sub drivers {
    my ($cable, $pins) = @_;
    my %reach;
    my $grounded = grep { my %on = map { $_ => 1 } @$_; $on{a5} && $on{b5} } @{ $cable->{wires} };
    for my $wire (@{ $cable->{wires} }) {
        next if grep { /5/ } @$wire;
        my @out = grep { $pins->{ substr $_, 1 }{way} eq 'out' } @$wire;
        for my $pin (grep { $pins->{ substr $_, 1 }{way} eq 'in' } @$wire) {
            my ($end, $number) = split //, $pin;
            my $signal = $pins->{$number}{signal};
            my @by;
            for my $from (@out) {
                my ($other, $out) = split //, $from;
                next if $other ne $end && !$grounded;
                my $name = $pins->{$out}{signal} =~ s/TXD/TX/r;
                push @by, ($other eq $end ? 'OWN' : 'PEER') . "_$name";
            }
            @by = () if $signal eq 'RXD' && @by > 1;
            $reach{$end}{$signal} = [sort @by];
        }
    }
    return \%reach;
}

1;
