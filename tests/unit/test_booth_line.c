/* Notes that come before there is a record stand in it with all that they had. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "booth/booth_line.h"
#include "journal/journal.h"

static void on_record(void *ctx, const struct journal_record *record)
{
    char *at = ctx;
    if (record->kind == JOURNAL_NOTE)
        sprintf(at + strlen(at), "%s %u %u %s\n", record->side == SIDE_LEFT ? "left" : "right",
                (unsigned)record->as.note.code, (unsigned)record->as.note.count,
                record->as.note.text);
}

static void test_early_notes(void **state)
{
    static struct booth booth;
    static const struct journal_record header = {.kind = JOURNAL_HEADER,
                                                 .as.header = {.session = "s", .style = "split"}};
    char found[1024] = "", folder[] = "/tmp/notes.XXXXXX", path[64];
    struct journal *journal;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/s.journal", folder);
    assert_int_equal(uv_loop_init(&booth.loop), 0);
    booth_note(&booth, SIDE_RIGHT, NOTE_LINE, 3, "the right line");
    booth_note(&booth, SIDE_LEFT, NOTE_OTHER, 0, "the left one");
    assert_int_equal(journal_open(&journal, &disk_real, path, &header, NULL, NULL, NULL, NULL),
                     BL_OK);
    assert_int_equal(booth_journal(&booth, journal), BL_OK);
    booth_note(&booth, SIDE_RIGHT, NOTE_OTHER, 1, "later");
    journal_close(journal);
    uv_run(&booth.loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&booth.loop), 0);
    assert_int_equal(journal_read(&disk_real, path, on_record, found, NULL, NULL), BL_OK);
    char wanted[256];
    snprintf(wanted, sizeof wanted,
             "right %u 3 the right line\nleft %u 0 the left one\nright %u 1 later\n",
             (unsigned)NOTE_LINE, (unsigned)NOTE_OTHER, (unsigned)NOTE_OTHER);
    assert_string_equal(found, wanted);
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_early_notes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
