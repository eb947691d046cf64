/* libpcap, loaded late. */
#ifndef LATE_PCAP_H
#define LATE_PCAP_H

#include "late/late.h"

#include <pcap/pcap.h>

/* clang-format off */
#define LATE_PCAP(_) \
    _(pcap_, activate) \
    _(pcap_, breakloop) \
    _(pcap_, close) \
    _(pcap_, compile) \
    _(pcap_, create) \
    _(pcap_, datalink) \
    _(pcap_, dispatch) \
    _(pcap_, dump) \
    _(pcap_, dump_close) \
    _(pcap_, dump_file) \
    _(pcap_, dump_flush) \
    _(pcap_, dump_fopen) \
    _(pcap_, fileno) \
    _(pcap_, freecode) \
    _(pcap_, get_selectable_fd) \
    _(pcap_, geterr) \
    _(pcap_, lib_version) \
    _(pcap_, open_dead) \
    _(pcap_, set_buffer_size) \
    _(pcap_, set_immediate_mode) \
    _(pcap_, set_promisc) \
    _(pcap_, set_snaplen) \
    _(pcap_, setdirection) \
    _(pcap_, setfilter) \
    _(pcap_, setnonblock) \
    _(pcap_, statustostr)
/* clang-format on */

extern struct late_pcap {
    LATE_PCAP(LATE_MEMBER)
} late_pcap;

#endif
