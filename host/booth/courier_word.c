#include "booth/courier_word.h"

#include "base/file.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#define WORD_MOST 16

static void on_changed(uv_fs_event_t *handle, const char *name, int events, int status)
{
    struct courier_word *word = handle->data;
    (void)name, (void)events, (void)status;
    word->changed(word->ctx);
}

void courier_word_open(struct courier_word *word, uv_loop_t *loop, const char *path,
                       void (*changed)(void *ctx), void *ctx)
{
    char folder[PATH_MAX];
    if (!path)
        return;
    word->changed = changed;
    word->ctx = ctx;
    snprintf(folder, sizeof folder, "%s", path);
    uv_fs_event_init(loop, &word->event);
    word->event.data = word;
    word->open = true;
    uv_fs_event_start(&word->event, on_changed, dirname(folder), 0);
}

void courier_word_close(struct courier_word *word)
{
    if (word->open)
        uv_close((uv_handle_t *)&word->event, NULL);
    word->open = false;
}

unsigned courier_word_read(const char *path)
{
    char *text = NULL;
    unsigned count = 0;
    if (path && file_read_text(&text, path, WORD_MOST, "a courier's word", NULL) == BL_OK &&
        sscanf(text, "%6u", &count) != 1)
        count = 0;
    free(text);
    return count;
}
