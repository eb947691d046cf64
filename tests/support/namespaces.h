#ifndef TESTS_SUPPORT_NAMESPACES_H
#define TESTS_SUPPORT_NAMESPACES_H

#include <stdbool.h>

/* True if this user may make a sandbox's namespaces on this machine: the kernel's word. A sandbox
 * that does not start where it may is a fault, and no reason to skip. */
bool namespaces_may_be(void);

/* A sandbox did not start, for this reason: the test is skipped where none may be, and fails
 * elsewhere. */
void namespaces_skip(const char *why);

#endif
