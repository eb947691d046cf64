#include "base/libexec.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum bl_status libexec_path(char path[PATH_MAX], const char *name, struct bl_diag *diag)
{
    static const char *const places[] = {"/", "/../libexec/"};
    char here[PATH_MAX - 32];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    char *slash;
    here[length > 0 ? length : 0] = '\0';
    slash = strrchr(here, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, PATH_MAX, "%.*s%s%s", (int)(slash - here), here, places[i], name);
        if (access(path, X_OK) == 0)
            return BL_OK;
    }
    return bl_fail(diag, BL_UNAVAIL,
                   "%s is neither beside %.150s nor in ../libexec: install it again", name, here);
}
