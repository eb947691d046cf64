/* Timed keys of either party from a file instead of a keyboard, for tests and the demo.
 *
 *   # comment            on a line of its own
 *   pace MS              ms between the keys that follow (default 100, 0: as fast as may be)
 *   type TEXT            the keys of TEXT, without the blanks around it; "TEXT" keeps them; \n is
 *                        Return, \b BackSpace, \t Tab, and there are \\ \" and \u{HEX}
 *   wait MS              do nothing for MS ms
 *   await-turn MS [MAX]  until the other party has typed since our last key and was then silent for
 *                        MS ms, or MAX ms (default 30000) have gone by
 *   key NAME             one key: Return, BackSpace, Tab, space, or a character as itself
 *   ballot TEXT          a judge's ballot, as rules/vote.h has it; given when the script comes to
 *                        it, or at once when the lines are cut for good
 *
 * A script resumes after a restart: it skips as many keys as its party's journal already holds. */
#ifndef ENTITY_SCRIPT_H
#define ENTITY_SCRIPT_H

#include "base/status.h"
#include "session/event.h"

struct script;

/* Parses `length` bytes of text. name: the file's name for messages, "FILE:LINE: fault; remedy"
 * (BL_DATA). The caller frees *out by script_destroy(). */
enum bl_status script_parse(struct script **out, const char *text, size_t length, const char *name,
                            struct bl_diag *diag);

/* Reads a file of at most 1 MiB and parses it. */
enum bl_status script_load(struct script **out, const char *path, struct bl_diag *diag);
void script_destroy(struct script *script);

/* The number of keys in the whole script. */
uint64_t script_keys(const struct script *script);

void script_skip(struct script *script, uint64_t keys);

/* The next due time on the monotonic clock, not before now_us; BL_NEVER (base/time.h): the script
 * is done. other_us: the time at which the other party's last key was shown here; 0: none yet.
 * Called again at each change of other_us. The first call starts the script. Pure. */
uint64_t script_due(struct script *script, uint64_t now_us, uint64_t other_us);

/* The key that is due now; 0: none. script_typed() counts the key as typed; a caller without room
 * calls again later. */
uint32_t script_key(struct script *script, uint64_t now_us, uint64_t other_us);
void script_typed(struct script *script, uint64_t now_us);

/* The text of a ballot that is due now, each once; NULL: none. */
const char *script_ballot(struct script *script, uint64_t now_us, uint64_t other_us);

/* Skips the keys before the next ballot. No more keys will be taken. */
void script_cut(struct script *script);

/* Calls ballot() for the text of each ballot, for a check before the start. */
void script_ballots(const struct script *script, void (*ballot)(void *ctx, const char *text),
                    void *ctx);

bool script_has_ballot(const struct script *script);

/* True if the script has no key and no wait left. */
bool script_done(const struct script *script);

#endif
