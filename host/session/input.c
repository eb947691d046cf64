#include "session/input.h"

#include "session/event.h"

#include <string.h>

#define ESC 0x1B
#define BEL 0x07
#define DEL 0x7F

#define REPLACEMENT 0xFFFDu
#define STRING_MAX  1024

enum {
    GROUND,
    ESCAPE,    /* after ESC */
    CHARSET,   /* after ESC and one of the characters from space to / */
    ALT,       /* after ESC and the beginning of a character of several bytes */
    CSI,       /* after ESC [ */
    CSI_LINUX, /* after ESC [ [, which begins F1 to F5 of the Linux console */
    SS3,       /* after ESC O */
    STRING,    /* after ESC and ] P X ^ or _, until BEL or ESC \ */
    MOUSE,     /* after ESC [ M: three more bytes */
    PREFIX     /* after a lone ESC, which a digit may follow */
};

static const enum input_what digit_keys[10] = {
    INPUT_F10,     INPUT_F1,      INPUT_F2,      INPUT_F3, INPUT_F12,
    INPUT_IGNORED, INPUT_IGNORED, INPUT_IGNORED, INPUT_F8, INPUT_F9};

/* clang-format off */
/* Sequences after ESC from Linux, xterm, VT220, rxvt, screen and tmux. A keypad in application mode
 * gives its printed characters. */
static const struct {
    const char *sequence;
    enum input_what what;
    uint32_t point;
} known[] = {
    {"OP", INPUT_F1, 0},
    {"[11~", INPUT_F1, 0},
    {"[[A", INPUT_F1, 0},
    {"OQ", INPUT_F2, 0},
    {"[12~", INPUT_F2, 0},
    {"[[B", INPUT_F2, 0},
    {"OR", INPUT_F3, 0},
    {"[13~", INPUT_F3, 0},
    {"[[C", INPUT_F3, 0},
    {"[19~", INPUT_F8, 0},
    {"[20~", INPUT_F9, 0},
    {"[21~", INPUT_F10, 0},
    {"[24~", INPUT_F12, 0},
    {"[5~", INPUT_PAGE_UP, 0},
    {"[6~", INPUT_PAGE_DOWN, 0},
    {"[1~", INPUT_HOME, 0},
    {"[7~", INPUT_HOME, 0},
    {"[H", INPUT_HOME, 0},
    {"OH", INPUT_HOME, 0},
    {"[4~", INPUT_END, 0},
    {"[8~", INPUT_END, 0},
    {"[F", INPUT_END, 0},
    {"OF", INPUT_END, 0},
    {"[A", INPUT_UP, 0},
    {"OA", INPUT_UP, 0},
    {"[B", INPUT_DOWN, 0},
    {"OB", INPUT_DOWN, 0},
    {"[C", INPUT_RIGHT, 0},
    {"OC", INPUT_RIGHT, 0},
    {"[D", INPUT_LEFT, 0},
    {"OD", INPUT_LEFT, 0},
    {"[200~", INPUT_SILENT, 0},
    {"[201~", INPUT_SILENT, 0},
    {"[I", INPUT_SILENT, 0},
    {"[O", INPUT_SILENT, 0},
    {"OM", INPUT_POINT, KEY_RETURN},
    {"Oj", INPUT_POINT, '*'},
    {"Ok", INPUT_POINT, '+'},
    {"Ol", INPUT_POINT, ','},
    {"Om", INPUT_POINT, '-'},
    {"On", INPUT_POINT, '.'},
    {"Oo", INPUT_POINT, '/'},
    {"Op", INPUT_POINT, '0'},
    {"Oq", INPUT_POINT, '1'},
    {"Or", INPUT_POINT, '2'},
    {"Os", INPUT_POINT, '3'},
    {"Ot", INPUT_POINT, '4'},
    {"Ou", INPUT_POINT, '5'},
    {"Ov", INPUT_POINT, '6'},
    {"Ow", INPUT_POINT, '7'},
    {"Ox", INPUT_POINT, '8'},
    {"Oy", INPUT_POINT, '9'},
};
/* clang-format on */

