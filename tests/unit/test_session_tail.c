/* What the judge's end takes back from the other end, and what it refuses: an Entry that speaks in
 * its terminal's place must not write one word of the judge's record.
 * Source: DESIGN.md, "Session". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "session/seal.h"
#include "tests/support/pair.h"

/* What an entity's end says that it has. */
struct claim {
    struct sequence order;
    uint64_t sealed;
    uint8_t seal[SEAL_SIZE];
    uint32_t epoch, generation;
    bool bad_chain, no_end, stands;
};

static enum bl_status tell(struct pair *pair, const struct wire *wire)
{
    uint8_t record[WIRE_MAX];
    return judge_end_record(pair->judge, record, wire_encode(wire, record), pair_now(pair));
}

/* The judge's end alone, and the hostile end on its line: it answers the offer with its claim, and
 * the fetching with its tail, if it is asked for one. */
static void claim_all(struct pair *pair, const struct claim *claim)
{
    struct judge_end_view view;
    struct wire resume = {.kind = WIRE_RESUME,
                          .epoch = claim->epoch,
                          .generation = claim->generation,
                          .n = claim->order.count,
                          .chain = sequence_chain(&claim->order, claim->order.count),
                          .session = "pair",
                          .sealed = claim->sealed};
    memcpy(resume.seal, claim->seal, SEAL_SIZE);
    resume.chain += claim->bad_chain;
    view = *judge_end_view(pair->judge);
    judge_end_link(pair->judge, false, pair_now(pair));
    judge_end_link(pair->judge, true, pair_now(pair));
    assert_int_equal(tell(pair, &resume), BL_OK);
    if (claim->stands)
        tell(pair, &(struct wire){.kind = WIRE_STOOD, .generation = 1, .state = SEGMENT_OPEN});
    for (uint64_t n = view.n; n < claim->order.count; n++) {
        const struct key_event *event = &claim->order.event[n];
        uint8_t text[UTF8_MAX];
        struct wire mark = {.kind = WIRE_MARK, .n = n + 1, .time_us = event->posted_us};
        struct wire key = {.kind = event->party == PARTY_JUDGE ? WIRE_JUDGE_KEYS : WIRE_ENTITY_KEYS,
                           .text = text,
                           .length = utf8_encode(event->point, text)};
        if (tell(pair, &mark) || tell(pair, &key))
            break;
    }
    if (!claim->no_end)
        tell(pair, &(struct wire){.kind = WIRE_TAIL_END, .flag = 1});
}

static void claim_key(struct claim *claim, enum party party, uint32_t point, uint64_t posted_us)
{
    sequence_append(&claim->order, &(struct key_event){posted_us, point, (uint8_t)party});
}

/* All that the judge's end has placed, as its partner has it. */
static void claim_begin(struct claim *claim, const struct sequence *order)
{
    memset(claim, 0, sizeof *claim);
    assert_true(sequence_init(&claim->order));
    for (uint64_t i = 0; i < order->count; i++)
        sequence_append(&claim->order, &order->event[i]);
}

static void claim_free(struct claim *claim)
{
    sequence_free(&claim->order);
}

/* Notes of a kind in the judge's journal, and the text and count of the last of them. */
struct notes {
    enum note_code code;
    unsigned count;
    uint32_t number;
    char text[NOTE_MAX + 1];
};

static void on_note(void *ctx, const struct journal_record *record)
{
    struct notes *notes = ctx;
    if (record->kind != JOURNAL_NOTE || record->as.note.code != notes->code)
        return;
    notes->count++;
    notes->number = record->as.note.count;
    snprintf(notes->text, sizeof notes->text, "%s", record->as.note.text);
}

static struct notes notes_of(struct pair *pair, enum note_code code)
{
    struct notes notes = {.code = code};
    assert_int_equal(
        journal_read(&pair->machine[J].face, "judge.journal", on_note, &notes, NULL, NULL), BL_OK);
    return notes;
}

static void expect_refused(struct pair *pair, uint64_t n, const char *why)
{
    struct judge_end_view view;
    view = *judge_end_view(pair->judge);
    assert_int_equal(view.n, n);
    assert_int_equal(view.sync, SYNC_DIFFERS);
    assert_non_null(strstr(view.differs_why, why));
    assert_non_null(strstr(notes_of(pair, NOTE_DIFFERENCE).text, why));
    assert_false(view.may_type);
}

/* A pair in the middle of a session, whose entity's machine is then the attacker's. */
static struct pair *talk(const char *judge, const char *entity)
{
    struct pair *pair = pair_open(STARTS_JUDGE);
    pair_type_judge(pair, judge);
    pair_type_entity(pair, entity);
    pair_run(pair, 2000000); /* with the digest and the seal */
    return pair;
}

