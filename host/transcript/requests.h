/* Statistics of a language model's server from the notes in an Entry's record: boothlink-chat
 * writes a line for each request (adapter/chat/chat.c). Pure. */
#ifndef TRANSCRIPT_REQUESTS_H
#define TRANSCRIPT_REQUESTS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

#define REQUESTS_REASONS 8u
#define REQUESTS_MODEL   120

/* Zeroed at the start. */
struct requests {
    uint64_t count, answered, failed, cancelled;
    uint64_t retries, fallbacks;    /* repeated requests; questions without an answer */
    uint64_t tokens_in, tokens_out; /* counts reported by the server */
    uint32_t *took_ms;              /* times of answered requests; requests_end() sorts them */
    size_t room;
    uint64_t median_ms, most_ms; /* 0: none was answered */
    struct {
        char text[40]; /* the reason for an answer's end ("stop"), or the fault ("status 429") */
        uint64_t count;
    } reason
        [REQUESTS_REASONS]; /* reasons in the order of their first occurrence; more are not kept */
    char model[REQUESTS_MODEL]; /* the last model reported; "": none */
};

/* Takes a note of the Entry; ignores notes that are not about requests or the model. BL_NOMEM. */
enum bl_status requests_take(struct requests *requests, const char *note);

/* Computes the median and the maximum. Called after the last note. */
void requests_end(struct requests *requests);

void requests_free(struct requests *requests);

#endif
