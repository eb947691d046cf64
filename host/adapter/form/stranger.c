#include "adapter/form/stranger.h"

#include "late/seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/types.h>
#include <unistd.h>

#define LOW_32 UINT64_C(0xFFFFFFFF)

static bool refuse(scmp_filter_ctx filter, int call, unsigned argument, int value)
{
    return late_seccomp.rule_add(
               filter, SCMP_ACT_ERRNO(EPERM), call, 1,
               SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, LOW_32, (uint32_t)value)) == 0;
}

/* Adds the 32-bit architectures, whose programs run on 64-bit machines. */
static bool machines_add(scmp_filter_ctx filter)
{
    uint32_t native = late_seccomp.arch_native();
    return (native != SCMP_ARCH_X86_64 || late_seccomp.arch_add(filter, SCMP_ARCH_X86) == 0) &&
           (native != SCMP_ARCH_AARCH64 || late_seccomp.arch_add(filter, SCMP_ARCH_ARM) == 0);
}

bool stranger_bound(void)
{
    static const int calls[] = {SCMP_SYS(kill),
                                SCMP_SYS(tkill),
                                SCMP_SYS(tgkill),
                                SCMP_SYS(rt_sigqueueinfo),
                                SCMP_SYS(rt_tgsigqueueinfo),
                                SCMP_SYS(pidfd_open),
                                SCMP_SYS(prlimit64)};
    /* the owner of a descriptor receives signals */
    static const int owners[] = {F_SETOWN, F_SETOWN_EX};
    const pid_t named[] = {getppid(), -getpgid(getppid()), -1};
    scmp_filter_ctx filter = late_seccomp.init(SCMP_ACT_ALLOW);
    bool good = filter && machines_add(filter);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        for (size_t k = 0; k < sizeof named / sizeof named[0]; k++)
            good = good && refuse(filter, calls[i], 0, named[k]);
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++)
        good = good && refuse(filter, SCMP_SYS(fcntl), 1, owners[i]) &&
               refuse(filter, SCMP_SYS(fcntl64), 1, owners[i]);
    good = good && late_seccomp.load(filter) == 0;
    late_seccomp.release(filter);
    return good;
}
