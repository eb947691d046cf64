#ifndef VALIDATE_VALIDATE_PRIVATE_H
#define VALIDATE_VALIDATE_PRIVATE_H

#include "entity/ours.h"
#include "validate/actor.h"
#include "validate/finding.h"

/* A failure that another check than the running one reports. A fork bomb in a conversation fails
 * limit.processes, and is not a missing answer. */
#define BLAMES 8
#define CRASH  "crash.signal"
struct blame {
    const char *id;
    char during[FINDING_HISTORY]; /* the program's checks up to the one that was running */
    char came[FINDING_TEXT], errors[FINDING_TEXT];
};

struct comms; /* comms_private.h */

/* A program's way of typing, for several checks. */
struct typing {
    bool valid;
    const char *failed;      /* the check that could not observe it */
    unsigned turns;          /* questions asked */
    unsigned judged, lumped; /* conclusive answers; answers in lumps */
    unsigned shorts;         /* answers too short to tell */
    unsigned largest;        /* most keys at once */
    struct plot_gaps gaps;   /* gaps between the program's writes */
    unsigned parts[4];
    uint64_t bad, ignored, unkeyed, bytes, us;
    unsigned compared,
        echoed;   /* answers compared with the judge's words; answers that begin with these words */
    bool foreign; /* a question had letters beyond ASCII */
    unsigned message; /* characters of the longest message */
    char bad_bytes[160], ignored_bytes[160], unkeyed_text[160], echo[160]; /* quoted */
};

/* The judge of the current conversation. Each judge gets the opening words. */
enum judge { JUDGE_FIRST, JUDGE_SECOND, JUDGE_SAME };

/* A judge's question and the answer. One log has the questions of all checks, so a check can use
 * another's question: turn_find(). */
#define TURN_ANSWERED     1u /* the answer was received to its end */
#define TURN_OPENS        2u /* by interview_ask(): nothing was said before */
#define TURN_CORRECTED    4u /* by interview_ask(): the question has BackSpaces */
#define TURN_FOREIGN      8u /* by interview_ask(): the question has letters beyond ASCII */
#define TURN_JUDGE(judge) (16u << (judge))
#define TURNS_KEPT        256u
struct interview_turn {
    unsigned is;      /* a set of the bits above */
    unsigned returns; /* Returns in the answer */
    char said[512];   /* the beginning of the answer */
};

/* A time in which nobody typed. */
struct rest {
    uint64_t us;           /* duration; 0: nothing was measured */
    uint64_t cpu_us;       /* processor time of the program */
    uint32_t pulses, busy; /* looks at the program; looks at which it wanted the processor */
    unsigned ms;           /* intended length; 0: unknown */
    uint64_t keys;         /* keys that the program typed after becoming quiet */
    bool answered;         /* the program had answered a question before */
};

/* The files that a program leaves, for several checks. */
#define FILES_MOST 6
struct files {
    unsigned count; /* number of files; the struct names at most FILES_MOST */
    char name[FILES_MOST][600];
};
struct remains {
    bool processes_known, files_known, overlay;
    unsigned processes;
    struct files outside, deleted;
};

struct validate {
    const struct validate_options *options;
    struct validate_report *report;
    struct finding *finding; /* finding of the running check */
    struct scene *scene;     /* the current scene; NULL: none */
    struct actor *entry;     /* the program of the current conversation; NULL: none */
    struct interview_turn turn[TURNS_KEPT]; /* the last questions of all conversations */
    unsigned turns;                         /* number of questions in `turn` */
    unsigned since;                         /* number of those asked before this conversation */
    bool moved;       /* the program runs in a copy of its folder at another path */
    enum judge judge; /* the judge of this conversation */
    bool restless;    /* the last answer has not ended */
    bool unseen;      /* the program is not seen reading: silence must suffice */
    unsigned line;    /* index of the next judge's line */
    struct blame blame[BLAMES];
    unsigned blames;

    int tool;                        /* our program for the Entry's kind; 0: none */
    int brief;                       /* the conversation so far, for such a program; 0: none */
    char command[2][OURS_MAX + 100]; /* commands of our program; the second one keeps the replies */
    const char *preload, *setting;   /* settings of the next program, as in sandbox.h; NULL: none */

