#compdef boothlink
# Bash's completion, which is made from the table of commands, asked from zsh.
local -a offers
offers=("${(@f)$(bash -c '. <(boothlink help --completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
    _boothlink; printf "%s\n" "${COMPREPLY[@]}"' bash "${(@)words[1,CURRENT]}")}")
compadd -a offers
