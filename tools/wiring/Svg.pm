# Drawings: a cable with its wires, and a row of parts of a circuit.
package Svg;
use strict;
use warnings;
use Circuit;

my $ink = '#222';
my $mono = 'font-family="DejaVu Sans Mono, monospace"';

sub escape {
    my ($text) = @_;
    $text =~ s/&/&amp;/g;
    $text =~ s/</&lt;/g;
    $text =~ s/>/&gt;/g;
    return $text;
}

# A drawing; the last argument, where it is given, is the scale to print it in, as mm for a unit.
sub page {
    my ($width, $height, $title, $body, $mm) = @_;
    my ($w, $h) = $mm ? map { $_ * $mm . 'mm' } $width, $height : ($width, $height);
    return qq(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $width $height" width="$w" )
        . qq(height="$h" font-family="DejaVu Sans, sans-serif" font-size="14" fill="$ink">\n)
        . qq(<title>${\ escape($title)}</title>\n<rect width="$width" height="$height" fill="white"/>\n)
        . "$body</svg>\n";
}

sub text {
    my ($x, $y, $text, $more) = @_;
    return qq(<text x="$x" y="$y" ${\ ($more // '')}>${\ escape($text)}</text>\n);
}

sub path {
    my ($d, $more) = @_;
    return qq(<path d="$d" fill="none" stroke="$ink" ${\ ($more // '')}/>\n);
}

sub dot {
    my ($x, $y) = @_;
    return qq(<circle cx="$x" cy="$y" r="3.5"/>\n);
}

# cable CABLE PINS: the two connectors, and each wire on a track of its own between them. The right
# one stands half a row lower, so that no two wires run along the same line.
sub cable {
    my ($cable, $pins) = @_;
    my ($left, $right, $top, $row, $deep) = (140, 400, 84, 26, 9 * 26 + 8);
    my %y;
    for my $pin (1 .. 9) {
        $y{"a$pin"} = $top + $row * ($pin - 0.5) + 4;
        $y{"b$pin"} = $y{"a$pin"} + $row / 2;
    }
    my $body = text(20, 28, $cable->{name}, 'font-size="18" font-weight="bold"')
        . text(20, 50, $cable->{words}, 'font-size="12"')
        . ($cable->{good} ? '' : text(520, 28, 'fault', 'text-anchor="end" font-weight="bold" fill="#b00"'));
    for my $end ('a', 'b') {
        my ($x, $anchor, $tx) = $end eq 'a' ? (20, 'end', $left - 8) : ($right, 'start', $right + 8);
        my $y = $end eq 'a' ? $top : $top + $row / 2;
        $body .= qq(<rect x="$x" y="$y" width="120" height="$deep" fill="#e8f0f6" stroke="$ink"/>\n);
        $body .= text($x, $top - 8, "end $end");
        for my $pin (1 .. 9) {
            my $way = $pins->{$pin}{way} eq 'ground' ? '' : $pins->{$pin}{way};
            my $words = $end eq 'a' ? sprintf('%-3s %-3s %d', $way, $pins->{$pin}{signal}, $pin)
                                    : sprintf('%d %-3s %3s', $pin, $pins->{$pin}{signal}, $way);
            $body .= text($tx, $y{"$end$pin"} + 5, $words, qq(text-anchor="$anchor" $mono xml:space="preserve"));
        }
    }
    my $gap = ($right - $left) / (@{ $cable->{wires} } + 1);
    my $track = $left;
    for my $wire (@{ $cable->{wires} }) {
        $track += $gap;
        my @y = sort { $a <=> $b } map { $y{$_} } @$wire;
        $body .= path("M $track $y[0] V $y[-1]", 'stroke-width="1.6"');
        for my $pin (@$wire) {
            my $from = $pin =~ /^a/ ? $left : $right;
            $body .= path("M $from $y{$pin} H $track", 'stroke-width="1.6"');
            $body .= dot($track, $y{$pin}) if $y{$pin} != $y[0] && $y{$pin} != $y[-1];
        }
    }
    return page(540, $top + $deep + $row, $cable->{name}, $body);
}

# The pins by which two parts hang on one net: [net, pin of the first, pin of the second]. A supply counts
# only where there is nothing else.
sub shared {
    my ($c, $of, $first, $second) = @_;
    my (@shared, @supply);
    for my $pin (sort keys %$of) {
        next unless $pin =~ /^\Q$first\E\.(.*)$/ && $of->{$pin} ne 'GND';
        my ($mine, $list) = ($1, Circuit::is_supply($of->{$pin}) ? \@supply : \@shared);
        for my $other (@{ $c->{nets}{ $of->{$pin} }{pins} }) {
            push @$list, [$of->{$pin}, $mine, $1] if $other =~ /^\Q$second\E\.(.*)$/;
        }
    }
    return @shared ? @shared : @supply;
}

# What else hangs on a net than the parts of the row, as lines of text. A part of two pins is shown
# with what is at its other side.
sub hanging {
    my ($c, $of, $net, $row) = @_;
    my @lines;
    for my $pin (@{ $c->{nets}{$net}{pins} }) {
        my ($ref, $name) = split /\./, $pin, 2;
        next if $row->{$ref};
        my ($pair) = grep { $_->[1] eq $name || $_->[2] eq $name }
            @{ $c->{kinds}{ $c->{parts}{$ref}{kind} }{pairs} };
        my $far = $pair && $of->{ "$ref." . ($pair->[1] eq $name ? $pair->[2] : $pair->[1]) };
        push @lines, $far ? "$ref to $far" : $pin;
    }
    return @lines;
}

# The nets between neighbours of a row. A net that several pairs share is drawn between the last.
sub links {
    my ($c, $of, $draw) = @_;
    my @refs = @{ $draw->{refs} };
    my (@links, %drawn);
    for my $i (reverse 1 .. $#refs) {
        my %seen;
        my @shared = shared($c, $of, @refs[$i - 1, $i]) or
            die "$draw->{at}: $refs[$i - 1] and $refs[$i] share no net\n";
        unshift @links, [grep { !$seen{ $_->[0] }++ && !$drawn{ $_->[0] } } @shared];
        $drawn{ $_->[0] } = 1 for @shared;
    }
    return @links;
}

my $thin = 'stroke-width="1.6"';

# The symbol of a part of two pins, lying between two points at one height; `first` is its pin on
# the left. undef: it has none, and stays a box.
sub symbol {
    my ($kind, $role, $from, $to, $y, $first) = @_;
    my $m = ($from + $to) / 2;
    my $wires = sub { path("M $from $y H ${\ ($m - $_[0])} M ${\ ($m + $_[0])} $y H $to", $thin) };
    my $arrow = sub {
        my $way = $first eq 'A' ? 1 : -1;
        my ($tail, $tip) = ($m - 12 * $way, $m + 12 * $way);
        return path("M $tail ${\ ($y - 12)} V ${\ ($y + 12)} L $tip $y z M $tip ${\ ($y - 12)} V ${\ ($y + 12)}", $thin);
    };
    if ($role eq 'contact') { # normally open
        return $wires->(16) . path("M ${\ ($m - 16)} $y L ${\ ($m + 14)} ${\ ($y - 14)}", $thin)
            . dot($m - 16, $y) . dot($m + 16, $y);
    }
    if ($role eq 'coil') {
        return $wires->(20) . qq(<rect x="${\ ($m - 20)}" y="${\ ($y - 11)}" width="40" height="22" fill="white" stroke="$ink"/>\n)
            . path("M ${\ ($m - 8)} ${\ ($y + 11)} L ${\ ($m + 8)} ${\ ($y - 11)}", $thin);
    }
    if ($kind eq 'resistor') {
        return $wires->(22) . qq(<rect x="${\ ($m - 22)}" y="${\ ($y - 9)}" width="44" height="18" fill="white" stroke="$ink"/>\n);
    }
    if ($kind eq 'capacitor') {
        return $wires->(4) . path("M ${\ ($m - 4)} ${\ ($y - 15)} v 30 M ${\ ($m + 4)} ${\ ($y - 15)} v 30", 'stroke-width="2.5"');
    }
    if ($kind eq 'diode') {
        return $wires->(12) . $arrow->();
    }
    if ($kind eq 'lamp') {
        return $wires->(12) . $arrow->()
            . path("M ${\ ($m + 16)} ${\ ($y - 6)} l 9 -5 m -4 0 h 4 l -2 4 M ${\ ($m + 16)} ${\ ($y - 14)} l 9 -5 m -4 0 h 4 l -2 4", $thin);
    }
    if ($kind =~ /^(jumper|switch|keyswitch)$/) {
        return $wires->(16) . path("M ${\ ($m - 16)} $y L ${\ ($m + 14)} ${\ ($y - 12)}", $thin)
            . dot($m - 16, $y) . dot($m + 16, $y);
    }
    return;
}

# The pair of a part's pins that two wires of a row at one height join through it, as its role.
sub pair_role {
    my ($c, $ref, $left, $right) = @_;
    for my $pair (@{ $c->{kinds}{ $c->{parts}{$ref}{kind} }{pairs} }) {
        my ($role, $x, $y) = @$pair;
        return $role if ($x eq $left && $y eq $right) || ($x eq $right && $y eq $left);
    }
    return;
}

# What hangs on a net, drawn below a wire: a part of two pins to ground as its symbol, anything
# else as words. Parts stand beside each other.
sub drop {
    my ($c, $of, $net, $row, $x, $y) = @_;
    my ($body, $n, $lines) = ('', 0, 0);
    for my $pin (@{ $c->{nets}{$net}{pins} }) {
        my ($ref, $name) = split /\./, $pin, 2;
        next if $row->{$ref};
        my $kind = $c->{parts}{$ref}{kind};
        my ($pair) = grep { $_->[1] eq $name || $_->[2] eq $name } @{ $c->{kinds}{$kind}{pairs} };
        my $far = $pair && $of->{ "$ref." . ($pair->[1] eq $name ? $pair->[2] : $pair->[1]) };
        next unless $far && $far eq 'GND' && symbol($kind, $pair->[0], 0, 84, 0, $name);
        my $at = $x + 16 + 66 * $n++;
        $body .= dot($at, $y)
            . qq(<g transform="translate($at $y) rotate(90)">) . symbol($kind, $pair->[0], 0, 84, 0, $name) . "</g>\n"
            . path("M ${\ ($at - 12)} ${\ ($y + 84)} h 24 m -19 5 h 14 m -10 5 h 6", $thin)
            . text($at + 15, $y + 30, $ref, 'font-size="12" font-weight="bold"')
            . text($at + 15, $y + 62, $c->{parts}{$ref}{value}, 'font-size="11"');
    }
    my @others = grep { !/ to GND$/ } hanging($c, $of, $net, $row);
    my $at = $x + 16;
    $body .= dot($at, $y) . path("M $at $y v ${\ (22 * @others - 2)}", $thin) if @others && !$n;
    for my $other ($n ? () : @others) {
        my $line = $y + 22 * ++$lines - 2;
        $body .= path("M $at $line h 8") . text($at + 12, $line + 5, $other, "font-size=\"13\" $mono");
    }
    return ($body, $n ? 110 : 22 * $lines);
}

# Puts wires that go on through a part at the height of those that they become.
sub in_step {
    my ($c, $refs, $links) = @_;
    for my $i (reverse 1 .. $#$links) {
        my (@first, %taken);
        for my $out (@{ $links->[$i] }) {
            my ($in) = grep { pair_role($c, $refs->[$i], $_->[2], $out->[1]) } @{ $links->[$i - 1] };
            push @first, $in if $in && !$taken{ $in->[0] }++;
        }
        $links->[$i - 1] = [@first, grep { !$taken{ $_->[0] } } @{ $links->[$i - 1] }];
    }
    return;
}

# row CIRCUIT DRAW: parts from left to right as their symbols, wires between them, what else hangs on
# them below. All rows are printed in one scale.
sub row {
    my ($c, $draw) = @_;
    my $of = Circuit::net_of($c);
    my @refs = @{ $draw->{refs} };
    # A drawing for every board shows no part that only some of them have.
    my %row = map { $_ => 1 } @refs, $draw->{common} ? grep { !$c->{parts}{$_}{common} } @{ $c->{order} } : ();
    my ($box, $between, $top, $step) = (84, 168, 60, 22);
    my @links = links($c, $of, $draw);
    in_step($c, \@refs, \@links);
    my (@wires, $most);
    $most = 44;
    for my $i (0 .. $#links) { # [y, pin of the left part, pin of the right one, net]
        my $y = $top + 78;
        for my $link (@{ $links[$i] }) {
            my $x = 20 + $i * ($box + $between) + $box;
            my ($hangs, $deep) = drop($c, $of, $link->[0], \%row, $x, $y);
            push @{ $wires[$i] }, { y => $y, left => $link->[1], right => $link->[2], net => $link->[0], hangs => $hangs };
            $y += 2 * $step + $deep;
        }
        $most = $y - $top - 78 if $y - $top - 78 > $most;
    }
    my $deep = 60 + $most;
    my $width = 40 + $box * @refs + $between * $#refs;
    my $body = text(20, 36, $draw->{title}, 'font-size="18" font-weight="bold"');
    for my $i (0 .. $#refs) {
        my $x = 20 + $i * ($box + $between);
        my ($part, $middle) = ($c->{parts}{ $refs[$i] }, $x + $box / 2);
        my ($symbols, $whole) = ('', 0);
        for my $in ($i ? @{ $wires[$i - 1] } : ()) {
            for my $out (grep { $_->{y} == $in->{y} } @{ $wires[$i] // [] }) {
                my $role = pair_role($c, $refs[$i], $in->{right}, $out->{left}) or next;
                my $drawn = symbol($part->{kind}, $role, $x, $x + $box, $in->{y}, $in->{right}) or next;
                $symbols .= $drawn;
                $in->{into} = $out->{from} = 1;
                $whole = keys %{ $c->{kinds}{ $part->{kind} }{pins} } == 2;
            }
        }
        if (!$whole && $i == $#refs && $part->{kind} eq 'lamp') { # to ground
            my $in = $wires[$i - 1][0];
            $symbols = symbol('lamp', 'through', $x, $x + $box, $in->{y}, $in->{right})
                . path("M ${\ ($x + $box)} ${\ ($in->{y} - 12)} v 24 m 5 -19 v 14 m 5 -10 v 6", $thin);
            $in->{into} = $whole = 1;
        }
        my $frame = $symbols ? 'fill="none" stroke="#999" stroke-dasharray="5 4"' : "fill=\"#e8f0f6\" stroke=\"$ink\"";
        $body .= qq(<rect x="$x" y="$top" width="$box" height="$deep" $frame/>\n) unless $whole;
        if ($part->{kind} eq 'fet' && $of->{"$refs[$i].S"} eq 'GND') {
            my $foot = $top + $deep;
            $body .= text($middle, $foot - 6, 'S', "text-anchor=\"middle\" $mono")
                . path("M $middle $foot v 6 m -10 0 h 20 m -16 4 h 12 m -9 4 h 6", $thin);
        }
        $body .= $symbols;
        $body .= text($middle, $top + 20, $refs[$i], 'text-anchor="middle" font-weight="bold"');
        $body .= text($middle, $top + 38, $part->{kind} =~ s/^board$/$draw->{boards}/r, 'text-anchor="middle" font-size="12"');
        my ($mark) = $part->{words} =~ /^((?:JUDGE|ENTITY) [AB]),/;
        $body .= text($middle, $top + 54, $mark // $part->{value} =~ s/^-$//r,
            'text-anchor="middle" font-size="12"' . ($mark ? ' font-weight="bold"' : ''));
    }
    for my $i (0 .. $#wires) {
        my $from = 20 + $i * ($box + $between) + $box;
        my $to = $from + $between;
        for my $wire (@{ $wires[$i] }) {
            my ($y, $near) = ($wire->{y}, $refs[$i] eq 'board' ? '' : $wire->{left});
            $body .= path("M $from $y H $to", $thin) . $wire->{hangs};
            # Inside a box, or above the wire where a symbol is.
            $body .= $wire->{from} ? text($from + 3, $y - 4, $near, "font-size=\"11\" $mono")
                                   : text($from - 5, $y + 5, $near, "text-anchor=\"end\" $mono");
            $body .= $wire->{into} ? text($to - 3, $y - 4, $wire->{right}, "text-anchor=\"end\" font-size=\"11\" $mono")
                                   : text($to + 5, $y + 5, $wire->{right}, $mono);
            $body .= text(($from + $to) / 2, $y - 6, $wire->{net}, "text-anchor=\"middle\" font-size=\"12\" $mono");
        }
    }
    return page($width, $top + $deep + 20, $draw->{title}, $body, 0.155);
}

1;
