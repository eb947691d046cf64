/* Sets up an Entry of any kind of the table (rules/kind.h) from its options: its program's command,
 * and its protocol's settings. */
#ifndef ENTITY_ENTRY_H
#define ENTITY_ENTRY_H

#include "entity/chat_entry.h"
#include "entity/form_entry.h"
#include "entity/lpp2_place.h"
#include "entity/program.h"
#include "rules/kind.h"

struct entry {
    enum kind_id kind;
    const char *folder;      /* folder of an Entry that speaks through a folder; otherwise NULL */
    struct lpp2_place place; /* for an Entry that connects to us */
    struct form_entry form;  /* the caller may set delay_ms before entry_set() */
    struct chat_entry chat;
    struct ours ours; /* for an Entry with an adapter */
};

/* Completes the entry, and the options of its program, as its kind needs them. The caller has set
 * the kind (kind_find), folder, io, turn_end, and the place's `open`. The entry must outlive the
 * options. Errors: BL_USAGE, and those of files that an option names. */
enum bl_status entry_set(struct entry *entry, struct program_options *options,
                         const struct kind_texts *text, struct bl_diag *diag);

/* Finds the kind of an Entry that a command line names, completes it as entry_set(), and tries its
 * server. BL_USAGE; BL_UNAVAIL: no server answers. */
enum bl_status entry_take(struct entry *entry, struct program_options *options,
                          const struct kind_texts *text, struct bl_diag *diag);

/* Makes the brief of an Entry that has one, as chat_entry_brief(). *fd is 0 for any other Entry. */
enum bl_status entry_brief(int *fd, const struct entry *entry, const char *session,
                           const struct key_event *event, uint64_t count, uint64_t answered,
                           struct bl_diag *diag);

/* Writes the end of the segment (0: not known) and the session's name to the brief. brief: the
 * descriptor from entry_brief(), above 0. */
void entry_tell(int brief, uint64_t ends_us, const char *session);

/* True if the Entry can be asked after this event. For a kind with a brief: after PROGRAM_THERE,
 * PROGRAM_RESUMED or PROGRAM_EXITED. For any other kind: after each event. */
bool entry_is_warm(const struct entry *entry, enum program_event event);

#endif
