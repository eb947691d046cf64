#include "link/ports.h"

#include "base/utf8.h"
#include "late/serialport.h"
#include "link/device.h"

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PORTS_MAX = 64 };

static void add_problem(struct port_info *info, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_problem(struct port_info *info, const char *format, ...)
{
    va_list args;
    if (info->problems == PORT_PROBLEMS_MAX)
        return;
    va_start(args, format);
    vsnprintf(info->problem[info->problems], sizeof info->problem[0], format, args);
    va_end(args);
    info->problems++;
}

static void copy(char *out, size_t size, const char *text)
{
    utf8_plain(out, size, text ? text : "",
               text ? strlen(text) : 0); /* the description by the adapter itself */
}

/* Finds the link in /dev/serial/by-id to the device. */
static void find_stable_name(struct port_info *info)
{
    static const char directory[] = "/dev/serial/by-id";
    DIR *dir = opendir(directory);
    struct dirent *found;
    while (dir && !info->stable[0] && (found = readdir(dir))) {
        char name[sizeof directory + NAME_MAX + 1];
        char path[PATH_MAX];
        snprintf(name, sizeof name, "%s/%s", directory, found->d_name);
        if (realpath(name, path) && strcmp(path, info->device) == 0)
            copy(info->stable, sizeof info->stable, name);
    }
    if (dir)
        closedir(dir);
}

/* True if the kernel writes its messages to the device, by the list of active consoles. */
static bool is_console(const char *device)
{
    char line[PORT_TEXT] = "";
    FILE *file = fopen("/sys/class/tty/console/active", "re");
    const char *name = strrchr(device, '/') + 1;
    bool found = false;
    if (file && fgets(line, sizeof line, file))
        for (char *word = strtok(line, " \n"); word && !found; word = strtok(NULL, " \n"))
            found = strcmp(word, name) == 0;
    if (file)
        fclose(file);
    return found;
}

static void find_problems(struct port_info *info)
{
    struct bl_diag diag;
    const char *name = strrchr(info->device, '/') + 1;
    if (!info->may_open) {
        device_denied(info->device, &diag);
        add_problem(info, "%s", diag.text);
    }
    if (info->console)
        add_problem(
            info,
            "the system writes its messages to it: take console=%s off the kernel's command "
            "line and restart",
            name);
    if (strstr(info->holders, "getty"))
        add_problem(info, "a login waits on it: sudo systemctl disable --now serial-getty@%s",
                    name);
    else if (strstr(info->holders, "ModemManager"))
        add_problem(info, "ModemManager tries whether it is a modem: wait half a minute, or sudo "
                          "systemctl disable --now ModemManager");
    else if (info->holders[0])
        add_problem(info, "in use by %s: end that first", info->holders);
    if (info->latency_ms > 1 && geteuid() != 0)
        add_problem(info,
                    "the adapter keeps bytes back for up to %d ms: echo 1 | sudo tee "
                    "/sys/class/tty/%s/device/latency_timer",
                    info->latency_ms, name);
    if (info->rx_trigger > 1 && geteuid() != 0)
        add_problem(info,
                    "the UART waits for %d byte%s before it tells of one: echo 1 | sudo tee "
                    "/sys/class/tty/%s/rx_trig_bytes",
                    info->rx_trigger, BL_S(info->rx_trigger), name);
}

static void describe(const char *device, struct port_info *info)
{
    struct sp_port *port;
    *info = (struct port_info){0};
    copy(info->device, sizeof info->device, device);
    if (late_serialport.get_port_by_name(device, &port) == SP_OK) {
        copy(info->description, sizeof info->description,
             late_serialport.get_port_description(port));
        if (late_serialport.get_port_transport(port) == SP_TRANSPORT_USB &&
            late_serialport.get_port_usb_vid_pid(port, &info->usb_vendor, &info->usb_product) ==
                SP_OK) {
            info->usb = true;
            copy(info->usb_manufacturer_name, sizeof info->usb_manufacturer_name,
                 late_serialport.get_port_usb_manufacturer(port));
            copy(info->usb_product_name, sizeof info->usb_product_name,
                 late_serialport.get_port_usb_product(port));
            copy(info->usb_serial, sizeof info->usb_serial,
                 late_serialport.get_port_usb_serial(port));
        }
        late_serialport.free_port(port);
    }
    find_stable_name(info);
    device_driver(device, info->driver, sizeof info->driver);
    device_group(device, info->group, sizeof info->group);
    device_holders(device, info->holders, sizeof info->holders);
    info->may_open = access(device, R_OK | W_OK) == 0;
    info->console = is_console(device);
    info->latency_ms = device_attribute(device, "latency_timer");
    info->rx_trigger = device_attribute(device, "rx_trig_bytes");
    find_problems(info);
}

struct name_list {
    char name[PORTS_MAX][PORT_TEXT];
    size_t count;
};

static void add_name(struct name_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->name[i], name) == 0)
            return;
    if (list->count < PORTS_MAX && strlen(name) < PORT_TEXT)
        copy(list->name[list->count++], PORT_TEXT, name);
}

/* Adds the machine's own UARTs. libserialport leaves out ports that this user may not open, whose
 * fault is to be reported. Type 0 is a number without a UART. */
static void add_uarts(struct name_list *list)
{
    DIR *dir = opendir("/sys/class/tty");
    struct dirent *found;
    while (dir && (found = readdir(dir))) {
        char device[sizeof "/dev/" + NAME_MAX];
        snprintf(device, sizeof device, "/dev/%s", found->d_name);
        if (device_attribute(device, "type") > 0 && access(device, F_OK) == 0)
            add_name(list, device);
    }
    if (dir)
        closedir(dir);
}

/* ttyUSB2 before ttyUSB10. */
static int compare(const void *a, const void *b)
{
    return strverscmp(a, b);
}

enum bl_status ports_list(void (*each)(void *ctx, const struct port_info *info), void *ctx,
                          struct bl_diag *diag)
{
    struct name_list *list = calloc(1, sizeof *list);
    struct port_info *info = malloc(sizeof *info);
    struct sp_port **ports;
    enum bl_status status = late_load(&late_serialport, diag);
    if (status != BL_OK) {
        /* diag has the reason */
    } else if (!list || !info) {
        status = bl_fail(diag, BL_NOMEM, "ports: out of memory");
    } else if (late_serialport.list_ports(&ports) != SP_OK) {
        status = bl_fail(diag, BL_UNAVAIL, "ports: /sys/class/tty cannot be read");
    } else {
        for (size_t i = 0; ports[i]; i++)
            add_name(list, late_serialport.get_port_name(ports[i]));
        late_serialport.free_port_list(ports);
        add_uarts(list);
        qsort(list->name, list->count, PORT_TEXT, compare);
        for (size_t i = 0; i < list->count; i++) {
            describe(list->name[i], info);
            each(ctx, info);
        }
    }
    free(info);
    free(list);
    return status;
}
