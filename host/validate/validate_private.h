/* Between the runner of the checks, the checks, and their common parts. */
#ifndef VALIDATE_VALIDATE_PRIVATE_H
#define VALIDATE_VALIDATE_PRIVATE_H

#include "entity/ours.h"
#include "validate/actor.h"
#include "validate/finding.h"

/* Another check that a program has failed while one was running: a fork bomb in the middle of a
 * conversation is limit.processes, not a missing answer. */
#define BLAMES 8
struct blame {
    const char *id, *during; /* during: the check that ran */
    char came[FINDING_TEXT], errors[FINDING_TEXT];
};

struct comms; /* comms_private.h */

/* A program's typing, as several checks look at it. */
struct typing {
    bool valid;
    const char *failed;      /* the check in which it could not be looked at */
    unsigned turns;          /* that were asked ... */
    unsigned judged, lumped; /* ... that told something, and of these in lumps */
    unsigned shorts;         /* that were too short to tell */
    unsigned largest;        /* keys at once */
    struct plot_gaps gaps;   /* between its writes */
    unsigned parts[4];
    uint64_t bad, ignored, unkeyed, bytes, us;
    unsigned compared, echoed; /* with the judge's words, and that begin with them */
    bool foreign;              /* one of the questions had letters that are not ASCII */
    unsigned message;          /* characters of its longest one */
    char bad_bytes[160], ignored_bytes[160], unkeyed_text[160], echo[160]; /* quoted */
};

/* The judge of the conversation that goes on: each is given the opening words. */
enum judge { JUDGE_FIRST, JUDGE_SECOND, JUDGE_SAME };

/* A question of a judge and its answer. All of them are one log, so no check has to repeat another
 * one's question: turn_find(). */
#define TURN_ANSWERED     1u /* to the end of the answer; */
#define TURN_OPENS        2u /* and of those of interview_ask(): nothing was said before, */
#define TURN_CORRECTED    4u /* it has BackSpaces, */
#define TURN_FOREIGN      8u /* it has letters that are not ASCII, */
#define TURN_JUDGE(judge) (16u << (judge))
#define TURNS_KEPT        256u
struct interview_turn {
    unsigned is;      /* of the bits above */
    unsigned returns; /* in the answer */
    char said[512];   /* the beginning of the answer */
};

/* A time in which nobody typed. */
struct rest {
    uint64_t us;           /* 0: there was none */
    uint64_t cpu_us;       /* that the program computed ... */
    uint32_t pulses, busy; /* ... or, where others had the processor, wanted to */
    unsigned ms;           /* that it was to last; 0: unknown */
    uint64_t keys;         /* that the program typed once it had been quiet */
    bool answered;         /* it had answered a question before */
};

/* The files a program leaves behind, as several checks look at them. */
#define FILES_MOST 6
struct files {
    unsigned count; /* of files; more than are named */
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
    struct finding *finding;                /* that the check which runs now is to fill in */
    struct scene *scene;                    /* that is played with; NULL: none */
    struct actor *entry;                    /* with whom a conversation goes on in it; NULL: none */
    struct interview_turn turn[TURNS_KEPT]; /* of all conversations, the last */
    unsigned turns;                         /* of them ... */
    unsigned since;                         /* ... those before this conversation */
    bool moved;                             /* it runs in a copy of its folder at another path */
    enum judge judge;                       /* their judge */
    bool restless;                          /* it has not come to the end of an answer */
    bool unseen;                            /* it is not seen to wait for input: silence must do */
    unsigned line;                          /* next of the judge's lines */
    struct blame blame[BLAMES];
    unsigned blames;

    int tool;                        /* the program of ours that runs for its kind; 0: none */
    int brief;                       /* of one that is told the conversation; 0: none */
    char command[2][OURS_MAX + 100]; /* of that; and one that keeps the replies */
    const char *preload, *setting;   /* for the next one, as of sandbox.h; NULL: none */

    /* Of all programs so far. */
    struct typing typing;
    struct remains remains;
    struct rest rest;            /* the last */
    char together[FINDING_TEXT]; /* its own end when asked by several checks at once */
    unsigned conversations;
    bool deaf; /* their attempts on the network cannot be heard */
    struct network network;
    uint64_t memory_most;
    unsigned processes_most;
    bool fresh;                /* the check that runs has begun with a program of its own */
    unsigned ended_at;         /* lines typed before its own end */
    char ending[FINDING_TEXT]; /* the end of the last one, if by itself */

