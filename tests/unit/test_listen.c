/* A passive listener: what it hears of a line in simulated time, with and without a key, joined at
 * the start or in the middle, with frames missed; and how a session is followed. */
#include "base/crc32c.h"
#include "link/core_frame.h"
#include "link/foreign.h"
#include "link/listen.h"
#include "link/secret.h"
#include "link/secured_frame.h"
#include "session/follow.h"
#include "tests/support/link_sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t base_seed;

/* What a listener was told of end 0. */
struct listener {
    struct sim *sim;
    struct listen *listen;
    struct referee_key referee;
    uint8_t mac_key[SECURE_KEY];
    unsigned records, gaps, missed;
    unsigned bulk;   /* records of that class */
    unsigned joined; /* times that it was told that nobody knows what was before */
    uint32_t next;   /* number of the record that should come */
    bool began;
    double deaf; /* chance to miss a frame */
};

static void on_state(void *ctx, enum listen_state state)
{
    (void)ctx;
    assert_true(state <= LISTEN_CLOSED);
}

static void on_record(void *ctx, unsigned end, const uint8_t *record, size_t length)
{
    struct listener *listener = ctx;
    uint32_t number;
    if (end != 0)
        return;
    assert_true(length >= SIM_RECORD);
    if (record[0] == LINK_BULK) {
        listener->bulk++;
        return;
    }
    memcpy(&number, record + 5, 4);
    if (listener->began && listener->deaf == 0)
        assert_int_equal(number, listener->next);
    else if (listener->began)
        assert_true(number >= listener->next); /* in order, whatever was missed */
    listener->began = true;
    listener->next = number + 1;
    listener->records++;
}

static void on_gap(void *ctx, unsigned end, unsigned frames)
{
    struct listener *listener = ctx;
    if (end != 0)
        return;
    listener->joined += frames == 0;
    listener->gaps += frames > 0;
    listener->missed += frames;
}

static void on_role(void *ctx, unsigned end, enum link_role role)
{
    (void)ctx;
    assert_int_equal(role, end ? LINK_ENTITY : LINK_JUDGE);
}

static bool on_pass(void *ctx, const uint8_t pass[PASS_LENGTH], struct pass_keys *keys)
{
    const struct listener *listener = ctx;
    return pass_open(pass, listener->referee.public_key, listener->referee.secret,
                     listener->mac_key, keys);
}

static void hear(void *ctx, unsigned end, const uint8_t *frame, size_t length)
{
    struct listener *listener = ctx;
    if (listener->deaf > 0 && sim_roll(listener->sim) < listener->deaf * 4294967296.0)
        return;
    listen_frame(listener->listen, listener->sim->now_us, end, frame, length);
}

static void open_ear(struct listener *listener, struct sim *sim)
{
    static const struct listen_callbacks callbacks = {on_state, on_record, on_gap, on_role,
                                                      on_pass};
    listener->sim = sim;
    listener->listen = listen_create(&callbacks, listener);
    assert_non_null(listener->listen);
    sim->listener = hear;
    sim->listener_ctx = listener;
}

static struct sim *new_sim(struct listener *listener, bool keyed, uint32_t baud,
                           const struct memory_faults *faults)
{
    struct sim *sim =
        keyed ? sim_create_keyed(baud, base_seed, faults) : sim_create(baud, base_seed, faults);
    crypto_box_keypair(listener->referee.public_key, listener->referee.secret);
    pass_line(listener->mac_key, sim->end[0].secret, sim->end[0].line);
    sim->end[0].referee = listener->referee.public_key;
    sim_restart(&sim->end[0]);
    return sim;
}

static void talk(struct sim *sim, unsigned records)
{
    for (unsigned i = 0; i < records; i++) {
        sim_send(&sim->end[i % 2], LINK_EXPRESS, SIM_RECORD + sim_roll(sim) % 200);
        sim_run(sim, sim->now_us + sim_roll(sim) % (40 * MS), NULL);
    }
    assert_true(sim_run(sim, sim->now_us + 200 * S, sim_all_acked));
}

/* Also on a line whose frames are too short for a PASS in one. */
static void test_hears_all(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct listener listener = {0};
        struct sim *sim = new_sim(&listener, i % 2, i < 2 ? 115200 : 9600,
                                  &(struct memory_faults){.bit_error = 1e-5});
        open_ear(&listener, sim);
        assert_true(sim_run(sim, sim->now_us + 10 * S, sim_both_up));
        talk(sim, 400);
        assert_int_equal(listener.records, sim->end[0].sent[LINK_EXPRESS]);
        assert_true(listener.records > 100);
        assert_int_equal(listener.gaps + listener.joined, 0);
        assert_int_equal(listen_state(listener.listen), LISTEN_UP);
        listen_destroy(listener.listen);
        sim_destroy(sim);
    }
}

