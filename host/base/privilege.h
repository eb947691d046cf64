/* Drops the privileges needed to open a line. */
#ifndef BASE_PRIVILEGE_H
#define BASE_PRIVILEGE_H

#include "base/status.h"

/* Leaves this process and its children only the rights of the calling user. The ids become that
 * user's (the program may be set-user-id), every capability leaves every set that may be changed
 * (capabilities(7)), and no exec can restore any (PR_SET_NO_NEW_PRIVS). Groups stay, as a serial
 * port that returns is opened by one. Only one thread may run. BL_SOFTWARE if a privilege
 * remains. */
enum bl_status privilege_drop(struct bl_diag *diag);

#endif
