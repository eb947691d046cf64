# Bash's completion, which is made from the table of commands, asked from fish.
function __boothlink_offers
    bash -c '. <(boothlink help --completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _boothlink; printf "%s\n" "${COMPREPLY[@]}"' bash (commandline -opc) (commandline -ct)
end
complete -c boothlink -f -a '(__boothlink_offers)'
