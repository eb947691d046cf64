/* build/late.so, which no program loads, links the late libraries in the usual way. Thereby the
 * linker checks the functions' names, the build finds the libraries' files, and dpkg-shlibdeps
 * their packages. */
#include "late/libraries.h"

#define ADDRESS(prefix, name)       (const void *)&prefix##name,
#define ADDRESSES(library, LIBRARY) LATE_##LIBRARY(ADDRESS)

extern const void *const late_linked[];
const void *const late_linked[] = {LATE_LIBRARIES(ADDRESSES)};
