#include "link/medium.h"

void medium_feed(const struct medium_callbacks *callbacks, void *ctx, struct frame_reader *reader,
                 uint8_t byte)
{
    switch (frame_feed(reader, byte)) {
    case FRAME_MORE:
        break;
    case FRAME_MAYBE:
        if (callbacks->early(ctx, reader->frame, reader->length, reader->taken + 2))
            frame_take(reader);
        break;
    case FRAME_WHOLE:
        callbacks->frame(ctx, reader->frame, reader->length, reader->taken + 2);
        break;
    case FRAME_GARBAGE:
        callbacks->garbage(ctx, reader->taken);
        break;
    }
}
