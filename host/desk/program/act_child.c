#include "desk/program/act_child.h"

#include "contest/next.h"
#include "desk/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS    3
#define OPTIONS  4
#define ARGS     16
#define TEXT     1024 /* bytes of an argument */
#define NAME     32   /* bytes of an option's name */
#define PART     ".part"
#define PART_MAX 64

/* A verb of the page: the least and most words from the page, its options, and its command, in
 * which the contest's file replaces the * at a word's start, and the next bundle's folder an @. */
struct act_row {
    const char *verb;
    size_t least, most;
    const char *options[OPTIONS];
    const char *words[9]; /* NULL: contest VERB FILE */
    const char *output;   /* the file that gets the command's output; NULL: the page shows it */
    bool nameless;        /* for rules that publish no names; such a row stands first */
    bool typed;           /* the act cannot be taken back, so the page must type the verb */
};

static const struct act_row rows[] = {
    {.verb = "begin", .least = 1, .most = 1, .options = {"why"}},
    {.verb = "collect", .words = {"contest", "collect", "*", "*" DESK_INBOX}},
    {.verb = "exclude", .least = 1, .most = 1, .options = {"why"}},
    {.verb = "limit", .least = 1, .most = 1, .options = {"text", "why"}},
    {.verb = "machine", .least = 1, .most = 2},
    {.verb = "publish",
     .words = {"contest", "publish", "*", "--bundle", "@", "--records", "*.records"},
     .nameless = true,
     .typed = true},
    {.verb = "publish",
     .words = {"contest", "publish", "*", "transcripts", "--out", "published"},
     .typed = true},
    {.verb = "repeat", .least = 1, .most = 1, .options = {"further", "why"}},
    {.verb = "report",
     .words = {"contest", "report", "*", "--records", "*.records"},
     .nameless = true,
     .output = "report.html"},
    {.verb = "report",
     .words = {"contest", "report", "*", "--transcripts", "published", "--records", "*.records"},
     .output = "report.html"},
    {.verb = "result"},
    {.verb = "schedule"},
    {.verb = "seal", .most = 1, .options = {"why"}, .typed = true},
    {.verb = "settle", .least = 2, .most = 2, .options = {"why"}},
    {.verb = "substitute", .least = 2, .most = 2, .options = {"family", "now", "unknown", "why"}},
    {.verb = "tickets"},
    {.verb = "transcripts",
     .words = {"transcript", "convert", "*.records", "--output", "transcripts"}},
    {.verb = "undo", .least = 1, .most = 2, .options = {"why"}},
    {.verb = "verify",
     .words = {"contest", "verify", "*", "--records", "*.records"},
     .nameless = true},
    {.verb = "verify",
     .words = {"contest", "verify", "*", "--records", "*.records", "--transcripts", "published"}},
    {.verb = "withdraw", .least = 1, .most = 1, .options = {"why"}},
};

/* The arguments of a command, with their own room. */
struct act_args {
    char *arg[ARGS + 1];
    unsigned count;
    const char *output;
    char text[ARGS][FOLDER_PATH_MAX + TEXT];
};

static void add(struct act_args *args, const char *before, const char *text)
{
    char *at = args->text[args->count];
    snprintf(at, sizeof args->text[0], "%s%s", before, text);
    args->arg[args->count++] = at;
}

static const struct act_row *find_row(const char *verb, bool nameless)
{
    for (size_t i = 0; verb && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].verb, verb) == 0 && (nameless || !rows[i].nameless))
            return &rows[i];
    return NULL;
}

static const char too_long[] = "A word of this act is too long: at most 1,023 bytes.";
static const char unfit[] = "These are not the words of this act.";

/* Adds the page's words. Returns the fault; NULL: none. */
static const char *add_words(struct act_args *args, const struct act_row *row, const json_t *words)
{
    size_t count = json_array_size(words);
    if (count < row->least || count > row->most)
        return unfit;
    for (size_t i = 0; i < count; i++) {
        const char *word = json_string_value(json_array_get(words, i));
        if (!word || !*word || word[0] == '-')
            return unfit;
        if (strlen(word) >= TEXT)
            return too_long;
        add(args, "", word);
    }
    return NULL;
}

static const char *add_options(struct act_args *args, const struct act_row *row,
                               const json_t *options)
{
    for (unsigned i = 0; i < OPTIONS && row->options[i]; i++) {
        const json_t *value = json_object_get(options, row->options[i]);
        const char *text = json_string_value(value);
        char name[NAME];
        if (json_is_true(value)) {
            add(args, "--", row->options[i]);
        } else if (text && *text) {
            snprintf(name, sizeof name, "--%s=", row->options[i]);
            if (strlen(text) >= TEXT)
                return too_long;
            add(args, name, text);
        }
    }
    return NULL;
}

static void add_command(const struct act_child *child, struct act_args *args,
                        const struct act_row *row)
{
    const char *const usual[] = {"contest", row->verb, "*", NULL};
    const char *const *word = row->words[0] ? row->words : usual;
    add(args, "", child->program);
    for (; *word; word++)
        add(args, **word == '*' ? child->contest : "",
            **word == '*'   ? *word + 1
            : **word == '@' ? child->bundle
                            : *word);
}

/* Reads the act. Returns the fault; NULL: none. */
static const char *read_act(const struct act_child *child, struct act_args *args,
                            const char *message, size_t length)
{
    json_t *act = json_loadb(message, length, 0, NULL);
    const struct act_row *row =
        find_row(json_string_value(json_object_get(act, "verb")), child->bundle);
    const char *typed = json_string_value(json_object_get(act, "typed"));
    const char *fault = "The desk does not know this act.";
    if (row && row->typed && (!typed || strcmp(typed, row->verb) != 0)) {
        fault = "This act is not taken back: its name must be typed.";
    } else if (row) {
        add_command(child, args, row);
        args->output = row->output;
        fault = add_words(args, row, json_object_get(act, "words"));
        if (!fault)
            fault = add_options(args, row, json_object_get(act, "options"));
    }
    json_decref(act);
    args->arg[args->count] = NULL;
    return fault;
}

