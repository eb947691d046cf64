/* An Entry that speaks LPP as scripted: each argument after the folder sets how, or does something,
 * in their order.
 *
 *   digits=N       how many digits its numbers have; 0: as they are (default 18)
 *   number=N       counts from N on; "clock" (default) takes the milliseconds of the clock
 *   step=N         between two numbers (default 1; 0: one number for all)
 *   names=rules|x11|wild    how it spells keys
 *   extension=EXT  (default .other)
 *   make=dir|file|full      what it makes; full: a directory with something in it
 *   delete=one|never|all    what it removes: the judge's directories, nothing, all that there is
 *   pace=US        waits so long after each key
 *   got=FILE       appends what it read, a key's name of the rules on a line
 *   sent=FILE      appends what it typed, as "boothlink transcript" has it
 *   name=NAME      makes that name as it stands
 *   type=TEXT      types it; \n is Return, \b BackSpace, \t Tab
 *   random=N,SEED  types N random keys of one seed
 *   read=N         waits until it has read N keys of the judge, all in all
 *   taken          waits until nothing of its own is left in the folder
 *   crash          kills itself
 *
 * It looks every two milliseconds, as real ones do. Exit code 3: nothing came for WAIT_S. */
#include "base/keysym.h"
#include "base/utf8.h"
#include "entity/lpp_name.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOOK_US 2000
#define WAIT_S  120

enum spelling { RULES, X11, WILD };
enum thing { DIRECTORY, PLAIN, FULL };
enum removal { ONE, NEVER, ALL };

static struct {
    int folder;
    int digits, step, pace_us;
    uint64_t number; /* the next; 0: of the clock */
    uint64_t last;
    enum spelling names;
    enum thing make;
    enum removal removal;
    const char *extension;
    FILE *got, *sent;
    uint64_t read, newest;
} client = {.digits = 18, .step = 1, .extension = ".other"};

