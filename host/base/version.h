/* The version of boothlink, and the version's date, which is not the build's. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define BL_VERSION      "0.1.0"
#define BL_VERSION_DATE "2026-11-21"

#endif