/* The other end's end, where its journal has the latest seal. */
static void take_seal(void *ctx, const struct journal_record *record)
{
    struct claim *claim = ctx;
    if (record->kind != JOURNAL_SEAL)
        return;
    claim->sealed = record->as.seal.n;
    memcpy(claim->seal, record->as.seal.seal, SEAL_SIZE);
}

/* Both go on typing, the judge's machine loses its power, and what its journal had not on the disk
 * yet: `claim` is what its partner has, honest so far. */
static struct pair *lose_tail(struct claim *claim, const char *sealed, const char *unsealed)
{
    struct pair *pair = talk("abc", "def");
    pair_run(pair, 1000000);
    pair->machine[J].stuck = true;
    for (const char *c = sealed; *c; c++)
        judge_end_key(pair->judge, (uint8_t)*c, pair_now(pair));
    pair_run(pair, 500000); /* with a digest, and half a second before the next */
    for (const char *c = unsealed; *c; c++)
        judge_end_key(pair->judge, (uint8_t)*c, pair_now(pair));
    pair_run(pair, 100000);
    claim_begin(claim, judge_end_sequence(pair->judge));
    assert_int_equal(
        journal_read(&pair->machine[E].face, "entity.journal", take_seal, claim, NULL, NULL),
        BL_OK);
    claim->generation = 1;
    pair_kill(pair, E);
    pair_lose(pair, J, FAKE_LOSS_ALL);
    pair->machine[J].stuck = false;
    pair_start(pair, J);
    assert_int_equal(judge_end_sequence(pair->judge)->count, 6);
    return pair;
}

/* The attack itself: the line goes down and up, and there are words of the judge. */
static void test_words_of_the_judge_from_the_other_end(void **state)
{
    (void)state;
    struct pair *pair = talk("abc", "def");
    struct claim claim;
    uint64_t now_us = pair_now(pair).wall_us;
    pair_kill(pair, E);
    claim_begin(&claim, judge_end_sequence(pair->judge));
    claim_key(&claim, PARTY_JUDGE, 'X', now_us - 1000);
    claim_key(&claim, PARTY_ENTITY, 'Y', now_us - 500);
    claim_all(pair, &claim);
    expect_refused(pair, 6, "never placed here");
    /* Also a process that was killed has lost nothing. */
    pair_kill(pair, J);
    pair_start(pair, J);
    claim_all(pair, &claim);
    expect_refused(pair, 6, "never placed here");
    claim_free(&claim);
    pair_destroy(pair);
}

/* While the ballot stands on the screen, be the journal as whole or as damaged as it may. */
static void test_nothing_after_the_cut(void **state)
{
    (void)state;
    for (unsigned damaged = 0; damaged < 2; damaged++) {
        struct pair *pair = talk("abc", "def");
        struct claim claim;
        claim_begin(&claim, judge_end_sequence(pair->judge));
        judge_end_closing(pair->judge, pair_now(pair));
        pair_run(pair, 500000);
        judge_end_cut(pair->judge, true, pair_now(pair));
        pair->open = false;
        pair_run(pair, 500000);
        pair_kill(pair, E);
        pair_close(pair, J);
        if (damaged) {
            size_t length;
            const uint8_t *bytes = fake_disk_bytes(pair->machine[J].disk, "judge.journal", &length);
            uint8_t *copy = test_malloc(length);
            memcpy(copy, bytes, length);
            for (size_t i = 0; i + 40 < length; i++)
                if (copy[i] == 0xB1 && copy[i + 3] == JOURNAL_KEYS)
                    copy[i + 30] ^= 1; /* every key is damaged */
            fake_disk_put(pair->machine[J].disk, "judge.journal", copy, length);
            test_free(copy);
        }
        pair_start(pair, J);
        claim_key(&claim, PARTY_JUDGE, 'X', pair_now(pair).wall_us - 9);
        claim_all(pair, &claim);
        expect_refused(pair, damaged ? 0 : 6, damaged ? "part is over" : "never placed here");
        claim_free(&claim);
        pair_destroy(pair);
    }
}

/* A machine that lost its power in the last second of a part: when it is back the part is over, and
 * what was lost comes back all the same; but nothing that is later than the closing. */
