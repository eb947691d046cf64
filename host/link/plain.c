/* A line without a secret. */
#include "link/layer.h"
#include "link/secured.h"

static void plain_medium(struct layer *layer, struct link_core *core, uint64_t now_us, bool usable,
                         const char *reason)
{
    (void)layer;
    link_core_medium(core, now_us, usable, reason);
}

static bool plain_frame(struct layer *layer, struct link_core *core, uint64_t now_us,
                        const uint8_t *frame, size_t length)
{
    (void)layer;
    if (!secured_is_call(frame, length))
        return link_core_frame(core, now_us, frame, length);
    link_core_trouble(core, now_us,
                      "the other terminal has a secret for this line and this one has none: give "
                      "it --key FILE");
    return false;
}

static bool plain_early(struct layer *layer, struct link_core *core, uint64_t now_us,
                        const uint8_t *frame, size_t length)
{
    (void)layer;
    return link_core_early(core, now_us, frame, length);
}

static void plain_tick(struct layer *layer, struct link_core *core, uint64_t now_us)
{
    (void)layer;
    link_core_tick(core, now_us);
}

static uint64_t plain_deadline(const struct layer *layer, const struct link_core *core)
{
    (void)layer;
    return link_core_deadline(core);
}

static size_t plain_output(struct layer *layer, struct link_core *core, uint64_t now_us,
                           uint8_t *out)
{
    (void)layer;
    return link_core_output(core, now_us, out);
}

static void plain_wire(const struct layer *layer, struct link_wire *wire)
{
    (void)layer;
    (void)wire;
}

static void plain_destroy(struct layer *layer)
{
    (void)layer;
}

struct layer *layer_plain(void)
{
    static const struct layer_ops ops = {
        .medium = plain_medium,
        .frame = plain_frame,
        .early = plain_early,
        .tick = plain_tick,
        .deadline = plain_deadline,
        .output = plain_output,
        .wire = plain_wire,
        .destroy = plain_destroy,
    };
    static struct layer plain = {&ops};
    return &plain;
}

void layer_destroy(struct layer *layer)
{
    if (layer)
        layer->ops->destroy(layer);
}
