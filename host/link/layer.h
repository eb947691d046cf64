/* The layer between the protocol and a medium. layer_plain() passes everything on; secured_create()
 * encrypts. */
#ifndef LINK_LAYER_H
#define LINK_LAYER_H

#include "link/core.h"

struct layer {
    const struct layer_ops *ops;
};

/* Each function except the last two replaces the function of that name in core.h. */
struct layer_ops {
    void (*medium)(struct layer *layer, struct link_core *core, uint64_t now_us, bool usable,
                   const char *reason);
    bool (*frame)(struct layer *layer, struct link_core *core, uint64_t now_us,
                  const uint8_t *frame, size_t length);
    bool (*early)(struct layer *layer, struct link_core *core, uint64_t now_us,
                  const uint8_t *frame, size_t length);
    void (*tick)(struct layer *layer, struct link_core *core, uint64_t now_us);
    uint64_t (*deadline)(const struct layer *layer, const struct link_core *core);
    /* out has room for FRAME_MAX bytes. */
    size_t (*output)(struct layer *layer, struct link_core *core, uint64_t now_us, uint8_t *out);
    /* Reduces the wire's properties by the layer's overhead. */
    void (*wire)(const struct layer *layer, struct link_wire *wire);
    void (*destroy)(struct layer *layer);
};

/* The layer that passes everything on, without state. Reports a frame of an end with a secret. */
struct layer *layer_plain(void);

/* NULL is allowed. */
void layer_destroy(struct layer *layer);

#endif
