# How long after the end of the drive the contacts are open, and whether the drive closes them at
# all: the charge pump of wiring/controller.txt, step by step, with the values of wiring/pump.txt.
package Pump;
use strict;
use warnings;
use Tables;

my $step_s = 10e-6;

# values_of FILE LEVEL: name => value, for boards of that level.
sub values_of {
    my ($file, $level) = @_;
    my (%value, $only);
    for my $line (Tables::lines($file)) {
        my ($name, $value, $unit) = @{ $line->{words} };
        if ($name eq 'level') {
            $only = $value;
            next;
        }
        next if defined $only && $only != $level;
        die "$line->{at}: expected: NAME VALUE UNIT WHY\n" unless ($value // '') =~ /^[\d.]+$/;
        $value{$name} = $unit eq 'uF' ? $value * 1e-6 : $value;
    }
    return \%value;
}

# The current out of the store at a voltage: bleed, and the inputs of the drivers that have a base.
sub load {
    my ($v, $volt) = @_;
    my $inputs = $v->{inputs};
    my $amp = $volt / $v->{bleed};
    return $amp unless $inputs;
    $amp += $inputs * $volt / ($v->{input} + $v->{base_shunt});
    $amp += $inputs * ($volt - $v->{base}) / $v->{input} if $volt > $v->{base};
    return $amp;
}

# wave VALUES FREQUENCY SUPPLY DIODE STORE: least and greatest voltage of the store, settled.
sub wave {
    my ($v, $hertz, $supply, $diode, $store) = @_;
    my ($pump, $out, $least, $most) = (0, 0, 1e9, 0);
    my $half = int(0.5 / $hertz / $step_s);
    for my $n (0 .. 120 * $half) {
        my $pin = int($n / $half) % 2 ? $supply : 0;
        # The pump capacitor's far plate is at pin - pump.
        my $over = $pin - $pump - $diode - $out;
        my $amp = 0;
        if ($over > 0) {
            $amp = $over / $v->{limit_r};
            $out += $amp * $step_s / $store;
        } elsif ($pin - $pump + $diode < 0) {
            $amp = ($pin - $pump + $diode) / $v->{limit_r};
        }
        $pump += $amp * $step_s / $v->{pump};
        $out -= load($v, $out) * $step_s / $store;
        if ($n > 100 * $half) {
            $least = $out if $out < $least;
            $most = $out if $out > $most;
        }
    }
    return ($least, $most);
}

# opening VALUES FREQUENCY: {ms, on, least}: the longest time, whether the relays close, and the
# store's lowest voltage with the drive on.
sub opening {
    my ($v, $hertz) = @_;
    my ($least) = wave($v, $hertz, $v->{supply_least}, $v->{diode_most}, $v->{store});
    my $full = $v->{store} * (1 + $v->{tolerance} / 100);
    my (undef, $most) = wave($v, $hertz, $v->{supply}, $v->{diode}, $full);
    # The pin may stop high and pump once more.
    my $last = ($v->{supply} - $v->{diode} - $most) * $v->{pump} / ($v->{pump} + $full);
    my $volt = $most + ($last > 0 ? $last : 0);
    my $seconds = 0;
    while ($volt > $v->{off}) {
        $volt -= load($v, $volt) * $step_s / $full;
        $seconds += $step_s;
    }
    return { ms => $seconds * 1000 + $v->{release}, least => $least, most => $most,
             closes => $least >= $v->{on}, decay => $seconds * 1000 };
}

# frequency BOARD: of the square wave, as the board's table says it.
sub frequency {
    my ($board) = @_;
    my ($hertz) = ($board->{nets}{A_PUMP}{what} // '') =~ /(\d+) Hz/;
    return $hertz;
}

1;
