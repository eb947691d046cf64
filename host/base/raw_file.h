/* Files whose bytes and syncs the caller orders itself, one by one: the records on their way to the
 * desk. base/file.h writes whole files. What only reads needs none of this. */
#ifndef BASE_RAW_FILE_H
#define BASE_RAW_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Opens a file, no symbolic link: to read it, or to write it too, and then a missing one is made.
 * Returns a descriptor; -1 and errno. */
int raw_open(const char *path, bool write);

/* Opens a folder and locks it against others who do so; EWOULDBLOCK: somebody has it. */
int raw_lock(const char *folder);

/* As pwrite(). */
ssize_t raw_write(int fd, const void *bytes, size_t length, uint64_t offset);

/* Syncs the file; the file system that it is on. As fsync() and syncfs(). */
int raw_sync(int fd);
int raw_sync_all(int fd);

/* As truncate(), but the file keeps its time of change: nothing has come. */
int raw_truncate(const char *path, uint64_t length);

/* Bytes of room on the disk of that folder; UINT64_MAX: it is not known. */
uint64_t raw_room(const char *folder);

void raw_close(int fd);

/* Gives the numbers (st_ino) of all files that somebody on this machine has locked, by the kernel's
 * list: a try at a lock would keep its owner out. False: the list cannot be read. */
bool raw_locked(void (*give)(void *ctx, uint64_t number), void *ctx);

#endif
