#include "validate/emulator.h"

#include "base/utf8.h"
#include "late/vterm.h"
#include "session/page.h"

#include <stdlib.h>
#include <string.h>

#define REPLY_MAX   256
#define STRING_MAX  4096
#define TEXT_MAX    1024
#define PUTS_MAX    4096 /* characters waiting for erased text to return or to be gone */
#define NUMBERS_MAX 16   /* most numbers in a control sequence */
#define DIGITS_MAX  4    /* most digits of a number */
#define MARKS_MAX   32   /* combining characters in a row */

enum {
    BEL = 0x07,
    CAN = 0x18,
    SUB = 0x1A,
    ESC = 0x1B,
    DEL = 0x7F,
    NO_CHARACTER = 0xFFFD,
};

/* Keeps each control string and control sequence until it is complete. libvterm 0.1.4 loses a
 * control string (such as a title) that comes in pieces, and more than 16 numbers in a control
 * sequence overflow its arrays. A string longer than STRING_MAX is dropped and sets no title. */
enum escape_step {
    STEP_TEXT,
    STEP_ESCAPE,        /* after ESC */
    STEP_SEQUENCE,      /* inside a control sequence */
    STEP_STRING,        /* inside a control string */
    STEP_STRING_ESCAPE, /* inside a control string, after ESC */
};

struct put {
    uint32_t point;
    unsigned row, column;
};

struct emulator {
    VTerm *vterm;
    VTermScreen *screen;
    struct picture *picture;
    unsigned stale_from, stale_to; /* rows of the picture to be updated */
    uint32_t *shadow;              /* first code point of each cell as last reported; 0: empty */
    uint32_t *spare;               /* a buffer of the same size, for moved cells */
    uint32_t *erased;              /* contents of cells that were erased together; 0: none */
    unsigned erased_count;
    struct put puts[PUTS_MAX]; /* characters put since that erasure */
    unsigned put_count;
    struct emulator_callbacks callbacks;
    void *ctx;
    char reply[REPLY_MAX];
    size_t replied;
    struct utf8_decoder decoder;
    char text[TEXT_MAX]; /* complete characters not yet given to libvterm */
    size_t text_length;
    enum escape_step step;
    uint32_t last;            /* the last character, for REP; 0: none */
    unsigned marks;           /* combining characters in a row: libvterm would keep and scan all */
    unsigned numbers, digits; /* numbers in the control sequence, and digits of the last one */
    char string[STRING_MAX];
    size_t kept;
};

static bool is_visible(uint32_t point)
{
    return point && point != ' ';
}

static void gone_tell(struct emulator *emulator, uint32_t point, unsigned row, unsigned column)
{
    if (is_visible(point) && emulator->callbacks.gone)
        emulator->callbacks.gone(emulator->ctx, row, column);
}

static void put_tell(struct emulator *emulator, const struct put *put)
{
    if (emulator->callbacks.put)
        emulator->callbacks.put(emulator->ctx, put->point, put->row, put->column);
}

static void puts_tell(struct emulator *emulator)
{
    unsigned count = emulator->put_count;
    emulator->put_count = 0;
    for (unsigned i = 0; i < count; i++)
        put_tell(emulator, &emulator->puts[i]);
}

void emulator_rest(struct emulator *emulator)
{
    size_t columns = emulator->picture->columns, cells = emulator->picture->rows * columns;
    for (size_t i = cells; i-- > 0 && emulator->erased_count;) {
        uint32_t point = emulator->erased[i];
        if (!point)
            continue;
        emulator->erased[i] = 0;
        emulator->erased_count--;
        gone_tell(emulator, point, (unsigned)(i / columns), (unsigned)(i % columns));
    }
    puts_tell(emulator);
}

