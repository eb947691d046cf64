#!/usr/bin/perl
# A minimal Entry that speaks the Loebner Prize Protocol (2009 rules, section 2 and appendix):
# lpp_entry.pl DIR [MS between two keys]. A judge's key is a directory TIME.KEY.judge in DIR,
# which the Entry removes. An Entry's key is a directory TIME.KEY.other. TIME grows with each key.
use strict;
use warnings;
use Time::HiRes qw(sleep time);

my %name = (
    '{' => 'braceleft', '}' => 'braceright', '[' => 'bracketleft', ']' => 'bracketright',
    '(' => 'parenleft', ')' => 'parenright', ' ' => 'space', ',' => 'comma', '.' => 'period',
    '>' => 'greater', '<' => 'less', '/' => 'slash', '\\' => 'backslash', '|' => 'bar',
    '"' => 'quotedbl', "'" => 'quoteright', "\t" => 'Tab', '=' => 'equal', '_' => 'underscore',
    '+' => 'plus', '-' => 'minus', '!' => 'exclam', '@' => 'at', '#' => 'numbersign',
    '$' => 'dollar', '%' => 'percent', '*' => 'asterisk', '^' => 'asciicircum',
    '~' => 'asciitilde', '`' => 'quoteleft', '&' => 'ampersand', "\n" => 'Return',
    ':' => 'colon', ';' => 'semicolon', '?' => 'question', "\b" => 'BackSpace',
);
my %key = reverse %name;

@ARGV or die "usage: lpp_entry.pl DIR [MS]\n";
my ($folder, $pace_ms) = (@ARGV, 60);
chdir $folder or die "lpp_entry.pl: $folder: $!\n";

# Replace this function by your own.
sub answer {
    my ($line) = @_;
    return "Hi! Nice to meet you.\n" if $line =~ /hello/i;
    return "Hm, I would have to think about that.\n" if $line =~ /\?/;
    return "I see. Go on.\n";
}

my ($line, $out, $number, $due) = ('', '', 0, 0);

# A judge's key, by its name. A character without a name stands for itself, in UTF-8.
sub take_key {
    my ($name) = @_;
    utf8::decode($name);
    my $key = $key{$name} // $name;
    if ($key eq "\n") {
        $out .= answer($line) if $line ne ''; # Return alone gets no answer
        $line = '';
    } elsif ($key eq "\b") {
        chop $line;
    } else {
        $line .= $key;
    }
}

sub press_key {
    my ($key) = @_;
    my $now = int(time() * 1000);
    $number = $now > $number ? $now : $number + 1;
    my $name = $name{$key} // $key;
    utf8::encode($name);
    mkdir sprintf '%018d.%s.other', $number, $name;
}

while (1) {
    opendir my $directory, '.' or die "lpp_entry.pl: $folder: $!\n";
    # In the order of their numbers, which are equally long.
    for (sort grep { /^\d+\..+\.judge$/s } readdir $directory) {
        take_key(/^\d+\.(.+)\.judge$/s) if rmdir;
    }
    closedir $directory;
    if ($out ne '' && time() >= $due) {
        press_key(substr $out, 0, 1, '');
        $due = time() + $pace_ms / 1000;
    }
    sleep 0.02;
}
