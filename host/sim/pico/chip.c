/* chip.h for the Raspberry Pi Pico: the firmware's own image in rp2040js, in a process
 * (emulator.mjs, at EMULATOR). The emulator is deterministic: a forked process starts its own
 * emulator, and repeats all commands there. */
#include "sim/chip/chip.h"

#include "sim/chip/elf.h"
#include "sim/chip/pump.h"

#include "board.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#define STORE 8192
#define LINE  20000 /* most bytes of a command, with the store in hexadecimal digits */

struct event {
    double at;
    uint32_t kind, value; /* 0: a byte for the host; 1 + line: a level on a pump's pin */
};

/* An answer's head, from emulator.mjs. */
struct answer_head {
    uint32_t size, events;
    double now;
    uint32_t off, resets, writes, lamps, sending, changed, wear[2];
};

struct chip {
    pid_t owner, emulator;
    FILE *to;
    int from;
    uint8_t in[65536]; /* bytes that were read and not taken yet */
    size_t in_first, in_count;
    char *log; /* all commands so far, each with its line end */
    size_t logged;
    char image[4096];
    uint64_t seed;
    struct elf_variables variables;

    struct answer_head head;
    uint64_t now;    /* time of the event being told */
    uint8_t *memory; /* contents of the variable `watchdog` */
    uint8_t store[STORE];
    struct pump pump[CHIP_LINES];
    void (*take)(void *user, uint8_t byte);
    void *user;
};

const struct chip_kind chip_kind = {"pico", false, true, STORE, 25};

static unsigned pin_of(uint32_t mask)
{
    return (unsigned)__builtin_ctz(mask);
}

static void die(const char *what)
{
    fprintf(stderr, "%s: %s: is node there, and build-npm? make deps NPM=1\n", EMULATOR, what);
    exit(69);
}

