/* "boothlink contest similar": different Entries' answers to the same question. */
#include "cli/contest.h"

#include "booth/transcript_source.h"
#include "contest/answers.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Reads a file in the form for people. If it has another form, diag keeps the earlier reason. */
static enum bl_status take_text(struct answers *answers, const char *path, const char *file,
                                struct bl_diag *diag)
{
    struct bl_diag other;
    char *text = NULL;
    bool any = false;
    enum bl_status status = contest_read_file(&text, path, &other);
    if (status == BL_OK)
        status = answers_of_text(answers, text, file, &any, &other);
    free(text);
    if (status == BL_OK && any)
        return BL_OK;
    if (status != BL_OK && any)
        *diag = other;
    return status == BL_OK ? BL_DATA : status;
}

static enum bl_status take_transcript(struct answers *answers, const char *path, const char *file,
                                      struct bl_diag *diag)
{
    const struct transcript_request request = {.file = path};
    struct transcript_source source = {.is_journal = false};
    enum bl_status status = transcript_source_open(&source, &request, diag);
    if (status == BL_OK)
        status = answers_of_history(answers, &source.history, file, diag);
    else if (status == BL_DATA)
        status = take_text(answers, path, file, diag);
    transcript_source_close(&source);
    return status;
}

static void print_similar(const struct answers *answers)
{
    const struct report_answer *all = answers->answer;
    unsigned questions = 0;
    for (size_t i = answers_shared(all, answers->count, 0); i < answers->count;
         i = answers_shared(all, answers->count, i + 1)) {
        command_print("%s\n  %-20.20s        %s\n", all[i].question, all[i].entry, all[i].text);
        for (size_t k = answers_other(all, answers->count, i, i + 1); k < answers->count;
             k = answers_other(all, answers->count, i, k + 1))
            command_print("  %-20.20s %3u %%  %s\n", all[k].entry,
                          answers_likeness(all[i].text, all[k].text), all[k].text);
        questions++;
    }
    printf("%u question%s %s put to more than one Entry. A panel decides.\n", questions,
           BL_S(questions), BL_WERE(questions));
}

static int is_file(const struct dirent *listed)
{
    return listed->d_name[0] != '.';
}

static enum bl_status take_folder(struct answers *answers, const char *folder, struct bl_diag *diag)
{
    struct dirent **listed = NULL;
    int count = scandir(folder, &listed, is_file, alphasort);
    enum bl_status status =
        count < 0 ? bl_fail(diag, BL_NOINPUT, "%s: %s", folder, strerror(errno)) : BL_OK;
    for (int i = 0; i < count; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, listed[i]->d_name);
        if (status == BL_OK)
            status = take_transcript(answers, path, listed[i]->d_name, diag);
        free(listed[i]);
    }
    free(listed);
    return status;
}

static enum bl_status contest_similar(const struct command_call *call, struct bl_diag *diag)
{
    struct answers answers = {.count = 0};
    struct contest_file file = {.store = NULL};
    struct stat about;
    enum bl_status status;
    if (stat(call->word[0], &about) == 0 && S_ISREG(about.st_mode)) {
        status = contest_file_open(&file, call, diag);
        if (status == BL_OK)
            status = store_read(file.store, 0, answers_of_act, &answers, diag);
        contest_file_close(&file);
    } else {
        status = take_folder(&answers, call->word[0], diag);
    }
    if (status == BL_OK)
        print_similar(&answers);
    answers_free(&answers);
    return status;
}

const struct command contest_similar_verbs[] = {
    {
        .name = "contest similar",
        .synopsis = "DIR | FILE",
        .help = "what different Entries answered to the same question",
        .text = "Out of the transcripts in a folder, or of the screening of a contest (2003 r38). "
                "Whether they are too much alike is for a panel.",
        .size = sizeof(struct contest_options),
        .least = 1,
        .most = 1,
        .run = contest_similar,
    },
    {0},
};
