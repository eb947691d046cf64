/* The version of boothlink. The date belongs to the version, not to the build, so builds are
 * reproducible. */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

#define BL_VERSION      "0.1.0"
#define BL_VERSION_DATE "2026-11-21"

#endif
