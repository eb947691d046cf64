#!/usr/bin/perl
# A web server of 2003 for one CGI program, one request at a time: form_server.pl PORT COMMAND. With
# port 0 it takes any, and prints it. FAULT is what the server itself does wrong; the program's are
# its own. Nothing of ours is in it, so that it can run on an entrant's own computer.
use strict;
use warnings;
use IO::Socket::INET;

my ($port, $command, $address) = @ARGV;
my $fault = $ENV{FAULT} // '';
my $server = IO::Socket::INET->new(LocalAddr => $address // '127.0.0.1', LocalPort => $port,
    Listen => 8, ReuseAddr => 1) or die "port $port: $@\n";
$| = 1;
$port = $server->sockport;
print $port, "\n";
$SIG{PIPE} = 'IGNORE';
my $posts = 0;

sub answer {
    my ($client) = @_;
    my ($method, $target) = (<$client> // '') =~ m{^(\w+) (\S+)} or return;
    my %header;
    while (defined(my $line = <$client>)) {
        last if $line =~ /^\r?\n/;
        $header{lc $1} = $2 if $line =~ /^([\w-]+):\s*(.*?)\r?\n/;
    }
    my $body = '';
    read $client, $body, $header{'content-length'} if $header{'content-length'};
    $posts += $method eq 'POST';
    if ($posts && $fault eq 'hang') {
        sleep 600;
    } elsif ($posts && $fault eq 'drip') {
        print $client "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n";
        while (print $client '<p>') { select undef, undef, undef, 0.1 }
        return;
    } elsif ($posts && $fault eq 'endless') {
        print $client "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n";
        while (print $client 'x' x 65536) { }
        return;
    } elsif ($posts && $fault eq 'away') {
        print $client "HTTP/1.0 302 Found\r\nLocation: http://127.0.0.2:$port/\r\n\r\n";
        return;
    } elsif ($posts && $fault eq 'file') {
        print $client "HTTP/1.0 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n";
        return;
    } elsif ($posts && $fault eq 'cut') {
        print $client "HTTP/1.0 200 OK\r\nContent-Length: 9999\r\n\r\n<p>";
        return;
    } elsif ($posts && $fault eq 'noise') {
        print $client join '', map { chr int rand 256 } 1 .. 4096;
        return;
    }
    my ($path, $query) = split /\?/, $target, 2;
    local %ENV = (%ENV, GATEWAY_INTERFACE => 'CGI/1.1', REQUEST_METHOD => $method,
        SCRIPT_NAME => $path, QUERY_STRING => $query // '', CONTENT_LENGTH => length $body,
        CONTENT_TYPE => $header{'content-type'} // '', HTTP_COOKIE => $header{cookie} // '');
    open my $in, '>', "/tmp/form_server.$$" or die;
    print $in $body;
    close $in;
    my $said = `$command </tmp/form_server.$$`;
    unlink "/tmp/form_server.$$";
    my $status = $said =~ s/^Status: (.*?)\r?\n//m ? $1 : $said =~ /^Location:/m ? '302 Found' : '200 OK';
    print $client "HTTP/1.0 $status\r\n$said";
}

while (my $client = $server->accept) {
    answer($client);
    close $client;
}
