/* build/late.so, which nobody loads: the libraries that are loaded late, linked as usual. The
 * linker checks the names in it, the build takes the libraries' files from it, dpkg-shlibdeps their
 * packages. */
#include "late/libraries.h"

#define ADDRESS(prefix, name)       (const void *)&prefix##name,
#define ADDRESSES(library, LIBRARY) LATE_##LIBRARY(ADDRESS)

extern const void *const late_linked[];
const void *const late_linked[] = {LATE_LIBRARIES(ADDRESSES)};