static void begin(struct input *input, uint8_t state)
{
    input->state = state;
    input->length = 0;
    input->swallowed = 0;
}

/* Keeps a byte for the look-up. Without room the last byte becomes '?', which makes the sequence
 * unknown. */
static void keep(struct input *input, uint8_t byte)
{
    if (input->length + 1u < sizeof input->sequence)
        input->sequence[input->length++] = (char)byte;
    else
        input->sequence[input->length - 1] = '?';
    input->sequence[input->length] = '\0';
}

static void finish(struct input *input, input_out out, void *ctx)
{
    input->state = GROUND;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(input->sequence, known[i].sequence) == 0) {
            out(ctx, known[i].what, known[i].point);
            return;
        }
    }
    out(ctx, INPUT_IGNORED, 0);
}

static void escape(struct input *input, uint8_t byte, input_out out, void *ctx);

static void ground_point(struct input *input, uint32_t point, input_out out, void *ctx)
{
    bool after_return = input->after_return;
    input->after_return = point == '\r';
    switch (point) {
    case ESC:
        begin(input, ESCAPE);
        break;
    case '\n':
        /* A Return by Ctrl-J or in pasted text. The LF of a CR LF is not a key. */
        if (after_return)
            out(ctx, INPUT_SILENT, 0);
        else
            out(ctx, INPUT_POINT, KEY_RETURN);
        break;
    case DEL:
        out(ctx, INPUT_POINT, KEY_BACKSPACE);
        break;
    case 'L' & 0x1F:
        out(ctx, INPUT_REDRAW, 0);
        break;
    case REPLACEMENT: /* stands for broken text; no keyboard has it */
        out(ctx, INPUT_IGNORED, 0);
        break;
    default:
        if (point >= 0x80 && point < 0xA0) {
            /* A C1 control stands for ESC and a letter (ECMA-48, 5.3). */
            begin(input, ESCAPE);
            escape(input, (uint8_t)(point - 0x40), out, ctx);
        } else if (key_is_key(point))
            out(ctx, INPUT_POINT, point);
        else
            out(ctx, INPUT_IGNORED, 0);
        break;
    }
}

static void ground(struct input *input, uint8_t byte, input_out out, void *ctx)
{
    uint32_t point;
    enum utf8_step step = utf8_feed(&input->utf8, byte, &point);
    if (step == UTF8_AGAIN) {
        out(ctx, INPUT_BROKEN, 0);
        step = utf8_feed(&input->utf8, byte, &point);
    }
    if (step == UTF8_POINT)
        ground_point(input, point, out, ctx);
    else if (step == UTF8_BAD)
        out(ctx, INPUT_BROKEN, 0);
}

static void escape(struct input *input, uint8_t byte, input_out out, void *ctx)
{
    uint32_t point;
    switch (byte) {
    case '[':
        begin(input, CSI);
        keep(input, byte);
        return;
    case 'O':
        begin(input, SS3);
        keep(input, byte);
        return;
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_':
        begin(input, STRING);
        return;
    default:
        break;
    }
    if (byte >= ' ' && byte <= '/') {
        begin(input, CHARSET);
        return;
    }
    if (byte >= '0' && byte <= '9') {
        input->state = GROUND;
        out(ctx, digit_keys[byte - '0'], 0);
        return;
    }
    /* Alt and its character are ignored together. */
    if (utf8_feed(&input->utf8, byte, &point) == UTF8_MORE) {
        begin(input, ALT);
        return;
    }
    input->state = GROUND;
    out(ctx, INPUT_IGNORED, 0);
}

static void alt(struct input *input, uint8_t byte, input_out out, void *ctx)
{
    uint32_t point;
    enum utf8_step step = utf8_feed(&input->utf8, byte, &point);
    if (step == UTF8_MORE)
        return;
    input->state = GROUND;
    out(ctx, INPUT_IGNORED, 0);
    if (step == UTF8_AGAIN)
        ground(input, byte, out, ctx);
}

