#include "booth/transcript_source.h"
#include "booth/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define JOURNAL_MAGIC_AT 13 /* offset of the magic in a journal, see host/journal/record.c */

static enum bl_status slurp(const char *path, uint8_t **bytes, size_t *length, struct bl_diag *diag)
{
    size_t room = 1u << 16, limit = HISTORY_BYTES + 1;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    uint8_t *all = NULL;
    ssize_t count = 1;
    *length = 0;
    if (fd < 0)
        return bl_fail(diag, errno == EACCES ? BL_NOPERM : BL_NOINPUT, "%s: %s", path,
                       strerror(errno));
    while (count != 0 && *length < limit) {
        if (!all || *length == room) {
            uint8_t *bigger = realloc(all, all ? room * 2 : room);
            if (!bigger) {
                close(fd);
                free(all);
                return bl_fail(diag, BL_NOMEM, say_fail_out_of_memory, path);
            }
            room = all ? room * 2 : room;
            all = bigger;
        }
        count = read(fd, all + *length, (room < limit ? room : limit) - *length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            enum bl_status status = bl_fail(diag, BL_IO, "%s: %s", path, strerror(errno));
            close(fd);
            free(all);
            return status;
        }
        *length += (size_t)count;
    }
    close(fd);
    *bytes = all;
    return BL_OK;
}

/* True for a regular file, which can be read twice. */
static bool is_regular(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static enum bl_status open_journal(struct transcript_source *source,
                                   const struct transcript_request *request, struct bl_diag *diag)
{
    const struct transcript *t = &source->journal.transcript;
    enum bl_status status = transcript_journal_open(&source->journal, request, diag);
    source->is_journal = true;
    if (status == BL_OK)
        status = history_take(&source->history, t);
    else
        return status;
    if (status != BL_OK)
        return bl_fail(diag, status, "%s: %s", request->file, bl_status_text(status));
    history_set(&source->history, FIELD_TITLE, t->session, strlen(t->session));
    return BL_OK;
}

static enum bl_status read_file(struct transcript_source *source,
                                const struct transcript_request *request, const uint8_t *bytes,
                                size_t length, struct bl_diag *diag)
{
    enum bl_status status = format_read(source->format, bytes, length, &source->history);
    if (status == BL_USAGE)
        return bl_fail(diag, status, say_fail_the_format_is_for_people_and,
                       format_row(source->format)->name);
    if (status != BL_OK)
        return bl_fail(diag, status, "%s: %s", request->file, bl_status_text(status));
    if (request->entity_journal)
        return bl_fail(diag, BL_USAGE, say_fail_entity_journal_goes_with_a_judge, request->file,
                       format_row(source->format)->name);
    if (request->one_side)
        history_keep_side(&source->history, request->side);
    return BL_OK;
}

enum bl_status transcript_source_open(struct transcript_source *source,
                                      const struct transcript_request *request,
                                      struct bl_diag *diag)
{
    uint8_t *bytes = NULL;
    size_t length = 0;
    const char *from = request->from && strcmp(request->from, "auto") != 0 ? request->from : NULL;
    bool journal = from && strcmp(from, "journal") == 0;
    enum bl_status status = BL_OK;
    if (from && !journal && !format_find(from, &source->format))
        return bl_fail(diag, BL_USAGE, say_fail_there_is_no_format_boothlink_transcript, from);
    if (!journal)
        status = slurp(request->file, &bytes, &length, diag);
    if (status != BL_OK)
        return status;
    if (!from)
        journal = length > JOURNAL_MAGIC_AT + 3 && memcmp(bytes + JOURNAL_MAGIC_AT, "BLJ", 3) == 0;
    if (journal) {
        status = open_journal(source, request, diag);
    } else if (from || format_detect(bytes, length, &source->format)) {
        status = read_file(source, request, bytes, length, diag);
    } else if (!is_regular(request->file)) {
        status =
            bl_fail(diag, BL_DATA, say_fail_no_known_transcript_name_its_format, request->file);
    } else {
        /* A journal with a damaged beginning is still a journal. */
        status = open_journal(source, request, diag);
        if (status == BL_DATA)
            bl_fail(diag, status, say_fail_looks_like_no_journal_and_no, request->file);
    }
    free(bytes);
    return status;
}

void transcript_source_close(struct transcript_source *source)
{
    transcript_journal_close(&source->journal);
    history_free(&source->history);
}

const char *transcript_source_format(const struct transcript_source *source)
{
    return source->is_journal ? "journal" : format_row(source->format)->name;
}
