/* Runs a program under those restrictions of a systemd unit that the kernel enforces by seccomp and
 * by capabilities, as systemd 252 does, so that a test sees what the unit lets its program do.
 *
 *   confined UNIT CALLS COMMAND [ARGUMENT...]
 *
 * CALLS has the names of the system calls that the unit's SystemCallFilter allows, one a line
 * (`systemd-analyze syscall-filter` knows the sets). The others kill the program, as
 * in the unit, or fail if SystemCallErrorNumber is there. Of the unit are read
 * PrivateUsers, RestrictAddressFamilies, MemoryDenyWriteExecute, RestrictNamespaces,
 * RestrictRealtime, RestrictSUIDSGID and NoNewPrivileges; a directive of another unit's form is an
 * error, not ignored. */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sysexits.h>
#include <unistd.h>

#define LINE_BYTES 1024

static _Noreturn void die(int code, const char *what, const char *detail)
{
    fprintf(stderr, "confined: %s: %s\n", what, detail);
    exit(code);
}

static scmp_filter_ctx filter(uint32_t otherwise)
{
    scmp_filter_ctx made = seccomp_init(otherwise);
    if (!made || seccomp_attr_set(made, SCMP_FLTATR_CTL_NNP, 0))
        die(EX_OSERR, "seccomp", "no filter");
    return made;
}

static void load(scmp_filter_ctx made)
{
    int code = seccomp_load(made);
    if (code)
        die(EX_OSERR, "seccomp", strerror(-code));
    seccomp_release(made);
}

static void deny(scmp_filter_ctx to, int error, const char *name, struct scmp_arg_cmp when)
{
    int call = seccomp_syscall_resolve_name(name);
    if (call != __NR_SCMP_ERROR &&
        seccomp_rule_add(to, SCMP_ACT_ERRNO((uint16_t)error), call, 1, when))
        die(EX_OSERR, "seccomp", name);
}

static const struct {
    const char *name;
    int number;
} families[] = {
    {"AF_UNIX", AF_UNIX},     {"AF_INET", AF_INET},       {"AF_INET6", AF_INET6},
    {"AF_PACKET", AF_PACKET}, {"AF_NETLINK", AF_NETLINK},
};

/* All families but those named. */
static void restrict_families(const char *allowed)
{
    bool is_allowed[AF_MAX] = {false};
    char words[LINE_BYTES];
    snprintf(words, sizeof words, "%s", allowed);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        size_t i = 0;
        while (i < sizeof families / sizeof *families && strcmp(word, families[i].name) != 0)
            i++;
        if (i == sizeof families / sizeof *families)
            die(EX_DATAERR, "RestrictAddressFamilies", word);
        is_allowed[families[i].number] = true;
    }
    scmp_filter_ctx made = filter(SCMP_ACT_ALLOW);
    for (unsigned i = 0; i < AF_MAX; i++)
        if (!is_allowed[i])
            deny(made, EAFNOSUPPORT, "socket", SCMP_A0(SCMP_CMP_EQ, i));
    load(made);
}

static void restrict_memory(void)
{
    scmp_filter_ctx made = filter(SCMP_ACT_ALLOW);
    deny(made, EPERM, "mmap",
         SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_WRITE | PROT_EXEC, PROT_WRITE | PROT_EXEC));
    deny(made, EPERM, "mprotect", SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
    deny(made, EPERM, "pkey_mprotect", SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, PROT_EXEC));
    load(made);
}

static const struct {
    const char *name;
    int flag;
} spaces[] = {
    {"cgroup", CLONE_NEWCGROUP}, {"ipc", CLONE_NEWIPC}, {"mnt", CLONE_NEWNS},
    {"net", CLONE_NEWNET},       {"pid", CLONE_NEWPID}, {"user", CLONE_NEWUSER},
    {"uts", CLONE_NEWUTS},
};

/* What RestrictNamespaces takes away: "yes", or all but those named; "" or "no": nothing. */
static int spaces_denied(const char *value)
{
    int denied = 0;
    char words[LINE_BYTES];
    if (!*value || strcmp(value, "no") == 0)
        return 0;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        denied |= spaces[i].flag;
    if (strcmp(value, "yes") == 0)
        return denied;
    snprintf(words, sizeof words, "%s", value);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        size_t i = 0;
        while (i < sizeof spaces / sizeof *spaces && strcmp(word, spaces[i].name) != 0)
            i++;
        if (i == sizeof spaces / sizeof *spaces)
            die(EX_DATAERR, "RestrictNamespaces", word);
        denied &= ~spaces[i].flag;
    }
    return denied;
}

