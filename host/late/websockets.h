/* libwebsockets, loaded late. */
#ifndef LATE_WEBSOCKETS_H
#define LATE_WEBSOCKETS_H

#include "late/late.h"

#include <libwebsockets.h>

/* clang-format off */
#define LATE_WEBSOCKETS(_) \
    _(lws_, add_http_common_headers) \
    _(lws_, add_http_header_by_name) \
    _(lws_, adopt_socket_vhost) \
    _(lws_, callback_on_writable) \
    _(lws_, context_destroy) \
    _(lws_, create_context) \
    _(lws_, finalize_write_http_header) \
    _(lws_, frame_is_binary) \
    _(lws_, get_library_version) \
    _(lws_, get_opaque_user_data) \
    _(lws_, get_socket_fd) \
    _(lws_, get_vhost_by_name) \
    _(lws_, hdr_copy) \
    _(lws_, hdr_copy_fragment) \
    _(lws_, hdr_total_length) \
    _(lws_, http_transaction_completed) \
    _(lws_, is_final_fragment) \
    _(lws_, remaining_packet_payload) \
    _(lws_, return_http_status) \
    _(lws_, rx_flow_control) \
    _(lws_, set_log_level) \
    _(lws_, set_opaque_user_data) \
    _(lws_, set_timeout) \
    _(lws_, write)
/* clang-format on */

extern struct late_websockets {
    LATE_WEBSOCKETS(LATE_MEMBER)
} late_websockets;

#endif
