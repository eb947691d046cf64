#include "entity/prompt.h"

#include "base/utf8.h"
#include "session/event.h"

#include <string.h>

#define REPEAT_MAX 255 /* RE_DUP_MAX */
#define FOREVER    UINT16_MAX
#define DEPTH_MAX  32

enum node_kind { NODE_EMPTY, NODE_STEP, NODE_BOTH, NODE_EITHER, NODE_REPEAT };

/* A piece of the expression; the numbers are indices of other nodes. */
struct node {
    uint8_t kind;
    uint8_t op;
    uint16_t left, right; /* REPEAT: left is repeated */
    uint16_t least, most;
    uint32_t a;
};

struct compiler {
    struct prompt *prompt;
    const char *text; /* the whole, for messages */
    const char *at;
    struct node node[PROMPT_NODES];
    unsigned nodes;
    unsigned depth;
    unsigned emitted; /* nodes, those of repetitions each time */
    struct bl_diag *diag;
    enum bl_status status;
};

static unsigned wrong(struct compiler *c, const char *what)
{
    if (!c->status)
        c->status = bl_fail(c->diag, BL_USAGE, "strip-prompt \"%.60s\", character %u: %s", c->text,
                            (unsigned)(c->at - c->text) + 1, what);
    return 0;
}

static unsigned node_add(struct compiler *c, struct node node)
{
    if (c->nodes == PROMPT_NODES)
        return wrong(c, "too long; a shorter expression is right");
    c->node[c->nodes] = node;
    return c->nodes++;
}

/* Takes the next code point of the text. */
static uint32_t next_point(struct compiler *c)
{
    uint32_t point;
    size_t taken = utf8_decode((const uint8_t *)c->at, strlen(c->at), &point);
    if (taken == 0) {
        wrong(c, "no UTF-8 here");
        return 0;
    }
    c->at += taken;
    return point;
}

/* The names are ASCII's, so that a prompt means the same in every locale. */
static const struct {
    const char *name;
    const char *ranges; /* pairs */
} classes[] = {
    {"[:alpha:]", "AZaz"},   {"[:digit:]", "09"},       {"[:alnum:]", "09AZaz"},
    {"[:upper:]", "AZ"},     {"[:lower:]", "az"},       {"[:space:]", "\t\r  "},
    {"[:blank:]", "\t\t  "}, {"[:punct:]", "!/:@[`{~"}, {"[:xdigit:]", "09AFaf"},
    {"[:print:]", " ~"},     {"[:graph:]", "!~"},
};

static void set_add(struct compiler *c, struct prompt_set *set, uint32_t low, uint32_t high)
{
    if (set->count == PROMPT_RANGES) {
        wrong(c, "too many members of a set; fewer are right");
        return;
    }
    set->low[set->count] = low;
    set->high[set->count++] = high;
}

static bool set_add_class(struct compiler *c, struct prompt_set *set)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        size_t length = strlen(classes[i].name);
        if (strncmp(c->at, classes[i].name, length) == 0) {
            for (const char *r = classes[i].ranges; *r; r += 2)
                set_add(c, set, (unsigned char)r[0], (unsigned char)r[1]);
            c->at += length;
            return true;
        }
    }
    return false;
}

static unsigned parse_set(struct compiler *c)
{
    struct prompt_set *set = &c->prompt->set[c->prompt->sets];
    bool first = true;
    if (c->prompt->sets == PROMPT_SETS)
        return wrong(c, "too many sets; fewer are right");
    *set = (struct prompt_set){0};
    c->at++;
    if (*c->at == '^') {
        set->negated = true;
        c->at++;
    }
    for (; first || *c->at != ']'; first = false) {
        uint32_t low, high;
        if (*c->at == '\0')
            return wrong(c, "the set has no end; ] is missing");
        if (*c->at == '[' && (c->at[1] == ':' || c->at[1] == '.' || c->at[1] == '=')) {
            if (!set_add_class(c, set))
                return wrong(c, "no such class; [:alpha:] and the like are right");
            continue;
        }
        low = high = next_point(c);
        if (*c->at == '-' && c->at[1] != ']' && c->at[1] != '\0') {
            c->at++;
            high = next_point(c);
            if (high < low)
                return wrong(c, "a range that runs backwards");
        }
        set_add(c, set, low, high);
        if (c->status)
            return 0;
    }
    c->at++;
    return node_add(c, (struct node){.kind = NODE_STEP, .op = PROMPT_SET, .a = c->prompt->sets++});
}

static unsigned parse_either(struct compiler *c);

