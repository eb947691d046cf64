/* Libraries that are loaded when they are first needed, so a command starts without those of the
 * others. Each library's header, such as late/pcap.h, has a table of its names, and a call goes
 * through the table: late_pcap.create(...). dlopen() gets the linker's own name, so loading trusts
 * what linking trusted. Nobody loads late.so: by that library the linker checks the names, the
 * build learns the files' names, and dpkg-shlibdeps the packages. DESIGN.md, "Rooms and arrows". */
#ifndef LATE_LATE_H
#define LATE_LATE_H

#include "base/status.h"

/* A function, or the address of a variable. */
#define LATE_MEMBER(prefix, name) __typeof__(prefix##name) *name;

/* Loads the library of a table such as &late_pcap, unless it is there already; it stays until the
 * program ends. Takes memory and looks at the disk: a terminal calls it before its session, a
 * sandbox before it hides the disk. Any thread may call it. BL_UNAVAIL, with the loader's words. */
enum bl_status late_load(void *table, struct bl_diag *diag);

#endif
