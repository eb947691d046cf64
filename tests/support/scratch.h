/* A folder of a test's own below /tmp, and commands of a shell in it. */
#ifndef SUPPORT_SCRATCH_H
#define SUPPORT_SCRATCH_H

#define SCRATCH_MAX 32

/* Makes one, named after the test; nonzero: there is none. Its path is put into `folder`. */
int scratch_begin(char folder[SCRATCH_MAX], const char *name);

/* Fails the test when the command does. */
void scratch_run(const char *folder, const char *command);

/* Takes away all that is in it but for names with a dot in front, and then the folder. */
int scratch_end(const char *folder);

#endif