static void end_with(struct act_child *child, const char *text)
{
    snprintf(child->said, sizeof child->said, "%s", text);
    child->length = strlen(child->said);
    child->status = -1;
    child->changed(child->ctx);
}

static void on_closed(uv_handle_t *handle)
{
    struct act_child *child = handle->data;
    if (--child->open == 0)
        child->changed(child->ctx);
}

/* Renames the output to its name, if the command succeeded. */
static void keep_output(struct act_child *child)
{
    char part[PART_MAX];
    if (!child->output)
        return;
    snprintf(part, sizeof part, "%s" PART, child->output);
    if (child->status == 0 && rename(part, child->output)) {
        child->status = -1;
        child->length = (size_t)snprintf(child->said, sizeof child->said, "%s: %s", child->output,
                                         strerror(errno));
    } else if (child->status) {
        unlink(part);
    }
}

static void on_exit_of(uv_process_t *process, int64_t status, int number)
{
    struct act_child *child = process->data;
    child->status = number ? -1 : (int)status;
    keep_output(child);
    uv_close((uv_handle_t *)process, on_closed);
}

static void on_room(uv_handle_t *handle, size_t wanted, uv_buf_t *room)
{
    static char bytes[4096];
    (void)handle, (void)wanted;
    *room = uv_buf_init(bytes, sizeof bytes);
}

/* Keeps the command's output while there is room. */
static void on_said(uv_stream_t *stream, ssize_t length, const uv_buf_t *bytes)
{
    struct act_child *child = stream->data;
    size_t room = sizeof child->said - 1 - child->length;
    if (length < 0) {
        uv_close((uv_handle_t *)stream, on_closed);
        return;
    }
    size_t taken = (size_t)length < room ? (size_t)length : room;
    memcpy(child->said + child->length, bytes->base, taken);
    child->length += taken;
    child->said[child->length] = '\0';
}

/* Writes the command as a line of a shell, for the page. */
static void tell_command(struct act_child *child, const struct act_args *args)
{
    char word[CONTEST_WORD_MAX];
    size_t length = (size_t)snprintf(child->command, sizeof child->command, "boothlink");
    for (unsigned i = 1; i < args->count && length < sizeof child->command; i++) {
        const char *arg = args->arg[i];
        size_t name = strncmp(arg, "--", 2) == 0 ? strcspn(arg, "=") : 0; /* of an option */
        name += name && arg[name];
        word[0] = '\0';
        if (arg[name])
            contest_next_word(word, arg + name);
        length += (size_t)snprintf(child->command + length, sizeof child->command - length,
                                   " %.*s%s", (int)name, arg, word);
    }
    if (args->output && length < sizeof child->command)
        snprintf(child->command + length, sizeof child->command - length, " > %s", args->output);
}

static void begin(struct act_child *child, struct act_args *args)
{
    uv_stdio_container_t stdio[3] = {{.flags = UV_IGNORE}};
    const uv_process_options_t options = {.file = args->arg[0],
                                          .args = args->arg,
                                          .exit_cb = on_exit_of,
                                          .stdio = stdio,
                                          .stdio_count = 3};
    const char *name = child->output = args->output;
    char part[PART_MAX];
    snprintf(part, sizeof part, "%s" PART, name ? name : "");
    int output = name ? open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644) : -1;
    unsigned first = name ? 1 : 0; /* index of the first pipe */
    if (name && output < 0) {
        end_with(child, strerror(errno));
        return;
    }
    stdio[1] = (uv_stdio_container_t){.flags = UV_INHERIT_FD, .data.fd = output};
    for (unsigned i = first; i < 2; i++) {
        uv_pipe_init(child->loop, &child->pipe[i], 0);
        child->pipe[i].data = child;
        stdio[1 + i].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE;
        stdio[1 + i].data.stream = (uv_stream_t *)&child->pipe[i];
    }
    child->open = 3 - first;
    child->process.data = child;
    close_range(3, UINT_MAX, CLOSE_RANGE_CLOEXEC); /* libnats leaves its socket open to children */
    int fault = uv_spawn(child->loop, &child->process, &options);
    if (output >= 0)
        close(output);
    if (fault) {
        end_with(child, uv_strerror(fault));
        keep_output(child);
        uv_close((uv_handle_t *)&child->process, on_closed);
    }
    for (unsigned i = first; i < 2; i++)
        if (fault || uv_read_start((uv_stream_t *)&child->pipe[i], on_room, on_said))
            uv_close((uv_handle_t *)&child->pipe[i], on_closed);
}

void act_child_begin(struct act_child *child, const char *message, size_t length)
{
    static struct act_args args;
    args.count = 0;
    args.output = NULL;
    if (child->open)
        return; /* an act is under way, and the page shows it */
    child->number++;
    child->length = 0;
    child->said[0] = '\0';
    child->command[0] = '\0';
    const char *fault = read_act(child, &args, message, length);
    if (fault) {
        end_with(child, fault);
        return;
    }
    tell_command(child, &args);
    begin(child, &args);
    child->changed(child->ctx);
}

void act_child_write(const struct act_child *child, struct json_text *out)
{
    if (!child->number)
        return;
    json_name(out, "act");
    json_put(out, "{");
    json_field_number(out, "number", child->number);
    json_field(out, "command", child->command);
    json_field(out, "said", child->said);
    if (!child->open)
        json_field_number(out, "status", child->status);
    json_put(out, "}");
}
