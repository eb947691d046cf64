/* Reads the source of a transcript: a file of any format, or a journal. */
#ifndef BOOTH_TRANSCRIPT_SOURCE_H
#define BOOTH_TRANSCRIPT_SOURCE_H

#include "base/status.h"
#include "journal/order.h"
#include "transcript/format.h"
#include "transcript/requests.h"
#include "transcript/transcript.h"

#define TRANSCRIPT_HEADERS 32

/* A request. The caller keeps the strings. */
struct transcript_request {
    const char *file, *entity_journal;
    const char *from; /* name of a format, or "journal"; NULL: the format is detected */
    bool one_side;    /* only `side` is taken */
    enum side side;
    const char *header[TRANSCRIPT_HEADERS]; /* first lines of a journal's transcript */
    size_t headers;
};

struct transcript_journal {
    struct order_set set, entity;
    struct transcript transcript;
    struct requests requests; /* the Entry's requests, from notes in the journals */
};

/* Reads a journal, and the entity's journal if the request names it. The caller closes the journal
 * in any case. */
enum bl_status transcript_journal_open(struct transcript_journal *journal,
                                       const struct transcript_request *request,
                                       struct bl_diag *diag);
void transcript_journal_close(struct transcript_journal *journal);

struct transcript_source {
    bool is_journal;
    enum format format; /* a file's format */
    struct transcript_journal journal;
    struct history history; /* the history of the file or the journal */
};

/* Reads the source, which must be all zeros. The caller closes the source in any case. */
enum bl_status transcript_source_open(struct transcript_source *source,
                                      const struct transcript_request *request,
                                      struct bl_diag *diag);
void transcript_source_close(struct transcript_source *source);

/* The name of the source's format: "2012", "journal". */
const char *transcript_source_format(const struct transcript_source *source);

#endif
