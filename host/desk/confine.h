/* Drops rights that a server does not need once its sockets are open. */
#ifndef DESK_CONFINE_H
#define DESK_CONFINE_H

#include <stdbool.h>

/* From now on: no file is opened, no TCP address is bound or connected to, no process outside is
 * signalled, as far as the kernel's Landlock supports this (files: Linux 5.13; TCP: 6.7; signals:
 * 6.12). False: the kernel has no Landlock, and no right is dropped. */
bool confine(void);

#endif
