/* A ballot from the form to its file and back, on a real disk: given, corrected, sealed, late; the
 * file cut by a crash, and the program killed while it writes. */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "booth/balloting.h"
#include "booth/machine_key.h"
#include "session/event.h"
#include "tests/support/random.h"

static const struct ballot_head head = {.session = "r2-j3",
                                        .rules = "loebner-2004",
                                        .vote = {.kind = BALLOT_POINTS},
                                        .sealing = SEALED_WITH_SESSION};
static char path[PATH_MAX];
static struct balloting balloting;

static int fresh(void **state)
{
    const char *folder = getenv("TMPDIR");
    (void)state;
    snprintf(path, sizeof path, "%s/%s.XXXXXX", folder ? folder : "/tmp", "balloting");
    int fd = mkstemp(path);
    close(fd);
    return fd < 0;
}

static int gone(void **state)
{
    (void)state;
    balloting_close(&balloting);
    return unlink(path);
}

static void reopen(void)
{
    struct bl_diag diag = {""};
    balloting_close(&balloting);
    if (balloting_open(&balloting, path, &head, NULL, &diag) != BL_OK)
        fail_msg("%s", diag.text);
    balloting.form.state = FORM_OPEN;
}

static void type(const char *text)
{
    enum bl_status status;
    for (; *text; text++) {
        uint32_t point = *text == '\n' ? KEY_RETURN : *text == '\t' ? KEY_TAB : (uint32_t)*text;
        assert_true(balloting_feed(&balloting, INPUT_POINT, point, 5000000, &status));
        assert_int_equal(status, BL_OK);
    }
}

static void tick(uint64_t mono_us)
{
    balloting_run(&balloting, (struct bl_time){.mono_us = mono_us, .wall_us = mono_us});
}

static struct vote left(int points)
{
    return (struct vote){.points = {(int16_t)points, (int16_t)(100 - points)}};
}

static void a_draft_comes_back(void **state)
{
    (void)state;
    reopen();
    type("6");
    tick(1000000);
    type("0\t\tquick");
    tick(1500000); /* not yet */
    reopen();
    assert_string_equal(balloting.form.number[0], "6");
    type("60\t\tquick");
    tick(9000000);
    reopen();
    assert_string_equal(balloting.form.number[0], "60");
    assert_string_equal(balloting.form.number[1], "40");
    assert_string_equal(balloting.form.notes, "quick");
    assert_int_equal(balloting.form.standing, FORM_NOT_GIVEN);
    assert_false(balloting.file.given);
    type("\n");
    assert_int_equal(balloting.form.standing, FORM_GIVEN);
    reopen();
    assert_true(balloting.file.given && !balloting.form.changed);
    assert_int_equal(balloting.file.vote.points[0], 60);
    assert_string_equal(balloting.file.vote.notes, "quick");
}

static void corrections_end_with_the_seal(void **state)
{
    struct vote vote = left(60);
    (void)state;
    reopen();
    assert_int_equal(balloting_give(&balloting, &vote, 1), BL_OK);
    assert_int_equal(balloting_give(&balloting, &vote, 2), BL_OK); /* the same again */
    assert_int_equal(balloting.file.versions, 1);
    vote = left(70);
    assert_int_equal(balloting_give(&balloting, &vote, 3), BL_OK);
    type("8"); /* begun, and not given */
    tick(4000000);
    assert_int_equal(balloting_over(&balloting, 5), BL_OK);
    assert_int_equal(balloting.form.standing, FORM_SEALED);
    assert_string_equal(balloting.form.number[0], "70");
    vote = left(90);
    assert_int_equal(balloting_give(&balloting, &vote, 6), BL_BUSY);
    reopen();
    assert_true(balloting.file.sealed && !balloting.file.late);
    assert_int_equal(balloting.file.vote.points[0], 70);
    assert_int_equal(balloting.file.versions, 2);
    assert_int_equal(balloting.file.damaged, 0);
    assert_string_equal(balloting.form.number[0], "70");
    assert_int_equal(balloting_over(&balloting, 7), BL_OK); /* once */
    reopen();
    assert_int_equal(balloting.file.sealed_us, 5);
}

static void the_first_may_be_late_once(void **state)
{
    struct vote vote = left(60);
    (void)state;
    reopen();
    assert_int_equal(balloting_over(&balloting, 1), BL_OK);
    assert_int_equal(balloting.form.standing, FORM_OVERDUE);
    assert_int_equal(balloting_give(&balloting, &vote, 2), BL_OK);
    assert_int_equal(balloting_give(&balloting, &vote, 3), BL_BUSY);
    reopen();
    assert_true(balloting.file.given && balloting.file.late && balloting.file.sealed);
}

