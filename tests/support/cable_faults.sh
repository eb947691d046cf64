# shellcheck shell=bash disable=SC2034 # for the scripts that source it
# What the two ends of `boothlink check` are to find of each row of wiring/cables.txt.

# Of each cable: what end a is to find, and what end b, as OUTCOME or OUTCOME:CABLE,CABLE. No two
# cables look the same in what matters, but where data does not cross, much cannot be told apart.
no_data=mute:data-straight,data-open,one-way,short-data,short-ground
half=deaf:one-way,short-ground
declare -A wanted=(
    [full]='met:full met:full'
    [3-wire]='met:3-wire met:3-wire'
    [loop-back]='met:loop-back met:loop-back'
    [partial]='met:partial met:partial'
    [5-wire]='met:5-wire met:5-wire'
    [7-wire]='met:7-wire met:7-wire'
    [ri]='met:ri met:ri'
    [straight]='silence silence'
    [data-straight]="$no_data $no_data"
    [handshake-swapped]='met:handshake-swapped met:handshake-swapped'
    [data-open]="$no_data $no_data"
    [one-way]="$no_data $half"
    [one-way-3]='- deaf:one-way-3'
    [cts-open]='met:cts-open met:cts-open'
    [dtr-open]='met:dtr-open met:dtr-open'
    [ground-open]='silence silence'
    [short-data]="$no_data $no_data"
    [short-ground]="$no_data $half"
    [short-rts]='met:short-rts met:short-rts'
    [plug-a]='echo:plug-a silence'
    [plug-data]='echo:plug-data silence'
    [nothing]='silence silence'
)
