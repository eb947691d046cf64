/* Checks the Entry's use of the machine, and its attempts on the network. */
#include "validate/entry_private.h"

/* Holds a conversation if there was none, or for a repeated check. */
static bool talked(struct validate *v)
{
    if (v->conversations && v->finding->runs == 0)
        return true;
    return interview_start(v, false) && interview_ask(v, interview_line(v));
}

/* Ends the conversation, so that its program's attempts count. */
static const struct network *network_of(struct validate *v)
{
    interview_end(v);
    return &v->network;
}

/* The reason for which attempts on the network cannot be observed. */
#define HAS_PORT "its network is the port to which it connects, and nothing else"

/* One kind of forbidden attempts on the network: their number, and descriptions of the first. */
struct tries {
    const char *none, *some, *unit;
    unsigned all, notes;
    const struct network_note *note;
};

static void network_check(struct validate *v, struct finding *f, const struct tries *tries)
{
    if (v->deaf && validate_kind(v)->registers) {
        finding_spare(f, HAS_PORT);
    } else if (v->deaf && v->options->server) {
        finding_spare(f, "its network is the way to its server, and nothing else");
    } else if (v->deaf) {
        finding_skip(f, "needs /dev/net/tun");
    } else if (tries->all == 0) {
        finding_pass(f, "%s", tries->none);
    } else {
        finding_broken(f, "%s", tries->some);
        finding_expected(f, "no telecommunications");
        finding_came(f, "%u %s", tries->all, tries->unit);
        for (unsigned i = 0; i < tries->notes; i++)
            finding_evidence(f, "%s, %u time%s", tries->note[i].text, tries->note[i].count,
                             BL_S(tries->note[i].count));
    }
}

ENTRY_CHECK(entry_net_frames)
{
    if (!talked(v))
        return;
    const struct network *n = network_of(v);
    network_check(v, f,
                  &(struct tries){"sends nothing on the network", "it tries to reach the network",
                                  "datagrams", n->frames_all - n->lookups_all, n->frames,
                                  n->frame});
}

ENTRY_CHECK(entry_net_lookups)
{
    if (!talked(v))
        return;
    const struct network *n = network_of(v);
    network_check(v, f,
                  &(struct tries){"looks up no names", "it looks up names on the network",
                                  "look-ups", n->lookups_all, n->lookups, n->lookup});
}

ENTRY_CHECK(entry_limit_memory)
{
    if (!talked(v))
        return;
    interview_end(v);
    finding_pass(f, "%llu MiB at most, of %u", (unsigned long long)v->memory_most >> 20,
                 v->options->memory_mib);
}

ENTRY_CHECK(entry_limit_processes)
{
    if (!talked(v))
        return;
    interview_end(v);
    finding_pass(f, "%u at most, of %u", v->processes_most, v->options->processes);
}

ENTRY_CHECK(entry_limit_output)
{
    if (talked(v))
        finding_pass(f, "less than %u bytes at once", v->options->flood_bytes);
}

ENTRY_CHECK(entry_limit_processor)
{
    const struct validate_options *o = v->options;
    uint64_t percent;
    /* An earlier check's silence may have measured the use. */
    if (v->rest.us == 0 || f->runs) {
        struct rest rest;
        if (!interview_begin(v) || !interview_ask(v, interview_line(v)))
            return;
        interview_rest(v, &rest);
        if (!interview_good(v, actor_pause(v->entry, o->silence_ms, false), "a program that waits"))
            return;
        interview_rested(v, &rest);
    }
    percent = v->rest.cpu_us * 100 / (v->rest.us + 1);
    if (percent <= o->processor && v->rest.busy * 10 > v->rest.pulses * 9 && v->rest.pulses > 9)
        percent = 100; /* the machine was too busy to measure */
    if (percent <= o->processor) {
        finding_pass(f, "%llu %% of a core while nobody types", (unsigned long long)percent);
        return;
    }
    finding_broken(f, "it computes while nobody types");
    finding_expected(f, "at most %u %% of a core (--processor)", o->processor);
    finding_came(f, "%llu %%", (unsigned long long)percent);
}

ENTRY_CHECK(entry_crash_signal)
{
    (void)v;
    finding_pass(f, "does not end by itself");
}
