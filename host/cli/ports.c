/* "boothlink ports": the serial ports and Ethernet interfaces, and the faults of each. */
#include "command/command.h"
#include "link/interfaces.h"
#include "link/ports.h"

#include <jansson.h>
#include <sysexits.h>

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, text[0] ? json_string(text) : json_null());
}

static void set_number(json_t *object, const char *key, int number)
{
    json_object_set_new(object, key, number >= 0 ? json_integer(number) : json_null());
}

static void add_json(void *ctx, const struct port_info *info)
{
    json_t *object = json_object();
    json_t *problems = json_array();
    char id[16];
    snprintf(id, sizeof id, "%04x:%04x", info->usb_vendor & 0xFFFF, info->usb_product & 0xFFFF);
    set_text(object, "device", info->device);
    set_text(object, "stable", info->stable);
    set_text(object, "description", info->description);
    set_text(object, "usb_id", info->usb ? id : "");
    set_text(object, "usb_manufacturer", info->usb_manufacturer_name);
    set_text(object, "usb_product", info->usb_product_name);
    set_text(object, "usb_serial", info->usb_serial);
    set_text(object, "driver", info->driver);
    set_text(object, "group", info->group);
    set_text(object, "holders", info->holders);
    json_object_set_new(object, "may_open", json_boolean(info->may_open));
    json_object_set_new(object, "console", json_boolean(info->console));
    set_number(object, "latency_ms", info->latency_ms);
    set_number(object, "rx_trigger", info->rx_trigger);
    for (unsigned i = 0; i < info->problems; i++)
        json_array_append_new(problems, json_string(info->problem[i]));
    json_object_set_new(object, "problems", problems);
    json_array_append_new(ctx, object);
}

static void print_text(void *ctx, const struct port_info *info)
{
    size_t *count = ctx;
    ++*count;
    printf("%s  %s", info->device,
           info->usb_product_name[0] ? info->usb_product_name : info->description);
    if (info->usb)
        printf(" [%04x:%04x%s%s]", info->usb_vendor & 0xFFFF, info->usb_product & 0xFFFF,
               info->usb_serial[0] ? ", " : "", info->usb_serial);
    if (info->usb_manufacturer_name[0])
        printf(", by %s", info->usb_manufacturer_name);
    if (info->driver[0])
        printf(", driver %s", info->driver);
    if (info->latency_ms >= 0)
        printf(", latency timer %d ms", info->latency_ms);
    if (info->rx_trigger >= 0)
        printf(", receive trigger %d", info->rx_trigger);
    putchar('\n');
    if (info->stable[0])
        printf("    always the same adapter: %s\n", info->stable);
    if (info->problems == 0)
        printf("    ready\n");
    for (unsigned i = 0; i < info->problems; i++)
        printf("    ! %s\n", info->problem[i]);
}

static void add_interface_json(void *ctx, const struct interface_info *info)
{
    json_t *object = json_object(), *problems = json_array();
    char address[ETHER_TEXT_MAX], problem[256];
    set_text(object, "interface", info->name);
    set_text(object, "address", ether_text(&info->address, address));
    json_object_set_new(object, "up", json_boolean(info->up));
    json_object_set_new(object, "carrier", json_boolean(info->carrier));
    json_object_set_new(object, "has_ip", json_boolean(info->has_ip));
    if (interface_problem(info, problem, sizeof problem))
        json_array_append_new(problems, json_string(problem));
    json_object_set_new(object, "problems", problems);
    json_array_append_new(ctx, object);
}

static void print_interface(void *ctx, const struct interface_info *info)
{
    char address[ETHER_TEXT_MAX], problem[256];
    size_t *count = ctx;
    ++*count;
    printf("%s  Ethernet, %s%s\n", info->name, ether_text(&info->address, address),
           info->has_ip ? "" : ", no IP address: a line needs none");
    if (interface_problem(info, problem, sizeof problem))
        printf("    ! %s\n", problem);
    else
        printf("    ready: ether:%s/LINE\n", info->name);
}

struct ports_options {
    bool json;
};

static enum bl_status ports_run(const struct command_call *call, struct bl_diag *diag)
{
    const struct ports_options *options = call->options;
    enum bl_status status;
    size_t count = 0;
    if (options->json) {
        json_t *list = json_array();
        status = ports_list(add_json, list, diag);
        if (status == BL_OK)
            status = interfaces_list(add_interface_json, list, diag);
        if (status == BL_OK)
            command_json(json_incref(list), JSON_INDENT(2));
        json_decref(list);
    } else {
        status = ports_list(print_text, &count, diag);
        if (status == BL_OK && count == 0)
            printf("no serial port is here: plug in a USB-to-serial adapter, or load the driver of "
                   "the one that is\n");
        if (status == BL_OK)
            status = interfaces_list(print_interface, &count, diag);
    }
    return status;
}

static const struct command_option ports_options[] = {
    OPTION_JSON(struct ports_options, "print a JSON array, an object for each port and interface"),
    {0},
};

const struct command command_ports = {
    .name = "ports",
    .synopsis = "[--json]",
    .help = "list serial ports and Ethernet interfaces, and what is wrong with each",
    .text = "Lists the serial ports of this machine with the names of their USB adapters, and "
            "below each says that it is ready, or what is wrong with it and how to mend that; then "
            "the Ethernet "
            "interfaces "
            "likewise. Opens none of them.\n\n"
            "In JSON what is not known is null.",
    .examples = "boothlink ports\nboothlink ports --json",
    .options = ports_options,
    .size = sizeof(struct ports_options),
    .run = ports_run,
};
