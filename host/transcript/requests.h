/* The answers of a language model's server, from the notes of an Entry's record: boothlink-chat
 * tells each request in a line (adapter/chat/chat.c). Pure. */
#ifndef TRANSCRIPT_REQUESTS_H
#define TRANSCRIPT_REQUESTS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

#define REQUESTS_REASONS 8u
#define REQUESTS_MODEL   120

/* Zeroed is the start. */
struct requests {
    uint64_t count, answered, failed, cancelled;
    uint64_t retries, fallbacks;    /* requests that were repeated; questions that got no answer */
    uint64_t tokens_in, tokens_out; /* as the server says */
    uint32_t *took_ms;              /* of those that were answered, sorted by requests_end() */
    size_t room;
    uint64_t median_ms, most_ms; /* 0: none was answered */
    struct {
        char text[40]; /* the end of an answer ("stop"), or its fault ("status 429") */
        uint64_t count;
    } reason[REQUESTS_REASONS]; /* by their first coming; more are not named */
    char model[REQUESTS_MODEL]; /* the last that was told; "": none */
};

/* Takes a note of the Entry's; those that are no request change nothing. BL_NOMEM. */
enum bl_status requests_take(struct requests *requests, const char *note);

/* All notes were taken: the median and the most. */
void requests_end(struct requests *requests);

void requests_free(struct requests *requests);

#endif
