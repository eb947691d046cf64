/* The entrants' validator: the check of an Entry, or of a matching communications program, by the
 * rules of a contest. A list of checks, each with the rules it is for; each gives one finding.
 *
 * A fault of a program's is a finding and never an error: errors are ours, or this machine's. Every
 * program runs in a sandbox (sandbox.h), so nothing is left running and nothing is written outside
 * its folder. A check that fails is run again with a fresh program and fails only if it does so
 * twice: a loaded machine must not cost an entrant his place. */
#ifndef VALIDATE_VALIDATE_H
#define VALIDATE_VALIDATE_H

#include "base/status.h"
#include "rules/ruleset.h"
#include "entity/entry.h"
#include "transcript/plot.h"
#include "validate/exhibit.h"

#include <limits.h>

#define VALIDATE_COMMAND_MAX 4096

enum validate_kind { VALIDATE_ENTRY, VALIDATE_COMMS };

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_WARN, VERDICT_SKIP };

/* The joint between two ends of a communications program. */
enum validate_cable { CABLE_SERIAL, CABLE_ETHERNET };

/* Times are in milliseconds. validate_defaults() fills in the rest. */
struct validate_options {
    enum validate_kind kind;
    const struct ruleset *ruleset;
    const char *program;       /* the Entry, run by /bin/sh -c in its folder */
    const char *folder;        /* the folder belonging to it; absolute, without . and .. */
    const struct entry *entry; /* its kind; `program` holds our program's arguments for it */
    const char *server;        /* the one that our own program asks, as of sandbox.h */
    const char *judge_end, *entity_end; /* of the communications program; {port} is its line */
    enum validate_cable cable;
    const char *mask;   /* parts that may differ between two screens: picture.h, blanks between; or
                          NULL */
    const char *rates;  /* keys a second at which a person types, with commas between */
    unsigned keys;      /* typed at each rate */
    unsigned turns;     /* lines of the judge played to the Entry and its program */
    unsigned echo_ms;   /* medians of the time until the judge's key shows may differ by this */
    unsigned gap_ms;    /* ... and of the gaps between the other party's keys by this */
    bool windows;       /* the programs draw windows, not on a terminal */
    unsigned outage_ms; /* that the cable is out */
    const char *html;   /* file for the report with screens; NULL: none */
    enum program_io io;
    enum turn_end turn_end;
    bool strip_echo;
    const char *strip_prompt;
    unsigned columns, rows; /* of its terminal */

    unsigned start_ms;    /* until it must be ready */
    unsigned answer_ms;   /* until an answer must have begun; longer while it is at work */
    unsigned quiet_ms;    /* of silence, after which an answer is at its end */
    unsigned silence_ms;  /* the long silence of a judge */
    unsigned end_ms;      /* from hang-up until it must have ended */
    unsigned long_ms;     /* length of the conversation in long.run, on its own clock */
    unsigned lump_keys;   /* this many keys ... */
    unsigned lump_ms;     /* ... within this time are a lump */
    unsigned memory_mib;  /* that it may take */
    unsigned processes;   /* that it may have at once */
    unsigned processor;   /* percent of one core that it may use while nobody types */
    unsigned flood_bytes; /* of output in one turn that are a flood */
    uint64_t seed;        /* of all that is random */
    const char *only;     /* ids, or the part before the dot, with commas between; NULL: all */
    bool long_run;        /* also the check that takes long */
};

/* Sets the times and sizes as the manual says them; the rest is zeroed. */
void validate_defaults(struct validate_options *options);

struct validate;
struct finding;

struct check {
    const char *id; /* "talk.first" */
    enum validate_kind kind;
    const char *asks;  /* one line, the demand on the program */
    const char *needs; /* ids with blanks between that must not have failed; NULL: none */
    /* Looks, and fills in the finding by the functions of finding.h. */
    void (*run)(struct validate *validate, struct finding *finding);
    enum verdict broken; /* for rulesets that say nothing of it */
};

/* All checks in the order in which they run, ends with a NULL id. */
extern const struct check validate_checks[];

/* The verdict of a failed check, by the ruleset's section [checks]: VERDICT_FAIL, VERDICT_WARN, or
 * VERDICT_SKIP where the ruleset does not ask for it; and the rule it cites, NULL none. */
const char *check_rule(const struct check *check, const struct ruleset *ruleset,
                       enum verdict *broken);

/* BL_DATA: the ruleset's section [checks] names one that there is not. */
enum bl_status check_names(const struct ruleset *ruleset, struct bl_diag *diag);

/* Does `only` name the check? */
bool check_wanted(const struct check *check, const char *only);

#define FINDING_TEXT     240
#define FINDING_EVIDENCE 16384 /* two screens side by side, in most scripts */

/* A check's finding. */
struct finding {
    const struct check *check;
    enum verdict verdict;
    const char *rule;        /* NULL: none */
    enum verdict broken;     /* the verdict of a failure */
    const char *cause;       /* SKIP: the check that has failed; NULL: another reason */
    const char *during;      /* FAIL, WARN: the check that ran at the time; NULL: the check
                                itself */
    char what[FINDING_TEXT]; /* PASS: the observation; WARN, FAIL: the fault; SKIP: the reason */
    char expected[FINDING_TEXT];     /* FAIL, WARN */
    char came[FINDING_TEXT];         /* FAIL, WARN */
    char evidence[FINDING_EVIDENCE]; /* lines, each with a newline; may be empty */
    struct exhibit *exhibits;        /* screens; report_end() frees them */
    bool spared;                     /* SKIP: its demand is nothing for such a program */
    unsigned runs, failed;           /* times that it ran and was not passed */
    uint64_t took_ms;
};

/* The findings of a run. */
#define VALIDATE_FINDINGS 80
struct validate_report {
    const struct validate_options *options;
    struct finding finding[VALIDATE_FINDINGS];
    unsigned count;
    unsigned total[4];     /* by verdict */
    unsigned asked;        /* checks the ruleset asks for of such a program, run or not */
    bool unable;           /* some could not be run on this machine */
    bool interrupted;      /* by SIGINT, whose action is the usual one again */
    struct plot_gaps gaps; /* between its writes */
    unsigned gaps_all;     /* 0: nothing is known */
    char made[40];         /* time of making, for people; "": not said */
};

/* Told before each check (finding NULL) and after it. */
struct validate_callbacks {
    void (*tell)(void *ctx, const struct check *check, unsigned number, unsigned of,
                 const struct finding *finding);
    void *ctx;
};

/* Runs the checks of the kind. The report is large and the caller's; it stays valid as long as the
 * options do. Blocks for minutes. Errors: BL_USAGE (`only` names nothing), BL_NOINPUT (folder),
 * BL_UNAVAIL (this machine does not let us make a sandbox), BL_NOMEM. */
enum bl_status validate_run(const struct validate_options *options,
                            const struct validate_callbacks *callbacks,
                            struct validate_report *report, struct bl_diag *diag);

/* Frees the findings' memory. If SIGINT has interrupted the run, the process ends by it now, as its
 * parent expects. */
void report_end(struct validate_report *report);

/* The ruleset's verdict. Accepted only after a look: nothing has failed, something has passed, and
 * all that it would fail for was run. */
enum report_verdict { REPORT_ACCEPTED, REPORT_REFUSED, REPORT_OPEN };
enum report_verdict report_verdict(const struct validate_report *report);

/* True if the verdict could fail for a part that the finding did not look at. */
bool report_is_open(const struct finding *finding);

#endif
