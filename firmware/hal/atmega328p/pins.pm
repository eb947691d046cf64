# The ATmega328P's pins as boards/ names them, and as the firmware wants them.
package pins;
use strict;
use warnings;

our $pattern = qr/P[B-D][0-7]/;

sub header {
    my ($pins) = @_;
    my (%ddr, %port);
    for my $p (@$pins) {
        my ($port, $bit) = $p->{pin} =~ /^P(.)(.)$/;
        print "\n/* $p->{label}: $p->{what} */\n" =~ s/\*\/(?=.*\*\/)//r;
        print "#define BOARD_$p->{net}_$_ $_$port\n" for qw(PORT PIN DDR);
        print "#define BOARD_$p->{net}_BIT $bit\n";
        $ddr{$port} |= 1 << $bit if $p->{direction} eq 'out';
        $port{$port} |= 1 << $bit if $p->{safe} eq 'high';
    }
    print "\n/* Directions, and safe levels. */\n";
    for my $letter (qw(B C D)) {
        printf "#define BOARD_DDR%s  0x%02x\n", $letter, $ddr{$letter} // 0;
        # A pin without a wire has its pull-up, so that it does not float.
        my $used = 0;
        $used |= 1 << substr $_->{pin}, 2 for grep { substr($_->{pin}, 1, 1) eq $letter } @$pins;
        printf "#define BOARD_PORT%s 0x%02x\n", $letter, ($port{$letter} // 0) | (~$used & 0xff);
    }
    return;
}

1;