static void test_lost_in_the_last_second(void **state)
{
    (void)state;
    for (unsigned forged = 0; forged < 2; forged++) {
        struct claim claim;
        struct pair *pair = lose_tail(&claim, "gh", "i");
        uint64_t n = claim.order.count;
        judge_end_open(pair->judge, 0, 1, 0, true, pair_now(pair));
        judge_end_cut(pair->judge, true, pair_now(pair));
        pair_run(pair, 1000000);
        if (forged)
            claim_key(&claim, PARTY_JUDGE, 'X', pair_now(pair).wall_us - 9);
        claim_all(pair, &claim);
        if (forged) {
            expect_refused(pair, n - 1, "cannot have been lost");
        } else {
            assert_int_equal(judge_end_view(pair->judge)->n, n);
            assert_int_equal(judge_end_view(pair->judge)->sync, SYNC_LIVE);
        }
        claim_free(&claim);
        pair_destroy(pair);
    }
}

/* A machine that was switched off in good order, and comes back another day, has lost nothing. */
static void test_nothing_after_a_close_in_good_order(void **state)
{
    (void)state;
    struct pair *pair = talk("abc", "def");
    struct claim claim;
    pair_kill(pair, E);
    claim_begin(&claim, judge_end_sequence(pair->judge));
    claim_key(&claim, PARTY_ENTITY, 'Y', pair_now(pair).wall_us);
    pair_close(pair, J);
    pair->machine[J].boot++;
    pair_start(pair, J);
    claim_all(pair, &claim);
    expect_refused(pair, 6, "never placed here");
    claim_free(&claim);
    pair_destroy(pair);
}

/* No journal is left: a steward opens a new epoch, and nobody else writes the record. */
static void test_nothing_without_a_journal(void **state)
{
    (void)state;
    struct pair *pair = talk("abc", "def");
    pair_kill(pair, J);
    fake_disk_put(pair->machine[J].disk, "judge.journal", "", 0);
    pair_start(pair, J);
    pair_run(pair, 5000000);
    expect_refused(pair, 0, "this machine has no record of it");
    judge_end_new_epoch(pair->judge, pair_now(pair));
    pair_run(pair, 2000000);
    pair_type_judge(pair, "ghi");
    pair_type_entity(pair, "jkl");
    pair_expect(pair, "ghijkl");
    pair_destroy(pair);
}

/* After a cut of the power this end's own seal brings its own words back; who and how many is on
 * record, and what no seal covers is marked. */
static void test_sealed_tail_comes_back(void **state)
{
    (void)state;
    static const char *const rests[] = {"", "pqr"};
    for (unsigned i = 0; i < 2; i++) {
        struct claim claim;
        struct pair *pair = lose_tail(&claim, "ghijk", rests[i]);
        struct judge_end_view view;
        uint64_t rest = strlen(rests[i]);
        assert_int_equal(claim.sealed, 11);
        claim_all(pair, &claim);
        view = *judge_end_view(pair->judge);
        assert_int_equal(view.sync, SYNC_LIVE);
        assert_int_equal(view.n, 11 + rest);
        assert_int_equal(view.fetched[PARTY_JUDGE], 5 + rest);
        assert_int_equal(view.fetched[PARTY_ENTITY], 0);
        assert_int_equal(notes_of(pair, NOTE_REPAIR).number, 5 + rest);
        assert_int_equal(notes_of(pair, NOTE_UNPROVEN).count, rest > 0);
        assert_int_equal(view.unproven_first, rest ? 12 : 0);
        assert_int_equal(view.unproven_last, rest ? 14 : 0);
        if (rest)
            assert_non_null(strstr(notes_of(pair, NOTE_UNPROVEN).text, "keys 12 to 14, 3 of the"));
        for (uint64_t n = 0; n < view.n; n++)
            assert_int_equal(judge_end_sequence(pair->judge)->event[n].posted_us,
                             claim.order.event[n].posted_us);
        /* Once: from now on this process has lost nothing. */
        claim_key(&claim, PARTY_JUDGE, 'X', pair_now(pair).wall_us);
        claim_all(pair, &claim);
        expect_refused(pair, 11 + rest, "never placed here");
        claim_free(&claim);
        pair_destroy(pair);
    }
}

/* The other end's terminal was started again meanwhile: it has the seal from its journal. */
static void test_a_seal_outlives_a_kill(void **state)
{
    (void)state;
    struct pair *pair = talk("abc", "def");
    pair_run(pair, 1000000);
    pair->machine[J].stuck = true;
    for (const char *c = "ghijk"; *c; c++)
        judge_end_key(pair->judge, (uint8_t)*c, pair_now(pair));
    pair_run(pair, 500000);
    pair_kill(pair, E);
    pair_lose(pair, J, FAKE_LOSS_ALL);
    pair->machine[J].stuck = false;
    pair_start(pair, E);
    pair_start(pair, J);
    assert_int_equal(judge_end_view(pair->judge)->n, 6);
    pair_settle(pair, 10000000);
    assert_int_equal(judge_end_view(pair->judge)->n, 11);
    assert_int_equal(notes_of(pair, NOTE_UNPROVEN).count, 0);
    pair_destroy(pair);
}

