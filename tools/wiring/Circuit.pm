# A circuit out of its text (format: wiring/controller.txt), and the rules that it must keep.
package Circuit;
use strict;
use warnings;
use Tables;

# boards FOLDER: name => {level, name, nets => {NET => {way, label, what}}, power => {NAME => {label, what}}}
# of every folder of boards/; in and out as the board's pins are.
sub boards {
    my ($folder) = @_;
    my %boards;
    for my $file (sort glob "$folder/*/board.txt") {
        my ($name) = $file =~ m{([^/]+)/board\.txt$};
        my $board = $boards{$name} = { level => 5, name => $name, nets => {}, power => {} };
        for my $line (Tables::lines($file)) {
            my @w = @{ $line->{words} };
            $board->{ $w[0] } = $w[1] if $w[0] =~ /^(level|name)$/;
            $board->{power}{ $w[1] } = { label => $w[2], what => Tables::rest($line, 3) } if $w[0] eq 'power';
            next unless $w[0] eq 'pin';
            my ($way, $net) = @w[3, 5];
            $board->{nets}{$net} = { way => $way, label => $w[2], what => Tables::rest($line, 6) };
        }
    }
    return \%boards;
}

# The levels of boards, the highest first.
sub levels {
    my ($boards) = @_;
    my %levels = map { $_->{level} => 1 } values %$boards;
    return sort { $b <=> $a } keys %levels;
}

# Those of the boards that are of a level; their names as a drawing says them.
sub of_level {
    my ($boards, $level) = @_;
    return { map { $_ => $boards->{$_} } grep { $boards->{$_}{level} == $level } keys %$boards };
}

sub names {
    my ($boards) = @_;
    return join ', ', map { $boards->{$_}{name} } sort keys %$boards;
}