/* A bulk record that another one has overtaken would be taken for one that came behind that. */
static void test_what_was_overtaken_is_left_out(void **state)
{
    struct listener listener = {0};
    struct sim *sim = new_sim(&listener, false, 9600, NULL);
    (void)state;
    open_ear(&listener, sim);
    assert_true(sim_run(sim, sim->now_us + 10 * S, sim_both_up));
    sim_run(sim, sim->now_us + S, NULL);
    for (unsigned i = 0; i < 4; i++) {
        sim_send(&sim->end[0], LINK_BULK, 33);
        sim_run(sim, sim->now_us + (i % 2 ? S : 5 * MS), NULL);
        sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
        sim_run(sim, sim->now_us + S, NULL);
        assert_int_equal(sim->end[1].got[1][LINK_BULK], i + 1);
        assert_int_equal(listener.bulk, (i + 1) / 2);
        assert_int_equal(listener.records, i + 1);
    }
    assert_int_equal(listener.gaps + listener.joined, 0);
    listen_destroy(listener.listen);
    sim_destroy(sim);
}

static void test_joins_in_the_middle(void **state)
{
    (void)state;
    for (unsigned keyed = 0; keyed < 2; keyed++) {
        struct listener listener = {0};
        struct sim *sim = new_sim(&listener, keyed, 115200, NULL);
        assert_true(sim_run(sim, sim->now_us + 10 * S, sim_both_up));
        talk(sim, 300);
        open_ear(&listener, sim);
        talk(sim, 1200);
        assert_true(listener.began && listener.records > 100);
        assert_int_equal(listener.next, sim->end[0].sent[LINK_EXPRESS]);
        assert_int_equal(listener.gaps, 0);
        assert_int_equal(listener.joined, 1);
        listen_destroy(listener.listen);
        sim_destroy(sim);
    }
}

static void test_names_what_it_missed(void **state)
{
    (void)state;
    for (unsigned keyed = 0; keyed < 2; keyed++) {
        struct listener listener = {0};
        struct sim *sim = new_sim(&listener, keyed, 115200, NULL);
        open_ear(&listener, sim);
        assert_true(sim_run(sim, sim->now_us + 10 * S, sim_both_up));
        talk(sim, 20);
        listener.deaf = 0.2;
        talk(sim, 1000);
        listen_finish(listener.listen);
        assert_true(listener.gaps > 10 && listener.missed >= listener.gaps);
        assert_true(listener.records > 200 && listener.records < 510);
        listen_destroy(listener.listen);
        sim_destroy(sim);
    }
}

/* Also when so many are missed in a row that their numbers come round. */
static void test_names_long_gaps(void **state)
{
    static const unsigned lost[] = {63, 64, 65, 127, 128, 129, 191, 192, 255, 256, 300, 1000};
    (void)state;
    const unsigned kinds = sizeof lost / sizeof lost[0], fast = 2 * kinds;
    for (unsigned i = 0; i < 4 * kinds; i++) {
        struct listener listener = {0};
        struct sim *sim = new_sim(&listener, i % 2, 115200, NULL);
        unsigned count = lost[i / 2 % kinds];
        uint32_t before;
        open_ear(&listener, sim);
        assert_true(sim_run(sim, sim->now_us + 10 * S, sim_both_up));
        talk(sim, 20);
        before = listener.next;
        listener.deaf = 1;
        for (unsigned k = 0; k < count; k++) {
            sim_send(&sim->end[0], LINK_EXPRESS, SIM_RECORD);
            assert_true(sim_run(sim, sim->now_us + 200 * S, sim_all_acked));
            if (i >= fast)
                sim_run(sim, sim->now_us + 20 * MS, NULL); /* about as fast as two persons type */
        }
        listener.deaf = 1e-9;
        talk(sim, 100);
        listen_finish(listener.listen);
        /* Without a key, and faster than anybody types, exactly 256 or so look like none. */
        if (i % 2 || i >= fast || count < 256) {
            assert_int_equal(listener.next, sim->end[0].sent[LINK_EXPRESS]);
            assert_true(listener.joined || listener.missed == count);
            assert_true(listener.next > before + count);
        }
        listen_destroy(listener.listen);
        sim_destroy(sim);
    }
}

