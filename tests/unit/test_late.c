/* The libraries that are loaded late: each one is there, with all its names. */
#include "late/libraries.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void assert_loads(void *table, size_t size)
{
    struct bl_diag diag = {.text = ""};
    void *const *first = table;
    if (late_load(table, &diag) != BL_OK)
        fail_msg("%s", diag.text);
    for (size_t i = 0; i < size / sizeof *first; i++)
        assert_non_null(first[i]);
}

static void loads_all(void **state)
{
    (void)state;
#define LOADS(library, LIBRARY) assert_loads(&late_##library, sizeof late_##library);
    LATE_LIBRARIES(LOADS)
    /* A call and a variable: each pointer is that of its name. */
    assert_int_equal(strncmp(late_sqlite3.libversion(), "3.", 2), 0);
    assert_int_equal(*late_ncursesw.LINES, 0);
}

/* A second time it does nothing: what was opened before goes on. */
static void stays(void **state)
{
    struct late_pcap before;
    (void)state;
    assert_int_equal(late_load(&late_pcap, NULL), BL_OK);
    before = late_pcap;
    assert_int_equal(late_load(&late_pcap, NULL), BL_OK);
    assert_memory_equal(&before, &late_pcap, sizeof before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_all), cmocka_unit_test(stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
