#!/usr/bin/perl
# A board's bootloader, as avrdude meets it: STK500 version 1 (Atmel's application note AVR061), for
# an ATmega328P.
#
#   bootloader.pl DEVICE FLASH FUSES
#
# Until the programmer leaves. Then the flash up to its last byte that is written is in FLASH, and
# FUSES has a line "lfuse FF" for each fuse that was set.
use strict;
use warnings;

my ($device, $flash_file, $fuse_file) = @ARGV;
my ($flash, $address, %fuse) = ('', 0);
my @fuses = (['lfuse', 0xA0, "\x50\x00"], ['hfuse', 0xA8, "\x58\x08"], ['efuse', 0xA4, "\x50\x08"]);

open my $line, '+<', $device or die "$device: $!\n";
system('stty', '-F', $device, 'raw', '-echo', '115200') == 0 or die "$device: stty fails\n";

sub take {
    my ($count) = @_;
    my $bytes = '';
    while (length $bytes < $count) {
        my $read = sysread $line, $bytes, $count - length $bytes, length $bytes;
        exit 1 if !$read;
    }
    return $bytes;
}

sub give {
    my ($bytes) = @_;
    while (length $bytes) {
        my $written = syswrite $line, $bytes;
        exit 1 if !$written;
        substr $bytes, 0, $written, '';
    }
}

# What an ISP programmer would say to the chip; the last byte of its answer.
sub universal {
    my ($bytes) = @_;
    my @byte = unpack 'C4', $bytes;
    $flash = '' if $byte[0] == 0xAC && $byte[1] == 0x80;
    for (@fuses) {
        my ($name, $write, $read) = @$_;
        # The extended fuse has three bits.
        $fuse{$name} = $byte[3] & ($name eq 'efuse' ? 7 : 0xFF)
            if $byte[0] == 0xAC && $byte[1] == $write;
        return chr($fuse{$name} // 0x5A) if substr($bytes, 0, 2) eq $read;
    }
    return pack 'C', $byte[0] == 0x30 ? (0x1E, 0x95, 0x0F)[$byte[2] & 3] // 0xFF : 0;
}

sub obey {
    my ($command) = @_;
    if ($command == 0x41) {
        take(1);
        return "\x03";
    }
    if ($command == 0x42) {
        take(20);
    } elsif ($command == 0x45) {
        take(unpack('C', take(1)) - 1);
    } elsif ($command == 0x55) {
        $address = 2 * unpack 'v', take(2);
    } elsif ($command == 0x56) {
        return universal(take(4));
    } elsif ($command == 0x64) {
        my $page = take(unpack 'n x', take(3));
        my $gap = $address + length($page) - length $flash;
        $flash .= "\xFF" x $gap if $gap > 0;
        substr $flash, $address, length $page, $page;
    } elsif ($command == 0x74) {
        my $size = unpack 'n x', take(3);
        return substr $flash . "\xFF" x 32768, $address, $size;
    } elsif ($command == 0x75) {
        return "\x1E\x95\x0F";
    }
    return '';
}

sub keep {
    my ($path, $bytes) = @_;
    open my $file, '>:raw', $path or die "$path: $!\n";
    print $file $bytes;
    close $file or die "$path: $!\n";
}

print "ready\n";
close STDOUT;
while (1) {
    my $command = ord take(1);
    my $answer = obey($command);
    next if take(1) ne "\x20";
    if ($command == 0x51) {
        $flash =~ s/\xFF+\z//;
        keep($flash_file, $flash);
        keep($fuse_file, join '', map { sprintf "%s %02X\n", $_, $fuse{$_} } sort keys %fuse);
    }
    give("\x14$answer\x10");
    exit 0 if $command == 0x51;
}
