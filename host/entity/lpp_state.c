#include "entity/lpp_state.h"

#include "base/crc32c.h"
#include "entity/lpp_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static enum bl_status fail(int fd, const char *path, struct bl_diag *diag)
{
    int error = errno;
    if (fd >= 0)
        close(fd);
    return bl_fail(diag,
                   error == ENOSPC || error == EDQUOT  ? BL_FULL
                   : error == EACCES || error == EPERM ? BL_NOPERM
                                                       : BL_IO,
                   "%s: %s; another place for the records is named by --journal DIR", path,
                   strerror(error));
}

enum bl_status lpp_state_open(struct lpp_state **out, int *out_fd, const char *directory,
                              const char *folder, bool as_entry, struct bl_diag *diag)
{
    char path[PATH_MAX], real[PATH_MAX];
    const char *name = realpath(folder, real) ? real : folder;
    struct lpp_state *state;
    int fd;
    if (snprintf(path, sizeof path, "%s/lpp-%s%08x.state", directory, as_entry ? "entry-" : "",
                 crc32c(0, name, strlen(name))) >= (int)sizeof path)
        return bl_fail(diag, BL_USAGE, "--journal: too long a path");
    fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return fail(fd, path, diag);
    if (!lpp_folder_lock(fd, true)) {
        close(fd);
        return bl_fail(diag, BL_BUSY, "%s: boothlink-lpp of another terminal has it", path);
    }
    /* Allocates the file's blocks before the mapping: a full disk is then an error, and no
     * signal. */
    errno = posix_fallocate(fd, 0, sizeof *state);
    if (errno)
        return fail(fd, path, diag);
    state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (state == MAP_FAILED)
        return fail(fd, path, diag);
    *out_fd = fd;
    if (state->magic != LPP_STATE_MAGIC || !memchr(state->session, 0, sizeof state->session) ||
        state->stuck_count > LPP_STUCK_MAX || state->number > LPP_NUMBER_MAX) {
        memset(state, 0, sizeof *state);
        state->magic = LPP_STATE_MAGIC;
    }
    for (unsigned i = 0; i < LPP_TAKEN_MAX; i++)
        state->taken[i].name[LPP_NAME_MAX] = '\0';
    *out = state;
    return BL_OK;
}

void lpp_state_close(struct lpp_state *state)
{
    if (state)
        munmap(state, sizeof *state);
}

void lpp_state_begin(struct lpp_state *state, const char *session, uint64_t given)
{
    state->session[0] = '\0';
    atomic_signal_fence(memory_order_seq_cst); /* a kill between the two fences leaves a state of no
                                                * session */
    for (unsigned i = 0; i < LPP_TAKEN_MAX; i++)
        state->taken[i].key = 0;
    state->making = 0;
    state->given = given;
    atomic_signal_fence(memory_order_seq_cst);
    snprintf(state->session, sizeof state->session, "%s", session);
}