static void put_note(struct emulator *emulator, const struct put *put)
{
    uint32_t *erased =
        &emulator->erased[(size_t)put->row * emulator->picture->columns + put->column];
    bool again = *erased == put->point;
    if (*erased) {
        if (!again)
            gone_tell(emulator, *erased, put->row, put->column);
        *erased = 0;
        emulator->erased_count--;
    }
    if (!again && emulator->erased_count && emulator->put_count < PUTS_MAX)
        emulator->puts[emulator->put_count++] = *put;
    else if (!again)
        put_tell(emulator, put);
    if (!emulator->erased_count)
        puts_tell(emulator);
}

/* Notes a cell's new contents. A blank removes the character. */
static void cell_changed(struct emulator *emulator, unsigned row, unsigned column, bool alone)
{
    VTermScreenCell cell;
    size_t at = (size_t)row * emulator->picture->columns + column;
    uint32_t *was = &emulator->shadow[at], before = *was, point;
    late_vterm.screen_get_cell(emulator->screen, (VTermPos){(int)row, (int)column}, &cell);
    point = cell.chars[0] == UINT32_MAX ? 0 : cell.chars[0];
    if (point == before)
        return;
    *was = point;
    if (!alone && !is_visible(point)) {
        emulator->erased_count += !emulator->erased[at];
        emulator->erased[at] = before;
    } else if (!is_visible(point) && is_visible(before)) {
        gone_tell(emulator, before, row, column);
    } else if (point) {
        put_note(emulator, &(struct put){point, row, column});
    }
}

static void stale_note(struct emulator *emulator, int from, int to)
{
    if ((unsigned)from < emulator->stale_from)
        emulator->stale_from = (unsigned)from;
    if ((unsigned)to > emulator->stale_to)
        emulator->stale_to = (unsigned)to;
}

static int on_damage(VTermRect rect, void *user)
{
    struct emulator *emulator = user;
    size_t columns = emulator->picture->columns;
    unsigned stood = 0;
    stale_note(emulator, rect.start_row, rect.end_row);
    for (int row = rect.start_row; row < rect.end_row; row++) {
        for (int column = rect.start_col; column < rect.end_col; column++)
            stood += is_visible(emulator->shadow[(size_t)row * columns + (size_t)column]);
    }
    for (int row = rect.start_row; row < rect.end_row; row++) {
        for (int column = rect.start_col; column < rect.end_col; column++)
            cell_changed(emulator, (unsigned)row, (unsigned)column, stood <= 1);
    }
    return 1;
}

static int on_move(VTermRect dest, VTermRect src, void *user)
{
    struct emulator *emulator = user;
    size_t columns = emulator->picture->columns, rows = emulator->picture->rows;
    size_t width = (size_t)(src.end_col - src.start_col);
    emulator_rest(emulator); /* erased text is still at its old place */
    stale_note(emulator, 0, (int)rows);
    memcpy(emulator->spare, emulator->shadow, rows * columns * sizeof *emulator->shadow);
    /* The old place's erasure must not report the moved text as gone. */
    for (int row = src.start_row; row < src.end_row; row++)
        memset(emulator->shadow + (size_t)row * columns + src.start_col, 0,
               width * sizeof *emulator->shadow);
    for (int row = 0; row < src.end_row - src.start_row; row++)
        memcpy(emulator->shadow + (size_t)(dest.start_row + row) * columns + dest.start_col,
               emulator->spare + (size_t)(src.start_row + row) * columns + src.start_col,
               width * sizeof *emulator->shadow);
    for (int row = dest.start_row; row < src.start_row && emulator->callbacks.scrolled; row++)
        emulator->callbacks.scrolled(emulator->ctx);
    return 1;
}

static int on_cursor(VTermPos pos, VTermPos from, int visible, void *user)
{
    struct emulator *emulator = user;
    (void)from;
    (void)visible;
    emulator->picture->cursor_row = (unsigned)pos.row;
    emulator->picture->cursor_column = (unsigned)pos.col;
    return 1;
}

/* Sets the title, cut after a whole character; invalid UTF-8 ends it. */
static void set_title(struct picture *picture, const char *title)
{
    size_t length = strlen(title), taken = 0;
    while (taken < length) {
        uint32_t point;
        size_t bytes = utf8_decode((const uint8_t *)title + taken, length - taken, &point);
        if (!bytes || taken + bytes >= sizeof picture->title)
            break;
        taken += bytes;
    }
    memcpy(picture->title, title, taken);
    picture->title[taken] = '\0';
}

