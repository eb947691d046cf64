#!/usr/bin/perl
# sticks.pl FOLDER: are the sticks there whole? Each has the files that its list names, of those lengths,
# and nothing else of ours; both ends of a line have the same key, each session has its tickets at both;
# nothing half done lies about. Prints the first fault; exits with 1 if there is one.
use strict;
use warnings;
use File::Find;

my $top = shift;

sub fault { print "@_\n"; exit 1 }

sub text {
    my ($path) = @_;
    open my $file, '<:raw', $path or fault "$path: $!";
    local $/;
    return <$file> // '';
}

# The lines of a ticket that say which session it is for.
sub session {
    return join "\n", grep { /^session/ } split /\n/, text shift;
}

find({no_chdir => 1, wanted => sub { fault "$_ lies about" if /\.(part|new|new\.pub)$/ }}, $top);

for my $room ('judges-room', 'back-room') {
    my $stick = "$top/sticks/$room/boothlink";
    my ($head, @lines) = split /\n/, text "$stick/stick.list";
    fault "$stick is not complete" if ($head // '') !~ /^boothlink-stick 1 complete room=$room/;
    my (@listed, @found);
    for (@lines) {
        my ($crc, $bytes, $path) = split ' ', $_, 3;
        fault "$stick/$path: not of $bytes bytes" if !$crc || ((stat "$stick/$path")[7] // -1) != $bytes;
        push @listed, $path;
    }
    find({no_chdir => 1, wanted => sub {
        return if $_ eq $stick;
        my $path = substr $_, length "$stick/";
        push @found, $path if -f && !-l && $path =~ m{/} && $path !~ m{^records/|(^|/)own\.txt$};
    }}, "$stick");
    my ($listed, $found) = map { join "\n", sort @$_ } \@listed, \@found;
    fault "$stick: listed are\n$listed\nand there are\n$found" if $listed ne $found;
}

my ($judges, $back) = map { "$top/sticks/$_/boothlink" } 'judges-room', 'back-room';
my @tickets = glob "$judges/*/*.ticket" or fault "$judges: no tickets";
for my $judge (@tickets) {
    my ($booth, $name) = $judge =~ m{^\Q$judges\E/(.*?)-judge/(.*)} or next;
    my @ends = grep { -e } glob "$back/$booth-cable-?/$name" or fault "$name: none for the entities of $booth";
    for (@ends) {
        fault "$_: another session than the judge's" if session($judge) ne session($_);
    }
}
for my $entity (grep { -e } glob "$back/*/line.key") {
    my ($booth, $line) = $entity =~ m{^\Q$back\E/(.*?)-cable.*-([^-]*)/line\.key$} or fault "$entity: which line?";
    fault "$entity: not as at the judge's" if text($entity) ne text("$judges/$booth-judge/line-$line.key");
}
