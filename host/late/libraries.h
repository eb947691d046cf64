/* The libraries that are loaded late. A new library needs a header, a row here, and its pkg-config
 * name in the Makefile's LATE_PKGS. From this name the build finds the library's file and Debian
 * package. */
#ifndef LATE_LIBRARIES_H
#define LATE_LIBRARIES_H

#include "late/glpk.h"
#include "late/inih.h"
#include "late/ncursesw.h"
#include "late/pcap.h"
#include "late/pcre2.h"
#include "late/seccomp.h"
#include "late/serialport.h"
#include "late/sqlite3.h"
#include "late/vterm.h"
#include "late/websockets.h"

/* clang-format off */
#define LATE_LIBRARIES(_) \
    _(glpk, GLPK) \
    _(inih, INIH) \
    _(ncursesw, NCURSESW) \
    _(pcap, PCAP) \
    _(pcre2, PCRE2) \
    _(seccomp, SECCOMP) \
    _(serialport, SERIALPORT) \
    _(sqlite3, SQLITE3) \
    _(vterm, VTERM) \
    _(websockets, WEBSOCKETS)
/* clang-format on */

#endif
