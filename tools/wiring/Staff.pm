# The pages for whoever plugs a booth together: a picture of it with every cable labelled, with the
# controller's box and without, and the connectors' faces. One printed page each.
package Staff;
use strict;
use warnings;
use Page;
use Svg;
use Tables;

# The two cables of a booth and what is at them at the box.
my @cables = (
    { letter => 'A', judge => 'X1', entity => 'X2', relay => 'A', y => 150 },
    { letter => 'B', judge => 'X3', entity => 'X4', relay => 'B', y => 330 },
);

sub page {
    my ($title, @parts) = @_;
    return "<section class=\"staff\">\n<h1>" . Svg::escape($title) . "</h1>\n" . join('', @parts)
        . "</section>\n";
}

sub box {
    my ($x, $y, $width, $height, $more) = @_;
    return qq(<rect x="$x" y="$y" width="$width" height="$height" fill="#fff" stroke="#222" )
        . qq(stroke-width="2" ${\ ($more // '')}/>\n);
}

sub words {
    my ($x, $y, $text, $more) = @_;
    return Svg::text($x, $y, $text, $more // '');
}

sub middle {
    my ($x, $y, $text, $more) = @_;
    return words($x, $y, $text, 'text-anchor="middle" ' . ($more // ''));
}

my $bold = 'font-weight="bold"';

# A socket or port with its name inside and, in small, whose it is.
sub jack {
    my ($x, $y, $name, $of) = @_;
    return box($x, $y - 22, 92, 44, 'rx="6"') . middle($x + 46, $y - 3, $name, $bold)
        . middle($x + 46, $y + 14, $of, 'font-size="12"');
}

# A cable from x to x at a height, with its label on it.
sub lead {
    my ($from, $to, $y, $label, $kind) = @_;
    my $at = ($from + $to) / 2;
    return qq(<path d="M $from $y H $to" stroke="#222" stroke-width="5" fill="none"/>\n)
        . box($at - 56, $y - 40, 112, 30, 'rx="4"') . middle($at, $y - 20, $label, "$bold font-size=\"13\"")
        . middle($at, $y + 22, $kind,
        'font-size="12" stroke="#fff" stroke-width="6" paint-order="stroke"');
}

sub rooms {
    my ($width, $height, $wall) = @_;
    return words(20, 34, "JUDGES' ROOM", 'fill="#666"')
        . words($width - 20, 34, 'BACK ROOM', 'fill="#666" text-anchor="end"')
        . qq(<path d="M $wall 46 V ${\ ($height - 10)}" stroke="#999" stroke-dasharray="8 6"/>\n);
}

# The picture with the controller.
sub booth_with {
    my $body = rooms(1000, 500, 700);
    $body .= box(20, 60, 210, 420, 'rx="10"') . middle(125, 88, "judge's machine", $bold);
    $body .= box(400, 60, 240, 420, 'rx="10"') . middle(520, 88, "controller's box", $bold);
    for my $cable (@cables) {
        my ($a, $y) = ($cable->{letter}, $cable->{y});
        $body .= jack(130, $y, "port $a", 'serial');
        $body .= jack(408, $y, $cable->{judge}, "JUDGE $a") . jack(540, $y, $cable->{entity}, "ENTITY $a");
        $body .= middle(520, $y + 50, "relay and lamp $cable->{relay}", 'font-size="12"');
        $body .= lead(222, 408, $y, "$a-judge", '1:1 cable');
        $body .= lead(632, 800, $y, "$a-entity", '1:1 cable');
        $body .= box(780, $y - 70, 200, 130, 'rx="10"') . middle(880, $y - 44, "entity's machine $a", $bold);
        $body .= jack(800, $y, 'port', 'serial');
    }
    $body .= jack(130, 440, 'USB', '') . jack(408, 440, 'USB', '');
    $body .= lead(222, 408, 440, 'USB', 'USB cable');
    $body .= middle(570, 434, 'steward\'s key', 'font-size="12"') . middle(570, 452, 'and button', 'font-size="12"');
    return Svg::page(1000, 500, 'A booth with the controller', $body);
}

# Without one: kind of port, of cable, and the picture's title.
sub booth_without {
    my ($port, $kind, $title) = @_;
    my $body = rooms(1000, 430, 500);
    $body .= box(20, 60, 260, 350, 'rx="10"') . middle(150, 88, "judge's machine", $bold);
    for my $cable (@cables) {
        my ($a, $y) = ($cable->{letter}, $cable->{y});
        $body .= jack(180, $y, "port $a", $port) . lead(272, 740, $y, "$a", $kind);
        $body .= box(720, $y - 70, 260, 130, 'rx="10"') . middle(850, $y - 44, "entity's machine $a", $bold);
        $body .= jack(740, $y, 'port', $port);
    }
    return Svg::page(1000, 430, $title, $body);
}

# The face of a DE-9 as one sees it who solders, with the wires' colours: a plug (male) has pin 5 on
# the left there, a socket (female) pin 1.
sub face {
    my ($x, $y, $male, $title, $colour_of, $colours) = @_;
    my $body = middle($x + 130, $y - 14, $title, "$bold font-size=\"13\"");
    $body .= qq(<path d="M $x $y h 260 l -22 96 h -216 z" fill="#f4f4f4" stroke="#222" stroke-width="2"/>\n);
    for my $pin (1 .. 9) {
        my ($row, $place, $count) = $pin < 6 ? (0, $pin - 1, 5) : (1, $pin - 6, 4);
        $place = $count - 1 - $place if $male;
        my ($cx, $cy) = ($x + 42 + 44 * $place + 22 * $row, $y + 30 + 40 * $row);
        my $colour = $colour_of->{$pin};
        my $fill = $colour ? $colours->{$colour} : '#fff';
        my $ink = $colour && $colour =~ /^(brown|green|blue|red|black|grey)$/ ? '#fff' : '#222';
        $body .= qq(<circle cx="$cx" cy="$cy" r="14" fill="$fill" stroke="#222" stroke-width="${\ ($colour ? 2.5 : 1)}"/>\n)
            . middle($cx, $cy + 5, $pin, "fill=\"$ink\" font-size=\"13\" $bold");
    }
    my @used = sort keys %$colour_of;
    my $n = 0;
    for my $pin (@used) {
        $body .= words($x + 20 + 125 * ($n % 2), $y + 122 + 19 * int($n / 2), "$pin $colour_of->{$pin}", 'font-size="13"');
        $n++;
    }
    return $body;
}

sub faces_one_to_one {
    my ($colours, $by_pin) = @_;
    my %used = map { $_ => $by_pin->{$_} } 2, 3, 5;
    return Svg::page(760, 190, 'A 1:1 cable to the box',
        face(60, 40, 0, 'socket, at the machine (solder side)', \%used, $colours)
            . face(440, 40, 1, 'plug, at the box (solder side)', \%used, $colours));
}

sub faces_null_modem {
    my ($colours, $by_pin, $cable) = @_;
    my (%end_a, %end_b);
    for my $wire (@{ $cable->{wires} }) {
        my ($a) = map { /^a(\d)/ ? $1 : () } @$wire;
        my ($b) = map { /^b(\d)/ ? $1 : () } @$wire;
        $end_a{$a} = $end_b{$b} = $by_pin->{$a};
    }
    return Svg::page(760, 190, 'A null-modem cable',
        face(60, 40, 0, "socket, judge's machine (solder side)", \%end_a, $colours)
            . face(440, 40, 0, "socket, entity's machine (solder side)", \%end_b, $colours));
}

# colours FILE: pin => name, name => what to draw it with.
sub colours {
    my ($file) = @_;
    my (%by_pin, %ink);
    for my $line (Tables::lines($file)) {
        my ($pin, $name, $code) = @{ $line->{words} };
        die "$line->{at}: expected: PIN COLOUR =RRGGBB\n" unless ($code // '') =~ /^=[0-9a-f]{6}$/;
        $by_pin{$pin} = $name;
        $ink{$name} = '#' . substr $code, 1;
    }
    return (\%ink, \%by_pin);
}

# pages FOLDER INTO-SAVER CABLE: the HTML of them; each picture is saved too.
sub pages {
    my ($folder, $save, $null_modem) = @_;
    my ($ink, $by_pin) = colours("$folder/colours.txt");
    my %picture = (
        'staff-with' => booth_with(), 'staff-without' => booth_without('serial', 'null-modem cable (crossed)', 'A booth without the controller'),
        'staff-ethernet' => booth_without('Ethernet', 'Ethernet cable', 'A booth on Ethernet'),
        'staff-1-1' => faces_one_to_one($ink, $by_pin),
        'staff-null-modem' => faces_null_modem($ink, $by_pin, $null_modem),
    );
    $save->("$_.svg", $picture{$_}) for sort keys %picture;
    my %figure = map { $_ => "<figure>\n$picture{$_}</figure>\n" } keys %picture;
    my @with = map {
        my $a = $_->{letter};
        (["$a-judge", "judge's machine, port of cable $a", "$_->{judge}, marked JUDGE $a", '1:1 (straight)'],
         ["$a-entity", "$_->{entity}, marked ENTITY $a", "entity's machine of cable $a", '1:1 (straight)'])
    } @cables;
    my @without = map { [$_->{letter}, "judge's machine, port of cable $_->{letter}",
                         "entity's machine of cable $_->{letter}", 'null-modem (crossed)'] } @cables;
    return page('A booth with the controller', $figure{'staff-with'},
        Page::table(['label, at both ends', 'from', 'to', 'kind'], @with,
                    ['USB', "judge's machine, any USB socket", "controller's USB socket", 'USB']),
        '<p>The box crosses the data itself: <b>only 1:1 cables go to it</b>. One null-modem cable in the '
            . 'place of a 1:1 cable crosses twice, and nothing is heard. It carries pins 2, 3 and 5 alone, so '
            . 'broken or looped handshake wires do no harm.</p>',
        '<p>Cables stay plugged all day; the draw, not a plug, puts A or B on the left. Screw every plug '
            . 'down. Then put the stick into all three machines, and press <b>F3</b> at each, at the judge\'s '
            . 'last. It finds swapped cables, too.</p>')
        . page('A booth without the controller', $figure{'staff-without'},
        Page::table(['label, at both ends', 'from', 'to', 'kind'], @without),
        '<p><b>Null-modem cables</b>, sockets (female) at both ends; or a 1:1 cable with a null-modem adapter. '
            . 'A straight cable, as for modems, is silent. Nothing but boothlink itself ends a session here: '
            . 'its record says "not enforced".</p>',
        '<p>Screw every plug down. Then put the stick into all three machines, and press <b>F3</b> at each.</p>')
        . page('A booth on Ethernet', $figure{'staff-ethernet'},
        Page::table(['label, at both ends', 'from', 'to', 'kind'],
                    map { [$_->{letter}, "judge's machine, Ethernet port $_->{letter}",
                           "entity's machine of cable $_->{letter}", 'Ethernet, any kind'] } @cables),
        '<p>The judge\'s machine has two Ethernet ports; an adapter at USB will do for one. A cable goes from '
            . 'machine to machine, or by a hub to which nothing else is plugged but a referee\'s machine. No '
            . 'machine is on any other network. Each line has its own secret, which the tickets bring.</p>',
        '<p>Then put the stick into all three machines, and press <b>F3</b> at each.</p>')
        . page('From parts to a booth', '<ol>'
            . join('', map { "<li>$_</li>" }
                'Buy what stands under "What to buy", for each booth and one spare of each kind.',
                'Solder the cables by "Connectors", and the box by "The controller", below; X1 to X4 are marked '
                    . 'JUDGE A, ENTITY A, JUDGE B and ENTITY B, H1 and H2 A and B.',
                'Load the firmware: <code>make flash BOARD=uno PORT=/dev/ttyACM0</code>; BOARD is a folder of '
                    . '<code>boards/</code>, and without PORT it says which ports there are. A Pico wants no '
                    . 'PORT: start <code>make flash BOARD=pico</code>, hold BOOTSEL, plug in the Pico\'s own USB '
                    . 'socket, and take that cable off afterwards.',
                'Plug the box in at its USB socket. Its port is <code>/dev/ttyACM0</code> with an Uno, '
                    . '<code>/dev/ttyUSB0</code> with a Pico or most Nanos.',
                '<code>boothlink controller selftest serial:/dev/ttyACM0</code>: listen and look. A closes with '
                    . 'one click, then A opens and B closes.',
                '<code>boothlink controller calibrate serial:/dev/ttyACM0</code>, for five minutes: its clock is '
                    . 'compared with this machine\'s.',
                'Print the labels: the last page of <code>boothlink contest sheet</code> has one for each plug and '
                    . 'machine.',
                'Plug all in by "A booth with the controller", put the stick into all three machines, and press '
                    . '<b>F3</b> at each, at the judge\'s last.')
            . '</ol>')
        . page('Connectors, as one sees them who solders',
        '<h2>A 1:1 cable, for a booth with the controller: pin to the same pin</h2>', $figure{'staff-1-1'},
        '<h2>A null-modem cable, for a booth without: 2 and 3 crossed</h2>', $figure{'staff-null-modem'},
        '<p>The drawings show the side with the solder cups. The other side, which is plugged in, is the '
            . 'mirror image. Wires that have no colour here stay open; a cable with all nine wires will do, '
            . 'too. Colours are those of DIN 47100, wire by wire as at the machine.</p>',
        Page::table(['pin', 'signal at a machine', 'colour', '1:1: other end', 'null-modem: other end'],
            [2, 'RXD, in', $by_pin->{2}, 2, 3], [3, 'TXD, out', $by_pin->{3}, 3, 2],
            [5, 'ground', $by_pin->{5}, 5, 5]));
}

1;