/* Another referee, another line, and somebody who knows no more than the public key. */
static void test_a_pass_is_for_one_referee_of_one_line(void **state)
{
    struct referee_key mine, other;
    uint8_t line[SECURE_KEY], wrong[SECURE_KEY];
    const struct pass_keys keys = {
        .from_judge = {1}, .from_entity = {2}, .wall_us = 0x0123456789ABCDEF};
    struct pass_keys got;
    uint8_t pass[PASS_LENGTH], frame[256];
    struct pass_reader reader = {.parts = 0};
    (void)state;
    crypto_box_keypair(mine.public_key, mine.secret);
    crypto_box_keypair(other.public_key, other.secret);
    pass_line(line, keys.from_judge, "a");
    pass_line(wrong, keys.from_judge, "b");
    pass_make(pass, mine.public_key, line, &keys);
    assert_true(pass_open(pass, mine.public_key, mine.secret, line, &got));
    assert_memory_equal(&got, &keys, sizeof keys);
    assert_false(pass_open(pass, other.public_key, other.secret, line, &got));
    assert_false(pass_open(pass, mine.public_key, mine.secret, wrong, &got));
    pass_make(pass, mine.public_key, wrong, &keys);
    assert_false(pass_open(pass, mine.public_key, mine.secret, line, &got));
    /* In parts of any size, in any order. */
    for (size_t room = 61; room <= sizeof frame; room += 5) {
        bool whole = false;
        pass_make(pass, mine.public_key, line, &keys);
        for (int part = PASS_PARTS; part >= 0; part--) {
            size_t length = pass_part(pass, (unsigned)part, frame, room);
            assert_true(length <= room && !(length && whole));
            whole = whole || (length && pass_take(&reader, frame, length));
        }
        assert_true(whole);
        assert_memory_equal(reader.pass, pass, PASS_LENGTH);
    }
}

/* Somebody at the hub who plays back what he has heard, and speaks without a key himself. */
#define RECORDED 700
struct parrot {
    struct listener listener;
    uint8_t frame[2][RECORDED][FRAME_MAX];
    size_t length[2][RECORDED];
    unsigned count[2];
};

static void speak(struct parrot *parrot, uint8_t number)
{
    uint8_t frame[64] = {TYPE_DATA, 0, number, 1, 2, 3};
    const uint32_t seed = 0x12345678;
    size_t length = 3 + SIM_RECORD + 8;
    uint32_t crc = crc32c(seed, frame, length);
    for (unsigned i = 0; i < FRAME_CRC; i++)
        frame[length + i] = (uint8_t)(crc >> (8 * i));
    listen_frame(parrot->listener.listen, parrot->listener.sim->now_us, 0, frame,
                 length + FRAME_CRC);
}

static void hear_parrot(void *ctx, unsigned end, const uint8_t *frame, size_t length)
{
    struct parrot *parrot = ctx;
    struct listener *listener = &parrot->listener;
    unsigned at = parrot->count[end]++ % RECORDED;
    memcpy(parrot->frame[end][at], frame, length);
    parrot->length[end][at] = length;
    listen_frame(listener->listen, listener->sim->now_us, end, frame, length);
    for (unsigned i = 0; i < 6 && listener->began; i++) {
        unsigned have = parrot->count[end] < RECORDED ? parrot->count[end] : RECORDED;
        unsigned old = sim_roll(listener->sim) % have;
        /* Not what says who the ends are, which may come again. */
        if (parrot->frame[end][old][0] == KIND_DATA_JUDGE ||
            parrot->frame[end][old][0] == KIND_DATA_ENTITY)
            listen_frame(listener->listen, listener->sim->now_us, end, parrot->frame[end][old],
                         parrot->length[end][old]);
    }
    if (listener->began) {
        speak(parrot, (uint8_t)sim_roll(listener->sim));
        speak(parrot, (uint8_t)sim_roll(listener->sim));
    }
}

static void test_with_a_key_nobody_else_is_heard(void **state)
{
    static struct parrot parrot;
    struct sim *sim = new_sim(&parrot.listener, true, 115200, NULL);
    (void)state;
    open_ear(&parrot.listener, sim);
    sim->listener = hear_parrot;
    sim->listener_ctx = &parrot;
    assert_true(sim_run(sim, sim->now_us + 10 * S, sim_both_up));
    talk(sim, 3000);
    assert_int_equal(parrot.listener.records, sim->end[0].sent[LINK_EXPRESS]);
    assert_int_equal(parrot.listener.gaps, 0);
    assert_int_equal(listen_state(parrot.listener.listen), LISTEN_UP);
    listen_destroy(parrot.listener.listen);
    sim_destroy(sim);
}