static int on_property(VTermProp property, VTermValue *value, void *user)
{
    struct emulator *emulator = user;
    struct picture *picture = emulator->picture;
    switch (property) {
    case VTERM_PROP_CURSORVISIBLE:
        picture->cursor_shown = value->boolean;
        break;
    case VTERM_PROP_CURSORBLINK:
        picture->cursor_blinks = value->boolean;
        break;
    case VTERM_PROP_CURSORSHAPE:
        picture->cursor_shape = (uint8_t)value->number;
        break;
    case VTERM_PROP_TITLE:
        set_title(picture, value->string);
        break;
    default: /* a change of the screen damages all cells; other properties are not shown */
        break;
    }
    return 1;
}

static int on_bell(void *user)
{
    struct emulator *emulator = user;
    emulator->picture->bells++;
    return 1;
}

static void on_reply(const char *bytes, size_t length, void *user)
{
    struct emulator *emulator = user;
    if (length > sizeof emulator->reply - emulator->replied)
        return;
    memcpy(emulator->reply + emulator->replied, bytes, length);
    emulator->replied += length;
}

struct emulator *emulator_create(unsigned rows, unsigned columns,
                                 const struct emulator_callbacks *callbacks, void *ctx)
{
    static const VTermScreenCallbacks screen_callbacks = {.damage = on_damage,
                                                          .moverect = on_move,
                                                          .movecursor = on_cursor,
                                                          .settermprop = on_property,
                                                          .bell = on_bell};
    size_t cells = (size_t)rows * columns;
    struct emulator *emulator;
    if (late_load(&late_vterm, NULL) != BL_OK || !(emulator = calloc(1, sizeof *emulator)))
        return NULL;
    emulator->picture = picture_create(rows, columns);
    emulator->shadow = calloc(cells + 1, sizeof *emulator->shadow);
    emulator->spare = calloc(cells + 1, sizeof *emulator->spare);
    emulator->erased = calloc(cells + 1, sizeof *emulator->erased);
    if (emulator->picture && emulator->shadow && emulator->spare && emulator->erased)
        emulator->vterm = late_vterm.new((int)rows, (int)columns);
    if (!emulator->vterm) {
        emulator_destroy(emulator);
        return NULL;
    }
    if (callbacks)
        emulator->callbacks = *callbacks;
    emulator->ctx = ctx;
    late_vterm.set_utf8(emulator->vterm, 1);
    late_vterm.output_set_callback(emulator->vterm, on_reply, emulator);
    emulator->screen = late_vterm.obtain_screen(emulator->vterm);
    late_vterm.screen_enable_altscreen(emulator->screen, 1);
    late_vterm.screen_set_callbacks(emulator->screen, &screen_callbacks, emulator);
    late_vterm.screen_set_damage_merge(emulator->screen, VTERM_DAMAGE_CELL);
    late_vterm.screen_reset(emulator->screen, 1);
    return emulator;
}

void emulator_destroy(struct emulator *emulator)
{
    if (!emulator)
        return;
    if (emulator->vterm)
        late_vterm.free(emulator->vterm);
    picture_destroy(emulator->picture);
    free(emulator->shadow);
    free(emulator->spare);
    free(emulator->erased);
    free(emulator);
}

static void keep(struct emulator *emulator, char byte)
{
    if (emulator->kept < sizeof emulator->string)
        emulator->string[emulator->kept] = byte;
    emulator->kept++;
}

static void forget(struct emulator *emulator)
{
    emulator->kept = 0;
    emulator->step = STEP_TEXT;
}

static void text_release(struct emulator *emulator)
{
    late_vterm.input_write(emulator->vterm, emulator->text, emulator->text_length);
    emulator->text_length = 0;
}

