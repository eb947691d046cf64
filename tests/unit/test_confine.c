/* A process that has confined itself keeps its open files, and gets no others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "desk/confine.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define VERSION_TCP    4
#define VERSION_SIGNAL 6

/* In a child: 0, or the number of what it could do. */
static int try(long version, pid_t parent)
{
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int open_before = open("/dev/null", O_WRONLY), tcp = socket(AF_INET, SOCK_STREAM, 0);
    if (!confine())
        return 1;
    if (write(open_before, "x", 1) != 1)
        return 2;
    if (open("/etc/passwd", O_RDONLY) >= 0 || open("/dev/null", O_RDONLY) >= 0)
        return 3;
    if (version >= VERSION_TCP &&
        (connect(tcp, (const struct sockaddr *)&address, sizeof address) == 0 || errno != EACCES))
        return 4;
    return version >= VERSION_SIGNAL && kill(parent, 0) == 0 ? 5 : 0;
}

static void test_confined(void **state)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    int status;
    (void)state;
    if (version < 1) {
        assert_false(confine());
        skip();
    }
    pid_t parent = getpid(), child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(try(version, parent));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_confined)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
