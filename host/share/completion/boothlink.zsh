#compdef boothlink
# Bash's completion, which is made from the table of commands, asked from zsh; before its offers it
# says whether files are among them.
local -a offers
offers=("${(@f)$(bash -c '. <(boothlink help --completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _boothlink; printf "%s\n" "$_boothlink_files" "${COMPREPLY[@]}"' bash "${(@)words[1,CURRENT]}")}")
compadd ${offers[1]:+-f} -- "${(@)offers[2,-1]}"
