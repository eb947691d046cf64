/* The version of boothlink. The date is that of the version, not of the build: builds repeat. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define BL_VERSION      "0.1.0"
#define BL_VERSION_DATE "2026-11-21"

#endif
