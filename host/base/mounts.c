#include "base/mounts.h"

#include <fcntl.h>

int mounts_open(void)
{
    return open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
}