static void control(struct input *input, uint8_t byte, input_out out, void *ctx)
{
    bool final = byte >= 0x40 && byte < DEL;
    if (byte < 0x20 || byte >= DEL) {
        /* This byte belongs to no sequence: the sequence was cut. */
        input->state = GROUND;
        out(ctx, INPUT_IGNORED, 0);
        ground(input, byte, out, ctx);
        return;
    }
    keep(input, byte);
    if (input->state == CSI && byte == '[' && input->length == 2) {
        input->state = CSI_LINUX;
    } else if (input->state == CSI && byte == 'M' && input->length == 2) {
        input->state = MOUSE;
        input->skip = 3;
    } else if (final || input->state == CSI_LINUX) {
        finish(input, out, ctx);
    }
}

static void string(struct input *input, uint8_t byte, input_out out, void *ctx)
{
    /* A string that is too long or contains a line end was not a string. */
    bool none = byte == '\r' || byte == '\n' || ++input->swallowed > STRING_MAX;
    if (byte != BEL && !none)
        return;
    input->state = GROUND;
    out(ctx, INPUT_IGNORED, 0);
    if (none)
        ground(input, byte, out, ctx);
}

static void charset(struct input *input, uint8_t byte, input_out out, void *ctx)
{
    if (byte >= ' ' && byte <= '/')
        return;
    input->state = GROUND;
    out(ctx, INPUT_IGNORED, 0);
    if (byte < ' ' || byte >= DEL)
        ground(input, byte, out, ctx);
}

static void feed(struct input *input, uint8_t byte, input_out out, void *ctx)
{
    /* Outside a mouse report ESC begins a new sequence. ESC and a backslash, the end of a string,
     * is ignored like Alt and a backslash. */
    if (input->state == PREFIX) {
        input->state = GROUND;
        if (byte >= '0' && byte <= '9') {
            out(ctx, digit_keys[byte - '0'], 0);
            return;
        }
    }
    if (byte == ESC && input->state != GROUND && input->state != MOUSE) {
        bool ends_string = input->state == STRING;
        memset(&input->utf8, 0, sizeof input->utf8);
        begin(input, ESCAPE);
        if (!ends_string)
            out(ctx, INPUT_IGNORED, 0);
        return;
    }
    switch (input->state) {
    case GROUND:
    case PREFIX:
        ground(input, byte, out, ctx);
        break;
    case ESCAPE:
        escape(input, byte, out, ctx);
        break;
    case CHARSET:
        charset(input, byte, out, ctx);
        break;
    case ALT:
        alt(input, byte, out, ctx);
        break;
    case CSI:
    case CSI_LINUX:
    case SS3:
        control(input, byte, out, ctx);
        break;
    case STRING:
        string(input, byte, out, ctx);
        break;
    case MOUSE:
        if (--input->skip == 0)
            finish(input, out, ctx);
        break;
    }
}

unsigned input_wait_ms(const struct input *input)
{
    switch (input->state) {
    case GROUND:
        return 0;
    case ESCAPE:
    case CHARSET:
        return INPUT_ESCAPE_MS;
    case PREFIX:
        return INPUT_PREFIX_MS;
    default:
        return INPUT_SEQUENCE_MS;
    }
}

unsigned input_feed(struct input *input, uint8_t byte, input_out out, void *ctx)
{
    feed(input, byte, out, ctx);
    return input_wait_ms(input);
}

void input_timeout(struct input *input, input_out out, void *ctx)
{
    bool alone = input->state == ESCAPE, waited = input->state == PREFIX;
    if (input->state == GROUND)
        return;
    memset(&input->utf8, 0, sizeof input->utf8);
    input->state = alone ? PREFIX : GROUND;
    if (!waited)
        out(ctx, INPUT_IGNORED, 0);
}
