/* Takes from this process what a server with its sockets open needs no more. */
#ifndef DESK_CONFINE_H
#define DESK_CONFINE_H

#include <stdbool.h>

/* From now on: no file is opened, no TCP address is bound or connected to, no process outside is
 * signalled, as far as the kernel's Landlock knows these (files: Linux 5.13; TCP: 6.7; signals:
 * 6.12). False: it has no Landlock, and nothing is taken. */
bool confine(void);

#endif
