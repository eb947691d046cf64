#include "link/cable.h"

#include <stdio.h>
#include <string.h>

/* The pins of a DE-9, EIA/TIA-574. */
static const struct {
    int pin;
    const char *name;
} input_pins[CABLE_INPUTS] = {{2, "RX"}, {8, "CTS"}, {6, "DSR"}, {1, "DCD"}, {9, "RI"}};

static const struct {
    uint8_t own, peer;
    int pin;
    const char *name;
} outputs[] = {
    {CABLE_OWN_TX, CABLE_PEER_TX, 3, "TX"},
    {CABLE_OWN_RTS, CABLE_PEER_RTS, 7, "RTS"},
    {CABLE_OWN_DTR, CABLE_PEER_DTR, 4, "DTR"},
};

enum { OUTPUTS = sizeof outputs / sizeof outputs[0] };

static unsigned differences(const struct cable *cable, int first, const struct cable_seen *seen)
{
    unsigned count = 0;
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < CABLE_INPUTS; i++) {
            unsigned differ = cable->end[end ^ first].from[i] ^ seen->end[end].from[i];
            count += (unsigned)__builtin_popcount(differ & seen->known[end]);
        }
    return count;
}

static const uint8_t input_levels[CABLE_INPUTS] = {0, LEVEL_CTS, LEVEL_DSR, LEVEL_DCD, LEVEL_RI};

/* True if this cable would move the inputs that were seen to move, or if no movement was seen. */
static bool moves_alike(const struct cable *cable, int first, const struct cable_seen *seen)
{
    unsigned moved = 0;
    for (int i = CABLE_CTS; i < CABLE_INPUTS; i++)
        if (cable->end[first].from[i] & (CABLE_PEER_RTS | CABLE_PEER_DTR))
            moved |= input_levels[i];
    return !seen->moving || moved == seen->moved;
}

static bool looks_like(const struct cable *cable, int first, const struct cable_seen *seen)
{
    if (cable->box != seen->box || (cable->box && first != seen->box_far))
        return false;
    return differences(cable, first, seen) == 0 && moves_alike(cable, first, seen);
}

char cable_here(const struct cable *cable, const struct cable_seen *seen)
{
    bool a = looks_like(cable, 0, seen), b = looks_like(cable, 1, seen);
    return a == b ? 0 : a ? 'a' : 'b';
}

size_t cable_match(const struct cable_seen *seen, const struct cable **out, size_t room)
{
    size_t count = 0;
    if (!seen->known[0] && !seen->known[1])
        return 0;
    for (int wrong = 0; wrong < 2; wrong++)
        for (const struct cable *cable = cables; cable->name; cable++) {
            if ((cable->cure != NULL) != wrong ||
                !(looks_like(cable, 0, seen) || looks_like(cable, 1, seen)))
                continue;
            if (count < room)
                out[count] = cable;
            count++;
        }
    return count;
}

static void add_wire(struct cable_difference *out, int end, int input, int output, bool own,
                     bool missing)
{
    static const char *const places[2] = {"here", "there"};
    if (out->wires == sizeof out->wire / sizeof out->wire[0])
        return;
    snprintf(out->wire[out->wires++], sizeof out->wire[0], "pin %d (%s) %s to pin %d (%s) %s: %s",
             outputs[output].pin, outputs[output].name, places[own ? end : !end],
             input_pins[input].pin, input_pins[input].name, places[end],
             missing ? "missing" : "should not be");
}

void cable_nearest(const struct cable_seen *seen, struct cable_difference *out)
{
    unsigned least = UINT32_MAX;
    int first = 0;
    *out = (struct cable_difference){.cable = cables};
    for (const struct cable *cable = cables; cable->name; cable++)
        for (int turned = 0; turned < 2 && !cable->cure && cable->box == seen->box; turned++) {
            unsigned differ = differences(cable, turned, seen);
            if (differ < least) {
                least = differ;
                out->cable = cable;
                first = turned;
            }
        }
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < CABLE_INPUTS; i++)
            for (int o = 0; o < OUTPUTS; o++)
                for (int own = 0; own < 2; own++) {
                    uint8_t bit = (own ? outputs[o].own : outputs[o].peer) & seen->known[end];
                    uint8_t wanted = out->cable->end[end ^ first].from[i] & bit;
                    if (wanted != (seen->end[end].from[i] & bit))
                        add_wire(out, end, i, o, own, wanted);
                }
}

