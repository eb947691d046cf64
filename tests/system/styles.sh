#!/bin/bash
# Sessions of 1996 and 2003 from the contest's tickets to the transcript, on the pages that these
# rules want; and a venue's own rules, which come with the tickets.
. tests/tap.sh
. tests/support/booth.sh
. tests/support/contest.sh
. tests/support/venue.sh
. tests/support/windows.sh

cable line

# An Entry that answers when two Returns end the judge's turn.
cat >"$work/entry" <<'SH'
#!/bin/sh
stty -echo
while read -r line; do
    [ "$line" ] && last=$line || printf 'You said: %s\nso you did.\n\n' "$last"
done
SH
chmod +x "$work/entry"

# drawn NAME RULESET: a contest, with tickets for every round in $work/NAME.
drawn() {
    contest_drawn "$1" "$2" || return
    venue_of_line "$work/$1.ini"
    contest tickets --venue "$work/$1.ini" --out "$work/$1"
} >"$work/contest.out" 2>&1

# pair NAME WHO: the tickets of the first session with an Entry or a confederate, in $judge and
# $entity, and its name in $session; its journals go to folders in $kept.
pair() {
    kept=$work/kept-$1-$2
    mkdir "$kept"
    local how=program
    [[ $2 == entry ]] || how=keyboard
    entity=$(grep -rl "^$how = " "$work/$1/back-room" --include='*.ticket' | sort | head -n 1)
    session=$(sed -n 's/^session = //p' "$entity")
    judge=$(grep -lx "session = $session" "$work/$1"/judges-room/boothlink/*/*.ticket)
}

# alike DESCRIPTION: soon both ends of the session have the same keys in the same order.
take_events() {
    events "$kept/judge/$session-judge.journal" >"$work/events.judge" &&
        events "$kept/entity/$session-entity.journal" >"$work/events.entity" &&
        [[ -s $work/events.judge ]] && cmp -s "$work/events.judge" "$work/events.entity"
}
alike() {
    eventually take_events
    equal "$1" "$work/events.judge" "$work/events.entity"
}

# 1996, with an Entry: the same page, by its digest, at both ends. world/test_styles has both pages.
ok 'a contest of 1996, with tickets' drawn lp96 loebner-1996
pair lp96 entry
printf 'type "Hello.\\n\\n"\nawait-turn 300\ntype "And?\\n\\n"\n' >"$work/judge.script"
start entity entity --ticket "$entity" --journal "$kept/entity" --headless --json
start judge judge --ticket "$judge" --journal "$kept/judge" --headless --json --script "$work/judge.script"
answers() {
    "$bl" transcript convert "$kept/judge/$session-judge.journal" 2>/dev/null |
        grep -c 'Entity: so you did'
}
twice() { (($(answers) == 2)); }
ok 'an Entry answers turns' eventually twice
alike 'whose keys both ends have'
stop judge
stop entity
is '1996: the pages are the same' "$(report judge .sides.left.digest)" "$(report entity .digest)"
is 'in the style of the rules' "$(entries "$kept/judge/$session-judge.journal" \
    'select(.kind == "header").style' | cut -d ' ' -f 1)" scroll

# 2003, with a confederate.
ok 'a contest of 2003, with tickets' drawn lp03 loebner-2003
pair lp03 confederate
window judge 80 24 judge --ticket "$judge" --journal "$kept/judge"
window entity 100 30 entity --ticket "$entity" --journal "$kept/entity"
reads 'a form for the judge' judge 'Return sends'
reads 'and for the confederate' entity 'Return sends'
keys judge -l 'Hello, who is there?'
keys judge Enter
reads 'a Return sends' entity 'Judge: Hello, who is there? ──'
keys entity -l 'Good morning'
keys entity Enter
reads 'and again' judge 'Judge: Hello, who is there? Partner: Good morning ──'
alike '2003: both ends have the same'
window_close judge
window_close entity
is 'the transcript has the names of the form' \
    "$("$bl" transcript convert "$kept/judge/$session-judge.journal" |
        sed -nE 's/^.*\] *((Judge|Partner): )/\1/p' | paste -sd '|')" \
    'Judge: Hello, who is there?|Partner: Good morning'

# A venue's own rules: its style, which no program has built in, comes with the tickets.
"$bl" contest rulesets loebner-1996 |
    sed -E 's/^name = .*/name = our-own/; s/^style = .*/style = scroll columns=60 prompt.judge=? label.entity=Réponse/' \
        >"$work/our-own.ini"
ok "a contest of the venue's own rules" drawn own "$work/our-own.ini"
pair own confederate
equal "they lie beside the judge's tickets" "${judge%/*}/our-own.ini" "$work/our-own.ini"
is 'and nowhere else' "$(find "$work/own" -name our-own.ini | grep -cv -- '-judge/')" 0
window judge 80 24 judge --ticket "$judge" --journal "$kept/judge"
window entity 80 24 entity --ticket "$entity" --journal "$kept/entity"
reads 'and are found' entity 'the judge begins ─'
keys judge -l x
reads 'with their prompt' entity '?x'
alike 'both ends have the same'
pid=$(window_pid entity)
window_close judge
window_close entity
gone() { ! kill -0 "$pid"; }
eventually gone # it holds its journal

# Other pages for a session that was begun: one clear line at the entity's end, and no page mixed.
start judge judge --left "serial:$work/line.a" --session "$session" --style web --headless \
    --journal "$kept/elsewhere"
window entity 80 24 entity --ticket "$entity" --journal "$kept/entity"
reads 'other pages for the same session are refused' entity \
    "The judge's end has other pages (web columns=78 "
stop judge >/dev/null
window_close entity
is 'a label beyond ASCII came over the line' "$(entries "$kept/entity/$session-entity.journal" \
    'select(.kind == "header").style' | grep -o 'label.entity=[^ ]*')" label.entity=Réponse
ok 'and not recorded' test "$(entries "$kept/entity/$session-entity.journal" \
    'select(.kind == "header").style' | cut -d ' ' -f 1-2)" = 'scroll columns=60'

# refused STATUS TEXT COMMAND...: one line that says so.
refused() {
    local wanted=$1 text=$2 said status
    shift 2
    said=$(cd "$work" && "$bl" "$@" 2>&1 </dev/null)
    status=$?
    is "refused: $text" "$status $(wc -l <<<"$said") $(grep -cF -- "$text" <<<"$said")" "$wanted 1 1"
}
refused 65 "style: it begins with the name of a style" judge --left "serial:$work/line.a" \
    --style 'teletype' --journal other
sed -i 's/^style = .*/style = scroll backspace=page/' "$work/our-own.ini"
refused 65 'our-own.ini: [session] style: backspace=page' contest new other.db --name X \
    --ruleset our-own.ini
plan
