/* Loads libraries when they are first needed, so a command starts without the libraries of other
 * commands. The header of each library, such as late/pcap.h, has a table of its functions; calls go
 * through the table: late_pcap.create(...). dlopen() gets the linker's own name. No program loads
 * build/late.so: it lets the linker check the functions' names, and gives the build the libraries'
 * file names and dpkg-shlibdeps their packages. DESIGN.md, "Rooms and arrows". */
#ifndef LATE_LATE_H
#define LATE_LATE_H

#include "base/status.h"

/* A pointer to a function or a variable. */
#define LATE_MEMBER(prefix, name) __typeof__(prefix##name) *name;

/* Loads the library of a table such as &late_pcap; a loaded library stays. Allocates and reads
 * files, so a terminal calls it before its session, and a sandbox before it hides the disk. Any
 * thread may call it. BL_UNAVAIL, with the loader's message. */
enum bl_status late_load(void *table, struct bl_diag *diag);

#endif
