/* The machine's Ethernet interfaces: properties, faults, and changes of both (rtnetlink(7)). The
 * interfaces are not opened. */
#ifndef LINK_INTERFACES_H
#define LINK_INTERFACES_H

#include "base/status.h"
#include "link/ether_frame.h"

#include <net/if.h>
#include <stdbool.h>
#include <uv.h>

#define INTERFACE_PROBLEMS_MAX 3

struct interface_info {
    char name[IF_NAMESIZE];
    unsigned index; /* 0: there is no such interface */
    struct ether_address address;
    unsigned mtu;
    bool ethernet; /* carries Ethernet frames to other machines */
    bool up;       /* switched on */
    bool carrier;  /* the other end of its cable is plugged into a running device */
    bool has_ip;
};

/* Reads the present state of one interface. */
void interface_look(struct interface_info *info, const char *name);

/* The fault that keeps the interface from being used, as one line with the remedy. False: none. */
bool interface_problem(const struct interface_info *info, char *text, size_t size);

/* Calls each() for every Ethernet interface, in the system's order; info is valid during the
 * call. */
enum bl_status interfaces_list(void (*each)(void *ctx, const struct interface_info *info),
                               void *ctx, struct bl_diag *diag);

struct interface_watch;

/* Calls changed() from the loop after a possible change of any interface. Needs no privilege. */
enum bl_status interface_watch_open(struct interface_watch **out, uv_loop_t *loop,
                                    void (*changed)(void *ctx), void *ctx, struct bl_diag *diag);
/* Closes the watch: changed() is not called any more. The memory is freed once the loop has run.
 * NULL is allowed. */
void interface_watch_close(struct interface_watch *watch);

#endif
