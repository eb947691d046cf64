# The printable page: how to build, what to buy, what to look out for.
package Page;
use strict;
use warnings;
use Tables;
use Circuit;
use Svg;

sub escape { return Svg::escape(@_) }

sub table {
    my ($head, @rows) = @_;
    return "<table>\n<tr>" . join('', map { '<th>' . escape($_) } @$head) . "\n"
        . join('', map { '<tr>' . join('', map { '<td>' . escape($_ // '') } @$_) . "\n" } @rows)
        . "</table>\n";
}

my $style = <<'END';
<style>
@page { size: A4; margin: 15mm }
body { font: 10.5pt/1.35 "DejaVu Sans", sans-serif; color: #222; max-width: 180mm; margin: auto }
h1 { font-size: 16pt } h2 { font-size: 13pt; break-after: avoid; margin-top: 8mm }
table { border-collapse: collapse; width: 100% } tr, figure { break-inside: avoid }
td, th { border: 1px solid #999; padding: 1mm 2mm; text-align: left; vertical-align: top }
td { overflow-wrap: break-word } figure { margin: 4mm 0 } figure svg { width: 100%; height: auto }
.staff { break-after: page; break-inside: avoid }
.staff h2 { margin-top: 4mm } .staff p { margin: 2mm 0 }
.scale figure svg { width: unset; height: unset; max-width: none }
.cables { display: grid; grid-template-columns: 1fr 1fr; gap: 4mm } .cables figure { margin: 0 }
</style>
END

sub style { return $style }

# Parts of one kind and value, with how many and which.
sub parts {
    my ($file, @circuits) = @_;
    my (%refs, @rows);
    for my $c (@circuits) {
        for my $ref (@{ $c->{order} }) {
            my $part = $c->{parts}{$ref};
            push @{ $refs{"$part->{kind} $part->{value}"} },
                $c == $circuits[0] ? $ref : "$ref (Ethernet)";
        }
    }
    for my $line (Tables::lines($file)) {
        my ($what, $words) = $line->{text} =~ /^(\S+ \S+) : (.*)$/
            or die "$line->{at}: expected: KIND VALUE : WORDS\n";
        my $refs = delete $refs{$what} or die "$line->{at}: no part of a circuit is a $what\n";
        push @rows, [scalar @$refs, $what =~ s/ -$//r, join(' ', @$refs), $words];
    }
    my ($lacking) = sort keys %refs;
    die "$file: a line for '$lacking' is missing\n" if $lacking;
    return table(['', 'part', 'in the drawings', 'maker and number'], @rows);
}

sub traps {
    my ($file) = @_;
    return table(['trap', 'cure'], map { [split /\s*\|\s*/, $_->{text}, 2] } Tables::lines($file));
}

# board nets: label by board.
sub board_pins {
    my ($boards) = @_;
    my @names = sort keys %$boards;
    my %nets = map { $_ => 1 } map { keys %$_ } values %$boards;
    return table(['net', @names, ''], map {
        my $net = $_;
        [$net, (map { $boards->{$_}{$net}{label} } @names), $boards->{ $names[0] }{$net}{what}]
    } sort keys %nets);
}

sub nets {
    my ($c) = @_;
    return table(['wire', 'joins'], map { [$_, join ' ', @{ $c->{nets}{$_}{pins} }] }
        sort keys %{ $c->{nets} });
}

1;
