#include "base/shell_word.h"

#include <stdio.h>
#include <string.h>

void shell_word(char *out, size_t room, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_=./:,@%+";
    size_t length = 0;
    if (text[0] && text[strspn(text, plain)] == '\0') {
        snprintf(out, room, "%s", text);
        return;
    }
    out[length++] = '\'';
    for (; *text && length < room - 6; text++) {
        if (*text == '\'') {
            memcpy(out + length, "'\\''", 4);
            length += 4;
        } else {
            out[length++] = *text;
        }
    }
    out[length++] = '\'';
    out[length] = '\0';
}