static unsigned parse_atom(struct compiler *c)
{
    uint32_t point;
    unsigned node;
    switch (*c->at) {
    case '(':
        if (++c->depth > DEPTH_MAX)
            return wrong(c, "too many brackets in brackets");
        c->at++;
        node = parse_either(c);
        if (*c->at != ')')
            return wrong(c, "the bracket has no end; ) is missing");
        c->at++;
        c->depth--;
        return node;
    case '[':
        return parse_set(c);
    case '.':
        c->at++;
        return node_add(c, (struct node){.kind = NODE_STEP, .op = PROMPT_ANY});
    case '*':
    case '+':
    case '?':
    case '{':
        return wrong(c, "nothing to repeat before this; \\ before it makes it a plain character");
    case '^':
        if (c->at == c->text) {
            c->at++;
            return node_add(c, (struct node){.kind = NODE_EMPTY});
        }
        return wrong(c, "^ may stand at the start only; \\^ is the character");
    case '$':
        return wrong(c, "a prompt has no end to anchor to; \\$ is the character");
    case '\\':
        c->at++;
        if (*c->at == 't') {
            c->at++;
            point = KEY_TAB;
            break;
        }
        if (*c->at == '\0' || !strchr(".[]()*+?{}|^$\\", *c->at))
            return wrong(c, "no such escape; \\t and \\ before a special character are right");
        point = next_point(c);
        break;
    default:
        point = next_point(c);
        break;
    }
    return node_add(c, (struct node){.kind = NODE_STEP, .op = PROMPT_POINT, .a = point});
}

static unsigned parse_number(struct compiler *c)
{
    unsigned value = 0;
    if (*c->at < '0' || *c->at > '9')
        return wrong(c, "a number is missing; {2}, {2,} and {2,5} are right");
    while (*c->at >= '0' && *c->at <= '9' && value <= REPEAT_MAX)
        value = value * 10 + (unsigned)(*c->at++ - '0');
    if (value > REPEAT_MAX)
        return wrong(c, "more than 255 times");
    return value;
}

static unsigned parse_piece(struct compiler *c)
{
    unsigned node = parse_atom(c);
    while (!c->status && *c->at && strchr("*+?{", *c->at)) {
        struct node repeat = {.kind = NODE_REPEAT, .left = (uint16_t)node, .most = FOREVER};
        char how = *c->at++;
        if (how == '+') {
            repeat.least = 1;
        } else if (how == '?') {
            repeat.most = 1;
        } else if (how == '{') {
            repeat.least = repeat.most = (uint16_t)parse_number(c);
            if (*c->at == ',') {
                c->at++;
                repeat.most = *c->at == '}' ? FOREVER : (uint16_t)parse_number(c);
            }
            if (*c->at != '}' || repeat.most < repeat.least)
                return wrong(c, "{2}, {2,} and {2,5} are right");
            c->at++;
        }
        node = node_add(c, repeat);
    }
    return node;
}

static unsigned parse_both(struct compiler *c)
{
    unsigned node = node_add(c, (struct node){.kind = NODE_EMPTY});
    while (!c->status && *c->at && *c->at != '|' && *c->at != ')') {
        unsigned piece = parse_piece(c);
        node = node_add(
            c, (struct node){.kind = NODE_BOTH, .left = (uint16_t)node, .right = (uint16_t)piece});
    }
    return node;
}

static unsigned parse_either(struct compiler *c)
{
    unsigned node = parse_both(c);
    while (!c->status && *c->at == '|') {
        unsigned other;
        c->at++;
        other = parse_both(c);
        node = node_add(
            c,
            (struct node){.kind = NODE_EITHER, .left = (uint16_t)node, .right = (uint16_t)other});
    }
    return node;
}

static unsigned step_add(struct compiler *c, uint8_t op, uint32_t a, uint32_t b)
{
    struct prompt *prompt = c->prompt;
    if (prompt->steps == PROMPT_STEPS)
        return wrong(c, "too long when its repetitions are written out; fewer are right");
    prompt->step[prompt->steps] = (struct prompt_step){op, a, b};
    return prompt->steps++;
}

