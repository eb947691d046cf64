/* The source of build/late.so, which no program loads and which links the late libraries in the
 * usual way. From it the linker checks the functions' names, the build finds the libraries' files,
 * and dpkg-shlibdeps finds their packages. */
#include "late/libraries.h"

#define ADDRESS(prefix, name)       (const void *)&prefix##name,
#define ADDRESSES(library, LIBRARY) LATE_##LIBRARY(ADDRESS)

extern const void *const late_linked[];
const void *const late_linked[] = {LATE_LIBRARIES(ADDRESSES)};
