/* Drops the privileges that opening a line needs. */
#ifndef BASE_PRIVILEGE_H
#define BASE_PRIVILEGE_H

#include "base/status.h"

/* Leaves this process and its children only the rights of the user who started it. All user and
 * group ids become that user's, as the program may be set-user-id. All capabilities are removed
 * from each set that this process may change (capabilities(7)). PR_SET_NO_NEW_PRIVS keeps an exec
 * from restoring a capability. Supplementary groups stay, as one of them gives access to a serial
 * port that is plugged in again. The process may have only one thread. BL_SOFTWARE if a privilege
 * remains. */
enum bl_status privilege_drop(struct bl_diag *diag);

#endif
