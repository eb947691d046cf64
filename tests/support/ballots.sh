# shellcheck shell=bash
# Ballot files as the terminals of 2009 write them: source this behind tests/tap.sh.

# sums: puts its checksum behind each line of a ballot file, as boothlink-ballot(5) has it.
sums() {
    perl -ne 'chomp; my $c = 0xffffffff;
        for (unpack "C*", $_) { $c ^= $_; $c = ($c >> 1) ^ (0x82f63b78 & -($c & 1)) for 1 .. 8 }
        printf "%s *%08x\n", $_, $c ^ 0xffffffff'
}
# ballot SESSION SIDE...: the file of a judge who took that side for the human, and changed his mind.
ballot() {
    local side
    {
        echo "boothlink-ballot 1 session=$1 rules=loebner-2009 kind=human sealed=contest"
        for side in "${@:2}"; do echo "1795289010000000 given human $side"; done
    } | sums
}
