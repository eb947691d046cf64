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

sub page {
    my ($width, $height, $title, $body) = @_;
    return qq(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $width $height" width="$width" )
        . qq(height="$height" font-family="DejaVu Sans, sans-serif" font-size="14" fill="$ink">\n)
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

# The pins by which two parts hang on one net: [net, pin of the first, pin of the second].
sub shared {
    my ($c, $of, $first, $second) = @_;
    my @shared;
    for my $pin (sort keys %$of) {
        next unless $pin =~ /^\Q$first\E\.(.*)$/ && $of->{$pin} !~ /^(GND|\+5V)$/;
        my $mine = $1;
        for my $other (@{ $c->{nets}{ $of->{$pin} }{pins} }) {
            push @shared, [$of->{$pin}, $mine, $1] if $other =~ /^\Q$second\E\.(.*)$/;
        }
    }
    return @shared;
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

# row CIRCUIT DRAW: parts from left to right, wires between them, what else hangs on them below.
sub row {
    my ($c, $draw) = @_;
    my $of = Circuit::net_of($c);
    my @refs = @{ $draw->{refs} };
    my %row = map { $_ => 1 } @refs;
    my ($box, $between, $top, $step) = (84, 168, 60, 22);
    my @links = links($c, $of, $draw);
    my $most = 1;
    for my $link (@links) {
        my $count = 0;
        $count += 2 + hanging($c, $of, $_->[0], \%row) for @$link;
        $most = $count if $count > $most;
    }
    my $deep = 60 + $step * $most;
    my $width = 40 + $box * @refs + $between * $#refs;
    my $body = text(20, 36, $draw->{title}, 'font-size="18" font-weight="bold"');
    for my $i (0 .. $#refs) {
        my $x = 20 + $i * ($box + $between);
        my ($part, $middle) = ($c->{parts}{ $refs[$i] }, $x + $box / 2);
        $body .= qq(<rect x="$x" y="$top" width="$box" height="$deep" fill="#e8f0f6" stroke="$ink"/>\n);
        $body .= text($middle, $top + 20, $refs[$i], 'text-anchor="middle" font-weight="bold"');
        $body .= text($middle, $top + 38, $part->{kind} =~ s/^board$/Uno, Nano/r, 'text-anchor="middle" font-size="12"');
        $body .= text($middle, $top + 54, $part->{value} =~ s/^-$//r, 'text-anchor="middle" font-size="12"');
    }
    for my $i (0 .. $#links) {
        my $from = 20 + $i * ($box + $between) + $box;
        my ($to, $y) = ($from + $between, $top + 78);
        for my $link (@{ $links[$i] }) {
            my ($net, $mine, $theirs) = @$link;
            my @hanging = hanging($c, $of, $net, \%row);
            $body .= path("M $from $y H $to", 'stroke-width="1.6"');
            $body .= text($from - 5, $y + 5, $refs[$i] eq 'board' ? '' : $mine, "text-anchor=\"end\" $mono");
            $body .= text($to + 5, $y + 5, $theirs, $mono);
            $body .= text(($from + $to) / 2, $y - 6, $net, "text-anchor=\"middle\" font-size=\"13\" $mono");
            my $drop = $from + 12;
            $body .= dot($drop, $y) . path("M $drop $y V ${\ ($y + $step * @hanging - 2)}") if @hanging;
            for my $n (1 .. @hanging) {
                my $at = $y + $step * $n - 2;
                $body .= path("M $drop $at h 8") . text($drop + 12, $at + 5, $hanging[$n - 1], "font-size=\"13\" $mono");
            }
            $y += $step * (2 + @hanging);
        }
    }
    return page($width, $top + $deep + 20, $draw->{title}, $body);
}

1;