static void die(const char *what)
{
    fprintf(stderr, "lppclient: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void rest(int us)
{
    struct timespec t = {.tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000L};
    nanosleep(&t, NULL);
}

static uint64_t clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

static uint64_t next_number(void)
{
    uint64_t number = client.number;
    if (number) {
        client.number += (uint64_t)client.step;
        return number;
    }
    number = clock_ms();
    client.last = number > client.last ? number : client.last + 1;
    return client.last;
}

static const char *spell(uint32_t point, char itself[UTF8_MAX + 1])
{
    static const struct {
        uint32_t point;
        const char *x11, *wild;
    } others[] = {{'\'', "apostrophe", "apostrophe"}, {'`', "grave", "grave"},
                  {'"', "quotedbl", "quotedble"},     {KEY_TAB, "Tab", "tab"},
                  {KEY_RETURN, "Return", "CR"},       {0xE9, "eacute", "eacute"}};
    const char *name = keysym_name(point);
    for (size_t i = 0; client.names != RULES && i < sizeof others / sizeof others[0]; i++)
        if (others[i].point == point)
            return client.names == X11 ? others[i].x11 : others[i].wild;
    itself[utf8_encode(point, (uint8_t *)itself)] = '\0';
    return name ? name : itself;
}

static void make_name(const char *name)
{
    int fd;
    if (client.make == PLAIN) {
        fd = openat(client.folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0)
            die(name);
        close(fd);
    } else {
        time_t until = time(NULL) + WAIT_S;
        /* A number that a counter gives again: its key must have been taken first. */
        while (mkdirat(client.folder, name, 0777)) {
            if (errno != EEXIST || time(NULL) > until)
                die(name);
            rest(LOOK_US);
        }
    }
    if (client.make == FULL) {
        char inner[LPP_NAME_MAX + 8];
        snprintf(inner, sizeof inner, "%s/inner", name);
        if (mkdirat(client.folder, inner, 0777) && errno != ENOENT)
            die(inner);
    }
}

static void type_key(uint32_t point)
{
    char name[LPP_NAME_MAX + 1], itself[UTF8_MAX + 1];
    snprintf(name, sizeof name, "%0*" PRIu64 ".%s%s", client.digits, next_number(),
             spell(point, itself), client.extension);
    make_name(name);
    if (client.sent) {
        bool named = point <= ' ' || point > '~';
        itself[utf8_encode(point, (uint8_t *)itself)] = '\0';
        fprintf(client.sent, "%s\n", named ? keysym_name(point) : itself);
        fflush(client.sent);
    }
    if (client.pace_us)
        rest(client.pace_us);
}

static void type_text(const char *text)
{
    size_t left = strlen(text), taken;
    uint32_t point;
    while ((taken = utf8_decode((const uint8_t *)text, left, &point))) {
        if (point == '\\' && left > 1) {
            text++;
            left--;
            point = *text == 'n' ? KEY_RETURN : *text == 'b' ? KEY_BACKSPACE : KEY_TAB;
        }
        type_key(point);
        text += taken;
        left -= taken;
    }
}

static void type_random(const char *words)
{
    char *rest_of;
    unsigned long count = strtoul(words, &rest_of, 10);
    unsigned seed = *rest_of == ',' ? (unsigned)strtoul(rest_of + 1, NULL, 10) : 1;
    while (count-- > 0) {
        int dice = rand_r(&seed) % 100;
        type_key(dice < 3   ? KEY_RETURN
                 : dice < 6 ? KEY_BACKSPACE
                            : (uint32_t)(0x20 + rand_r(&seed) % 95));
    }
}

/* One name of the judge's, in their order. */
static void take(const char *name)
{
    struct lpp_name key;
    lpp_name_read(name, &key);
    if (key.kind != LPP_KEY || key.from != LPP_FROM_JUDGE)
        return;
    if (client.removal == NEVER && lpp_number(name, &key) <= client.newest)
        return;
    if (!key.exact) {
        fprintf(stderr, "lppclient: '%s' is not as the rules write it\n", name);
        exit(1);
    }
    if (lpp_number(name, &key) <= client.newest) {
        fprintf(stderr, "lppclient: '%s' is not above the last number\n", name);
        exit(1);
    }
    if (client.removal != NEVER && unlinkat(client.folder, name, AT_REMOVEDIR))
        die(name);
    client.newest = lpp_number(name, &key);
    client.read++;
    if (client.got) {
        char itself[UTF8_MAX + 1];
        const char *known = keysym_name(key.point);
        itself[utf8_encode(key.point, (uint8_t *)itself)] = '\0';
        fprintf(client.got, "%s\n", known ? known : itself);
        fflush(client.got);
    }
}

/* Looks once; returns how many names of its own are still there. */
static int look(void)
{
    char path[40];
    struct dirent **names;
    int own = 0, count;
    snprintf(path, sizeof path, "/proc/self/fd/%d", client.folder);
    count = scandir(path, &names, NULL, alphasort);
    if (count < 0)
        die("the folder");
    for (int i = 0; i < count; i++) {
        const char *name = names[i]->d_name;
        const char *dot = strrchr(name, '.');
        if (dot && strcmp(dot, client.extension) == 0)
            own++;
        take(name);
        if (client.removal == ALL && name[0] != '.')
            unlinkat(client.folder, name, AT_REMOVEDIR);
        free(names[i]);
    }
    free(names);
    return own;
}

static void wait_until(uint64_t keys, bool taken)
{
    time_t until = time(NULL) + WAIT_S;
    for (;;) {
        int own = look();
        if (client.read >= keys && (!taken || own == 0))
            return;
        if (time(NULL) > until) {
            fprintf(stderr, "lppclient: %" PRIu64 " keys read, %d of its own left\n", client.read,
                    own);
            exit(3);
        }
        rest(LOOK_US);
    }
}

/* The index of word in a list separated by '|'. */
static int choose(const char *word, const char *list)
{
    for (int i = 0; *list; i++) {
        size_t length = strcspn(list, "|");
        if (strlen(word) == length && strncmp(word, list, length) == 0)
            return i;
        list += length + (list[length] == '|');
    }
    fprintf(stderr, "lppclient: %s is none of %s\n", word, list);
    exit(2);
}

static FILE *append(const char *path)
{
    FILE *file = fopen(path, "ae");
    if (!file)
        die(path);
    return file;
}

static void act(const char *word)
{
    size_t length = strcspn(word, "=");
    const char *value = word[length] ? word + length + 1 : "";
#define IS(name) (strlen(name) == length && strncmp(word, name, length) == 0)
    if (IS("digits"))
        client.digits = atoi(value);
    else if (IS("number"))
        client.number = strcmp(value, "clock") == 0 ? 0 : strtoull(value, NULL, 10);
    else if (IS("step"))
        client.step = atoi(value);
    else if (IS("names"))
        client.names = (enum spelling)choose(value, "rules|x11|wild");
    else if (IS("extension"))
        client.extension = value;
    else if (IS("make"))
        client.make = (enum thing)choose(value, "dir|file|full");
    else if (IS("delete"))
        client.removal = (enum removal)choose(value, "one|never|all");
    else if (IS("pace"))
        client.pace_us = atoi(value);
    else if (IS("got"))
        client.got = append(value);
    else if (IS("sent"))
        client.sent = append(value);
    else if (IS("name"))
        make_name(value);
    else if (IS("type"))
        type_text(value);
    else if (IS("random"))
        type_random(value);
    else if (IS("read"))
        wait_until(strtoull(value, NULL, 10), false);
    else if (IS("taken"))
        wait_until(0, true);
    else if (IS("crash"))
        raise(SIGKILL);
    else {
        fprintf(stderr, "lppclient: %s: see the top of its source\n", word);
        exit(2);
    }
#undef IS
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: lppclient DIR WORD...\n");
        return 2;
    }
    client.folder = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (client.folder < 0)
        die(argv[1]);
    for (int i = 2; i < argc; i++)
        act(argv[i]);
    return 0;
}
