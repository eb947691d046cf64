/* Each value of an enum has its row in the table of its words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/word.h"
#include "contest/contest.h"
#include "controller/state.h"
#include "rules/schedule.h"
#include "transcript/format.h"
#include "transcript/history.h"
#include "transcript/words.h"
#include "validate/report.h"

#include <string.h>

/* From `first` to `last`, by a function of an enum, whose word for other values is `otherwise`. */
#define ALL_NAMED(word, type, first, last, otherwise)                                              \
    for (unsigned value = (first); value <= (unsigned)(last); value++)                             \
        if (strcmp(word((enum type)value), otherwise) == 0)                                        \
    fail_msg("%s has no word for %u", #type, value)

static void test_named(void **state)
{
    (void)state;
    ALL_NAMED(words_note, note_code, NOTE_LINE, NOTE_TAKEN, "note");
    ALL_NAMED(words_segment, segment_state, 0, SEGMENT_FINISHED, "unknown");
    ALL_NAMED(words_close, close_outcome, 0, CLOSE_SETTLED, "unknown");
    ALL_NAMED(loss_text, loss, 0, LOSSES - 1, "");
    ALL_NAMED(history_field_name, history_field, 0, FIELDS - 1, "");
    ALL_NAMED(history_fault_name, history_fault_kind, FAULT_CUT, FAULT_ENCODING, "fault");
    ALL_NAMED(contest_role_name, contest_role, 0, CONTEST_ROLES - 1, "");
    ALL_NAMED(contest_submitted_name, submitted, SUBMITTED_COURIER, SUBMITTED_BRINGS, "");
    ALL_NAMED(schedule_way_name, schedule_way, 0, SCHEDULE_SINGLE, "");
    ALL_NAMED(verdict_word, verdict, 0, VERDICT_SKIP, "?");
    ALL_NAMED(bl_status_text, bl_status, 0, BL_SOFTWARE, "unknown status");
}

static void test_unnamed(void **state)
{
    static const char *const words[] = {NULL, "one"};
    (void)state;
    assert_string_equal(WORD_OF(words, 0, "none"), "none");
    assert_string_equal(WORD_OF(words, 1, "none"), "one");
    assert_string_equal(WORD_OF(words, 2, "none"), "none");
    assert_string_equal(words_note((enum note_code)200), "note");
    assert_string_equal(bl_status_text((enum bl_status)200), "unknown status");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named),
        cmocka_unit_test(test_unnamed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