/* The other end finds that the records differ: here it is said, and on record. */
static void test_the_other_end_says_that_they_differ(void **state)
{
    (void)state;
    struct pair *pair = talk("abc", "def");
    pair_kill(pair, E);
    assert_int_equal(tell(pair, &(struct wire){.kind = WIRE_DIFFERS}), BL_OK);
    expect_refused(pair, 6, "the other end says so");
    pair_destroy(pair);
}

/* A tail that was altered: this end's own words are believed as far as its seal reaches, and no
 * other. */
static void test_altered_tails(void **state)
{
    (void)state;
    enum { KEY, TIME, PARTY, SEAL, NUMBER, CHAIN, BEFORE, ALTERED };
    for (unsigned what = 0; what < ALTERED; what++) {
        struct claim claim;
        struct pair *pair = lose_tail(&claim, "ghijk", "");
        struct key_event *event = &claim.order.event[8];
        assert_int_equal(claim.sealed, 11);
        switch (what) {
        case KEY:
            event->point = 'X';
            break;
        case TIME:
            event->posted_us++;
            break;
        case PARTY:
            event->party = PARTY_ENTITY;
            break;
        case SEAL:
            claim.seal[3] ^= 1;
            break;
        case NUMBER:
            claim.sealed--;
            break;
        case CHAIN:
            claim.bad_chain = true;
            break;
        default:
            claim.order.event[2].point = 'X'; /* here it stands otherwise */
        }
        claim_key(&claim, PARTY_JUDGE, 'Z', pair_now(pair).wall_us);
        claim_all(pair, &claim);
        expect_refused(pair, what >= CHAIN ? 11 : 6,
                       what >= CHAIN ? "not those" : "not this end's");
        assert_int_equal(notes_of(pair, NOTE_UNPROVEN).count, 0);
        claim_free(&claim);
        pair_destroy(pair);
    }
}

/* Behind the last seal: one second that can be true, and nothing else. */
static void test_what_no_seal_covers_is_bounded(void **state)
{
    (void)state;
    enum { FUTURE, LONG, MANY, FINE, CASES };
    for (unsigned what = 0; what < CASES; what++) {
        struct claim claim;
        struct pair *pair = lose_tail(&claim, "ghijk", "");
        uint64_t now_us = pair_now(pair).wall_us;
        switch (what) {
        case FUTURE:
            claim_key(&claim, PARTY_JUDGE, 'X', now_us + 1);
            break;
        case LONG:
            claim_key(&claim, PARTY_JUDGE, 'X', now_us - 90000);
            claim_key(&claim, PARTY_ENTITY, 'Y', now_us);
            claim.order.event[11].posted_us = claim.order.event[10].posted_us;
            claim.order.event[12].posted_us = claim.order.event[10].posted_us + 2000001;
            pair_run(pair, 5000000); /* so that none of it is to come */
            break;
        case MANY:
            for (unsigned i = 0; i < 257; i++)
                claim_key(&claim, PARTY_JUDGE, 'X', now_us);
            break;
        default:
            for (unsigned i = 0; i < 256; i++)
                claim_key(&claim, PARTY_JUDGE, 'X', now_us);
        }
        claim_all(pair, &claim);
        if (what == FINE)
            assert_int_equal(judge_end_sequence(pair->judge)->count, 11 + 256);
        else
            expect_refused(pair, 11, "no seal covers");
        claim_free(&claim);
        pair_destroy(pair);
    }
}

/* A tail that never ends, and one that is longer than what was claimed. */
static void test_tail_without_an_end(void **state)
{
    (void)state;
    struct claim claim;
    struct pair *pair = lose_tail(&claim, "ghijk", "");
    const struct wire key = {.kind = WIRE_JUDGE_KEYS, .text = (const uint8_t *)"x", .length = 1};
    struct judge_end_view view;
    claim.no_end = true;
    claim_all(pair, &claim);
    assert_int_equal(tell(pair, &key), BL_DATA);
    view = *judge_end_view(pair->judge);
    assert_int_equal(view.n, 6); /* nothing before all is there */
    uint64_t due_us = judge_end_view(pair->judge)->due_us;
    assert_true(due_us <= pair->now_us + 11000000);
    judge_end_tick(pair->judge, (struct bl_time){due_us, pair_now(pair).wall_us});
    expect_refused(pair, 6, "does not send");
    claim_free(&claim);
    pair_destroy(pair);
}