void cable_follow(struct cable_end *end, const uint8_t inputs[4], uint8_t rts, uint8_t dtr)
{
    for (int i = CABLE_CTS; i < CABLE_INPUTS; i++) {
        unsigned up = 0;
        for (unsigned setting = 0; setting < 4; setting++)
            up |= (inputs[setting] & input_levels[i] ? 1u : 0u) << setting;
        /* Bit n of `up` is the level with the outputs set to n: RTS counts 1, DTR 2. A level that
         * needs both outputs means that the two are tied together. */
        if (up == 0xA || up == 0x8)
            end->from[i] |= rts;
        if (up == 0xC || up == 0x8)
            end->from[i] |= dtr;
    }
}

struct canvas {
    char *text;
    size_t size, length;
};

static void put(struct canvas *canvas, const char *line)
{
    size_t n = strlen(line);
    if (canvas->length + n + 2 > canvas->size)
        return;
    memcpy(canvas->text + canvas->length, line, n);
    canvas->length += n;
    canvas->text[canvas->length++] = '\n';
    canvas->text[canvas->length] = 0;
}

/* Lists the inputs of one end that a driver reaches, such as "6 DSR, 1 DCD". */
static bool reached(const struct cable_end *end, uint8_t driver, char *text, size_t size)
{
    size_t length = 0;
    text[0] = 0;
    for (int i = 0; i < CABLE_INPUTS; i++)
        if (end->from[i] & driver && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%d %s", length ? ", " : "",
                                       input_pins[i].pin, input_pins[i].name);
    return length > 0;
}

static void draw_output(struct canvas *canvas, const struct cable_seen *seen, int from, int output)
{
    char name[16], near[48], far[48], line[160];
    bool looped = seen->known[from] & outputs[output].own &&
                  reached(&seen->end[from], outputs[output].own, near, sizeof near);
    bool asked = seen->known[!from] & outputs[output].peer;
    bool crosses = asked && reached(&seen->end[!from], outputs[output].peer, far, sizeof far);
    snprintf(name, sizeof name, "%s %d", outputs[output].name, outputs[output].pin);
    if (crosses) {
        snprintf(line, sizeof line,
                 from ? "  %-22s <-------------------- %22s" : "  %-22s --------------------> %s",
                 from ? far : name, from ? name : far);
        put(canvas, line);
    }
    if (looped) {
        snprintf(line, sizeof line,
                 from ? "  %-22s            +--------- %22s" : "  %-22s ---------+",
                 from ? "" : name, name);
        put(canvas, line);
        snprintf(line, sizeof line,
                 from ? "  %-22s            +--------> %22s" : "  %-22s <--------+",
                 from ? "" : near, near);
        put(canvas, line);
    }
    if (!crosses && !looped && (asked || seen->known[from] & outputs[output].own)) {
        const char *why = asked ? "nowhere" : "?";
        snprintf(line, sizeof line, from ? "  %22s %10s <-------- %22s" : "  %-22s --------> %s",
                 from ? "" : name, why, name);
        put(canvas, line);
    }
}

size_t cable_draw(const struct cable_seen *seen, char *text, size_t size)
{
    struct canvas canvas = {.text = text, .size = size};
    text[0] = 0;
    put(&canvas, "  this end                                           the other end");
    for (int output = 0; output < OUTPUTS; output++) {
        draw_output(&canvas, seen, 0, output);
        draw_output(&canvas, seen, 1, output);
    }
    return canvas.length;
}
