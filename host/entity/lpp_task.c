#include "entity/lpp_task.h"

#include "entity/lpp_folder.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

size_t lpp_task_length(const struct lpp_task *task)
{
    size_t most = task->removes ? LPP_TAKEN_MAX : LPP_MAKING_MAX;
    size_t one = task->removes ? sizeof task->of.name[0] : sizeof task->of.key[0];
    return task->count && task->count <= most ? offsetof(struct lpp_task, of) + task->count * one
                                              : 0;
}

/* Makes the keys, with the stores of lpp_state.h in their order. */
static void make_keys(const struct lpp_task *task, const struct lpp_folder *folder,
                      struct lpp_state *state, struct lpp_task_done *done)
{
    for (; done->made < task->count; done->made++) {
        const struct lpp_task_key *key = &task->of.key[done->made];
        char name[LPP_NAME_MAX + 1];
        lpp_name_write(name, key->number, key->point, task->from);
        state->making_point = key->point;
        state->making_ns = lpp_folder_changed_ns(folder);
        atomic_store_explicit(&state->number, key->number, memory_order_release);
        atomic_store_explicit(&state->making, key->n, memory_order_release);
        if (lpp_folder_make(folder, name)) {
            done->error = errno;
            return;
        }
        atomic_store_explicit(&state->given, key->n, memory_order_release);
    }
}

/* Does the work. No other code uses `given` and `making` of the state meanwhile. */
static void lpp_task_run(const struct lpp_task *task, int descriptor, struct lpp_state *state,
                         struct lpp_task_done *done)
{
    const struct lpp_folder folder = {.fd = descriptor};
    memset(done, 0, sizeof *done);
    if (!task->removes) {
        make_keys(task, &folder, state, done);
        return;
    }
    for (uint32_t i = 0; i < task->count; i++)
        if (lpp_folder_remove(&folder, task->of.name[i]))
            done->removed[i] = errno;
}

/* Waits for a packet. Returns the folder's descriptor; -1: the terminal has ended. */
static int task_take(struct lpp_task *task)
{
    union {
        struct cmsghdr head;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {.iov_base = task, .iov_len = sizeof *task};
    struct msghdr packet = {.msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.room,
                            .msg_controllen = sizeof control.room};
    ssize_t length;
    int folder = -1;
    while ((length = recvmsg(LPP_TASK_SOCKET, &packet, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
        ;
    const struct cmsghdr *head = length > 0 ? CMSG_FIRSTHDR(&packet) : NULL;
    if (!head || head->cmsg_type != SCM_RIGHTS || (size_t)length != lpp_task_length(task))
        return -1;
    memcpy(&folder, CMSG_DATA(head), sizeof folder);
    return folder;
}

int lpp_task_serve(void)
{
    static struct lpp_task task;
    struct lpp_task_done done;
    struct lpp_state *state;
    struct pollfd terminal = {.fd = LPP_TASK_SOCKET, .events = POLLIN};
    int folder;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    close(STDERR_FILENO + 1);
    close_range(LPP_TASK_SOCKET + 1, UINT32_MAX, 0); /* closes inherited descriptors, such as a
                                                      * port */
    signal(SIGINT, SIG_IGN);                         /* the terminal handles the signals */
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, LPP_TASK_STATE, 0);
    if (state == MAP_FAILED)
        return bl_status_exit(BL_USAGE);
    /* A terminal that ended before PR_SET_PDEATHSIG causes no signal; its end of the socket is
     * closed. */
    if (poll(&terminal, 1, 0) > 0 && terminal.revents & POLLHUP)
        return 0;
    while ((folder = task_take(&task)) >= 0) {
        lpp_task_run(&task, folder, state, &done);
        close(folder);
        if (send(LPP_TASK_SOCKET, &done, sizeof done, MSG_NOSIGNAL) < 0)
            break;
    }
    return 0;
}
