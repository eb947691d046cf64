#!/usr/bin/perl
# screen_svg.pl COLUMNS ROWS CURSOR_COLUMN CURSOR_ROW: a terminal's screen, as `tmux capture-pane -e`
# writes it, from standard input as an SVG. Colours are xterm's 256; what has none is light on dark.
use strict;
use warnings;
use open qw(:std :encoding(UTF-8));

my ($columns, $rows, $cursor_column, $cursor_row) = @ARGV;
my ($wide, $high, $edge, $size) = (9, 20, 12, 15);
my ($own_front, $own_back) = ('#e6e6e6', '#000000');

# The colour of a number from 0 to 255.
sub colour {
    my ($n) = @_;
    my @sixteen = qw(000000 870000 87ff87 ffff87 000087 ff87ff 87ffff e6e6e6
        808080 ff8787 87ff87 ffff87 87afff ff87ff 87ffff ffffff);
    return "#$sixteen[$n]" if $n < 16;
    return sprintf '#%02x%02x%02x', (8 + 10 * ($n - 232)) x 3 if $n >= 232;
    my @level = (0, 95, 135, 175, 215, 255);
    $n -= 16;
    return sprintf '#%02x%02x%02x', @level[int($n / 36), int($n / 6) % 6, $n % 6];
}

my %pen;

sub attributes {
    my @codes = split /;/, shift, -1;
    @codes = (0) unless @codes;
    while (@codes) {
        my $code = shift @codes;
        $code = 0 if $code eq '';
        if ($code == 0) { %pen = () }
        elsif ($code == 1) { $pen{bold} = 1 }
        elsif ($code == 2) { $pen{dim} = 1 }
        elsif ($code == 4) { $pen{line} = 1 }
        elsif ($code == 7) { $pen{reverse} = 1 }
        elsif ($code == 22) { delete @pen{qw(bold dim)} }
        elsif ($code == 24) { delete $pen{line} }
        elsif ($code == 27) { delete $pen{reverse} }
        elsif ($code == 39) { delete $pen{front} }
        elsif ($code == 49) { delete $pen{back} }
        elsif ($code == 38 || $code == 48) {
            shift @codes; # 5
            $pen{ $code == 38 ? 'front' : 'back' } = colour(shift @codes);
        }
        elsif ($code >= 30 && $code <= 37) { $pen{front} = colour($code - 30) }
        elsif ($code >= 40 && $code <= 47) { $pen{back} = colour($code - 40) }
    }
}

sub escaped {
    my ($text) = @_;
    my %as = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;');
    $text =~ s/([&<>])/$as{$1}/g;
    return $text;
}

sub put {
    my ($row, $column, $width, $text) = @_;
    my ($front, $back) = ($pen{front} // $own_front, $pen{back} // $own_back);
    ($front, $back) = ($back, $front) if $pen{reverse};
    my ($x, $y) = ($edge + $column * $wide, $edge + $row * $high);
    printf qq(<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>\n), $x, $y, $width * $wide,
        $high, $back
        if $back ne $own_back;
    return if $text =~ /^ *$/ && !$pen{line};
    printf qq(<text x="%d" y="%d" fill="%s" textLength="%d" lengthAdjust="spacingAndGlyphs"%s%s%s>%s</text>\n),
        $x, $y + 15, $front, $width * $wide, $pen{bold} ? ' font-weight="bold"' : '',
        $pen{dim} ? ' opacity="0.5"' : '', $pen{line} ? ' text-decoration="underline"' : '',
        escaped($text);
}

my ($width, $height) = ($columns * $wide + 2 * $edge, $rows * $high + 2 * $edge);
print <<"SVG";
<svg xmlns="http://www.w3.org/2000/svg" width="$width" height="$height" viewBox="0 0 $width $height">
<rect width="$width" height="$height" fill="$own_back"/>
<g font-family="DejaVu Sans Mono, monospace" font-size="$size" xml:space="preserve">
SVG
my $row = 0;
while (my $line = <STDIN>) {
    chomp $line;
    my ($column, $run, $from) = (0, '', 0);
    my $flush = sub {
        put($row, $from, $column - $from, $run) if $column > $from;
        ($run, $from) = ('', $column);
    };
    while ($line =~ /\G(?:\e\[([0-9;]*)m|\e[()].|[\x0e\x0f]|(\X))/gc) {
        if (defined $1) {
            $flush->();
            attributes($1);
        }
        elsif (defined $2) {
            my ($text, $takes) = ($2, $2 =~ /^\p{East_Asian_Width=Wide}/ ? 2 : 1);
            # What a font may have at another width stands by itself.
            my $alone = $text =~ /[^\x20-\x7e]/;
            $flush->() if $alone;
            $run .= $text;
            $column += $takes;
            $flush->() if $alone;
        }
    }
    $flush->();
    $row++;
}
if (defined $cursor_row && $cursor_row ne '') {
    printf qq(<rect x="%d" y="%d" width="%d" height="3" fill="%s"/>\n), $edge + $cursor_column * $wide,
        $edge + $cursor_row * $high + $high - 3, $wide, '#ffffff';
}
print "</g>\n</svg>\n";
