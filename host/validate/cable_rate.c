#include "validate/cable_rate.h"

#include <asm/termbits.h>
#include <sys/ioctl.h>

unsigned cable_rate(int fd)
{
    struct termios2 settings;
    return ioctl(fd, TCGETS2, &settings) == 0 ? settings.c_ospeed : 9600;
}
