/* Drops the privileges for opening a line. */
#ifndef BASE_PRIVILEGE_H
#define BASE_PRIVILEGE_H

#include "base/status.h"

/* Leaves this process and its children only the rights of the user who started it. All user and
 * group ids become that user's, since the program may be set-user-id. All capabilities are removed
 * from each set that this process may change (capabilities(7)). PR_SET_NO_NEW_PRIVS keeps an exec
 * from restoring a capability. Supplementary groups stay: a returned serial port may need one. The
 * process must have one thread. BL_SOFTWARE if a privilege remains. */
enum bl_status privilege_drop(struct bl_diag *diag);

#endif