/* What a machine lost stays to be fetched when the first process after it is killed too. */
static void test_loss_outlives_a_kill(void **state)
{
    (void)state;
    struct claim claim;
    struct pair *pair = lose_tail(&claim, "ghijk", "lm");
    struct judge_end_view view;
    pair_kill(pair, J);
    pair_start(pair, J);
    claim_all(pair, &claim);
    view = *judge_end_view(pair->judge);
    assert_int_equal(view.n, 13);
    claim_free(&claim);
    pair_destroy(pair);
}

/* Keys of an outage, and a tail that the other end gave back, are older than what is believed
 * without a seal: a seal goes with them as the ends meet, for the power may fail again. */
static void test_a_seal_goes_as_the_ends_meet(void **state)
{
    (void)state;
    enum { OUTAGE, TWICE, CASES };
    for (unsigned what = 0; what < CASES; what++) {
        struct pair *pair = talk("abc", "def");
        pair->machine[J].stuck = true;
        if (what == OUTAGE)
            memory_unplug(pair->wire, pair->now_us, true);
        judge_end_key(pair->judge, 'g', pair_now(pair));
        pair_run(pair, 100000);
        if (what == TWICE)
            pair_lose(pair, J, FAKE_LOSS_ALL);
        pair_run(pair, 4000000);
        for (unsigned i = 0; i < 30; i++)
            entity_end_key(pair->entity, 'h', pair_now(pair));
        if (what == TWICE)
            pair_start(pair, J);
        memory_unplug(pair->wire, pair->now_us, false);
        while (judge_end_view(pair->judge)->sync != SYNC_LIVE)
            pair_run(pair, 100);
        for (unsigned i = 0; i < 50; i++) { /* so that the line is never quiet */
            judge_end_key(pair->judge, 'i', pair_now(pair));
            pair_run(pair, 1000);
        }
        pair_lose(pair, J, FAKE_LOSS_ALL);
        pair->machine[J].stuck = false;
        pair_start(pair, J);
        assert_int_equal(judge_end_view(pair->judge)->n, 6);
        pair_settle(pair, 10000000);
        assert_true(judge_end_view(pair->judge)->n > 7 + 30);
        pair_check(pair, PAIR_EQUAL);
        pair_destroy(pair);
    }
}

struct closes {
    unsigned count, settled;
    uint64_t n; /* of the latest one */
};

static void on_close(void *ctx, const struct journal_record *record)
{
    struct closes *closes = ctx;
    if (record->kind != JOURNAL_CLOSE)
        return;
    closes->count++;
    closes->settled += record->as.close.outcome == CLOSE_SETTLED;
    closes->n = record->as.close.n;
}

/* A CLOSE whose end was not confirmed is of an earlier segment than the one that is open by the
 * record: what was lost with the word that it was settled is fetched, and it is settled before. */
static void test_loss_behind_an_earlier_close(void **state)
{
    (void)state;
    struct pair *pair = talk("abc", "def");
    struct closes closes = {.count = 0};
    memory_unplug(pair->wire, pair->now_us, true);
    judge_end_closing(pair->judge, pair_now(pair));
    judge_end_cut(pair->judge, false, pair_now(pair));
    judge_end_open(pair->judge, 1, 2, 60000000, false, pair_now(pair));
    pair_run(pair, 1000000);
    assert_int_equal(judge_end_view(pair->judge)->outcome, CLOSE_UNCONFIRMED);
    pair->machine[J].stuck = true;
    memory_unplug(pair->wire, pair->now_us, false);
    pair_run(pair, 5000000);
    assert_int_equal(judge_end_view(pair->judge)->outcome, CLOSE_SETTLED);
    pair_type_judge(pair, "gh");
    pair_run(pair, 1500000);
    pair_lose(pair, J, FAKE_LOSS_ALL);
    pair->machine[J].stuck = false;
    pair_start(pair, J);
    assert_int_equal(judge_end_sequence(pair->judge)->count, 6);
    pair_run(pair, 5000000);
    assert_int_equal(judge_end_view(pair->judge)->sync, SYNC_LIVE);
    assert_int_equal(judge_end_view(pair->judge)->differences, 0);
    pair_check(pair, PAIR_EQUAL);
    assert_int_equal(judge_end_sequence(pair->judge)->count, 8);
    assert_int_equal(
        journal_read(&pair->machine[J].face, "judge.journal", on_close, &closes, NULL, NULL),
        BL_OK);
    assert_int_equal(closes.count, 2);
    assert_int_equal(closes.settled, 1);
    assert_int_equal(closes.n, 6);
    pair_destroy(pair);
}