/* Gives the kept bytes to libvterm, unless there were too many to keep. */
static void release(struct emulator *emulator)
{
    text_release(emulator);
    if (emulator->kept <= sizeof emulator->string)
        late_vterm.input_write(emulator->vterm, emulator->string, emulator->kept);
    forget(emulator);
}

static void text_keep(struct emulator *emulator, const uint8_t *bytes, size_t length)
{
    memcpy(emulator->text + emulator->text_length, bytes, length);
    emulator->text_length += length;
    if (emulator->text_length > sizeof emulator->text - UTF8_MAX)
        text_release(emulator);
}

static void string_take(struct emulator *emulator, uint32_t point)
{
    uint8_t bytes[UTF8_MAX];
    size_t length = utf8_encode(point, bytes);
    for (size_t i = 0; i < length; i++)
        keep(emulator, (char)bytes[i]);
    if (point == ESC)
        emulator->step = STEP_STRING_ESCAPE;
    else if (emulator->step == STEP_STRING_ESCAPE || point == BEL || point == CAN || point == SUB)
        release(emulator);
}

static void escape_start(struct emulator *emulator)
{
    forget(emulator);
    keep(emulator, ESC);
    emulator->numbers = emulator->digits = 0;
    emulator->step = STEP_ESCAPE;
}

/* A control inside a sequence takes effect at once; CAN, SUB and ESC cancel the sequence. */
static void control_take(struct emulator *emulator, char byte)
{
    if (byte == ESC)
        escape_start(emulator);
    else if (byte == CAN || byte == SUB)
        forget(emulator);
    else
        text_keep(emulator, (uint8_t *)&byte, 1);
}

static void escape_take(struct emulator *emulator, char byte)
{
    keep(emulator, byte);
    if (byte <= '/') /* an intermediate byte: more follow */
        return;
    if (emulator->kept == 2 && strchr("]PX^_", byte))
        emulator->step = STEP_STRING;
    else if (emulator->kept == 2 && byte == '[')
        emulator->step = STEP_SEQUENCE;
    else
        release(emulator);
}

/* REP (ECMA-48, 8.3.103). libvterm repeats a wide character beyond the end of a row, and a
 * combining one for ever. */
static void repeat(struct emulator *emulator)
{
    uint8_t bytes[UTF8_MAX];
    size_t length = utf8_encode(emulator->last, bytes);
    long times;
    emulator->string[emulator->kept - 1] = '\0';
    times = strtol(emulator->string + 2, NULL, 10);
    forget(emulator);
    for (long i = 0; emulator->last && i < (times ? times : 1); i++)
        text_keep(emulator, bytes, length);
}

/* Takes the bytes after ESC [ (ECMA-48, 5.4): the first 16 numbers, of up to four digits; larger
 * numbers become 9999. */
static void sequence_take(struct emulator *emulator, char byte)
{
    if (emulator->kept >= sizeof emulator->string) { /* sequences of this length have no meaning */
        if (byte >= '@')
            forget(emulator);
        return;
    }
    if (byte == '0' && !emulator->digits && emulator->string[emulator->kept - 1] == '0')
        return;
    if (byte >= '0' + !emulator->digits && byte <= '9' && emulator->digits++ >= DIGITS_MAX) {
        if (emulator->numbers < NUMBERS_MAX)
            memset(emulator->string + emulator->kept - DIGITS_MAX, '9', DIGITS_MAX);
        return;
    }
    if (byte == ';' || byte == ':') {
        emulator->numbers++;
        emulator->digits = 0;
    }
    if (emulator->numbers < NUMBERS_MAX || byte < '0' || byte > '?')
        keep(emulator, byte);
    if (byte == 'b')
        repeat(emulator);
    else if (byte >= '@')
        release(emulator);
}

/* Works around libvterm 0.1.4. It writes beyond its buffers if a character is split or invalid, and
 * left of the screen at a C1 control, to which it gives width -1. It keeps all combining characters
 * of a cell and scans them each time. */
