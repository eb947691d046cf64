/* The source of build/late.so, which links the late libraries in the usual way and is loaded by no
 * program. It lets the linker check the functions' names, and gives the build the libraries' files
 * and dpkg-shlibdeps their packages. */
#include "late/libraries.h"

#define ADDRESS(prefix, name)       (const void *)&prefix##name,
#define ADDRESSES(library, LIBRARY) LATE_##LIBRARY(ADDRESS)

extern const void *const late_linked[];
const void *const late_linked[] = {LATE_LIBRARIES(ADDRESSES)};