/* The other end's count of segments is this end's only where it may have lost some. */
static void test_generations_of_the_other_end(void **state)
{
    (void)state;
    struct pair *pair = talk("abc", "def");
    struct claim claim;
    struct judge_end_view view;
    pair_kill(pair, E);
    claim_begin(&claim, judge_end_sequence(pair->judge));
    claim.generation = 77;
    claim_all(pair, &claim);
    view = *judge_end_view(pair->judge);
    assert_int_equal(view.generation, 1);
    claim_free(&claim);
    pair_destroy(pair);
}

/* Another version of the records is told apart from wrong data, at both ends. */
static void test_versions(void **state)
{
    (void)state;
    struct pair *pair = talk("abc", "def");
    uint8_t record[WIRE_MAX];
    for (unsigned version = 1; version < 256; version++) {
        struct wire offer = {.kind = WIRE_OFFER,
                             .version = (uint8_t)version,
                             .session = "pair",
                             .style = "split wrap=words"};
        struct wire resume = {.kind = WIRE_RESUME, .version = (uint8_t)version, .session = "pair"};
        enum bl_status expected = version == WIRE_VERSION ? BL_OK : BL_OTHER_VERSION;
        assert_int_equal(tell(pair, &resume), expected);
        assert_int_equal(
            entity_end_record(pair->entity, record, wire_encode(&offer, record), pair_now(pair)),
            expected);
    }
    pair_destroy(pair);
}

/* A journal of an older version, which has no secret: it is read and goes on, and then has one. */
static void test_older_journals_go_on(void **state)
{
    (void)state;
    struct pair *pair = talk("abc", "def");
    static const char *const names[] = {"judge.journal", "entity.journal"};
    for (unsigned which = J; which <= E; which++) {
        struct journal_scratch scratch;
        struct journal_record record;
        size_t length, kept = 0;
        pair_kill(pair, which);
        const uint8_t *bytes = fake_disk_bytes(pair->machine[which].disk, names[which], &length);
        uint8_t *old = test_malloc(length);
        for (size_t at = 0; at < length;) {
            long n = journal_decode(bytes + at, length - at, &record, &scratch);
            assert_true(n > 0);
            if (record.kind != JOURNAL_START && record.kind != JOURNAL_SEAL) {
                memcpy(old + kept, bytes + at, (size_t)n);
                kept += (size_t)n;
            }
            at += (size_t)n;
        }
        assert_true(kept < length);
        fake_disk_put(pair->machine[which].disk, names[which], old, kept);
        test_free(old);
    }
    pair_start(pair, J);
    pair_start(pair, E);
    pair_run(pair, 5000000);
    pair_type_judge(pair, "ghi");
    pair_expect(pair, "abcdefghi");
    pair_run(pair, 2000000);
    struct claim claim = {0};
    assert_int_equal(
        journal_read(&pair->machine[E].face, "entity.journal", take_seal, &claim, NULL, NULL),
        BL_OK);
    assert_int_equal(claim.sealed, 9);
    pair_destroy(pair);
}

/* A seal is the secret's, the session's, the side's, the epoch's and every key's. */
static void test_seals(void **state)
{
    (void)state;
    struct sequence order;
    uint8_t secret[SEAL_SECRET] = {1}, other[SEAL_SECRET] = {2}, value[8][SEAL_SIZE];
    char longest[SESSION_ID_MAX + 1];
    struct seal seal;
    memset(longest, 'x', SESSION_ID_MAX);
    longest[SESSION_ID_MAX] = '\0';
    assert_true(sequence_init(&order));
    sequence_append(&order, &(struct key_event){5, 'a', PARTY_JUDGE});
    sequence_append(&order, &(struct key_event){6, 'b', PARTY_ENTITY});
    for (unsigned i = 0; i < 8; i++) {
        seal_begin(&seal, i == 1 ? other : secret,
                   i > 5    ? longest
                   : i == 2 ? "other"
                            : "pair",
                   i == 3 ? SIDE_RIGHT : SIDE_LEFT, i == 4 || i == 7);
        seal_extend(&seal, i == 1 ? other : secret, &order, i == 5 ? 1 : 2);
        seal_take(&seal, value[i]);
        for (unsigned k = 0; k < i; k++)
            assert_false(seal_equals(value[k], value[i]));
    }
    seal_begin(&seal, secret, "pair", SIDE_LEFT, 0);
    seal_extend(&seal, secret, &order, 1);
    seal_extend(&seal, secret, &order, 2); /* in steps it is the same */
    seal_take(&seal, value[1]);
    assert_true(seal_equals(value[0], value[1]));
    sequence_free(&order);
}