static void text_take(struct emulator *emulator, uint32_t point)
{
    uint8_t bytes[UTF8_MAX];
    size_t length;
    if (point < 0xA0 && point > DEL)
        point = NO_CHARACTER;
    emulator->marks = point_width(point) ? 0 : emulator->marks + 1;
    if (emulator->marks > MARKS_MAX)
        return;
    if (!emulator->marks)
        emulator->last = point;
    length = utf8_encode(point, bytes);
    text_keep(emulator, bytes, length);
}

static void point_take(struct emulator *emulator, uint32_t point)
{
    switch (emulator->step) {
    case STEP_STRING_ESCAPE:
        if (point != '\\') {
            escape_start(emulator);
            point_take(emulator, point);
            return;
        } /* fallthrough */
    case STEP_STRING:
        string_take(emulator, point);
        return;
    default:
        break;
    }
    if (point < ' ' || point == DEL) {
        control_take(emulator, (char)point);
    } else if (emulator->step == STEP_TEXT || point > DEL) {
        forget(emulator);
        text_take(emulator, point);
    } else if (emulator->step == STEP_ESCAPE) {
        escape_take(emulator, (char)point);
    } else {
        sequence_take(emulator, (char)point);
    }
}

void emulator_feed(struct emulator *emulator, const void *bytes, size_t length)
{
    const uint8_t *at = bytes, *end = at + length;
    emulator->replied = 0;
    while (at < end) {
        uint32_t point = NO_CHARACTER;
        enum utf8_step step = utf8_feed(&emulator->decoder, *at, &point);
        at += step != UTF8_AGAIN;
        if (step != UTF8_MORE)
            point_take(emulator, step == UTF8_POINT ? point : NO_CHARACTER);
    }
    text_release(emulator);
}

static uint32_t colour(const struct emulator *emulator, VTermColor given)
{
    if (VTERM_COLOR_IS_DEFAULT_FG(&given) || VTERM_COLOR_IS_DEFAULT_BG(&given))
        return PICTURE_DEFAULT;
    late_vterm.screen_convert_color_to_rgb(emulator->screen, &given);
    return (uint32_t)given.rgb.red << 16 | (uint32_t)given.rgb.green << 8 | given.rgb.blue;
}

static void cell_take(const struct emulator *emulator, unsigned row, unsigned column)
{
    struct picture_cell *to =
        &emulator->picture->cells[(size_t)row * emulator->picture->columns + column];
    VTermScreenCell cell;
    late_vterm.screen_get_cell(emulator->screen, (VTermPos){(int)row, (int)column}, &cell);
    *to = (struct picture_cell){.fg = colour(emulator, cell.fg),
                                .bg = colour(emulator, cell.bg),
                                .width = (uint8_t)cell.width,
                                .look = (uint8_t)((cell.attrs.bold ? LOOK_BOLD : 0) |
                                                  (cell.attrs.underline ? LOOK_UNDERLINE : 0) |
                                                  (cell.attrs.italic ? LOOK_ITALIC : 0) |
                                                  (cell.attrs.blink ? LOOK_BLINK : 0) |
                                                  (cell.attrs.strike ? LOOK_STRIKE : 0))};
    if (cell.chars[0] == UINT32_MAX)
        to->width = 0;
    else
        for (unsigned i = 0; i < PICTURE_CHARS && cell.chars[i]; i++)
            to->chars[i] = cell.chars[i];
    picture_settle(to, cell.attrs.reverse);
}

const struct picture *emulator_picture(struct emulator *emulator)
{
    struct picture *picture = emulator->picture;
    unsigned to = emulator->stale_to < picture->rows ? emulator->stale_to : picture->rows;
    for (unsigned row = emulator->stale_from; row < to; row++) {
        for (unsigned column = 0; column < picture->columns; column++)
            cell_take(emulator, row, column);
    }
    emulator->stale_from = picture->rows;
    emulator->stale_to = 0;
    return picture;
}

size_t emulator_reply(struct emulator *emulator, char *out, size_t room)
{
    size_t length = emulator->replied < room ? emulator->replied : room;
    memcpy(out, emulator->reply, length);
    emulator->replied = 0;
    return length;
}
