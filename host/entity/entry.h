/* An Entry of any kind of the table (rules/kind.h), made of its words: its program, and its way of
 * speaking. */
#ifndef ENTITY_ENTRY_H
#define ENTITY_ENTRY_H

#include "entity/chat_entry.h"
#include "entity/form_entry.h"
#include "entity/lpp2_place.h"
#include "entity/program.h"
#include "rules/kind.h"

struct entry {
    enum kind_id kind;
    const char *folder;      /* of one speaking through a folder; else NULL */
    struct lpp2_place place; /* of one connecting to us */
    struct form_entry form;  /* delay_ms may be set before */
    struct chat_entry chat;
    struct ours ours; /* of one for which a program of ours stands */
};

/* Fills in the entry, whose kind is set (kind_find), and the kind's needs in the options of its
 * program; the folder, io, turn_end and `open` of the place are set before. The entry must live as
 * long as the options. BL_USAGE, and errors of the files a word names. */
enum bl_status entry_set(struct entry *entry, struct program_options *options,
                         const struct kind_texts *text, struct bl_diag *diag);

/* The conversation so far, for an Entry told at its start: as chat_entry_brief(); *fd is 0 for any
 * other. */
enum bl_status entry_brief(int *fd, const struct entry *entry, const char *session,
                           const struct key_event *event, uint64_t count, uint64_t answered,
                           struct bl_diag *diag);

/* Tells the segment's end, 0: not known, and the session's name; brief as above, above 0. */
void entry_tell(int brief, uint64_t ends_us, const char *session);

/* True if the program's event says: ready to be asked, as far as a program does not show its
 * readiness. */
bool entry_is_warm(const struct entry *entry, enum program_event event);

#endif
