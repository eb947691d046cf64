/* A sandbox: namespaces of its own (user, mount, process, network, IPC, host name) in which one
 * command runs. Needs no privilege where user namespaces are allowed.
 *
 * * Files: the installed trees (/usr, /etc, /opt), read-only, without devices, sockets, FIFOs,
 * files in /etc that not everybody may read, and other Entries (/opt/entries, and all beside the
 * command's own folder in /opt). The command's folder is writable by an overlay, whose upper layer
 * is in memory and is lost with the sandbox. Home, /tmp, /run, /var/tmp and /dev/shm are empty and
 * in memory. Devices: null, zero, full, random, urandom, tty and the command's own terminals.
 * Network: one that ends at us (network.h). Environment: PATH, HOME, LANG and LC_ALL of ours. The
 * command has no capabilities and cannot get any. The kernel refuses keys, new namespaces, and
 * other calls that no conversation needs (sandbox_calls.c).
 *
 * * Counted memory: the processes' own, shared memory (mapped, of System V, memfd), and written
 * files, which are in memory. Pages of other files do not count. In a control group, if we may make
 * one, the kernel counts and limits. Otherwise the numbers in /proc count.
 *
 * * The first process in the sandbox is ours. It watches the others, counts their resources (struct
 * sandbox_facts), and kills all if they are too many or too large. It ends when we close the
 * sandbox or die. The kernel then kills all processes in the sandbox. */
#ifndef ENTITY_SANDBOX_H
#define ENTITY_SANDBOX_H

#include "base/status.h"
#include "entity/program.h"

#include <stdatomic.h>
#include <sys/types.h>

enum sandbox_net {
    SANDBOX_NET_LISTEN, /* a route to every address that ends at sandbox_net_fd(): IP datagrams */
    SANDBOX_NET_ETHER,  /* an Ethernet interface eth0, whose frames go to sandbox_net_fd() */
    SANDBOX_NET_PORT,   /* loopback, where sandbox_net_fd() listens for TCP */
    SANDBOX_NET_NONE,   /* loopback alone */
    SANDBOX_NET_SERVER, /* loopback, and at RELAY_PLACE the way to `server` alone, for an adapter
                         * (relay.h) */
};

struct sandbox_options {
    const char *command; /* run by /bin/sh -c */
    int tool;            /* a program of ours, passed as descriptor 3; 0 or less: none */
    int brief;           /* a file, passed as descriptor 4; 0 or less: none */
    int said;            /* a socket, passed as descriptor 5; 0 or less: none */
    const char *folder;  /* absolute; the working directory */
    const char
        *lpp; /* a folder for LPP, absolute or in `folder`: empty at first, in memory, made if
               * missing; NULL: none */
    const char *lpp_from; /* a folder outside that is shown as `lpp`; NULL: none */
    bool moved;           /* the folder is copied elsewhere, with another home, PATH and language */
    const char *const
        *hidden; /* absolute paths, ended by NULL, that are empty in the sandbox; or NULL */
    enum program_io io;
    bool screen; /* the terminal has the kernel's default settings, like a person's */
    enum turn_end turn_end;
    unsigned columns, rows;
    unsigned memory_mib, processes;
    unsigned watch_ms; /* interval of looks at its processes; 0: 50 */
    enum sandbox_net net;
    unsigned port;      /* port for SANDBOX_NET_PORT */
    const char *server; /* server for SANDBOX_NET_SERVER: http://HOST[:PORT]/... or unix:PATH */
    const char
        *address; /* the interface's IPv4 address, /24; the Ethernet address follows from it. NULL:
                   * none, and a random Ethernet address */
    const char *device;    /* a character device that the command may open; NULL: none */
    const char *device_as; /* its path in the sandbox, directly in /dev */
    const char *preload;   /* a library for LD_PRELOAD and ... */
    const char *setting;   /* ... one more NAME=VALUE of the environment; NULL: none */
};

