/* Restricts the process of a foreign CGI program, which runs as the same user as boothlink-form. */
#ifndef ADAPTER_FORM_STRANGER_H
#define ADAPTER_FORM_STRANGER_H

#include <stdbool.h>

/* From now on this process and its children cannot signal the parent or set its limits: such calls
 * to the parent, to the parent's group or to all processes fail with EPERM. libseccomp must be
 * loaded. False: the kernel refuses the filter. */
bool stranger_bound(void);

#endif