struct told {
    unsigned begins, entries, missed, unknown;
    uint64_t first, last, keys, after;
    char text[64];
};

static void on_begin(void *ctx, const struct journal_record *header)
{
    struct told *told = ctx;
    assert_string_equal(header->as.header.session, "s1");
    told->begins++;
}

static void on_entry(void *ctx, const struct journal_record *record)
{
    struct told *told = ctx;
    told->entries++;
    if (record->kind != JOURNAL_KEYS)
        return;
    told->keys = record->as.keys.first;
    strncat(told->text, (const char *)record->as.keys.run.text, record->as.keys.run.length);
}

static void on_missed(void *ctx, uint64_t first, uint64_t last)
{
    struct told *told = ctx;
    told->missed++;
    told->first = first;
    told->last = last;
}

static void on_unknown(void *ctx, uint64_t n)
{
    struct told *told = ctx;
    told->unknown++;
    told->after = n;
}

static void feed(struct follow *follow, struct wire wire)
{
    uint8_t record[WIRE_MAX];
    size_t length = wire_encode(&wire, record);
    assert_true(length > 0);
    follow_record(follow, record, length, 1000000);
}

#define KEYS(letters)                                                                              \
    ((struct wire){.kind = WIRE_JUDGE_KEYS,                                                        \
                   .text = (const uint8_t *)(letters),                                             \
                   .length = sizeof(letters) - 1})

static void test_a_session_is_followed(void **state)
{
    static const struct follow_callbacks callbacks = {on_begin, on_entry, on_missed, on_unknown};
    struct told told = {0};
    struct follow *follow = follow_create(SIDE_LEFT, &callbacks, &told);
    struct wire offer = {.kind = WIRE_OFFER, .session = "s1", .style = "split"};
    (void)state;
    feed(follow, offer);
    feed(follow, (struct wire){.kind = WIRE_SYNC});
    feed(follow, (struct wire){.kind = WIRE_MARK, .n = 1, .time_us = 1000});
    feed(follow, KEYS("abc"));
    assert_string_equal(told.text, "");
    /* A new connection gives the last keys again. */
    feed(follow, offer);
    feed(follow, (struct wire){.kind = WIRE_SYNC, .n = 3});
    feed(follow, (struct wire){.kind = WIRE_MARK, .n = 2, .time_us = 1000});
    feed(follow, KEYS("bcd"));
    feed(follow, (struct wire){.kind = WIRE_DIGEST, .n = 4});
    assert_string_equal(told.text, "abcd");
    assert_int_equal(told.keys, 4);
    /* After a gap keys wait until their number is known. */
    follow_gap(follow);
    feed(follow, KEYS("gh"));
    assert_string_equal(told.text, "abcd");
    feed(follow, (struct wire){.kind = WIRE_DIGEST, .n = 8});
    assert_string_equal(told.text, "abcdgh");
    assert_int_equal(told.missed, 1);
    assert_true(told.first == 5 && told.last == 6);
    /* A gap at the end is seen by its number alone. */
    follow_gap(follow);
    feed(follow, (struct wire){.kind = WIRE_CLOSE, .n = 9});
    assert_int_equal(told.missed, 2);
    assert_true(told.first == 9 && told.last == 9);
    /* Between two gaps keys can get no number: they are not put behind the second. */
    follow_gap(follow);
    feed(follow, KEYS("xx"));
    follow_gap(follow);
    feed(follow, KEYS("q"));
    feed(follow, (struct wire){.kind = WIRE_DIGEST, .n = 20});
    assert_string_equal(told.text, "abcdghq");
    assert_int_equal(told.keys, 20);
    assert_int_equal(told.missed, 3);
    assert_true(told.first == 10 && told.last == 19);
    assert_int_equal(told.begins, 1);
    follow_destroy(follow);
}

/* A listener without a key that missed 192 frames in a row cannot tell: where among the keys since
 * the last number they were nobody knows, and none of these is put under a number that is not its
 * own. */