static void emit(struct compiler *c, unsigned index)
{
    const struct node *node = &c->node[index];
    struct prompt_step *step = c->prompt->step;
    unsigned split, jump;
    /* Repetitions of repetitions of nothing would go on for years. */
    if (++c->emitted > PROMPT_STEPS * PROMPT_NODES)
        wrong(c, "too many repetitions in repetitions");
    if (c->status)
        return;
    switch ((enum node_kind)node->kind) {
    case NODE_EMPTY:
        break;
    case NODE_STEP:
        step_add(c, node->op, node->a, 0);
        break;
    case NODE_BOTH:
        emit(c, node->left);
        emit(c, node->right);
        break;
    case NODE_EITHER:
        split = step_add(c, PROMPT_SPLIT, 0, 0);
        emit(c, node->left);
        jump = step_add(c, PROMPT_SPLIT, 0, 0);
        step[split].a = split + 1;
        step[split].b = c->prompt->steps;
        emit(c, node->right);
        step[jump].a = step[jump].b = c->prompt->steps;
        break;
    case NODE_REPEAT:
        for (unsigned i = 0; i < node->least && !c->status; i++)
            emit(c, node->left);
        if (node->most == FOREVER) {
            split = step_add(c, PROMPT_SPLIT, 0, 0);
            emit(c, node->left);
            step_add(c, PROMPT_SPLIT, split, split);
            step[split].a = split + 1;
            step[split].b = c->prompt->steps;
            break;
        }
        for (unsigned i = node->least; i < node->most && !c->status; i++) {
            split = step_add(c, PROMPT_SPLIT, 0, 0);
            emit(c, node->left);
            step[split].a = split + 1;
            step[split].b = c->prompt->steps;
        }
        break;
    }
}

enum bl_status prompt_parse(struct prompt *prompt, const char *text, struct bl_diag *diag)
{
    struct compiler c = {.prompt = prompt, .text = text, .at = text, .diag = diag};
    unsigned root;
    memset(prompt, 0, sizeof *prompt);
    if (*text == '\0')
        wrong(&c, "nothing to strip; a regular expression is right, for example \"> \"");
    root = parse_either(&c);
    if (!c.status && *c.at == ')')
        wrong(&c, "nothing to close; \\) is the character");
    emit(&c, root);
    if (!c.status)
        step_add(&c, PROMPT_MATCH, 0, 0);
    return c.status;
}

/* Puts a step and all that follow it without a key into the state. */
static void state_add(const struct prompt *prompt, struct prompt_state *state, unsigned index)
{
    uint16_t to_tell[PROMPT_STEPS * 2 + 1];
    unsigned count = 0;
    to_tell[count++] = (uint16_t)index;
    while (count) {
        unsigned i = to_tell[--count];
        const struct prompt_step *step = &prompt->step[i];
        uint64_t bit = UINT64_C(1) << (i % 64);
        if (state->steps[i / 64] & bit)
            continue;
        state->steps[i / 64] |= bit;
        if (step->op == PROMPT_SPLIT) {
            to_tell[count++] = (uint16_t)step->b;
            to_tell[count++] = (uint16_t)step->a;
        }
    }
}

static bool step_takes(const struct prompt *prompt, const struct prompt_step *step, uint32_t point)
{
    const struct prompt_set *set;
    bool in = false;
    switch ((enum prompt_op)step->op) {
    case PROMPT_POINT:
        return step->a == point;
    case PROMPT_ANY:
        return point != KEY_RETURN;
    case PROMPT_SET:
        set = &prompt->set[step->a];
        for (unsigned i = 0; i < set->count && !in; i++)
            in = point >= set->low[i] && point <= set->high[i];
        return in != set->negated && point != KEY_RETURN;
    case PROMPT_SPLIT:
    case PROMPT_MATCH:
        break;
    }
    return false;
}

void prompt_start(const struct prompt *prompt, struct prompt_state *state)
{
    memset(state, 0, sizeof *state);
    state_add(prompt, state, 0);
}

void prompt_feed(const struct prompt *prompt, struct prompt_state *state, uint32_t point)
{
    struct prompt_state next = {{0}};
    for (unsigned i = 0; i < prompt->steps; i++) {
        if (state->steps[i / 64] >> (i % 64) & 1 && step_takes(prompt, &prompt->step[i], point))
            state_add(prompt, &next, i + 1);
    }
    *state = next;
}

bool prompt_matched(const struct prompt *prompt, const struct prompt_state *state)
{
    unsigned last = prompt->steps - 1;
    return state->steps[last / 64] >> (last % 64) & 1;
}

bool prompt_open(const struct prompt *prompt, const struct prompt_state *state)
{
    for (unsigned i = 0; i < prompt->steps; i++) {
        uint8_t op = prompt->step[i].op;
        if (state->steps[i / 64] >> (i % 64) & 1 && op != PROMPT_SPLIT && op != PROMPT_MATCH)
            return true;
    }
    return false;
}
