#include "base/privilege.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool caps_set_none(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return syscall(SYS_capset, &head, data) == 0;
}

static bool caps_are_none(void)
{
    struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    uint32_t any = 0;
    if (syscall(SYS_capget, &head, data))
        return false;
    for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
        any |= data[i].effective | data[i].permitted | data[i].inheritable;
    return any == 0;
}

enum bl_status privilege_drop(struct bl_diag *diag)
{
    uid_t uid = getuid();
    gid_t gid = getgid();
    /* Without CAP_SETPCAP the bounding set stays. PR_SET_NO_NEW_PRIVS alone then keeps an exec from
     * gaining capabilities. */
    for (int cap = 0; prctl(PR_CAPBSET_READ, cap) >= 0; cap++)
        prctl(PR_CAPBSET_DROP, cap);
    if (setresgid(gid, gid, gid) || setresuid(uid, uid, uid) ||
        prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) || !caps_set_none() ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return bl_fail(diag, BL_SOFTWARE, "privileges cannot be given up: %s", strerror(errno));
    if (geteuid() != uid || getegid() != gid || !caps_are_none() ||
        prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1)
        return bl_fail(diag, BL_SOFTWARE, "privileges were given up, but some are left");
    return BL_OK;
}