static void other_rules_are_refused(void **state)
{
    struct balloting other;
    struct ballot_head changed = head;
    struct bl_diag diag;
    (void)state;
    reopen();
    assert_int_equal(balloting_open(&other, path, &head, NULL, &diag), BL_BUSY);
    balloting_close(&balloting);
    changed.vote.kind = BALLOT_HUMAN;
    assert_int_equal(balloting_open(&other, path, &changed, NULL, &diag), BL_USAGE);
    balloting_close(&other);
}

/* Any part of a first line is begun anew; a torn last line is cut off and written behind. */
static void torn_lines_are_cut(void **state)
{
    struct vote vote = left(60);
    struct ballot_file file;
    char line[BALLOT_LINE_MAX];
    size_t length = ballot_head_write(&head, line);
    (void)state;
    for (size_t cut = 0; cut < length; cut++) {
        FILE *out = fopen(path, "we");
        assert_non_null(out);
        fwrite(line, 1, cut, out);
        fclose(out);
        reopen();
    }
    assert_int_equal(balloting_give(&balloting, &vote, 1), BL_OK);
    balloting_close(&balloting);
    FILE *out = fopen(path, "ae");
    assert_non_null(out);
    fputs("2 given left 9", out);
    fclose(out);
    reopen();
    vote = left(70);
    assert_int_equal(balloting_give(&balloting, &vote, 3), BL_OK);
    balloting_close(&balloting);
    assert_int_equal(balloting_load(&file, path, NULL), BL_OK);
    assert_int_equal(file.damaged, 0);
    assert_int_equal(file.versions, 2);
    assert_int_equal(file.vote.points[0], 70);
}

/* Gives ballots until it is killed, and says so of each. */
static void give_for_ever(int said, unsigned from)
{
    for (unsigned n = from;; n++) {
        struct vote vote = left((int)(n % 50));
        uint8_t byte = 1;
        if (balloting_give(&balloting, &vote, n) != BL_OK || write(said, &byte, 1) != 1)
            _exit(1);
    }
}

static void killed_at_any_moment_none_is_lost(void **state)
{
    struct dice dice = dice_make(dice_seed("test_balloting"));
    unsigned known = 0; /* ballots that were said to be given */
    (void)state;
    for (unsigned turn = 0; turn < 40; turn++) {
        unsigned wanted = 1 + (unsigned)dice_below(&dice, 40), heard = 0;
        int said[2];
        uint8_t byte;
        assert_int_equal(pipe(said), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            close(said[0]);
            if (balloting_open(&balloting, path, &head, NULL, NULL) != BL_OK)
                _exit(1);
            give_for_ever(said[1], balloting.file.versions);
        }
        close(said[1]);
        while (heard < wanted && read(said[0], &byte, 1) == 1)
            heard++;
        kill(child, SIGKILL);
        while (read(said[0], &byte, 1) == 1)
            heard++;
        close(said[0]);
        assert_int_equal(waitpid(child, NULL, 0), child);
        assert_true(heard >= wanted);
        known += heard;
        reopen();
        assert_in_range(balloting.file.versions, known, known + 1);
        /* A line may be torn in the middle; nobody was told that it was given. */
        assert_in_range(balloting.file.damaged, 0, 1);
        assert_int_equal(balloting.file.vote.points[0], (balloting.file.versions - 1) % 50);
        known = balloting.file.versions;
        balloting_close(&balloting);
    }
}

/* The file as it is. */
static size_t read_file(char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, size - 1, file);
    fclose(file);
    text[length] = '\0';
    return length;
}

/* A line that a forger makes: with a good checksum. */
static size_t forge(char *out, const char *line)
{
    return (size_t)sprintf(out, "%s *%08" PRIx32 "\n", line, crc32c(0, line, strlen(line)));
}

static struct ballot_file file;

static void look(const char *text, size_t length)
{
    assert_int_equal(ballot_file_read(&file, text, length, "f", NULL), BL_OK);
}