static void test_keys_that_no_number_confirms(void **state)
{
    static const struct follow_callbacks callbacks = {on_begin, on_entry, on_missed, on_unknown};
    struct told told = {0};
    struct follow *follow = follow_create(SIDE_LEFT, &callbacks, &told);
    (void)state;
    feed(follow, (struct wire){.kind = WIRE_OFFER, .session = "s1", .style = "split"});
    feed(follow, (struct wire){.kind = WIRE_SYNC});
    feed(follow, (struct wire){.kind = WIRE_MARK, .n = 1, .time_us = 1000});
    feed(follow, KEYS("abc"));
    feed(follow, (struct wire){.kind = WIRE_DIGEST, .n = 3});
    assert_string_equal(told.text, "abc");
    feed(follow, KEYS("de"));
    feed(follow, KEYS("xy")); /* in truth 256 keys later */
    feed(follow, (struct wire){.kind = WIRE_DIGEST, .n = 263});
    assert_string_equal(told.text, "abc");
    assert_true(told.missed == 1 && told.first == 4 && told.last == 263);
    feed(follow, KEYS("z"));
    feed(follow, (struct wire){.kind = WIRE_CLOSE, .n = 264});
    assert_string_equal(told.text, "abcz");
    assert_int_equal(told.keys, 264);
    /* Whoever hears no number any more has what was heard without a gap. */
    feed(follow, KEYS("!"));
    follow_leave(follow);
    assert_string_equal(told.text, "abcz!");
    assert_int_equal(told.missed, 1);
    follow_destroy(follow);
}

/* What nobody can know is said, once: whether it has all that came before an end, or the end. */
static void test_the_end_of_a_session_tells_what_was_missed(void **state)
{
    static const struct follow_callbacks callbacks = {on_begin, on_entry, on_missed, on_unknown};
    struct told told = {0};
    struct follow *follow = follow_create(SIDE_LEFT, &callbacks, &told);
    struct wire end = {
        .kind = WIRE_COURSE, .generation = 1, .outcome = CLOSE_AGREED, .n = 10, .time_us = 5000};
    (void)state;
    follow_leave(follow);
    assert_int_equal(told.unknown, 0);
    feed(follow, (struct wire){.kind = WIRE_OFFER, .session = "s1", .style = "split"});
    feed(follow, (struct wire){.kind = WIRE_SYNC});
    feed(follow, (struct wire){.kind = WIRE_MARK, .n = 1, .time_us = 1000});
    feed(follow, KEYS("abc"));
    follow_leave(follow);
    follow_leave(follow);
    assert_true(told.unknown == 1 && told.after == 3);
    follow_gap(follow);
    feed(follow, KEYS("gh"));
    feed(follow, end);
    assert_string_equal(told.text, "abcgh");
    assert_true(told.missed == 1 && told.first == 4 && told.last == 8);
    follow_leave(follow);
    assert_int_equal(told.unknown, 1);
    follow_gap(follow);
    follow_leave(follow);
    assert_true(told.unknown == 2 && told.after == 10);
    follow_destroy(follow);
}

static void test_foreign_frames_have_names(void **state)
{
    uint8_t frame[80] = {0};
    char text[FOREIGN_TEXT_MAX];
    (void)state;
    frame[12] = 0x08;
    frame[13] = 0x06;
    assert_string_equal(foreign_text(frame, 60, text), "ARP");
    frame[13] = 0x00;
    frame[14] = 0x45;
    frame[23] = 17;
    frame[34] = 0xC0;
    frame[37] = 53;
    assert_string_equal(foreign_text(frame, 60, text), "IPv4 UDP port 53 (DNS)");
    frame[12] = 0x86;
    frame[13] = 0xDD;
    frame[20] = 58;
    assert_string_equal(foreign_text(frame, 60, text), "IPv6 ICMP");
    for (size_t length = 0; length < sizeof frame; length++)
        assert_true(strlen(foreign_text(frame, length, text)) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hears_all),
        cmocka_unit_test(test_what_was_overtaken_is_left_out),
        cmocka_unit_test(test_joins_in_the_middle),
        cmocka_unit_test(test_names_what_it_missed),
        cmocka_unit_test(test_names_long_gaps),
        cmocka_unit_test(test_a_pass_is_for_one_referee_of_one_line),
        cmocka_unit_test(test_with_a_key_nobody_else_is_heard),
        cmocka_unit_test(test_a_session_is_followed),
        cmocka_unit_test(test_keys_that_no_number_confirms),
        cmocka_unit_test(test_the_end_of_a_session_tells_what_was_missed),
        cmocka_unit_test(test_foreign_frames_have_names),
    };
    base_seed = dice_seed("listen");
    if (sodium_init() < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
