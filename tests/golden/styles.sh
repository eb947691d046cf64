#!/bin/bash
# The page styles of 1996 and 2003, as a judge and an entity see them.
. tests/tap.sh
. tests/golden/lib.sh

judge() { say 'role judge' 'segment Session 3' 'title L ENTITY' 'state L open' 'active L yes'; }

entity() { say 'role entity' 'segment part 1 of 4' 'title L YOU ARE THE ENTITY' 'state L open' 'active L yes'; }

# The example of 1996 spec 1.
example() {
    say 'say L judge @@04\n\n' 'say L entity Welcome judge 4\n\n' \
        'say L judge Do you think that the\nRepublicans can succeed\n' \
        'say L judge in winning the White House?\n\n'
}

begin 80 24
say 'style scroll'
judge
shows scroll-empty 'scroll: the judge is prompted'
example
shows scroll-judge-turn-over 'two Returns take the prompt away'
say 'say L entity Only if Newt succeeds in\n'
shows scroll-one-line 'a line was answered, and more may come'
say 'say L entity developing a more tolerant image.\n\n'
shows scroll-answered 'two Returns of the entity bring the prompt back'
keys -l '中é, and then?'
keys Enter
told 'key U\+000D'
shows scroll-judge-types 'the judge types a line, wide characters too'
resize 120 40
shows scroll-large 'a larger window'
resize 60 20
shows scroll-small 'one that is too narrow for 78 columns'
resize 80 24
for i in {1..12}; do
    say "say L judge question $i\n\n" "say L entity answer $i\n\n"
done
eventually has 'answer 12'
keys PPage
shows scroll-column-back 'PgUp looks back'
say 'say L judge one more\n'
shows scroll-column-kept 'what is looked at stays'

begin 80 24
say 'style scroll columns=38'
say 'role judge' 'sides 2' 'segment LEFT · part 1 of 2' 'left 272' 'state L open' 'state R closed' \
    'active L yes'
example
say 'say L entity Only if Newt succeeds in developing a more tolerant image.'
say 'say R judge Hello?\n' 'say R entity It is my turn when two Returns come.'
shows scroll-two 'scroll on two sides'

begin 80 24
say 'style scroll'
entity
example
shows scroll-entity 'the entity has the turn'
say 'wait yes'
keys -l 'Only if'
keys Enter
keys -l 'Newt'
told 'key U\+0074'
shows scroll-entity-waits 'its keys wait for their place'
say place 'wait no'
shows scroll-entity-placed 'and have it'

begin 80 24
say 'style web'
judge
shows web-empty 'web: an empty document and a field'
say 'say L judge Hello, who is there, and what is the weather like on your side of the wall?\n' \
    'say L entity My name is Kim. It rains, as it has done since this morning; 雨, as they say.\n' \
    'say L judge Do you like' 'say L entity I th'
shows web-judge 'sent, and not sent yet: that of the other is not there'
keys -l ' rain? I would not say so if I had to walk home in it, but from in here it looks well.'
told 'key U\+006C'
shows web-field-grows 'a field takes the rows that it needs'
resize 120 40
shows web-large 'a larger window'
resize 80 12
shows web-low 'a low one'

begin 80 24
say 'style web'
entity
say 'say L judge Hello\n' 'wait yes'
keys -l 'Hi there'
told 'key U\+0065'
shows web-entity-waits 'an entity whose keys wait'
say place
shows web-entity-placed 'and have their place'

begin 80 24
say 'style web fields=both'
judge
say 'say L judge Hello\n' 'say L judge Do you like' 'say L entity I th'
shows web-both 'where a record has both fields, both'

begin 80 24
say 'style web columns=38 label.judge=Questioner label.entity=Answerer'
say 'role judge' 'sides 2' 'state L open' 'state R closed' 'active L yes'
say 'say L judge Hello, who is there, and what is the weather like?\n' 'say L entity Rain.\n'
shows web-two 'web on two sides, with its own labels'

begin 80 24 TERM=linux
say 'style scroll colour.judge=green colour.entity=cyan'
judge
say 'say L judge Which?\n\n' 'say L entity This.'
eventually has 'This.'
ok 'the colours of a style are shown' \
    grep -qE $'\x1b\\[[0-9;]*32m.*Which' <(tm capture-pane -pe -t golden)

begin 80 24 NO_COLOR=1
say 'style scroll colour.judge=green colour.entity=cyan'
judge
say 'say L judge Which?\n\n' 'say L entity This.'
eventually has 'This.'
shows scroll-no-color 'NO_COLOR'
ok 'is respected' test "$(tm capture-pane -pe -t golden | grep -cE $'\x1b\\[[0-9;]*[34][0-7]m')" = 0

plan