/* Facts about the processes in the sandbox, updated by its first process several times a second.
 * `pulse` counts the updates. Sizes in bytes. */
struct sandbox_facts {
    _Atomic uint32_t pulse;
    _Atomic uint32_t busy; /* pulses at which one of the processes ran or was ready to run */
    _Atomic uint32_t processes, processes_most; /* without zombies and the first process */
    _Atomic uint32_t
        refused_at;      /* tasks, threads included, at which the kernel refused more; 0: never */
    _Atomic int command; /* the process number of the command in the sandbox */
    _Atomic uint32_t attached;            /* number of processes in the command's session */
    _Atomic uint64_t memory, memory_most; /* bytes that count, see above */
    _Atomic uint64_t shared_most;         /* part of memory_most: shared memory, and files */
    _Atomic uint64_t files;               /* part of memory: written files */
    _Atomic uint64_t
        stopped_at;          /* bytes at which the kernel killed a process for memory; 0: none */
    _Atomic uint64_t cpu_us; /* processor time of all processes since the start */
    _Atomic bool running;    /* a process runs or is ready to run */
    _Atomic bool reading;    /* all processes sleep, one of them in a read, poll or select */
    _Atomic bool too_many, too_large; /* the excess for which all processes were killed */
    _Atomic bool ended;               /* the command's own process has ended ... */
    _Atomic int status;               /* ... with this status, as of waitpid() */
};

struct sandbox;

/* True if the path is an installed file of the machine's, such as one below /usr: each sandbox
 * shows these. */
bool sandbox_shows(const char *path);

/* Starts the command. BL_UNAVAIL, with the remedy, if this machine does not allow it. */
enum bl_status sandbox_open(struct sandbox **out, const struct sandbox_options *options,
                            struct bl_diag *diag);

/* Kills all processes in the sandbox, waits for their end, and frees the memory. */
void sandbox_close(struct sandbox *sandbox);

/* Non-blocking descriptors of the command. On a pty in and out are both the master. */
int sandbox_in_fd(const struct sandbox *sandbox);
int sandbox_out_fd(const struct sandbox *sandbox);
int sandbox_err_fd(const struct sandbox *sandbox);

/* Readable at news: the command has ended, was killed, or reads. sandbox_news() takes the news. */
int sandbox_news_fd(const struct sandbox *sandbox);
void sandbox_news(struct sandbox *sandbox);

/* -1 with SANDBOX_NET_NONE or _SERVER, or if there is no /dev/net/tun. */
int sandbox_net_fd(const struct sandbox *sandbox);

/* sandbox_folder_fd(): the folder as the sandbox sees it, for openat() and "/proc/self/fd/N/...".
 * The other: the changes in the folder since the start, as overlayfs keeps them (deleted files are
 * character devices 0:0). */
int sandbox_folder_fd(const struct sandbox *sandbox);
int sandbox_written_fd(const struct sandbox *sandbox);

/* The other writable folders: "tmp", "run", "vartmp", "shm", "home". */
int sandbox_stage_fd(const struct sandbox *sandbox);

/* LPP's folder as the sandbox sees it; -1: none. */
int sandbox_lpp_fd(const struct sandbox *sandbox);

/* The first process, as numbered outside. All processes end with it. */
pid_t sandbox_pid(const struct sandbox *sandbox);

const struct sandbox_facts *sandbox_facts(const struct sandbox *sandbox);

/* Signals the command's own process group. Closing the terminal hangs up, too. */
void sandbox_signal(struct sandbox *sandbox, int signal);

/* Closes the terminal or the pipes: the program sees a hang-up. */
void sandbox_hang_up(struct sandbox *sandbox);

/* Kills all processes and starts the command again, on a new terminal, with the same files and all
 * changes. The descriptors are new ones. */
enum bl_status sandbox_again(struct sandbox *sandbox, struct bl_diag *diag);

#endif
