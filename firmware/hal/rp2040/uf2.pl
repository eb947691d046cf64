#!/usr/bin/perl
# A program for the RP2040 as its own loader takes it.
#
#   uf2.pl make BIN UF2     writes the checksum of the second stage into BIN, and BIN as UF2
#   uf2.pl copy UF2         waits for the loader's drive, and copies UF2 onto it
#
# RP2040 data sheet, 2.8.1.3.1: CRC-32 of the first 252 bytes, polynomial 0x04c11db7, begun with all
# ones, high bit first, not inverted. UF2: blocks of 512 bytes, 256 of them the program's.
use strict;
use warnings;

use constant { ADDRESS => 0x10000000, FAMILY => 0xe48bff56, PAGE => 256, WAIT_S => 120 };

sub slurp {
    my ($name) = @_;
    open my $in, '<:raw', $name or die "uf2: $name: $!\n";
    local $/ = undef;
    return scalar <$in>;
}

sub spew {
    my ($name, $bytes) = @_;
    open my $out, '>:raw', $name or die "uf2: $name: $!\n";
    print {$out} $bytes or die "uf2: $name: $!\n";
    close $out or die "uf2: $name: $!\n";
    return;
}

sub crc32 {
    my $sum = 0xffffffff;
    for my $byte (unpack 'C*', shift) {
        $sum ^= $byte << 24;
        $sum = ($sum & 0x80000000 ? ($sum << 1) ^ 0x04c11db7 : $sum << 1) & 0xffffffff for 1 .. 8;
    }
    return $sum;
}

sub make {
    my ($bin, $uf2) = @_;
    my $bytes = slurp($bin);
    die "uf2: $bin: the second stage is longer than 252 bytes\n"
        if substr($bytes, 252, 4) =~ /[^\0]/ && substr($bytes, 252, 4) ne pack 'V', crc32(substr $bytes, 0, 252);
    substr($bytes, 252, 4) = pack 'V', crc32(substr $bytes, 0, 252);
    spew($bin, $bytes);
    my @pages = unpack '(a256)*', $bytes;
    my $number = 0;
    spew($uf2, join '', map {
        pack 'V8 a256 x220 V', 0x0a324655, 0x9e5d5157, 0x2000, ADDRESS + PAGE * $number, PAGE, $number++,
            scalar @pages, FAMILY, $_, 0x0ab16f30
    } @pages);
    return;
}

# The folder of a mounted drive that says it is an RP2040's.
sub drive {
    open my $mounts, '<', '/proc/mounts' or die "uf2: /proc/mounts: $!\n";
    while (<$mounts>) {
        my (undef, $at) = split;
        $at =~ s/\\([0-7]{3})/chr oct $1/ge;
        next unless -f "$at/INFO_UF2.TXT";
        return $at if slurp("$at/INFO_UF2.TXT") =~ /RP2/;
    }
    return;
}

sub copy {
    my ($uf2) = @_;
    my ($at, $waited) = (drive(), 0);
    print "Hold BOOTSEL, plug the board in, and mount its drive RPI-RP2.\n" unless $at;
    until ($at) {
        die "uf2: no drive with INFO_UF2.TXT in ${\ WAIT_S} s; hold BOOTSEL while the board is plugged in\n"
            if $waited++ == WAIT_S;
        sleep 1;
        $at = drive();
    }
    spew("$at/boothlink.uf2", slurp($uf2));
    print "Copied to $at; the board starts it by itself.\n";
    return;
}

my ($what, @files) = @ARGV;
if (($what // '') eq 'make' && @files == 2) {
    make(@files);
} elsif (($what // '') eq 'copy' && @files == 1) {
    copy(@files);
} else {
    die "usage: uf2.pl make BIN UF2 | copy UF2\n";
}
