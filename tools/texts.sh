#!/bin/bash
# Prints the C source of a table of struct built_text with the texts of files.
#
#   tools/texts.sh HEADER TABLE SUFFIX FILE...
#
# A file's name in the table is without its folder and without SUFFIX.
set -eu

header=$1 table=$2 suffix=$3
shift 3
echo "#include \"$header\""
echo
echo "const struct built_text ${table}[] = {"
for file; do
    name=${file##*/}
    printf '    {"%s",\n' "${name%"$suffix"}"
    sed -e 's/\\/\\\\/g; s/"/\\"/g' -e 's/.*/     "&\\n"/' "$file"
    echo '    },'
done
echo '    {0},'
echo '};'
