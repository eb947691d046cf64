/* The process of a stranger's CGI program, which is the same user's as boothlink-form. */
#ifndef ADAPTER_FORM_STRANGER_H
#define ADAPTER_FORM_STRANGER_H

#include <stdbool.h>

/* From now on this process, and its children, can neither signal its parent nor set its limits:
 * calls that name it, its group or everybody are refused with EPERM. libseccomp is loaded. False:
 * the kernel does not take it. */
bool stranger_bound(void);

#endif
