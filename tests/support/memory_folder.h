/* A folder in memory, for a fuzzer that makes files. */
#ifndef SUPPORT_MEMORY_FOLDER_H
#define SUPPORT_MEMORY_FOLDER_H

/* Makes one, named after the fuzzer, goes there, and takes it away at the end of the program. Its
 * path; *before: a descriptor of the folder before, from which the seeds are named. Aborts where it
 * cannot. */
const char *memory_folder_begin(const char *name, int *before);

/* Takes away all that is below a folder. */
void memory_folder_empty(const char *folder);

#endif