static void what_is_signed_is_the_machines(void **state)
{
    static struct ballot_signer signer, other;
    static char text[8192], changed[8192];
    struct bl_diag diag;
    (void)state;
    char key[PATH_MAX + 8], again[PATH_MAX + 8];
    snprintf(key, sizeof key, "%s.key", path);
    snprintf(again, sizeof again, "%s.other", path);
    assert_int_equal(machine_key_open(&signer, key, &diag), BL_OK);
    assert_int_equal(machine_key_open(&other, key, &diag), BL_OK);
    assert_memory_equal(&signer, &other, sizeof signer);
    assert_int_equal(machine_key_open(&other, again, &diag), BL_OK);
    assert_memory_not_equal(&signer, &other, sizeof signer);
    assert_int_equal(balloting_open(&balloting, path, &head, &signer, &diag), BL_OK);
    balloting.form.state = FORM_OPEN;
    struct vote first = left(60), second = left(30);
    assert_int_equal(balloting_give(&balloting, &first, 1000000), BL_OK);
    type("5");
    tick(2000000);
    balloting_close(&balloting);
    /* By another machine it does not go on, by its own it does. */
    assert_int_equal(balloting_open(&balloting, path, &head, &other, &diag), BL_USAGE);
    balloting_close(&balloting);
    assert_int_equal(balloting_open(&balloting, path, &head, NULL, &diag), BL_USAGE);
    balloting_close(&balloting);
    assert_int_equal(balloting_open(&balloting, path, &head, &signer, &diag), BL_OK);
    assert_int_equal(balloting.file.vote.points[0], 60);
    assert_int_equal(balloting_give(&balloting, &second, 3000000), BL_OK);
    assert_int_equal(balloting_over(&balloting, 4000000), BL_OK);
    balloting_close(&balloting);
    size_t length = read_file(text, sizeof text);
    look(text, length);
    assert_true(file.given && file.sealed && file.head.keyed && !file.damaged);
    assert_int_equal(file.versions, 2);
    assert_int_equal(file.vote.points[0], 30);
    assert_int_equal(file.signed_length, length);
    /* Cut anywhere it says what was given by then; changed anywhere, nothing that was not given. */
    for (size_t at = 0; at < length; at++) {
        if (ballot_file_read(&file, text, at, "f", NULL) == BL_OK && file.given)
            assert_true(file.vote.points[0] == 60 || file.vote.points[0] == 30);
        memcpy(changed, text, length);
        changed[at] ^= 1;
        if (ballot_file_read(&file, changed, length, "f", NULL) == BL_OK && file.given)
            assert_true(file.vote.points[0] == 60 || file.vote.points[0] == 30);
    }
    /* A forger's lines behind the machine's, in their place, and with its signature. */
    char *mark = strstr(text, "1000000 signed");
    size_t end = (size_t)(strchr(mark, '\n') + 1 - text);
    memcpy(changed, text, end);
    size_t forged = end + forge(changed + end, "9000000 given left 1 right 99");
    look(changed, forged);
    assert_int_equal(file.vote.points[0], 60);
    assert_int_equal(file.signed_length, end);
    assert_int_equal(file.damaged, 1);
    memcpy(changed + forged, mark, end - (size_t)(mark - text));
    look(changed, forged + end - (size_t)(mark - text));
    assert_int_equal(file.vote.points[0], 60);
    /* Another's signature, and a head without a key. */
    uint8_t chain[BALLOT_CHAIN];
    look(changed, forged);
    memcpy(chain, file.chain, sizeof chain);
    size_t more = ballot_signature_write(&other, chain, 1, changed + forged);
    look(changed, forged + more);
    assert_int_equal(file.vote.points[0], 60);
    more = ballot_signature_write(&signer, chain, 1, changed + forged);
    look(changed, forged + more);
    assert_int_equal(file.vote.points[0], 1); /* so the test can fail */
    struct ballot_head plain = head;
    char *body = strchr(text, '\n') + 1;
    size_t start = ballot_head_write(&plain, changed);
    memcpy(changed + start, body, length - (size_t)(body - text));
    look(changed, start + length - (size_t)(body - text));
    assert_false(file.head.keyed);
    assert_int_equal(file.signed_length, start);
    unlink(key);
    unlink(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_draft_comes_back, fresh, gone),
        cmocka_unit_test_setup_teardown(corrections_end_with_the_seal, fresh, gone),
        cmocka_unit_test_setup_teardown(the_first_may_be_late_once, fresh, gone),
        cmocka_unit_test_setup_teardown(other_rules_are_refused, fresh, gone),
        cmocka_unit_test_setup_teardown(torn_lines_are_cut, fresh, gone),
        cmocka_unit_test_setup_teardown(what_is_signed_is_the_machines, fresh, gone),
        cmocka_unit_test_setup_teardown(killed_at_any_moment_none_is_lost, fresh, gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
