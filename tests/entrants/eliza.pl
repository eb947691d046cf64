#!/usr/bin/perl
# The Eliza of Debian's libchatbot-eliza-perl, who waits for the judge and types key by key.
use strict;
use warnings;
use Chatbot::Eliza;
use Time::HiRes qw(sleep);

my $eliza = Chatbot::Eliza->new;
while (defined(my $words = readline STDIN)) {
    $words =~ s/[\r\n]+//g;
    next if $words eq '';
    for my $key (split //, $eliza->transform($words) . "\n") {
        syswrite STDOUT, $key;
        sleep 0.008;
    }
}
