/* Gives up the privileges needed to open a line. */
#ifndef BASE_PRIVILEGE_H
#define BASE_PRIVILEGE_H

#include "base/status.h"

/* Leaves this process, and its children, the rights of the calling user alone: the ids are that
 * user's (where the file is set-user-id), every capability is gone from every set that may be
 * changed (capabilities(7)), and no program can give any back (PR_SET_NO_NEW_PRIVS). Groups stay,
 * for a serial port that comes back is opened by one. Call it with one thread. BL_SOFTWARE if
 * anything is left. */
enum bl_status privilege_drop(struct bl_diag *diag);

#endif