static void start(struct chip *chip)
{
    char seed[24], watchdog[16], size[16], out[64], in[16];
    int to[2], from[2];

    if (pipe(to) != 0 || pipe(from) != 0)
        die(strerror(errno));
    snprintf(seed, sizeof(seed), "%" PRIu64, chip->seed);
    snprintf(watchdog, sizeof(watchdog), "%" PRIu32, chip->variables.watchdog);
    snprintf(size, sizeof(size), "%" PRIu32, chip->variables.size);
    snprintf(out, sizeof(out), "%u,%u,%u,%u,%u,%u,%u", pin_of(BOARD_A_PUMP), pin_of(BOARD_B_PUMP),
             pin_of(BOARD_LAMP_A), pin_of(BOARD_LAMP_B), pin_of(BOARD_LAMP_BREAK),
             pin_of(BOARD_LAMP_FAULT), pin_of(BOARD_BUZZER));
    snprintf(in, sizeof(in), "%u,%u", pin_of(BOARD_KEY), pin_of(BOARD_BUTTON));
    chip->owner = getpid();
    chip->emulator = fork();
    if (chip->emulator == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        for (int fd = 3; fd < 256; fd++)
            close(fd);
        execlp("node", "node", EMULATOR, chip->image, seed, watchdog, size, out, in, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    chip->to = fdopen(to[1], "we");
    chip->from = from[0];
    if (chip->emulator < 0 || !chip->to)
        die(strerror(errno));
}

static void get(struct chip *chip, void *bytes, size_t size)
{
    uint8_t *to = bytes;

    while (size > 0) {
        size_t part = chip->in_count < size ? chip->in_count : size;

        memcpy(to, chip->in + chip->in_first, part);
        chip->in_first += part;
        chip->in_count -= part;
        to += part;
        size -= part;
        if (size > 0) {
            ssize_t count = read(chip->from, chip->in, sizeof(chip->in));

            if (count < 0 && errno == EINTR)
                continue;
            if (count <= 0)
                die("it has ended");
            chip->in_first = 0;
            chip->in_count = (size_t)count;
        }
    }
}

static void happen(struct chip *chip, const struct event *event)
{
    chip->now = (uint64_t)event->at;
    if (event->kind > 0)
        pump_drive(&chip->pump[event->kind - 1], event->value, chip->now, BOARD_CLOCK);
    else if (chip->take)
        chip->take(chip->user, (uint8_t)event->value);
}

/* Reads an answer. again: a repetition, whose events are ignored. */
static void answer(struct chip *chip, bool again)
{
    struct event *events;
    size_t more;

    get(chip, &chip->head, sizeof(chip->head));
    events = calloc(chip->head.events + 1, sizeof(*events));
    get(chip, events, chip->head.events * sizeof(*events));
    get(chip, chip->memory, chip->variables.size);
    more = chip->head.size - sizeof(chip->head) - chip->head.events * sizeof(*events) -
           chip->variables.size;
    if (more)
        get(chip, chip->store, more);
    for (uint32_t i = 0; i < chip->head.events && !again; i++)
        happen(chip, &events[i]);
    free(events);
    chip->now = (uint64_t)chip->head.now;
}

static void say_again(struct chip *chip)
{
    start(chip);
    answer(chip, true);
    for (char *line = chip->log, *end; line < chip->log + chip->logged; line = end + 1) {
        end = memchr(line, '\n', chip->logged);
        fwrite(line, 1, (size_t)(end - line) + 1, chip->to);
        fflush(chip->to);
        answer(chip, true);
    }
}

__attribute__((format(printf, 2, 3))) static void say(struct chip *chip, const char *format, ...)
{
    static char line[LINE];
    va_list arguments;
    int length;

    if (chip->owner != getpid())
        say_again(chip);
    va_start(arguments, format);
    length = vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    if (length < 0 || length >= LINE)
        die("a command is too long");
    chip->log = realloc(chip->log, chip->logged + (size_t)length + 1);
    if (!chip->log)
        die(strerror(errno));
    memcpy(chip->log + chip->logged, line, (size_t)length);
    chip->logged += (size_t)length;
    chip->log[chip->logged++] = '\n';
    fprintf(chip->to, "%s\n", line);
    fflush(chip->to);
    answer(chip, false);
}

struct chip *chip_create(const char *elf, uint64_t seed)
{
    struct chip *chip = calloc(1, sizeof(*chip));
    size_t length = strlen(elf);

    if (!elf_variables(elf, &chip->variables) || length < 4 || length >= sizeof(chip->image)) {
        fprintf(stderr, "%s: is no firmware: \"make firmware BOARD=pico\" makes one\n", elf);
        free(chip);
        return NULL;
    }
    signal(SIGPIPE, SIG_IGN);
    snprintf(chip->image, sizeof(chip->image), "%.*sbin", (int)length - 3, elf);
    chip->seed = seed;
    chip->memory = calloc(1, chip->variables.size);
    for (int line = 0; line < CHIP_LINES; line++)
        chip->pump[line].stuck = CHIP_FREE;
    start(chip);
    answer(chip, false);
    return chip;
}

void chip_destroy(struct chip *chip)
{
    if (!chip)
        return;
    fclose(chip->to);
    close(chip->from);
    if (chip->owner == getpid())
        waitpid(chip->emulator, NULL, 0);
    free(chip->memory);
    free(chip->log);
    free(chip);
}

uint32_t chip_clock(const struct chip *chip)
{
    (void)chip;
    return BOARD_CLOCK;
}

uint64_t chip_now(const struct chip *chip)
{
    return chip->now;
}

bool chip_run(struct chip *chip, uint64_t cycles)
{
    say(chip, "run %" PRIu64, cycles);
    return !chip->head.off;
}

bool chip_run_to_change(struct chip *chip, unsigned at, uint64_t cycles)
{
    say(chip, "change %" PRIu64 " %u", cycles, at);
    return chip->head.changed;
}

static const char *hexadecimal(char *text, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return text;
}

void chip_send(struct chip *chip, const void *bytes, size_t count)
{
    const uint8_t *from = bytes;
    char hex[2 * 4096 + 1];

    while (count > 0) {
        size_t part = count < 4096 ? count : 4096;

        say(chip, "send %s", hexadecimal(hex, from, part));
        from += part;
        count -= part;
    }
}

size_t chip_sending(const struct chip *chip)
{
    return chip->head.sending;
}

void chip_on_byte(struct chip *chip, void (*take)(void *user, uint8_t byte), void *user)
{
    chip->take = take;
    chip->user = user;
}

void chip_key_switch(struct chip *chip, bool run)
{
    say(chip, "key %d", run);
}

void chip_button(struct chip *chip, bool pressed)
{
    say(chip, "button %d", pressed);
}

void chip_reset(struct chip *chip, enum chip_reset why)
{
    say(chip, "reset %d", why != CHIP_BUTTON);
}

void chip_off(struct chip *chip)
{
    say(chip, "off");
}

bool chip_is_off(const struct chip *chip)
{
    return chip->head.off;
}

unsigned chip_resets(const struct chip *chip)
{
    return chip->head.resets;
}

void chip_hang(struct chip *chip)
{
    say(chip, "hang");
}

void chip_stick(struct chip *chip, int line, int level)
{
    chip->pump[line].stuck = level;
    pump_drive(&chip->pump[line], chip->pump[line].level, chip->now, BOARD_CLOCK);
}

bool chip_closed(struct chip *chip, int line)
{
    return pump_closed(&chip->pump[line], chip->now, BOARD_CLOCK);
}

uint64_t chip_edge(const struct chip *chip, int line)
{
    return chip->pump[line].edge;
}

unsigned chip_lamps(const struct chip *chip)
{
    return chip->head.lamps;
}

void chip_store_get(struct chip *chip, uint8_t *bytes)
{
    say(chip, "dump");
    memcpy(bytes, chip->store, STORE);
}

void chip_store_put(struct chip *chip, const uint8_t *bytes)
{
    char hex[2 * STORE + 1];

    say(chip, "put %s", hexadecimal(hex, bytes, STORE));
}

uint64_t chip_writes(const struct chip *chip)
{
    return chip->head.writes;
}

uint32_t chip_wear(const struct chip *chip, unsigned at)
{
    return chip->head.wear[at / (STORE / 2)];
}

void chip_store_stick(struct chip *chip, bool stuck)
{
    say(chip, "stick %d", stuck);
}

void chip_cut(struct chip *chip, uint64_t write, enum chip_tear tear)
{
    say(chip, "cut %" PRIu64 " %d", write, tear);
}

uint8_t chip_ram(const struct chip *chip, unsigned at)
{
    return chip->memory[at - chip->variables.watchdog];
}

void chip_set_ram(struct chip *chip, unsigned at, uint8_t byte)
{
    say((struct chip *)chip, "poke %u %u", at, byte);
}

unsigned chip_watchdog(const struct chip *chip)
{
    return chip->variables.watchdog;
}
