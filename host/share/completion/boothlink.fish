# Bash's completion, which is made from the table of commands, asked from fish.
function __boothlink_offers
    bash -c '. <(boothlink help --completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _boothlink; for offer in "${COMPREPLY[@]}"; do
        [[ $_boothlink_files && -d $offer ]] && offer+=/
        printf "%s\n" "$offer"; done' bash (commandline -opc) (commandline -ct)
end
complete -c boothlink -f -a '(__boothlink_offers)'
