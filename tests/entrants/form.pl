#!/usr/bin/perl
# A CGI Entry of 2003: a process for each submission, its state in a hidden field and a cookie, and
# the log that r27 asks for. Made for the tests: FAULT in the environment says how it goes wrong.
use strict;
use warnings;

my $fault = $ENV{FAULT} // '';
my $input = $ENV{QUERY_STRING} // '';
if ($ENV{REQUEST_METHOD} eq 'POST') {
    read STDIN, $input, $ENV{CONTENT_LENGTH};
}
my %field;
for (split /&/, $input) {
    my ($name, $value) = map { s/\+/ /gr =~ s/%(..)/chr hex $1/ger } split /=/, $_, 2;
    $field{$name} = $value // '';
}

sub html { $_[0] =~ s/&/&amp;/gr =~ s/</&lt;/gr =~ s/>/&gt;/gr =~ s/"/&quot;/gr }

my $said = $field{say} // '';
my $turn = ($field{turn} // 0) + (exists $field{say} ? 1 : 0);
my ($seen) = ($ENV{HTTP_COOKIE} // '') =~ /seen=(\d+)/;
$seen //= 0;
my $answer = '';
if (exists $field{say}) {
    my $asked = $said =~ s/[.?!]+$//r;
    $answer = $asked =~ /\bname\b/i ? 'My name is Ann & I live in <Leeds>.'
        : "Why do you say \"$asked\"? That is turn $turn, cookie $seen.";
}

$answer = $ENV{ANSWER} if $ENV{ANSWER} && length $answer;

sleep $ENV{DELAY} if $ENV{DELAY} && exists $field{say};
if ($fault eq 'status') {
    print "Status: 500 Oh dear\r\nContent-Type: text/html\r\n\r\n<p>no";
    exit;
} elsif ($fault eq 'die' && $turn) {
    warn "the parlour is on fire\n";
    kill 'SEGV', $$;
} elsif ($fault eq 'nothing') {
    exit 3;
} elsif ($fault eq 'large') {
    print "Content-Type: text/html\r\n\r\n";
    print 'x' x 65536 for 1 .. 64;
    exit;
} elsif ($fault eq 'slow' && $turn) {
    sleep 60;
} elsif ($fault eq 'away' && $turn) {
    print "Location: http://elsewhere.example/\r\n\r\n";
    exit;
} elsif ($fault eq 'round' && $turn) {
    print "Location: /again\r\n\r\n";
    exit;
} elsif ($fault eq 'picture' && $turn) {
    print "Content-Type: image/png\r\n\r\n\x89PNG";
    exit;
} elsif ($fault eq 'later' && exists $field{say}) {
    # As a well-behaved form does: on to a document that may be loaded again.
    my $to = "/done?turn=$turn;answer=" . unpack 'H*', $answer;
    print "Status: 303 See Other\r\nLocation: $to\r\n\r\n";
    exit;
}
if ($fault eq 'later' && $input =~ /turn=(\d+);answer=([0-9a-f]+)/) {
    ($turn, $answer) = ($1, pack 'H*', $2);
}

if ($turn && $fault ne 'log') {
    open my $log, '>>', 'log.txt' or die "log.txt: $!";
    print $log "JUDGE: $said\nPROGRAM: $answer\n";
}
my $style = $fault eq 'colour' ? ' bgcolor="#ffeeee"' : '';
my $signed = $fault eq 'signed' ? '<P>A work of Ann</P>' : '';
my $action = $fault eq 'strays' && $turn == 1 ? 'http://elsewhere.example/' : $ENV{SCRIPT_NAME};
my ($shown, $words) = map { html($_) } $said, $answer;
print "Content-Type: text/html; charset=iso-8859-1\r\n";
printf "Set-Cookie: seen=%d; path=/\r\n\r\n", $seen + 1;
print <<"END";
<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">
<HTML>
<HEAD><TITLE>Conversation</TITLE></HEAD>
<BODY$style>
<FORM ACTION="$action" METHOD=post>
<P><B>Judge:</B> $shown</P>
<P><B>Partner:</B>
$words</P>
<HR>
<P><INPUT NAME=say TYPE=text SIZE=70>
<INPUT TYPE=submit VALUE=Send><INPUT TYPE=hidden NAME=turn VALUE=$turn></P>$signed
</FORM>
</BODY>
</HTML>
END
