#!/usr/bin/perl
# A program for the RP2040 as its own loader takes it.
#
#   uf2.pl make BIN UF2     writes the checksum of the second stage into BIN, and BIN as UF2
#   uf2.pl copy UF2 [MOUNTS [SECONDS]]
#                           waits for the loader's drive, copies UF2 onto it and waits until the board has
#                           taken it; MOUNTS is /proc/mounts or a file like it. Exit 69: no drive, not taken
#
# RP2040 data sheet, 2.8.1.3.1: CRC-32 of the first 252 bytes, polynomial 0x04c11db7, begun with all
# ones, high bit first, not inverted. UF2: blocks of 512 bytes, 256 of them the program's.
use strict;
use warnings;

use IO::Handle;

use constant { ADDRESS => 0x10000000, FAMILY => 0xe48bff56, PAGE => 256, WAIT_S => 120, TAKE_S => 20 };

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
    my ($table) = @_;
    open my $mounts, '<', $table or die "uf2: $table: $!\n";
    while (<$mounts>) {
        my (undef, $at) = split;
        $at =~ s/\\([0-7]{3})/chr oct $1/ge;
        next unless -f "$at/INFO_UF2.TXT";
        return $at if slurp("$at/INFO_UF2.TXT") =~ /RP2/;
    }
    return;
}

sub give_up {
    print STDERR "uf2: @_\n";
    exit 69;
}

# A drive that is plugged in and not mounted is named by its device.
sub wait_for_drive {
    my ($table, $seconds) = @_;
    my $label = '/dev/disk/by-label/RPI-RP2';
    my $said = 0;
    for my $waited (0 .. $seconds) {
        my $at = drive($table);
        return $at if $at;
        print "Waiting for the drive RPI-RP2, $seconds s: hold BOOTSEL and plug the board's own USB socket in.\n"
            unless $waited;
        if (!$said && -e $label) {
            print "It is there and not mounted: mount $label, as by \"udisksctl mount -b $label\".\n";
            $said = 1;
        }
        sleep 1 if $waited < $seconds;
    }
    give_up("no drive RPI-RP2 (a folder with INFO_UF2.TXT) in $seconds s; hold BOOTSEL while the board is "
        . 'plugged in');
}

# The board starts anew with the last block, perhaps before the file is closed; then its drive is gone.
sub put {
    my ($at, $bytes) = @_;
    open my $out, '>:raw', "$at/boothlink.uf2" or give_up("$at/boothlink.uf2: $!");
    print {$out} $bytes or give_up("$at/boothlink.uf2: $!");
    $out->flush or give_up("$at/boothlink.uf2: $!");
    $out->sync;
    close $out;
    return;
}

sub copy {
    my ($uf2, $table, $seconds) = @_;
    my $bytes = slurp($uf2);
    my $take = $seconds // TAKE_S;
    my $at = wait_for_drive($table // '/proc/mounts', $seconds // WAIT_S);
    print "Copying $uf2 to $at ...\n";
    put($at, $bytes);
    for (1 .. $take) {
        if ((drive($table // '/proc/mounts') // '') ne $at) {
            print "The board has taken it, and runs it.\n";
            return;
        }
        sleep 1;
    }
    give_up("the drive $at is still there after $take s: the board has not taken the file. Unplug it and do "
        . 'this again');
}

$| = 1;
my ($what, @files) = @ARGV;
if (($what // '') eq 'make' && @files == 2) {
    make(@files);
} elsif (($what // '') eq 'copy' && @files >= 1 && @files <= 3) {
    copy(@files);
} else {
    die "usage: uf2.pl make BIN UF2 | copy UF2 [MOUNTS [SECONDS]]\n";
}
