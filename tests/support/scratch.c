#include "tests/support/scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

int scratch_begin(char folder[SCRATCH_MAX], const char *name)
{
    snprintf(folder, SCRATCH_MAX, "/tmp/%.16s.XXXXXX", name);
    return mkdtemp(folder) ? 0 : 1;
}

void scratch_run(const char *folder, const char *command)
{
    char line[1024];
    snprintf(line, sizeof line, "cd '%s' && %s", folder, command);
    assert_int_equal(system(line), 0);
}

int scratch_end(const char *folder)
{
    scratch_run(folder, "rm -rf *");
    return rmdir(folder);
}
