/* The system calls that are refused to a sandbox's command, for any user. First, calls that reach
 * beyond the namespaces: keys belong to a user, and families of sockets such as AF_VSOCK have no
 * network namespace. Second, calls that make namespaces, mounts and devices. Third, calls that no
 * conversation needs and that have had many holes. A filter cannot read memory behind a pointer, so
 * clone3() is refused as unknown; libraries then use clone(). */
#include "entity/sandbox_private.h"
#include "late/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/stat.h>

#define FAMILIES 64

#define PIPE_BYTES 65536

/* The kernel takes the low 32 bits of these arguments: the comparison masks the others. */
#define IS(n, mask, value) SCMP_CMP(n, SCMP_CMP_MASKED_EQ, mask, value)
#define LOW_32             0xffffffffu

static const struct {
    int call, error;
} refusals[] = {
    {SCMP_SYS(add_key), ENOSYS},         {SCMP_SYS(keyctl), ENOSYS},
    {SCMP_SYS(request_key), ENOSYS},     {SCMP_SYS(io_uring_setup), ENOSYS},
    {SCMP_SYS(io_uring_enter), ENOSYS},  {SCMP_SYS(io_uring_register), ENOSYS},
    {SCMP_SYS(userfaultfd), ENOSYS},     {SCMP_SYS(bpf), ENOSYS},
    {SCMP_SYS(perf_event_open), ENOSYS}, {SCMP_SYS(kexec_load), ENOSYS},
    {SCMP_SYS(kexec_file_load), ENOSYS}, {SCMP_SYS(open_by_handle_at), ENOSYS},
    {SCMP_SYS(clone3), ENOSYS},          {SCMP_SYS(mount), EPERM},
    {SCMP_SYS(umount), EPERM},           {SCMP_SYS(umount2), EPERM},
    {SCMP_SYS(pivot_root), EPERM},       {SCMP_SYS(setns), EPERM},
    {SCMP_SYS(open_tree), ENOSYS},       {SCMP_SYS(move_mount), ENOSYS},
    {SCMP_SYS(fsopen), ENOSYS},          {SCMP_SYS(fsconfig), ENOSYS},
    {SCMP_SYS(fsmount), ENOSYS},         {SCMP_SYS(fspick), ENOSYS},
    {SCMP_SYS(mount_setattr), ENOSYS},
};

/* Adds the calls of 32-bit programs, which 64-bit machines also run. */
static bool machines_add(scmp_filter_ctx filter)
{
    int error = 0;
    if (late_seccomp.arch_native() == SCMP_ARCH_X86_64)
        error = late_seccomp.arch_add(filter, SCMP_ARCH_X86);
    else if (late_seccomp.arch_native() == SCMP_ARCH_AARCH64)
        error = late_seccomp.arch_add(filter, SCMP_ARCH_ARM);
    return error == 0;
}

static bool spaces_refuse(scmp_filter_ctx filter)
{
    struct scmp_arg_cmp user = IS(0, CLONE_NEWUSER, CLONE_NEWUSER);
    return late_seccomp.rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(unshare), 1, user) == 0 &&
           late_seccomp.rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1, user) == 0;
}

/* Refuses mknod() of devices. FIFOs and sockets are allowed. */
static bool devices_refuse(scmp_filter_ctx filter)
{
    static const mode_t kinds[] = {S_IFCHR, S_IFBLK};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (late_seccomp.rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(mknod), 1,
                                  IS(1, S_IFMT, kinds[i])) ||
            late_seccomp.rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(mknodat), 1,
                                  IS(2, S_IFMT, kinds[i])))
            return false;
    return true;
}

static bool families_refuse(scmp_filter_ctx filter)
{
    for (unsigned i = 0; i < FAMILIES; i++) {
        if (i == AF_UNIX || i == AF_INET || i == AF_INET6 || i == AF_NETLINK || i == AF_PACKET)
            continue;
        if (late_seccomp.rule_add(filter, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 1,
                                  IS(0, LOW_32, i)))
            return false;
    }
    return true;
}

/* Keeps the queues of sockets and pipes at their default size, since their memory in the kernel is
 * counted for nobody. A request for a larger socket queue has no effect and no error; a larger pipe
 * is refused. */
static bool queues_refuse(scmp_filter_ctx filter)
{
    static const unsigned options[] = {SO_SNDBUF, SO_RCVBUF, SO_SNDBUFFORCE, SO_RCVBUFFORCE};
    static const int calls[] = {SCMP_SYS(fcntl), SCMP_SYS(fcntl64)};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (late_seccomp.rule_add(filter, SCMP_ACT_ERRNO(0), SCMP_SYS(setsockopt), 2,
                                  IS(1, LOW_32, SOL_SOCKET), IS(2, LOW_32, options[i])))
            return false;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (late_seccomp.rule_add(filter, SCMP_ACT_ERRNO(EPERM), calls[i], 2,
                                  IS(1, LOW_32, F_SETPIPE_SZ),
                                  SCMP_CMP(2, SCMP_CMP_GT, PIPE_BYTES, 0)))
            return false;
    return true;
}

bool sandbox_calls_refuse(void)
{
    scmp_filter_ctx filter = late_seccomp.init(SCMP_ACT_ALLOW);
    bool good = filter && machines_add(filter) && spaces_refuse(filter) && devices_refuse(filter) &&
                families_refuse(filter) && queues_refuse(filter);
    for (size_t i = 0; good && i < sizeof refusals / sizeof refusals[0]; i++)
        good = late_seccomp.rule_add(filter, SCMP_ACT_ERRNO((unsigned)refusals[i].error),
                                     refusals[i].call, 0) == 0;
    good = good && late_seccomp.load(filter) == 0;
    late_seccomp.release(filter);
    return good;
}