static void restrict_namespaces(int denied)
{
    if (!denied)
        return;
    scmp_filter_ctx made = filter(SCMP_ACT_ALLOW);
    deny(made, EPERM, "setns", SCMP_A1(SCMP_CMP_EQ, 0));
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        scmp_datum_t flag = (scmp_datum_t)spaces[i].flag;
        if (!(denied & spaces[i].flag))
            continue;
        deny(made, EPERM, "unshare", SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
        deny(made, EPERM, "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag));
        deny(made, EPERM, "setns", SCMP_A1(SCMP_CMP_MASKED_EQ, flag, flag));
    }
    deny(made, ENOSYS, "clone3", SCMP_A1(SCMP_CMP_GE, 0));
    load(made);
}

static void write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        die(EX_OSERR, path, strerror(errno));
    close(fd);
}

/* A namespace of users that knows this one alone, and no capability in it. */
static void make_users_private(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {0};
    char users[64], groups[64];
    snprintf(users, sizeof users, "%u %u 1", geteuid(), geteuid());
    snprintf(groups, sizeof groups, "%u %u 1", getegid(), getegid());
    if (unshare(CLONE_NEWUSER))
        die(EX_OSERR, "PrivateUsers", strerror(errno));
    write_text("/proc/self/setgroups", "deny");
    write_text("/proc/self/uid_map", users);
    write_text("/proc/self/gid_map", groups);
    for (int cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
        if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0))
            die(EX_OSERR, "CapabilityBoundingSet", strerror(errno));
    if (syscall(SYS_capset, &header, none))
        die(EX_OSERR, "capabilities", strerror(errno));
}

static void restrict_rest(bool realtime, bool modes)
{
    scmp_filter_ctx made = filter(SCMP_ACT_ALLOW);
    if (realtime)
        deny(made, EPERM, "sched_setscheduler", SCMP_A1(SCMP_CMP_NE, SCHED_OTHER));
    for (unsigned i = 0; modes && i < 2; i++) {
        scmp_datum_t bit = i ? S_ISGID : S_ISUID;
        deny(made, EPERM, "chmod", SCMP_A1(SCMP_CMP_MASKED_EQ, bit, bit));
        deny(made, EPERM, "fchmod", SCMP_A1(SCMP_CMP_MASKED_EQ, bit, bit));
        deny(made, EPERM, "fchmodat", SCMP_A2(SCMP_CMP_MASKED_EQ, bit, bit));
    }
    load(made);
}

static void restrict_calls(const char *path, const char *error)
{
    char line[LINE_BYTES];
    unsigned count = 0;
    FILE *file = fopen(path, "re");
    if (!file)
        die(EX_NOINPUT, path, strerror(errno));
    if (*error && strcmp(error, "EPERM") != 0)
        die(EX_DATAERR, "SystemCallErrorNumber", error);
    scmp_filter_ctx made = filter(*error ? SCMP_ACT_ERRNO(EPERM) : SCMP_ACT_KILL_PROCESS);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        int call = seccomp_syscall_resolve_name(line);
        if (call != __NR_SCMP_ERROR && seccomp_rule_add(made, SCMP_ACT_ALLOW, call, 0) == 0)
            count++;
    }
    fclose(file);
    if (count < 100)
        die(EX_DATAERR, path, "expected the names of at least 100 system calls");
    load(made);
}

/* What follows NAME= in the unit, of its last line of that kind; "" without one. */
static const char *directive(FILE *unit, const char *name, char value[LINE_BYTES])
{
    char line[LINE_BYTES];
    size_t length = strlen(name);
    *value = 0;
    rewind(unit);
    while (fgets(line, sizeof line, unit)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, name, length) == 0 && line[length] == '=')
            snprintf(value, LINE_BYTES, "%s", line + length + 1);
    }
    return value;
}

static bool is_on(FILE *unit, const char *name)
{
    char value[LINE_BYTES];
    directive(unit, name, value);
    if (*value && strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
        die(EX_DATAERR, name, value);
    return strcmp(value, "yes") == 0;
}

int main(int argc, char **argv)
{
    char value[LINE_BYTES];
    if (argc < 4)
        die(EX_USAGE, "missing arguments", "UNIT CALLS COMMAND [ARGUMENT...]");
    FILE *unit = fopen(argv[1], "re");
    if (!unit)
        die(EX_NOINPUT, argv[1], strerror(errno));
    if (!is_on(unit, "NoNewPrivileges"))
        die(EX_DATAERR, argv[1], "missing NoNewPrivileges=yes");
    if (is_on(unit, "PrivateUsers"))
        make_users_private();
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        die(EX_OSERR, "NoNewPrivileges", strerror(errno));
    if (*directive(unit, "RestrictAddressFamilies", value))
        restrict_families(value);
    if (is_on(unit, "MemoryDenyWriteExecute"))
        restrict_memory();
    restrict_namespaces(spaces_denied(directive(unit, "RestrictNamespaces", value)));
    restrict_rest(is_on(unit, "RestrictRealtime"), is_on(unit, "RestrictSUIDSGID"));
    restrict_calls(argv[2], directive(unit, "SystemCallErrorNumber", value));
    fclose(unit);
    execv(argv[3], argv + 3);
    die(EX_OSERR, argv[3], strerror(errno));
}
