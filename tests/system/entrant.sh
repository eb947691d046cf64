#!/bin/bash
# An entrant's own computer, as boothlink-entrant(7) says: one that has none of our programs, only a
# serial port or a folder, takes part by the commands of the page, and what it types is on both records.
. tests/tap.sh
. tests/support/booth.sh

page=host/share/man/boothlink-entrant.7

# command_of TEXT: the page's example line with this in it, as a reader sees it.
command_of() {
    sed -n '/^\.SS Your own computer/,/^\.SS When/p' "$page" |
        sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\e/\\/g; s/^ *//' | grep -F -- "$1" | head -1
}

# Where our programs are not to be found: a command follows.
# shellcheck disable=SC2016 # the inner shell's
other_machine=(env -i PATH=/usr/bin:/bin unshare -Urm sh -c
    'mount -t tmpfs none "$0" && ! ls "$0"/boothlink 2>/dev/null && exec "$@"' "$BUILD")
if ! "${other_machine[@]}" true; then
    skip "entrants' own computers" 'namespaces are not allowed'
    plan
fi

cable line
printf 'pace 5\ntype "Who are you?\\n"\nawait-turn 200 60000\ntype "And why?\\n"\nwait 3600000\n' >"$work/judge.script"

# meet NAME ENTITY_OPTION...: a session of that name.
meet() {
    session=$1
    start judge judge --left "serial:$work/line.a" --session "$1" --headless --json \
        --script "$work/judge.script" --journal judge
    start entity entity --line "serial:$work/line.b" --journal entity --headless --json "${@:2}"
    judge=$work/judge/$1-judge.journal
    entity=$work/entity/$1-entity.journal
}
said() { [[ $(typed_in "$judge" entity | xargs -d '\n' | tr -d ' ') == "$1" ]]; }
end_of() {
    ok "$session: what it typed is on the judge's page" eventually said "$1"
    eventually level "$judge" "$entity"
    stop judge
    stop entity
    events "$judge" >"$work/events.judge"
    events "$entity" >"$work/events.entity"
    equal "$session: both have the same record" "$work/events.judge" "$work/events.entity"
}

# A serial port: a second cable, from the entity's terminal to the entrant's computer.
cat >"$work/serial.pl" <<'PERL'
my ($port) = @ARGV;
system 'stty', '-F', $port, '115200', 'raw', '-echo';
open my $line, '+<', $port or die "$port: $!";
my $asked = 0;
while (1) {
    sysread $line, my $key, 1 or last;
    next unless $key eq "\n";
    syswrite $line, $asked++ ? "Because.\n" : "Ann.\n";
}
PERL
cable own
bridge=$(command_of "stty -F /dev/ttyUSB1")
bridge=${bridge#*--program \'}
bridge=${bridge%\'*}
ok 'the page says how a serial port is joined' test -n "$bridge"
"${other_machine[@]}" perl "$work/serial.pl" "$work/own.b" &
pid_of['computer']=$!
meet serial --no-sandbox --program-io pipe --program "${bridge//\/dev\/ttyUSB1/$work/own.a}"
end_of 'Ann.ReturnBecause.Return'
slay computer

# A folder, on a share of the network, which is looked at.
cat >"$work/folder.pl" <<'PERL'
use Time::HiRes qw(sleep time);
my ($folder) = @ARGV;
my %name = ("\n" => 'Return', '.' => 'period', ' ' => 'space');
my ($asked, $number) = (0, 0);
while (1) {
    opendir my $dir, $folder or die; my @keys = sort grep { /\.judge$/ } readdir $dir; closedir $dir;
    for my $key (@keys) {
        rmdir "$folder/$key";
        next unless $key =~ /\.Return\./;
        for (split //, $asked++ ? "Because.\n" : "Ann.\n") {
            mkdir sprintf '%s/%018d.%s.other', $folder, ++$number, $name{$_} // $_;
        }
    }
    sleep 0.02;
}
PERL
mkdir "$work/share"
"${other_machine[@]}" perl "$work/folder.pl" "$work/share" &
pid_of['computer']=$!
scan=$(command_of '--lpp-scan')
ok 'the page says how a folder is joined' test -n "$scan"
# shellcheck disable=SC2046 # its options are words
meet folder --lpp "$work/share" $(grep -oE -- '--lpp-scan [0-9]+' <<<"$scan")
end_of 'Ann.ReturnBecause.Return'
slay computer

# A web form: the computer has a web server, and nothing of ours; it is reached as the page says.
cat >"$work/entry.pl" <<'PERL'
read STDIN, my $said, $ENV{CONTENT_LENGTH} || 0;
my $answer = $said =~ /Who/ ? 'Ann.' : $said =~ /why/ ? 'Because.' : '';
print "Content-Type: text/html\n\n<form method=post><p><b>Partner:</b> $answer</p><hr><input name=say></form>";
PERL
mkfifo "$work/port"
"${other_machine[@]}" perl tests/entrants/form_server.pl 0 "perl $work/entry.pl" >"$work/port" &
pid_of['computer']=$!
read -r port <"$work/port"
web=$(command_of '--web http://')
ok 'the page says how a form is reached' test -n "$web"
web=$(grep -oE 'http://[^ ]*' <<<"$web" | sed "s|//[^/]*|//127.0.0.1:$port|")
meet form --web "$web" --form-delay 50
end_of 'Ann.ReturnBecause.Return'
slay computer

# The ten lines of Python of the page, and its command, for the checks that tell most.
mkdir "$work/ten"
sed -n '/^    import random/,/^\.fi/p' "$page" | sed '$d; s/^    //; s/\\e/\\/g' >"$work/ten/entry.py"
ok 'the page has a program of ten lines' test "$(wc -l <"$work/ten/entry.py")" -le 10
command=$(sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/^ *//' "$page" | grep 'validate entry.*python3 entry.py' | head -n 1)
(cd "$work/ten" && eval "${command/boothlink/\"$bl\"} --only talk.first,opening.words,keys.single --json") |
    jq -r '.checks[] | "\(.verdict) \(.id)"' | sort >"$work/ten/said"
is 'which the rules would accept' "$(paste -sd ' ' "$work/ten/said")" \
    'PASS keys.single PASS opening.words PASS talk.first'
# The same without its flush or without its pause, as beginners write it.
mend="FAIL flush after each key, and pause: in Python print(c, end='', flush=True) and time.sleep(0.06)"
cp "$work/ten/entry.py" "$work/ten/whole.py"
for without in 's/, flush=True//' '/time.sleep/d'; do
    sed "$without" "$work/ten/whole.py" >"$work/ten/entry.py"
    (cd "$work/ten" && eval "${command/boothlink/\"$bl\"} --only talk.first,keys.single --json") >"$work/ten/said"
    is "and by sed $without is told of both" \
        "$(jq -r '.checks[] | select(.id == "keys.single") | .verdict, .evidence[-1]' "$work/ten/said" | paste -sd ' ')" \
        "$mend"
done
plan
