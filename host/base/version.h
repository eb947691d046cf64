/* The version of boothlink, and the version's date. As it is not the build's date, builds are
 * reproducible. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define BL_VERSION      "0.1.0"
#define BL_VERSION_DATE "2026-11-21"

#endif
