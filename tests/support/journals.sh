# shellcheck shell=bash
# Journals without a session that was held: source this behind tests/tap.sh.

# journal ROLE SESSION TEXT...: one of that end, judge or entity, with a header and a note for each text; the
# text "finished" is the end of the session, and "contest ID" the note of its contest. STYLE in the environment is the style of its page.
journal() {
    perl -e 'my ($role, $session, @texts) = @ARGV;
        my $head = pack "C C Q< a3 C C C v/a v/a", 1, 0, 1795289010000000, "BLJ", 1, $role eq "entity", 0, $session, $ENV{STYLE} // "";
        for ($head, map { $_ eq "finished" ? pack "C C Q< V C C Q<", 6, 0, 1795289010000000, 1, 0, 4, 0
                : pack "C C Q< C V v/a", 8, 0, 1795289010000000, s/^contest // ? 16 : 1, 1, $_ } @texts) {
            my $record = pack "C v a*", 0xb1, length $_, $_;
            my $c = 0xffffffff;
            for (unpack "C*", $record) { $c ^= $_; $c = ($c >> 1) ^ (0x82f63b78 & -($c & 1)) for 1 .. 8 }
            print $record, pack "V", $c ^ 0xffffffff;
        }' "$@"
}
