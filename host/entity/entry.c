#include "entity/entry.h"

#include "entity/relay.h"

#include <string.h>

static enum bl_status folder_set(struct entry *entry, struct program_options *options,
                                 const struct kind_texts *text, struct bl_diag *diag)
{
    (void)diag;
    entry->folder = options->place.lpp = text->lpp;
    return BL_OK;
}

static enum bl_status client_set(struct entry *entry, struct program_options *options,
                                 const struct kind_texts *text, struct bl_diag *diag)
{
    if (strchr(text->lpp2, ':') && options->command && !options->place.open)
        return bl_fail(diag, BL_USAGE,
                       "--lpp2 %.80s: an Entry in the sandbox reaches us at 127.0.0.1 alone; "
                       "expected --lpp2 PORT",
                       text->lpp2);
    enum bl_status status =
        lpp2_place_read(&entry->place, text->lpp2, text->lpp2_secret, "--lpp2", diag);
    options->place.port = entry->place.port;
    return status;
}

static enum bl_status form_set(struct entry *entry, struct program_options *options,
                               const struct kind_texts *text, struct bl_diag *diag)
{
    entry->form.web = text->web;
    entry->form.cgi = text->cgi;
    entry->form.template = text->template;
    (void)options;
    return form_entry_set(&entry->ours, &entry->form, diag);
}

static enum bl_status chat_set(struct entry *entry, struct program_options *options,
                               const struct kind_texts *text, struct bl_diag *diag)
{
    entry->chat = (struct chat_entry){
        .chat = text->chat, .persona = text->persona, .busy = text->busy, .key = text->chat_key};
    return chat_entry_check(&entry->chat, options->place.folder, diag);
}

enum bl_status entry_set(struct entry *entry, struct program_options *options,
                         const struct kind_texts *text, struct bl_diag *diag)
{
#define KIND_FROM text
    static enum bl_status (*const setters[KINDS])(struct entry *, struct program_options *,
                                                  const struct kind_texts *, struct bl_diag *) = {
        [KIND_LPP] = folder_set, [KIND_LPP2] = client_set, [KIND_WEB] = form_set,
        [KIND_CGI] = form_set,   [KIND_CHAT] = chat_set,
    };
    const struct entry_kind *row = &entry_kinds[entry->kind];
    const char *const given[KIND_WORD_COUNT] = {KIND_WORDS(KIND_TEXT_OF)};
    options->command = text->program;
    if (entry->form.delay_ms && setters[entry->kind] != form_set)
        return bl_fail(diag, BL_USAGE, "--form-delay goes with --web URL or --cgi CMD");
    enum bl_status status = BL_OK;
    entry->ours.used = 0;
    entry->ours.full = false;
    if (setters[entry->kind])
        status = setters[entry->kind](entry, options, text, diag);
    if (!status && row->ours)
        ours_set(&entry->ours, options, entry->kind, given[row->word]);
    return status || !entry->ours.full
               ? status
               : bl_fail(diag, BL_USAGE, "--%s, with its template, is longer than %d bytes",
                         row->own, OURS_MAX - 1);
#undef KIND_FROM
}

enum bl_status entry_take(struct entry *entry, struct program_options *options,
                          const struct kind_texts *text, struct bl_diag *diag)
{
#define KIND_FROM text
    const char *const given[KIND_WORD_COUNT] = {KIND_WORDS(KIND_TEXT_OF)};
#undef KIND_FROM
    struct bl_diag why = {""};
    if (kind_find(&entry->kind, given, false, KIND_AS_ENTRY_OPTIONS, &why))
        return bl_fail(diag, BL_USAGE, "%s", why.text);
    enum bl_status status = entry_set(entry, options, text, diag);
    return status || !options->place.server ? status : relay_try(options->place.server, diag);
}

enum bl_status entry_brief(int *fd, const struct entry *entry, const char *session,
                           const struct key_event *event, uint64_t count, uint64_t answered,
                           struct bl_diag *diag)
{
    *fd = 0;
    return entry->kind == KIND_CHAT
               ? chat_entry_brief(fd, &entry->chat, session, event, count, answered, diag)
               : BL_OK;
}

void entry_tell(int brief, uint64_t ends_us, const char *session)
{
    chat_entry_tell(brief, ends_us, session);
}

bool entry_is_warm(const struct entry *entry, enum program_event event)
{
    return !entry_kinds[entry->kind].told || event == PROGRAM_EXITED || event == PROGRAM_RESUMED ||
           event == PROGRAM_THERE;
}