/* The judge's machine is gone with its disk, and a spare one stands in its place. */
static struct pair *lose_machine(void)
{
    struct pair *pair = talk("abc", "def");
    pair_kill(pair, J);
    fake_disk_put(pair->machine[J].disk, "judge.journal", "", 0);
    pair_start(pair, J);
    return pair;
}

static void expect_taken(struct pair *pair, const char *text)
{
    struct notes notes = notes_of(pair, NOTE_TAKEN);
    assert_int_equal(notes.count, 2);
    assert_int_equal(notes.number, 6);
    assert_non_null(strstr(notes.text, text));
    notes = (struct notes){.code = NOTE_TAKEN};
    journal_read(&pair->machine[E].face, "entity.journal", on_note, &notes, NULL, NULL);
    assert_int_equal(notes.count, 1);
}

/* It takes nothing by itself; told to, all that the other end has, once, and on record. */
static void test_a_spare_machine_takes_over(void **state)
{
    (void)state;
    struct pair *pair = lose_machine();
    pair_run(pair, 5000000);
    expect_refused(pair, 0, "this machine has no record of it");
    assert_true(judge_end_view(pair->judge)->may_take);
    pair_kill(pair, E);
    pair_run(pair, 5000000);
    assert_true(judge_end_view(pair->judge)->may_take); /* a controller cuts the line meanwhile */
    pair_start(pair, E);
    pair_run(pair, 5000000);
    assert_int_equal(notes_of(pair, NOTE_TAKEN).count, 0);
    judge_end_take_over(pair->judge, pair_now(pair));
    pair_run(pair, 2000000);
    assert_int_equal(judge_end_view(pair->judge)->taken, 1);
    expect_taken(pair, "6 keys, 3 of the judge and 3 of the entity");
    pair_type_judge(pair, "ghi");
    pair_type_entity(pair, "jkl");
    judge_end_take_over(pair->judge, pair_now(pair)); /* it has a record now */
    pair_expect(pair, "abcdefghijkl");
    pair_kill(pair, J);
    pair_start(pair, J);
    pair_run(pair, 2000000);
    pair_type_judge(pair, "m");
    pair_expect(pair, "abcdefghijklm");
    expect_taken(pair, "6 keys");
    pair_destroy(pair);
}

/* It takes over between two parts: of the one that is over nothing is left. */
static void test_a_spare_machine_between_parts(void **state)
{
    (void)state;
    struct pair *pair = talk("abc", "def");
    judge_end_closing(pair->judge, pair_now(pair));
    pair_run(pair, 500000);
    judge_end_cut(pair->judge, false, pair_now(pair));
    pair_run(pair, 1000000);
    pair->open = false;
    pair_kill(pair, J);
    fake_disk_put(pair->machine[J].disk, "judge.journal", "", 0);
    pair_start(pair, J);
    judge_end_take_over(pair->judge, pair_now(pair));
    pair_run(pair, 5000000);
    const struct judge_end_view *view = judge_end_view(pair->judge);
    assert_int_equal(view->taken, 1);
    assert_int_equal(view->stood, SEGMENT_CLOSED);
    assert_int_equal(view->stood_us, 0);
    pair_destroy(pair);
}

/* Behind a controller's cut the entity's end ends the part by its own clock. Nobody has told it of
 * the part's end, so the part stands for who takes over: the controller, whose clock stood still,
 * decides. */
static void test_a_spare_machine_behind_a_cut(void **state)
{
    (void)state;
    struct pair *pair = talk("abc", "def");
    judge_end_plan(pair->judge, 1, true);
    judge_end_open(pair->judge, 1, 2, 5000000, false, pair_now(pair));
    pair_run(pair, 1000000);
    pair_kill(pair, J);
    fake_disk_put(pair->machine[J].disk, "judge.journal", "", 0);
    pair_run(pair, 10000000);
    assert_int_equal(entity_end_view(pair->entity)->segment, SEGMENT_CLOSED);
    pair->open = false;
    pair_start(pair, J);
    judge_end_take_over(pair->judge, pair_now(pair));
    pair_run(pair, 5000000);
    assert_int_equal(judge_end_view(pair->judge)->taken, 1);
    assert_int_equal(judge_end_view(pair->judge)->stood, SEGMENT_OPEN);
    pair_destroy(pair);
}

