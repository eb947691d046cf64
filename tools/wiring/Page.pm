# The printable page: how to build, what to buy, what to look out for.
package Page;
use strict;
use warnings;
use Tables;
use Circuit;
use Svg;

sub escape { return Svg::escape(@_) }

# A cell's text: `commands` as such, and a number with its unit in one line.
sub cell {
    my $text = escape($_[0] // '');
    $text =~ s{`([^`]+)`}{<code>$1</code>}g;
    return $text =~ s/^([\d.]+) (\w+)$/$1\&nbsp;$2/r;
}

# A table that has room on a page is not cut.
sub table {
    my ($head, @rows) = @_;
    return (@rows > 12 ? '<table>' : '<table class="whole">') . "\n<thead><tr>"
        . join('', map { '<th>' . escape($_) } @$head) . "</thead>\n"
        . join('', map { '<tr>' . join('', map { '<td>' . cell($_) } @$_) . "\n" } @rows)
        . "</table>\n";
}

my $style = <<'END';
<style>
@page { size: A4; margin: 15mm }
body { font: 10.5pt/1.35 "DejaVu Sans", sans-serif; color: #222; max-width: 180mm; margin: auto }
h1 { font-size: 16pt } h2 { font-size: 13pt; margin-top: 8mm } h2, h3 { break-after: avoid }
table { border-collapse: collapse; width: calc(100% - 1px) } tr, figure, .whole { break-inside: avoid }
td, th { border: 1px solid #333; padding: 1mm 2mm; text-align: left; vertical-align: top }
td { overflow-wrap: break-word } figure { margin: 4mm 0 } figure svg { width: 100%; height: auto }
.staff { break-after: page; break-inside: avoid }
.staff h2 { margin-top: 4mm } .staff p { margin: 2mm 0 }
.scale figure svg { width: unset; height: unset; max-width: none }
.cables { display: grid; grid-template-columns: 1fr 1fr; gap: 4mm } .cables figure { margin: 0 }
</style>
END

sub style { return $style }

# parts FILE CIRCUIT...: what to buy, with how many and which for each circuit's boards; the circuits that
# have no board go with each of them.
sub parts {
    my ($file, @circuits) = @_;
    my @boxes = grep { keys %{ $_->{boards} } && $_->{parts}{board} } @circuits;
    my (%refs, @rows);
    for my $c (@circuits) {
        for my $box ($c->{parts}{board} ? $c : @boxes) {
            push @{ $refs{"$c->{parts}{$_}{kind} $c->{parts}{$_}{value}"}{ $box->{level} } },
                $c == $box ? $_ : "$_ (Ethernet)"
                for @{ $c->{order} };
        }
    }
    for my $line (Tables::lines($file)) {
        my ($what, $words) = $line->{text} =~ /^(\S+ \S+) : (.*)$/
            or die "$line->{at}: expected: KIND VALUE : WORDS\n";
        my $of = delete $refs{$what} or die "$line->{at}: no part of a circuit is a $what\n";
        my @cells = map { my $r = $of->{ $_->{level} }; $r ? @$r . ": @$r" : '' } @boxes;
        push @rows, [$what =~ s/ -$//r, @cells, $words];
    }
    my ($lacking) = sort keys %refs;
    die "$file: a line for '$lacking' is missing\n" if $lacking;
    return table(['part', (map { 'with ' . Circuit::names($_->{boards}) } @boxes), 'maker and number'], @rows);
}

sub traps {
    my ($file) = @_;
    return table(['trap', 'cure'], map { [split /\s*\|\s*/, $_->{text}, 2] } Tables::lines($file));
}

# The label of each board's pin for a net, and of its pins of supply.
sub board_pins {
    my ($boards) = @_;
    my @names = sort keys %$boards;
    my @rows;
    for my $kind ('nets', 'power') {
        my %all = map { %{ $_->{$kind} } } values %$boards;
        push @rows, map {
            my $net = $_;
            my @pins = map { $boards->{$_}{$kind}{$net} } @names;
            [$net, (map { $_ ? $_->{label} : '' } @pins), (grep { $_ } @pins)[0]{what}]
        } sort keys %all;
    }
    return table(['net', (map { $boards->{$_}{name} } @names), 'use'], @rows);
}

sub nets {
    my ($c) = @_;
    return table(['wire', 'joins'], map { [$_, join ' ', @{ $c->{nets}{$_}{pins} }] }
        sort keys %{ $c->{nets} });
}

1;