    /* Observations of all programs so far. */
    struct typing typing;
    struct remains remains;
    struct rest rest;            /* the last rest */
    char lived[FINDING_HISTORY]; /* the checks of the present program so far, with commas */
    char together[FINDING_TEXT]; /* the program's end when several checks asked at once */
    char together_in[FINDING_HISTORY];
    unsigned conversations;
    bool deaf; /* the programs' network attempts cannot be observed */
    struct network network;
    uint64_t memory_most;
    unsigned processes_most;
    bool fresh;                /* the running check began with a new program */
    unsigned ended_at;         /* lines typed before the program ended by itself */
    char ending[FINDING_TEXT]; /* how the last program ended, if by itself */
    /* Of the last program that ended by itself: its checks, the end of its standard error. */
    char ended_in[FINDING_HISTORY], ended_errors[FINDING_TEXT];

    struct comms *comms; /* state of the comms checks, which fill and free it */

    enum bl_status status; /* an error of ours or of the machine: no check can run any more */
    struct bl_diag diag;
};

/* The end of the program's standard error, quoted. */
void errors_end(const struct validate *validate, char out[FINDING_TEXT]);

/* Adds the end of the program's standard error, if any, after the words STANDARD_ERROR. */
void finding_errors(struct finding *finding, const struct validate *validate);

/* Adds a hint if the program's command names a file outside its folder, which it cannot read. */
void folder_hint(struct finding *finding, const struct validate *validate);

/* Notes that the program has failed another check; CRASH: the last one that ended by itself. Keeps
 * the first failure of an id, with that program's checks and the end of its standard error. */
void validate_blame(struct validate *validate, const char *id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const struct blame *validate_blamed(const struct validate *validate, const char *id);

/* True if the check has failed. */
bool validate_failed(const struct validate *validate, const char *id);

/* validate_kind(): the row of the Entry's kind. validate_is_kind(): true if the family of checks
 * belongs to that kind. */
const struct entry_kind *validate_kind(const struct validate *validate);
bool validate_is_kind(const struct validate *validate, const char *family);

/* True if this run includes the check. */
bool validate_wanted(const struct validate *validate, const char *id);

/* True if the check has been reported. */
bool validate_reported(const struct validate *validate, const char *id);

/* A random number below `below`: a pure function of the run's seed, the check and n. */
uint32_t validate_random(const struct validate *validate, unsigned n, uint32_t below);

/* ---- conversations (interview.c). Functions that return bool fill in the finding if false.
 * ---- */

/* Starts a program, without waiting for its readiness. */
bool interview_open(struct validate *validate, bool moved);

/* Provides a program that waits for the judge: the current one or a new one. */
bool interview_begin(struct validate *validate);

/* Starts a new program in any case. */
bool interview_start(struct validate *validate, bool moved);

/* Ends the conversation and the program. */
void interview_end(struct validate *validate);

/* Restarts the program in the same sandbox, with the files it has written, after hanging up its
 * terminal or killing it. */
bool interview_again(struct validate *validate, bool killed);

/* Types a line key by key, ends it with Return, and waits for the whole answer. Records the opening
 * words and the program's typing. */
bool interview_ask(struct validate *validate, const char *line);

/* The number of questions in this conversation. */
unsigned interview_turns(const struct validate *validate);

/* The last answered question of all conversations with all bits of `is`; NULL: none. */
const struct interview_turn *turn_find(const struct validate *validate, unsigned is);

/* The number of Returns in the last answer of this conversation. */
unsigned interview_returns(const struct validate *validate);

/* Called before and after a time in which nobody types, to measure the program's use of the
 * processor. Without the second call the time does not count. */
void interview_rest(struct validate *validate, struct rest *rest);
void interview_rested(struct validate *validate, const struct rest *rest);

/* Hangs up, then asks the program to end. Returns the means that ended it; NULL if none did. */
const char *interview_ended_by(struct validate *validate);

/* Ends the program and records the files that it leaves behind. */
void interview_files(struct validate *validate);

/* Waits for an answer since actor_mark(), to its end. */
bool interview_answer(struct validate *validate);

/* Judges the outcome of a wait. True: ACTOR_DONE. Otherwise fills in the finding, or blames another
 * check (validate_blame), and ends the conversation. */
bool interview_good(struct validate *validate, enum actor_outcome outcome, const char *wanted);

/* Waits until the program is silent, or for the allowed time of an answer. */
bool interview_quiet(struct validate *validate, const char *wanted);

/* Provides a conversation in which a question was answered: the current one, or a new one. */
bool interview_talked(struct validate *validate);

/* The judge's next line. */
const char *interview_line(struct validate *validate);

/* Adds the answer to a line to the record of the program's typing (entry_keys.c). meanwhile: the
 * output while the line was typed. */
#define TYPING_MEANWHILE 256
void typing_add(struct validate *validate, const char *line, const char *meanwhile);

/* Copies the record of typing to the report. */
void typing_report(const struct validate *validate, struct validate_report *report);

#endif