/* It is told before its line is up, and is killed, twice, before the other end has answered. */
static void test_a_spare_machine_that_is_killed(void **state)
{
    (void)state;
    struct pair *pair = lose_machine();
    judge_end_take_over(pair->judge, pair_now(pair));
    for (unsigned i = 0; i < 2; i++) {
        pair_kill(pair, J);
        pair_start(pair, J);
    }
    pair_run(pair, 5000000);
    expect_taken(pair, "6 keys");
    pair_type_judge(pair, "g");
    pair_expect(pair, "abcdefg");
    pair_destroy(pair);
}

/* Whatever the other end answers, all of it comes or nothing. */
static void test_a_spare_machine_is_told_nonsense(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        struct pair *pair = lose_machine();
        struct claim claim;
        struct sequence none = {.count = 0};
        pair_kill(pair, E);
        judge_end_take_over(pair->judge, pair_now(pair));
        claim_begin(&claim, &none);
        claim_key(&claim, PARTY_JUDGE, 'X', 1);
        claim_key(&claim, PARTY_ENTITY, 'Y', UINT64_MAX / 2);
        claim.bad_chain = i == 0;
        claim.stands = i == 0;
        claim.no_end = i == 2;
        claim.epoch = i == 1 ? 7 : 0;
        claim_all(pair, &claim);
        if (i == 2)
            assert_int_equal(judge_end_view(pair->judge)->n, 0);
        else
            expect_refused(pair, 0, i == 0 ? "are not those that it has" : "does not say where");
        claim_free(&claim);
        pair_destroy(pair);
    }
}

/* What it was sent is not what the other end has, and a steward opens a new epoch: nothing is taken
 * any more, also when the line goes down and comes up again. */
static void test_a_spare_machine_and_a_new_epoch(void **state)
{
    (void)state;
    struct pair *pair = lose_machine();
    struct claim claim;
    struct sequence none = {.count = 0};
    pair_kill(pair, E);
    judge_end_take_over(pair->judge, pair_now(pair));
    claim_begin(&claim, &none);
    claim_key(&claim, PARTY_JUDGE, 'X', 1);
    claim.bad_chain = claim.stands = true;
    claim_all(pair, &claim);
    expect_refused(pair, 0, "are not those that it has");
    judge_end_new_epoch(pair->judge, pair_now(pair));
    pair_start(pair, E);
    pair_run(pair, 5000000);
    pair_type_judge(pair, "ghi");
    pair_type_entity(pair, "jkl");
    pair_expect(pair, "ghijkl");
    pair_kill(pair, E);
    pair_start(pair, E);
    pair_run(pair, 5000000);
    assert_int_equal(judge_end_view(pair->judge)->sync, SYNC_LIVE);
    pair_type_judge(pair, "m");
    pair_expect(pair, "ghijklm");
    claim_free(&claim);
    pair_destroy(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_of_the_judge_from_the_other_end),
        cmocka_unit_test(test_nothing_after_the_cut),
        cmocka_unit_test(test_lost_in_the_last_second),
        cmocka_unit_test(test_nothing_after_a_close_in_good_order),
        cmocka_unit_test(test_nothing_without_a_journal),
        cmocka_unit_test(test_sealed_tail_comes_back),
        cmocka_unit_test(test_a_seal_outlives_a_kill),
        cmocka_unit_test(test_the_other_end_says_that_they_differ),
        cmocka_unit_test(test_a_spare_machine_behind_a_cut),
        cmocka_unit_test(test_altered_tails),
        cmocka_unit_test(test_what_no_seal_covers_is_bounded),
        cmocka_unit_test(test_tail_without_an_end),
        cmocka_unit_test(test_loss_outlives_a_kill),
        cmocka_unit_test(test_a_seal_goes_as_the_ends_meet),
        cmocka_unit_test(test_generations_of_the_other_end),
        cmocka_unit_test(test_loss_behind_an_earlier_close),
        cmocka_unit_test(test_versions),
        cmocka_unit_test(test_older_journals_go_on),
        cmocka_unit_test(test_seals),
        cmocka_unit_test(test_a_spare_machine_takes_over),
        cmocka_unit_test(test_a_spare_machine_between_parts),
        cmocka_unit_test(test_a_spare_machine_that_is_killed),
        cmocka_unit_test(test_a_spare_machine_is_told_nonsense),
        cmocka_unit_test(test_a_spare_machine_and_a_new_epoch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