# parse FILE BOARDS LEVEL: {level, boards, kinds, parts, nets, lines, drives, draws, order}, for the boards
# that are of this level.
sub parse {
    my ($file, $all, $level) = @_;
    my $boards = of_level($all, $level);
    my $c = { file => $file, level => $level, boards => $boards, parts => {}, nets => {}, lines => [],
              drives => [], draws => [], order => [] };
    my $only;
    for my $line (Tables::lines($file)) {
        my ($word, @w) = @{ $line->{words} };
        my $at = $line->{at};
        if ($word eq 'level') {
            ($only) = ($w[0] // '') =~ /^([\d.]+)$/ or die "$at: expected: level VOLTS\n";
        } elsif (defined $only && $only != $level) {
            next;
        } elsif ($word eq 'kind') {
            $c->{kinds}{ $w[0] } = kind($at, @w);
        } elsif ($word eq 'part') {
            my ($ref, $kind, $value) = @w;
            die "$at: expected: part REF KIND VALUE WORDS\n" unless defined $value;
            die "$at: there is no kind $kind\n" unless $c->{kinds}{$kind};
            die "$at: $ref is there twice\n" if $c->{parts}{$ref};
            $c->{parts}{$ref} =
                { kind => $kind, value => $value, words => Tables::rest($line, 4), at => $at,
                  common => !defined $only };
            push @{ $c->{order} }, $ref;
        } elsif ($word eq 'net') {
            my $net = shift @w;
            die "$at: net $net is there twice\n" if $c->{nets}{$net};
            $c->{nets}{$net} = { pins => [@w], at => $at };
        } elsif ($word eq 'more') {
            my $net = shift @w;
            die "$at: there is no net ${\ ($net // '')} above\n" unless $c->{nets}{ $net // '' };
            push @{ $c->{nets}{$net}{pins} }, @w;
        } elsif ($word eq 'line') {
            my ($name, $judge, $entity, @cross) = @w;
            push @{ $c->{lines} },
                { name => $name, judge => $judge, entity => $entity, cross => { map { $_ => 1 } @cross } };
        } elsif ($word eq 'drive') {
            my ($name, $pump, @relays) = @w;
            push @{ $c->{drives} }, { name => $name, pump => $pump, relays => \@relays, at => $at };
        } elsif ($word eq 'draw') {
            my ($list, $title) = $line->{text} =~ /^\s*draw\s+(.*?)\s+:\s+(.*)$/;
            die "$at: expected: draw NAME REF... : TITLE\n" unless $title;
            my ($name, @refs) = split ' ', $list;
            push @{ $c->{draws} }, { name => $name, refs => \@refs, title => $title, at => $at, common => !defined $only,
                  boards => defined $only ? names($boards) : 'any' };
        } else {
            die "$at: '$word' is none of level, kind, part, net, more, line, drive, draw\n";
        }
    }
    if (grep { /^board\./ } map { @{ $_->{pins} } } values %{ $c->{nets} }) {
        my %pins;
        for my $board (values %$boards) {
            $pins{$_} = 'power' for keys %{ $board->{power} };
            $pins{$_} = $board->{nets}{$_}{way} for keys %{ $board->{nets} };
        }
        $c->{kinds}{board} = { pins => \%pins, pairs => [], drives => [], never => {} };
        $c->{parts}{board} = { kind => 'board', value => '-', words => names($boards), at => $file };
    }
    return $c;
}

sub kind {
    my ($at, $name, @w) = @_;
    my $kind = { pins => {}, pairs => [], drives => [], never => {} };
    my $role;
    while (@w) {
        my $word = shift @w;
        if ($word =~ /^(in|out|power|pin|never|through|coil|contact|drives)$/) {
            $role = $word;
            next;
        }
        die "$at: expected: kind NAME ROLE PIN...\n" unless $role;
        if ($role eq 'drives') {
            my $out = shift @w // die "$at: $role wants two pins\n";
            push @{ $kind->{drives} }, [$word, $out];
            @{ $kind->{pins} }{ $word, $out } = ('in', 'out');
        } elsif ($role =~ /^(through|coil|contact)$/) {
            my $other = shift @w // die "$at: $role wants two pins\n";
            push @{ $kind->{pairs} }, [$role, $word, $other];
            $kind->{pins}{$_} = 'passive' for $word, $other;
        } elsif ($role eq 'never') {
            $kind->{never}{$word} = 1;
        } else {
            $kind->{pins}{$word} = $role;
        }
    }
    return $kind;
}

sub is_supply {
    my ($net) = @_;
    return $net =~ /^(GND$|\+)/;
}

# net_of CIRCUIT: pin => name of its net.
sub net_of {
    my ($c) = @_;
    my %of;
    for my $net (keys %{ $c->{nets} }) {
        $of{$_} = $net for @{ $c->{nets}{$net}{pins} };
    }
    return \%of;
}

# reached CIRCUIT NET CLOSED: the nets that a signal on it can get to through parts of two pins,
# capacitors and coils too; through contacts if CLOSED. Supply and ground stop it.
sub reached {
    my ($c, $net, $closed) = @_;
    my $of = net_of($c);
    my %seen = ($net => 1);
    my @todo = ($net);
    while (defined(my $from = shift @todo)) {
        next if is_supply($from);
        for my $pin (@{ $c->{nets}{$from}{pins} }) {
            my ($ref, $name) = split /\./, $pin, 2;
            for my $pair (@{ $c->{kinds}{ $c->{parts}{$ref}{kind} }{pairs} }) {
                my ($role, $a, $b) = @$pair;
                next if $role eq 'contact' && !$closed;
                my $other = $name eq $a ? $b : $name eq $b ? $a : next;
                my $to = $of->{"$ref.$other"} // next;
                push @todo, $to unless $seen{$to}++;
            }
        }
    }
    return \%seen;
}

# check CIRCUIT: the broken rules, a line each.
sub check {
    my ($c) = @_;
    my (@wrong, %used);
    for my $net (sort keys %{ $c->{nets} }) {
        my $at = "$c->{nets}{$net}{at}: net $net";
        my %count;
        for my $pin (@{ $c->{nets}{$net}{pins} }) {
            my ($ref, $name) = split /\./, $pin, 2;
            my $part = $c->{parts}{$ref};
            my $kind = $part && $c->{kinds}{ $part->{kind} };
            push @wrong, "$at: $pin is on net $used{$pin} too" if $used{$pin};
            $used{$pin} = $net;
            if (!$part) {
                push @wrong, "$at: there is no part $ref";
            } elsif ($kind->{never}{$name}) {
                push @wrong, "$at: $pin is a normally-closed contact: only normally-open ones may be wired";
            } elsif (!$kind->{pins}{ $name // '' }) {
                push @wrong, "$at: there is no pin $pin";
            } else {
                $count{ $kind->{pins}{$name} }++;
            }
        }
        push @wrong, "$at: has one end only" if @{ $c->{nets}{$net}{pins} } < 2;
        push @wrong, "$at: has $count{out} drivers" if ($count{out} // 0) > 1;
        push @wrong, "$at: is heard by $count{in} inputs and driven by nothing"
            if $count{in} && !grep { $count{$_} } qw(out passive power pin);
    }
    return @wrong if @wrong;
    push @wrong, check_boards($c, \%used), check_level($c), check_lines($c), check_drives($c);
    return @wrong;
}

# Every pin of every board has its wire.
sub check_boards {
    my ($c, $used) = @_;
    my @wrong;
    return unless $c->{parts}{board};
    for my $name (sort keys %{ $c->{boards} }) {
        my $board = $c->{boards}{$name};
        for my $net (sort keys %{ $board->{nets} }, sort keys %{ $board->{power} }) {
            push @wrong, "boards/$name: pin $net has no wire in $c->{file}" unless $used->{"board.$net"};
        }
        for my $pin (map { /^board\.(.*)/ ? $1 : () } sort keys %$used) {
            push @wrong, "$c->{file}: boards/$name has no $pin"
                unless $board->{nets}{$pin} || $board->{power}{$pin};
        }
    }
    return @wrong;
}

# No pin of a board is joined, through parts of two pins, with a supply above its level, or with the output
# of a part that is fed by one.
sub check_level {
    my ($c) = @_;
    return unless $c->{parts}{board};
    my $of = net_of($c);
    my $above = sub { $_[0] =~ /^\+(\d+)V(\d*)$/ && "$1." . ($2 || 0) > $c->{level} };
    my %pins = map { %{ $_->{nets} } } values %{ $c->{boards} };
    my @wrong;
    for my $pin (sort keys %pins) {
        my $reached = reached($c, $of->{"board.$pin"} // next, 1);
        push @wrong, map { "$c->{file}: board.$pin reaches $_: it bears $c->{level} V" }
            grep { $above->($_) } sort keys %$reached;
        for my $out (map { @{ $c->{nets}{$_}{pins} } } grep { !is_supply($_) } sort keys %$reached) {
            my ($ref, $name) = split /\./, $out, 2;
            my $kind = $c->{kinds}{ $c->{parts}{$ref}{kind} };
            next unless $ref ne 'board' && $kind->{pins}{$name} eq 'out';
            my ($supply) = grep { $above->($_) } map { $of->{"$ref.$_"} // '' }
                grep { $kind->{pins}{$_} eq 'power' } sort keys %{ $kind->{pins} };
            push @wrong, "$c->{file}: board.$pin is driven by $out, which $supply feeds: it bears $c->{level} V"
                if $supply;
        }
    }
    return @wrong;
}

# Nothing but what may crosses a line, and that only through contacts of at least one relay; nothing
# of a line reaches anything else.
sub check_lines {
    my ($c) = @_;
    my $of = net_of($c);
    my @wrong;
    for my $line (@{ $c->{lines} }) {
        my ($judge, $entity) = @{$line}{qw(judge entity)};
        my %crossed;
        for my $pin (grep { /^\Q$judge\E\./ } sort keys %$of) {
            my $j = substr $pin, 1 + length $judge;
            my ($open, $closed) = map { reached($c, $of->{$pin}, $_) } 0, 1;
            for my $far (grep { /^\Q$entity\E\./ } sort keys %$of) {
                my $cross = "$j-" . substr $far, 1 + length $entity;
                next unless $closed->{ $of->{$far} };
                $crossed{$cross} = 1;
                push @wrong, "line $line->{name}: $judge.$j reaches $far: only "
                    . join(' ', sort keys %{ $line->{cross} }) . ' may cross'
                    unless $line->{cross}{$cross};
                push @wrong, "line $line->{name}: $judge.$j reaches $far past the relays"
                    if $open->{ $of->{$far} } && $cross ne '5-5';
            }
            for my $other (grep { !/^(\Q$judge\E|\Q$entity\E)\./ } sort keys %$of) {
                my ($ref, $name) = split /\./, $other, 2;
                my $role = $c->{kinds}{ $c->{parts}{$ref}{kind} }{pins}{$name};
                push @wrong, "line $line->{name}: $judge.$j is joined with $other"
                    if $closed->{ $of->{$other} } && $role ne 'passive';
            }
        }
        $crossed{$_} || push @wrong, "line $line->{name}: $_ does not cross" for sort keys %{ $line->{cross} };
    }
    return @wrong;
}

# From a board's pump to each coil of its line there is the way: no level passes (a capacitor is in
# it), a driver is in it, and the coil hangs on the key's supply. No relay belongs to two lines.
sub check_drives {
    my ($c) = @_;
    my $of = net_of($c);
    my (@wrong, %line_of);
    for my $drive (@{ $c->{drives} }) {
        my $at = "drive $drive->{name}";
        my $pump = $of->{"board.$drive->{pump}"} // '';
        push @wrong, "$at: expected at least two relays" if @{ $drive->{relays} } < 2;
        my $store = $pump ? reached($c, $pump, 1) : {};
        push @wrong, "$at: a level passes: no capacitor between board.$drive->{pump} and the driver"
            if $pump && passes_level($c, $pump);
        for my $relay (@{ $drive->{relays} }) {
            push @wrong, "$at: $relay belongs to line $line_of{$relay} too" if $line_of{$relay};
            $line_of{$relay} = $drive->{name};
            my $low = $of->{"$relay.A2"} // '';
            my $high = $of->{"$relay.A1"} // '';
            push @wrong, "$at: the coil of $relay is driven by no driver of it"
                unless grep { $store->{ $of->{$_} // '' } } inputs_of($c, $low);
            push @wrong, "$at: the coil of $relay is not on the key's supply"
                unless grep { /^S1\./ } @{ $c->{nets}{$high}{pins} // [] };
        }
    }
    return @wrong;
}

# The inputs that the outputs on a net follow.
sub inputs_of {
    my ($c, $net) = @_;
    my @inputs;
    for my $pin (@{ $c->{nets}{$net}{pins} // [] }) {
        my ($ref, $name) = split /\./, $pin, 2;
        push @inputs, map { "$ref.$_->[0]" } grep { $_->[1] eq $name }
            @{ $c->{kinds}{ $c->{parts}{$ref}{kind} }{drives} };
    }
    return @inputs;
}

# Whether a steady level gets from a net to an input: through resistors and diodes, not capacitors.
sub passes_level {
    my ($c, $net) = @_;
    my %c = %$c;
    my %kinds = %{ $c->{kinds} };
    $kinds{capacitor} = { %{ $kinds{capacitor} }, pairs => [] } if $kinds{capacitor};
    $c{kinds} = \%kinds;
    my $seen = reached(\%c, $net, 1);
    for my $name (grep { !is_supply($_) } keys %$seen) {
        for my $pin (@{ $c->{nets}{$name}{pins} }) {
            my ($ref, $p) = split /\./, $pin, 2;
            return 1 if $ref ne 'board' && $c->{kinds}{ $c->{parts}{$ref}{kind} }{pins}{$p} eq 'in';
        }
    }
    return 0;
}

1;
