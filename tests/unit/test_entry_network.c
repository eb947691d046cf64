/* The network of an Entry's server, by its address. */
#include "rules/entry_network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void addresses(void **state)
{
    static const struct {
        const char *address;
        int network;
    } rows[] = {
        {"unix:/run/model", ENTRY_NETWORK_NONE},
        {"http://127.0.0.1", ENTRY_NETWORK_NONE},
        {"HTTP://127.9.9.9:8080/v1", ENTRY_NETWORK_NONE},
        {"http://localhost:80?x", ENTRY_NETWORK_NONE},
        {"http://[::1]:80/", ENTRY_NETWORK_NONE},
        {"http://10.0.0.1", ENTRY_NETWORK_SITE},
        {"https://172.16.0.1/", ENTRY_NETWORK_SITE},
        {"http://172.31.255.255", ENTRY_NETWORK_SITE},
        {"http://192.168.7.1:1", ENTRY_NETWORK_SITE},
        {"http://169.254.1.1", ENTRY_NETWORK_SITE},
        {"http://[fd00::1]", ENTRY_NETWORK_SITE},
        {"http://[fe80::1]:80", ENTRY_NETWORK_SITE},
        {"http://172.32.0.1", 0},
        {"http://172.15.0.1", 0},
        {"http://11.0.0.1", 0},
        {"http://192.0.2.1", 0},
        {"http://128.0.0.1", 0},
        {"http://0.0.0.0", 0},
        {"http://[2001:db8::1]", 0},
        {"http://[::ffff:10.0.0.1]", 0},
        {"http://[::1", 0},
        {"http://[fd00::1%25eth0]", 0},
        {"http://10.0.0", 0},
        {"http://10.0.0.256", 0},
        {"http://10.0.0.1.", 0},
        {"http://127.0.0.1@example.org/", 0},
        {"http://127.0.0.1:1@example.org", 0},
        {"http://127.0.0.1.example.org", 0},
        {"http://2130706433", 0},
        {"http://010.0.0.1", 0},
        {"http://model.lan", 0},
        {"http://", 0},
        {"", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if ((int)entry_network_of(rows[i].address) != rows[i].network)
            fail_msg("%s: %d", rows[i].address, entry_network_of(rows[i].address));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(addresses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
