#include "desk/confine.h"

#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As struct landlock_ruleset_attr of later headers. */
struct refused {
    uint64_t files, net, scope;
};

#define NET_TCP   3 /* bind, connect */
#define SCOPE_ALL 3 /* abstract sockets, signals */

/* The kinds of access to files that a version of the kernel's interface knows. */
static uint64_t files_of(long version)
{
    unsigned kinds = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    return (UINT64_C(1) << kinds) - 1;
}

bool confine(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    const struct refused refused = {files_of(version), NET_TCP, SCOPE_ALL};
    size_t size = version >= 6 ? sizeof refused : version >= 4 ? 16 : 8;
    if (version < 1 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return false;
    long rules = syscall(SYS_landlock_create_ruleset, &refused, size, 0);
    bool good = rules >= 0 && syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    if (rules >= 0)
        close((int)rules);
    return good;
}
