/* The entrants' validator: checks an Entry, or a matching communications program, by the rules of a
 * contest. validate_checks lists the checks. A check that is run gives one finding. A program's
 * fault is a finding; errors are ours or this machine's.
 *
 * * Every program runs in a sandbox (sandbox.h). Most failed checks are repeated with a new
 * program, since the machine may be loaded. */
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

/* The connection between two ends of a communications program. */
enum validate_cable { CABLE_SERIAL, CABLE_ETHERNET };

/* Times are in milliseconds. validate_defaults() sets all members. */
struct validate_options {
    enum validate_kind kind;
    const struct ruleset *ruleset;
    const char *program;       /* the Entry, run by /bin/sh -c in its folder */
    const char *folder;        /* the Entry's folder; absolute, without . and .. */
    const struct entry *entry; /* the Entry's kind; `program` then has the options of our program */
    const char *server; /* the server that our own program asks, as in sandbox.h; NULL: none */
    const char *judge_end,
        *entity_end; /* commands of the communications program; {port} is its line */
    enum validate_cable cable;
    const char *mask;   /* screen parts that may differ, as in picture.h; or NULL */
    const char *rates;  /* typing rates in keys per second, separated by commas */
    unsigned keys;      /* typed at each rate */
    unsigned turns;     /* judge's lines played to the Entry and its program */
    unsigned echo_ms;   /* allowed difference of both medians of the judge's echo */
    unsigned gap_ms;    /* allowed difference of the gaps between the other party's keys */
    bool windows;       /* the programs draw windows, and use no terminal's screen */
    unsigned outage_ms; /* duration of a pulled cable */
    const char *html;   /* file for the report with screens; NULL: none */
    enum program_io io;
    enum turn_end turn_end;
    bool strip_echo;
    const char *strip_prompt;
    unsigned columns, rows; /* size of the terminal */

    unsigned start_ms;    /* limit until the program is ready */
    unsigned answer_ms;   /* limit until an answer has begun; longer while the program works */
    unsigned quiet_ms;    /* silence that ends an answer */
    unsigned silence_ms;  /* the long silence of a judge */
    unsigned end_ms;      /* limit from the hang-up to the program's end */
    unsigned long_ms;     /* length of the conversation in long.run, by the program's clock */
    unsigned lump_keys;   /* keys of a lump, at least */
    unsigned lump_ms;     /* time within which a lump comes */
    unsigned memory_mib;  /* most memory */
    unsigned processes;   /* most processes at the same time */
    unsigned processor;   /* most percent of one core while nobody types */
    unsigned flood_bytes; /* bytes of output in one turn that are a flood */
    uint64_t seed;        /* seed of all random choices */
    const char *only; /* ids or families, the part before the dot, separated by commas; NULL: all */
    bool long_run;    /* includes the check that takes long */
};

/* Sets times and sizes to the defaults in the manual, and zeroes the rest. */
void validate_defaults(struct validate_options *options);

struct validate;
struct finding;

struct check {
    const char *id; /* "talk.first" */
    enum validate_kind kind;
    const char *asks;  /* the demand on the program, one line */
    const char *needs; /* ids of checks that must not have failed, with blanks; NULL: none */
    void (*run)(struct validate *validate, struct finding *finding);
    enum verdict broken; /* verdict under rulesets that do not mention the check */
};

/* All checks in the order of their runs; ends with a NULL id. */
extern const struct check validate_checks[];

/* The verdict of a failed check under the ruleset's section [checks]: VERDICT_FAIL, VERDICT_WARN,
 * or VERDICT_SKIP if the ruleset does not ask for the check. Returns the cited rule; NULL: none. */
const char *check_rule(const struct check *check, const struct ruleset *ruleset,
                       enum verdict *broken);

/* BL_DATA if the ruleset's section [checks] names an unknown check. */
enum bl_status check_names(const struct ruleset *ruleset, struct bl_diag *diag);

/* True if `only` is NULL or names the check. */
bool check_wanted(const struct check *check, const char *only);

#define FINDING_TEXT     240
#define FINDING_HISTORY  600   /* ids of checks with commas */
#define FINDING_EVIDENCE 16384 /* fits two screens side by side, in most scripts */

struct finding {
    const struct check *check;
    enum verdict verdict;
    const char *rule;    /* NULL: none */
    enum verdict broken; /* the verdict if the check fails */
    const char *cause;   /* SKIP: the failed check that is the reason; NULL: another reason */
    /* FAIL, WARN: the checks of that program up to the one that ran at the time; "": this one. */
    char during[FINDING_HISTORY];
    char what[FINDING_TEXT]; /* PASS: the observation; WARN, FAIL: the fault; SKIP: the reason */
    char expected[FINDING_TEXT];     /* FAIL, WARN */
    char came[FINDING_TEXT];         /* FAIL, WARN */
    char evidence[FINDING_EVIDENCE]; /* lines, each with a newline; may be empty */
    struct exhibit *exhibits;        /* screens; report_end() frees them */
    bool spared;                     /* SKIP: does not apply to such a program */
    unsigned runs, failed;           /* number of runs, and of failed runs */
    uint64_t took_ms;
};

/* The findings of a run. */
#define VALIDATE_FINDINGS 80
struct validate_report {
    const struct validate_options *options;
    struct finding finding[VALIDATE_FINDINGS];
    unsigned count;
    unsigned total[4];     /* by verdict */
    unsigned asked;        /* checks that the ruleset asks of such a program, run or not */
    bool unable;           /* this machine could not run some checks */
    bool interrupted;      /* SIGINT came, and has its default action again */
    struct plot_gaps gaps; /* gaps between the program's writes */
    unsigned gaps_all;     /* 0: unknown */
    char made[40];         /* date and time of the report; "": unknown */
};

/* Called before each check (finding NULL) and after each check. */
struct validate_callbacks {
    void (*tell)(void *ctx, const struct check *check, unsigned number, unsigned of,
                 const struct finding *finding);
    void *ctx;
};

/* Runs the checks of the kind. The caller owns the large report, which is valid as long as the
 * options. Blocks for minutes. Errors: BL_USAGE (`only` has an unknown name), BL_NOINPUT (folder),
 * BL_UNAVAIL (this machine does not allow a sandbox), BL_NOMEM. */
enum bl_status validate_run(const struct validate_options *options,
                            const struct validate_callbacks *callbacks,
                            struct validate_report *report, struct bl_diag *diag);

/* Frees the findings' memory. If SIGINT interrupted the run, the process now ends by that
 * signal. */
void report_end(struct validate_report *report);

/* The ruleset's verdict. Accepted: no check failed, some passed, and every check that could fail
 * was run. */
enum report_verdict { REPORT_ACCEPTED, REPORT_REFUSED, REPORT_OPEN };
enum report_verdict report_verdict(const struct validate_report *report);

/* True if the finding left a part open that could still fail. */
bool report_is_open(const struct finding *finding);

#endif
