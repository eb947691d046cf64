#include "journal/append.h"

/* Removes the bytes of a failed append. */
static enum bl_status mend(struct append *f)
{
    if (f->torn && f->disk->truncate(f->disk->ctx, f->fd, f->length) != BL_OK)
        return BL_IO;
    f->torn = false;
    return BL_OK;
}

/* Has the loop warn of a failed append. */
static void tell(struct sync *sync, enum bl_status status)
{
    if (sync && status == BL_FULL)
        sync_full(sync);
    else if (sync)
        sync_failed(sync);
}

enum bl_status append_bytes(struct append *f, const void *bytes, size_t length)
{
    enum bl_status status = mend(f);
    if (status == BL_OK) {
        status = f->disk->append(f->disk->ctx, f->fd, bytes, length);
        if (status != BL_OK)
            append_take_back(f, f->length);
    }
    if (status != BL_OK) {
        tell(f->sync, status);
        return status;
    }
    f->length += length;
    if (f->sync)
        sync_appended(f->sync, f->length);
    return BL_OK;
}

enum bl_status append_cut(struct append *f, uint64_t length)
{
    if (length >= f->length)
        return BL_OK;
    enum bl_status status = f->disk->truncate(f->disk->ctx, f->fd, length);
    if (status == BL_OK)
        f->length = length;
    return status;
}

void append_take_back(struct append *f, uint64_t length)
{
    f->length = length;
    f->torn = true;
    mend(f); /* tried again before the next append, and at the end */
}

void append_close(struct append *f)
{
    sync_destroy(f->sync);
    /* Nobody is left to be told of a failure. Bytes that were called kept are synced already, and a
     * torn end is removed by the next reader who writes. */
    f->disk->truncate(f->disk->ctx, f->fd, f->length);
    f->disk->sync(f->disk->ctx, f->fd);
    f->disk->close(f->disk->ctx, f->fd);
}
