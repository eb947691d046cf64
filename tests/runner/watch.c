/* watch PATIENCE notes RECORD CODE [TEXT], watch PATIENCE keys RECORD COUNT,
 * watch PATIENCE typed RECORD PARTY [SIDE], watch PATIENCE text FILE TEXT: waits until the record
 * has a note of that kind with the text in it, at least so many placed keys, or a key of the party,
 * or until the file has the text; fails when PATIENCE seconds are over. With a patience of 0 it
 * looks once, and prints the texts of the notes, the number of the keys, or their names, each on a
 * line. For tests/support/booth.sh.
 *
 * It sleeps until the file or its folder changes (inotify), and reads for a tenth of the time at
 * most. CODE, PARTY, SIDE and names of keys are words of transcript/words.h. */
#include "journal/order.h"
#include "journal/journal.h"
#include "transcript/words.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#define PAUSE_MIN 10   /* ms between two readings */
#define PAUSE_MAX 1000 /* ms without a change after which it reads all the same */
#define SHARE     10   /* one part of so many of the time is for reading */

/* A condition, and the findings of the last reading. */
struct wish {
    const char *kind, *path, *code, *text;
    uint64_t count;
    bool print;
    bool met;
    struct order_set set;
};

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void on_note(void *ctx, const struct journal_record *record)
{
    struct wish *wish = ctx;
    if (record->kind != JOURNAL_NOTE || strcmp(words_note(record->as.note.code), wish->code) != 0 ||
        !strstr(record->as.note.text, wish->text))
        return;
    wish->met = true;
    if (wish->print)
        puts(record->as.note.text);
}

static void on_key(void *ctx, const struct journal_record *record)
{
    order_feed(&((struct wish *)ctx)->set, record);
}

/* The number of keys on the sides that are there, 0 if the record cannot be read. */
static uint64_t count_keys(const struct wish *wish)
{
    uint64_t keys = 0;
    for (unsigned i = 0; i < SIDES; i++)
        if (wish->set.side[i].present)
            keys += wish->set.side[i].count - wish->set.side[i].holes;
    if (wish->print)
        printf("%" PRIu64 "\n", keys);
    return keys;
}

/* The number of keys of a party, on one side or on both. */
static uint64_t count_typed(const struct wish *wish)
{
    uint64_t keys = 0;
    for (unsigned i = 0; i < SIDES; i++) {
        const struct order *order = &wish->set.side[i];
        if (!order->present || (*wish->text && strcmp(wish->text, words_side((enum side)i)) != 0))
            continue;
        for (uint64_t n = 0; n < order->count; n++) {
            const struct key_event *event = &order->event[n];
            char name[WORDS_KEY_MAX];
            if (!event->point || strcmp(words_party(event->party), wish->code) != 0)
                continue;
            keys++;
            if (wish->print)
                printf("%.*s\n", (int)words_key(event->point, name), name);
        }
    }
    return keys;
}

static void look_at_keys(struct wish *wish)
{
    struct bl_diag diag;
    memset(&wish->set, 0, sizeof wish->set);
    if (journal_read(&disk_real, wish->path, on_key, wish, NULL, &diag) != BL_OK ||
        wish->set.status != BL_OK)
        order_free(&wish->set);
    wish->met =
        strcmp(wish->kind, "typed") == 0 ? count_typed(wish) > 0 : count_keys(wish) >= wish->count;
    order_free(&wish->set);
}

/* Text beyond a NUL is not looked for. */
static void look_at_text(struct wish *wish)
{
    char *text = NULL;
    size_t room = 0;
    FILE *file = fopen(wish->path, "re");
    if (!file)
        return;
    if (getdelim(&text, &room, '\0', file) > 0)
        wish->met = strstr(text, wish->text);
    free(text);
    fclose(file);
}

static void look(struct wish *wish)
{
    struct bl_diag diag;
    wish->met = false;
    if (strcmp(wish->kind, "notes") == 0)
        journal_read(&disk_real, wish->path, on_note, wish, NULL, &diag);
    else if (strcmp(wish->kind, "keys") == 0 || strcmp(wish->kind, "typed") == 0)
        look_at_keys(wish);
    else
        look_at_text(wish);
}

/* A descriptor that can be read when something has changed in the folder of an absolute path, or in
 * the nearest one above that is there. */
static int open_changes(const char *path)
{
    const int changes = inotify_init1(IN_CLOEXEC);
    char folder[PATH_MAX];
    int length = snprintf(folder, sizeof folder, "%s", path), watched = -1;
    while (watched < 0 && length > 1 && length < PATH_MAX) {
        while (--length > 1 && folder[length] != '/')
            ;
        folder[length] = '\0';
        watched = inotify_add_watch(changes, length == 0 ? "/" : folder,
                                    IN_CREATE | IN_MODIFY | IN_MOVED_TO);
    }
    return changes;
}

int main(int argc, char **argv)
{
    struct wish wish = {.met = false};
    char path[PATH_MAX];
    if (argc < 5 || argc > 6) {
        fputs("usage: watch PATIENCE notes|keys|typed|text FILE WHAT [TEXT]\n", stderr);
        return EX_USAGE;
    }
    const uint64_t patience_ms = strtoull(argv[1], NULL, 10) * 1000, begin = now_ms();
    wish.kind = argv[2];
    wish.path = argv[3];
    wish.code = argv[4];
    wish.text = strcmp(wish.kind, "text") == 0 ? argv[4] : argc > 5 ? argv[5] : "";
    wish.count = strtoull(argv[4], NULL, 10);
    wish.print = patience_ms == 0;
    if (wish.path[0] != '/' && getcwd(path, sizeof path)) {
        const size_t length = strlen(path);
        snprintf(path + length, sizeof path - length, "/%s", wish.path);
        wish.path = path;
    }
    for (;;) {
        struct pollfd changes = {.fd = open_changes(wish.path), .events = POLLIN};
        const uint64_t from = now_ms();
        look(&wish);
        const uint64_t now = now_ms(), pause = PAUSE_MIN + (now - from) * SHARE;
        if (wish.met || now - begin >= patience_ms)
            return wish.met ? EX_OK : EXIT_FAILURE;
        const uint64_t left = begin + patience_ms - now;
        poll(&changes, 1, (int)(left < PAUSE_MAX ? left : PAUSE_MAX));
        close(changes.fd);
        nanosleep(&(struct timespec){.tv_sec = (time_t)(pause / 1000),
                                     .tv_nsec = (long)(pause % 1000) * 1000000},
                  NULL);
    }
}
