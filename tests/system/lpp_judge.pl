#!/usr/bin/perl
# An organiser's judge program, which is not ours: it knows the rules of 2009 (section 2, appendix) and
# the ways of the program that was used from 2009 to 2013. It looks into the folder again and again,
# takes the directories in the order of their names, removes each first and only then looks what it
# is, takes no number twice, and drops what its table does not name.
#
#   lpp_judge.pl DIR STATE KEYS SEED ENTITY_KEYS
#
# Types KEYS random keys of SEED from the one on at which STATE stands, and ends when these have been
# taken and it has read ENTITY_KEYS keys in all; by SIGTERM at once. STATE.sent and STATE.got have the
# characters of all that it typed and read, in UTF-8, a Return as a line feed; STATE what a restarted
# one goes on with. Says what it does not like of a name, and ends with 1.
use strict;
use warnings;
use utf8;
use Encode qw(decode encode);
use Time::HiRes qw(time sleep);

my ($dir, $state, $keys, $seed, $wanted) = @ARGV;
my $patience = $ENV{PATIENCE} // 60;

my %char = (
    braceleft => '{', braceright => '}', bracketleft => '[', bracketright => ']',
    parenleft => '(', parenright => ')', space => ' ', comma => ',', period => '.',
    greater => '>', less => '<', slash => '/', backslash => '\\', bar => '|', quotedbl => '"',
    quoteright => "'", Tab => "\t", equal => '=', underscore => '_', plus => '+', minus => '-',
    exclam => '!', at => '@', numbersign => '#', dollar => '$', percent => '%', asterisk => '*',
    asciicircum => '^', asciitilde => '~', quoteleft => '`', ampersand => '&', Return => "\n",
    colon => ':', semicolon => ';', question => '?', BackSpace => "\b",
);
my %name = reverse %char;
my @kinds = ((sort values %char), 'a' .. 'z', 'A' .. 'Z', 0 .. 9);
my @beyond = ('é', 'ß', 'Ω', '€', '日', '😀');

# Where the last one stood: keys typed and read, the last numbers, and the dice.
my ($typed, $read, $last_typed, $last_read) = (0, 0, 0, 0);
if (open my $in, '<', $state) {
    ($typed, $read, $last_typed, $last_read) = split ' ', <$in>;
}
sub keep {
    open my $out, '>', "$state.new" or die "$state: $!\n";
    print $out "$typed $read $last_typed $last_read\n";
    close $out;
    rename "$state.new", $state or die "$state: $!\n";
}

# The n-th key, of the seed alone: first every one that there is, then by chance.
my $table = @kinds + @beyond;
sub key {
    my ($n) = @_;
    return $n < @kinds ? $kinds[$n] : $beyond[$n - @kinds] if $n < $table;
    my $dice = ($seed * 7919 + $n * 104729 + int($n / 7) * 31) % 997;
    return $dice % 20 == 0 ? "\b" : $dice % 31 == 0 ? "\n" : $kinds[$dice % @kinds];
}

my $stopped = 0;
$SIG{TERM} = sub { $stopped = 1 };
open my $sent, '>>:utf8', "$state.sent" or die "$state.sent: $!\n";
open my $got,  '>>:utf8', "$state.got"  or die "$state.got: $!\n";
$_->autoflush(1) for $sent, $got;

sub type {
    my $char = key($typed);
    my $name = $name{$char} // $char;
    my $number;
    do { $number = sprintf '%011d%07d', int(time), (time - int(time)) * 1e6 } until $number > $last_typed;
    $last_typed = $number;
    $typed++;
    mkdir encode('UTF-8', "$dir/$number.$name.judge") or die "$number.$name.judge: $!\n";
    print $sent $char;
    keep();
}

sub take {
    my ($file) = @_;
    rmdir "$dir/$file";
    my ($number, $name) = decode('UTF-8', $file) =~ /^([0-9]{18})\.(.+)\.other$/
        or die "'$file': expected 18 digits, a key's name and .other\n";
    $number > $last_read or die "'$file': expected a number above $last_read\n";
    $last_read = $number;
    my $char = $char{$name} // $name;
    length $char == 1 && (!exists $name{$char} || $name{$char} eq $name)
        or die "'$file': expected a key's name of the rules\n";
    $read++;
    print $got $char;
    keep();
}

# Hundreds of thousands of looks each second are that program's; a few hundred will do here.
my $until = time + $patience;
while (!$stopped) {
    opendir my $folder, $dir or die "$dir: $!\n";
    my @names = readdir $folder;
    closedir $folder;
    my @theirs = sort grep { /\.other$/ } @names;
    my $waiting = grep { /\.judge$/ } @names;
    take($_) for @theirs;
    type() if $typed < $keys && $waiting < 50;
    last if $typed >= $keys && !$waiting && $read >= $wanted && !@theirs;
    $until = time + $patience if @theirs || $typed < $keys;
    die "nothing comes: $read of $wanted keys read, $waiting of ours are there\n" if time > $until;
    sleep 0.002;
}
