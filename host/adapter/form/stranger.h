/* Restricts the process of a foreign CGI program, which runs as the same user as boothlink-form. */
#ifndef ADAPTER_FORM_STRANGER_H
#define ADAPTER_FORM_STRANGER_H

#include <stdbool.h>

/* Keeps this process and its children from signalling the parent or setting its limits. Such calls
 * for the parent, the parent's group or all processes fail with EPERM. libseccomp must be loaded.
 * False: the kernel refuses the filter. */
bool stranger_bound(void);

#endif
