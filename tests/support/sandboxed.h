/* Programs in real sandboxes, with a folder that nothing may be changed around: for cmocka's tests.
 */
#ifndef TESTS_SUPPORT_SANDBOXED_H
#define TESTS_SUPPORT_SANDBOXED_H

#include "validate/actor.h"

#define SANDBOXED_FLOOD (1u << 20) /* bytes at once that are a flood */

/* A folder with a file, in another folder with a file; made and removed for each test. */
extern char sandboxed_outer[200], sandboxed_folder[240];
int sandboxed_setup(void **state);
int sandboxed_teardown(void **state);

/* Options for a command there, which may be changed before sandboxed_start_with(). */
struct sandbox_options sandboxed_with(const char *command);

/* Starts it; the test is skipped where there are no sandboxes. */
struct actor *sandboxed_start_with(const struct sandbox_options *sandbox);
struct actor *sandboxed_start(const char *command);

/* Closes it, and asserts that all is untouched. */
void sandboxed_end(struct actor *actor);

/* Waits until what it has written since the mark has this in it. */
void sandboxed_wait_text(struct actor *actor, const char *text);

/* Asserts that both folders are as they were, and that no process of ours is left: all that ran in
 * a sandbox was below its first process, which was our child. */
void sandboxed_untouched(void);

#endif
