/* A minimal Entry that speaks the Loebner Prize Protocol (2009, section 2): lpp_entry DIR [MS]. It
 * removes the judge's keys, directories TIME.KEY.judge in DIR and makes its own, TIME.KEY.other. */
#define _GNU_SOURCE
#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const names[128] = {
    ['{'] = "braceleft",  ['}'] = "braceright", ['['] = "bracketleft", [']'] = "bracketright",
    ['('] = "parenleft",  [')'] = "parenright", [' '] = "space",       [','] = "comma",
    ['.'] = "period",     ['>'] = "greater",    ['<'] = "less",        ['/'] = "slash",
    ['\\'] = "backslash", ['|'] = "bar",        ['"'] = "quotedbl",    ['\''] = "quoteright",
    ['\t'] = "Tab",       ['='] = "equal",      ['_'] = "underscore",  ['+'] = "plus",
    ['-'] = "minus",      ['!'] = "exclam",     ['@'] = "at",          ['#'] = "numbersign",
    ['$'] = "dollar",     ['%'] = "percent",    ['*'] = "asterisk",    ['^'] = "asciicircum",
    ['~'] = "asciitilde", ['`'] = "quoteleft",  ['&'] = "ampersand",   ['\n'] = "Return",
    [':'] = "colon",      [';'] = "semicolon",  ['?'] = "question",    ['\b'] = "BackSpace"};
static char line[8192], out[4096]; /* the judge's keys; text still to be typed */

/* Replace this function by your own. */
static const char *answer(void)
{
    return strcasestr(line, "hello") ? "Hi! Nice to meet you.\n"
           : strchr(line, '?')       ? "Hm, I would have to think about that.\n"
                                     : "I see. Go on.\n";
}

/* A judge's key, by its name. A character without a name stands for itself, in UTF-8. */
static void take_key(const char *key)
{
    size_t length = strlen(line), point = '\b';
    while (point < 128 && (!names[point] || strcmp(names[point], key)))
        point++;
    if (point == '\n') {
        if (length > 0 && strlen(out) < sizeof out / 2) /* Return alone gets no answer */
            strcat(out, answer());
        line[0] = '\0';
    } else if (point == '\b') {
        while (length > 0 && (line[--length] & 0xC0) == 0x80)
            continue;
        line[length] = '\0';
    } else {
        snprintf(line + length, sizeof line - length, "%s",
                 point < 128 ? (char[]){(char)point, '\0'} : key);
    }
}

/* Takes all keys in the folder in the order of their numbers, which are equally long. */
static void look(void)
{
    struct dirent **found = NULL;
    int count = scandir(".", &found, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char *name = found[i]->d_name, *key = strchr(name, '.'), *end = strrchr(name, '.');
        if (strcmp(end ? end : "", ".judge") == 0 && key < end && rmdir(name) == 0) {
            *end = '\0';
            take_key(key + 1);
        }
        free(found[i]);
    }
    free(found);
}

static void press_key(char key)
{
    static long long number, now;
    struct timespec t;
    char name[64], self[] = {key, '\0'};
    clock_gettime(CLOCK_REALTIME, &t);
    now = t.tv_sec * 1000LL + t.tv_nsec / 1000000;
    number = now > number ? now : number + 1;
    snprintf(name, sizeof name, "%018lld.%s.other", number,
             names[(int)key] ? names[(int)key] : self);
    mkdir(name, 0777);
    memmove(out, out + 1, strlen(out));
}

int main(int argc, char **argv)
{
    struct pollfd folder = {.fd = inotify_init1(IN_NONBLOCK), .events = POLLIN};
    int pace_ms = argc > 2 ? atoi(argv[2]) : 60;
    char changes[4096];
    if (argc < 2 || chdir(argv[1]) ||
        inotify_add_watch(folder.fd, ".", IN_CREATE | IN_MOVED_TO) < 0)
        return perror("lpp_entry: the folder"), 1;
    for (;;) {
        look();
        if (poll(&folder, 1, out[0] ? pace_ms : -1) == 0) /* a fast judge is not interrupted */
            press_key(out[0]);
        while (read(folder.fd, changes, sizeof changes) > 0)
            continue;
    }
}
