#include "tests/chip/store_rounds.h"

#include "firmware/core/board_io.h"
#include "firmware/core/crc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define KINDS  (IO_TIME + 1)
#define ROUNDS 400
#define ACTS   60

struct kept {
    uint8_t bytes[IO_RECORD_MOST];
    uint8_t size, marks;
};

static struct {
    struct dice dice;
    unsigned fuse; /* writes until the power goes; 0: it stays */
    jmp_buf lost;
    bool sticks;
    bool keeps_before;
    struct io_store store;
    struct kept newest[KINDS];
    struct kept next; /* what is being stored */
    enum io_record kind;
    unsigned cuts;
} self;

bool store_power_goes(void)
{
    return self.fuse && --self.fuse == 0;
}

void store_power_off(void)
{
    longjmp(self.lost, 1);
}

bool store_sticks(void)
{
    return self.sticks;
}

struct dice *store_dice(void)
{
    return &self.dice;
}

static void find(enum io_record kind, bool opened, struct kept *found)
{
    *found = (struct kept){.size = 0};
    if (kind == IO_TIME && !opened)
        return;
    found->size = io_store_read(&self.store, kind, found->bytes, sizeof(found->bytes));
    if (kind == IO_TIME)
        found->marks = self.store.marks;
}

static bool is_same(const struct kept *a, const struct kept *b)
{
    return a->size == b->size && a->marks == b->marks && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* A start: the newest of each kind is there, or, of the kind that was being stored, the next. */
static void look(bool torn)
{
    bool opened;

    memset(&self.store, (int)dice_below(&self.dice, 256), sizeof(self.store));
    opened = io_store_open(&self.store);
    for (unsigned kind = 0; kind < KINDS; kind++) {
        struct kept found;
        bool being_stored = torn && kind == self.kind;

        find((enum io_record)kind, opened, &found);
        assert_true(is_same(&found, &self.newest[kind]) ||
                    (being_stored && is_same(&found, &self.next)) ||
                    (being_stored && kind != IO_TIME && !self.keeps_before && found.size == 0));
        self.newest[kind] = found;
    }
}

/* Bytes of a plan as a hostile host may choose them: a record of time, whole, from a byte on at
 * which a store might begin to read. */
static void forge(struct kept *plan)
{
    uint8_t *record = plan->bytes + 29 + dice_below(&self.dice, 2);
    uint16_t sum = 0xffff;

    record[0] = IO_TIME;
    record[1] = IO_TIME_SIZE;
    for (unsigned i = 0; i < IO_TIME_SIZE + 2; i++)
        sum = crc16(sum, record[i]);
    record[IO_TIME_SIZE + 2] = (uint8_t)sum;
    record[IO_TIME_SIZE + 3] = (uint8_t)(sum >> 8);
}

static void append(void)
{
    static const uint8_t sizes[KINDS] = {IO_RECORD_MOST, IO_RECORD_MOST, 2, IO_TIME_SIZE};

    self.kind = dice_below(&self.dice, 3) ? IO_TIME : (enum io_record)dice_below(&self.dice, KINDS);
    self.next = (struct kept){.size = sizes[self.kind]};
    if (self.kind <= IO_PLAN_B)
        self.next.size = dice_below(&self.dice, 2)
                             ? IO_RECORD_MOST
                             : (uint8_t)(1 + dice_below(&self.dice, IO_RECORD_MOST));
    for (uint8_t i = 0; i < self.next.size; i++)
        self.next.bytes[i] = (uint8_t)dice_below(&self.dice, dice_below(&self.dice, 2) ? 256 : 4);
    if (self.kind <= IO_PLAN_B && self.next.size == IO_RECORD_MOST)
        forge(&self.next);
    /* Bytes that are there already are kept by a memory that takes nothing, too. */
    assert_true(io_store_append(&self.store, self.kind, self.next.bytes, self.next.size) ==
                    !self.sticks ||
                (self.kind != IO_TIME && is_same(&self.next, &self.newest[self.kind])));
}

static void mark(void)
{
    self.kind = IO_TIME;
    self.next = self.newest[IO_TIME];
    self.next.marks++;
    assert_true(io_store_mark(&self.store));
    assert_int_equal(self.store.marks, self.next.marks);
}

static void act(void)
{
    const struct kept *time = &self.newest[IO_TIME];

    if (time->size && time->marks < IO_MARKS && dice_below(&self.dice, 2))
        mark();
    else
        append();
    self.newest[self.kind] = self.next;
}

/* One seed unless another is given: a checksum of 16 bits lets one torn record of 65,536 pass. */
static void test_a_power_cut_at_any_write(void **state)
{
    unsigned rounds = getenv("SOAK") ? 20 * ROUNDS : ROUNDS;

    (void)state;
    self.dice = dice_make(getenv("SEED") ? dice_seed("store") : 1);
    look(false);
    for (unsigned round = 0; round < rounds; round++) {
        if (setjmp(self.lost) == 0) {
            self.fuse = (unsigned)dice_below(&self.dice, 120);
            for (unsigned i = 0; i < ACTS; i++)
                act();
            self.fuse = 0;
            look(false);
        } else {
            self.cuts++;
            look(true);
        }
    }
    print_message("# %u losses of power in %u starts\n", self.cuts, rounds);
    assert_true(self.cuts > rounds / 4);
}

/* A record that is not kept is told of, nothing else is lost, and later ones are kept again. */
static void test_a_memory_that_keeps_nothing(void **state)
{
    (void)state;
    self.dice = dice_make(dice_seed("store"));
    self.fuse = 0;
    look(false);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned i = 0; i < ACTS; i++)
            act();
        self.sticks = true;
        for (unsigned i = 1 + (unsigned)dice_below(&self.dice, 4); i > 0; i--)
            append();
        self.sticks = false;
        if (dice_below(&self.dice, 2))
            look(true);
    }
}

int store_rounds(const char *name, bool keeps_before)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_power_cut_at_any_write),
        cmocka_unit_test(test_a_memory_that_keeps_nothing),
    };

    self.keeps_before = keeps_before;
    return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}
