# The RP2040's pins as boards/ names them, and as the firmware wants them: a bit for each.
package pins;
use strict;
use warnings;

our $pattern = qr/GP(?:[12]?[0-9])/;

sub header {
    my ($pins) = @_;
    my ($out, $uart) = (0, 0);
    for my $p (@$pins) {
        my $bit = 1 << substr $p->{pin}, 2;
        my $host = $p->{net} =~ /^HOST_/;
        printf "\n/* %s: %s */\n#define BOARD_%s 0x%08xu\n", @{$p}{qw(label what net)}, $bit;
        $uart |= $bit if $host;
        $out |= $bit if $p->{direction} eq 'out' && !$host;
    }
    # A pin without a wire has its pull-up, so that it does not float.
    printf "\n#define BOARD_PINS 29\n#define BOARD_OUT_PINS 0x%08xu\n#define BOARD_UART_PINS 0x%08xu\n", $out,
        $uart;
    return;
}

1;