    struct comms *comms; /* of the comms checks; theirs to fill and to free */

    enum bl_status status; /* a fault of ours or the machine's: nothing more can be run */
    struct bl_diag diag;
};

/* Adds the last of the program's standard error, if there is any, after these words. */
#define STANDARD_ERROR "its standard error: \""
void finding_errors(struct finding *finding, const struct validate *validate);

/* The words by which a program's standard error, as quoted, says last that a file is missing, and
 * which; false: it does not. They are alike whenever it is the same file. */
bool errors_missing_file(const char *quoted, char out[FINDING_TEXT]);

/* Adds a hint if a file the program's command names is not in its folder: it cannot be read
 * there. */
void folder_hint(struct finding *finding, const struct validate *validate);

/* Notes that the program has failed another check. The first of an id is kept, with the last of the
 * program's standard error. */
void validate_blame(struct validate *validate, const char *id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
const struct blame *validate_blamed(const struct validate *validate, const char *id);

/* Has the check failed? */
bool validate_failed(const struct validate *validate, const char *id);

/* The row of the Entry's kind; and is that kind the one whose checks the family is? */
const struct entry_kind *validate_kind(const struct validate *validate);
bool validate_is_kind(const struct validate *validate, const char *family);

/* Is the check one of those that are run? */
bool validate_wanted(const struct validate *validate, const char *id);

/* Has the check been reported already? */
bool validate_reported(const struct validate *validate, const char *id);

/* A random number below `below`, which is a pure function of the run's seed, the check and n. */
uint32_t validate_random(const struct validate *validate, unsigned n, uint32_t below);

/* ---- conversations (interview.c). Those that return bool have filled in the finding if false.
 * ---- */

/* The sandbox that the options ask for. */
struct sandbox_options interview_sandbox(const struct validate *validate, bool moved);

/* Starts one, which need not be ready. */
bool interview_open(struct validate *validate, bool moved);

/* A program waiting for the judge: the one talked with, or a new one. */
bool interview_begin(struct validate *validate);

/* A new one, whatever there was. */
bool interview_start(struct validate *validate, bool moved);

/* Ends the conversation, and the program. */
void interview_end(struct validate *validate);

/* Starts the program again in the same sandbox, with the files it has written: first its terminal
 * is hung up, or it is killed. */
bool interview_again(struct validate *validate, bool killed);

/* Types a line key by key, ends it with Return, and waits for the answer and its end, which are
 * noted: the opening words, and how it types. */
bool interview_ask(struct validate *validate, const char *line);

/* The number of questions asked in this conversation. */
unsigned interview_turns(const struct validate *validate);

/* The last question of all conversations that was answered and is all that; NULL: none. */
const struct interview_turn *turn_find(const struct validate *validate, unsigned is);

/* The Returns in the last answer of this conversation. */
unsigned interview_returns(const struct validate *validate);

/* Called before and after a time in which nobody types, to count the program's computing in it.
 * Without the second call no such time is known. */
void interview_rest(struct validate *validate, struct rest *rest);
void interview_rested(struct validate *validate, const struct rest *rest);

/* Hangs up, then asks the program to end, and names the means that ended it; NULL: nothing has
 * helped. */
const char *interview_ended_by(struct validate *validate);

/* Ends the program and looks at the files it leaves, for remains. */
void interview_files(struct validate *validate);

/* Waits for an answer since actor_mark() and its end. */
bool interview_answer(struct validate *validate);

/* Judges the end of a wait: true for ACTOR_DONE. Else fills in the finding, or puts the blame on
 * another check (validate_blame), and ends the conversation. */
bool interview_good(struct validate *validate, enum actor_outcome outcome, const char *wanted);

/* Waits until it says no more, or for as long as an answer may take to begin. */
bool interview_quiet(struct validate *validate, const char *wanted);

/* A conversation in which a question was answered: the one that goes on, or a new one. */
bool interview_talked(struct validate *validate);

/* The judge's next line. */
const char *interview_line(struct validate *validate);

/* Adds the answer to a line to the facts about its typing (entry_keys.c); meanwhile: the beginning
 * of its output while the line was typed. */
#define TYPING_MEANWHILE 256
void typing_add(struct validate *validate, const char *line, const char *meanwhile);

/* The facts about it, for the report. */
void typing_report(const struct validate *validate, struct validate_report *report);

#endif
