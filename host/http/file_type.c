#include "http/file_type.h"

#include <string.h>

const char *http_file_type(const char *name)
{
    const char *suffix = strrchr(name, '.');
    if (strcmp(suffix, ".css") == 0)
        return "text/css; charset=utf-8";
    return strcmp(suffix, ".js") == 0 ? "text/javascript; charset=utf-8"
                                      : "text/html; charset=utf-8";
}
