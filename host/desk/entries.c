#include "desk/entries.h"

#include "desk/folder.h"
#include "entity/install.h"

#include <stdio.h>
#include <string.h>

/* Makes the handed-in folder's path, which is relative to the folder of the venue's file. */
static enum bl_status find_folder(struct venue_program *entry, const char *path,
                                  struct bl_diag *diag)
{
    char whole[FOLDER_PATH_MAX];
    int folder = entry->handed_in[0] == '/' ? 0 : folder_length(path);
    enum bl_status status = folder_path(whole, diag, "%.*s%s", folder, path, entry->handed_in);
    if (status == BL_OK && strlen(whole) >= sizeof entry->handed_in)
        status = bl_fail(diag, BL_DATA, "%.80s...: the path is too long", whole);
    if (status == BL_OK)
        strcpy(entry->handed_in, whole);
    return status;
}

/* True if an adapter runs for the Entry, instead of the manifest's program. */
static bool runs_ours(const struct venue_program *entry)
{
#define KIND_FROM entry
    const char *const given[] = {KIND_WORDS(KIND_TEXT_OF)};
    enum kind_id kind;
    struct bl_diag why;
    return kind_find(&kind, given, false, KIND_AS_FIELDS, &why) == BL_OK && entry_kinds[kind].ours;
}

/* Finds an Entry's folder and fills in its fields. BL_UNAVAIL, for a missing interpreter, is no
 * fault here: the booth's machine needs the interpreter. */
static enum bl_status find_entry(struct venue_program *entry, const char *path,
                                 struct bl_diag *diag)
{
    unsigned files;
    enum bl_status status = BL_OK;
    if (entry->folder[0])
        return bl_fail(diag, BL_DATA, "expected it or folder: each names the Entry's folder");
    if (!entry->entry[0])
        status = find_folder(entry, path, diag);
    if (status == BL_OK)
        status = install_name(entry->handed_in, entry->entry, diag);
    if (status == BL_NOINPUT && folder_has(entry->handed_in))
        status = bl_fail(diag, BL_DATA,
                         "%s/" MANIFEST_NAME " is missing: boothlink validate "
                         "manifest writes it, where the Entry is made",
                         entry->handed_in);
    if (status == BL_OK)
        status = manifest_check(entry->handed_in, &files, diag);
    if ((status == BL_OK || status == BL_UNAVAIL) && !entry->program[0] && !runs_ours(entry))
        status = manifest_program(entry->handed_in, entry->program, sizeof entry->program, diag);
    return status == BL_UNAVAIL ? BL_OK : status;
}

enum bl_status entries_find(struct venue *venue, const char *path, struct bl_diag *diag)
{
    struct bl_diag why;
    for (unsigned i = 0; i < SCHEDULE_ENTRIES_MAX; i++)
        if (venue->entry[i].handed_in[0] && find_entry(&venue->entry[i], path, &why) != BL_OK)
            return bl_fail(diag, BL_DATA, "%s: [machines] entry%u.handed-in: %s", path, i + 1,
                           why.text);
    return BL_OK;
}

void entries_find_all(struct venue *venue, const char *path, struct faults *faults)
{
    char key[32];
    struct bl_diag why;
    for (unsigned i = 0; i < SCHEDULE_ENTRIES_MAX; i++) {
        snprintf(key, sizeof key, "entry%u.handed-in", i + 1);
        if (venue->entry[i].handed_in[0] && find_entry(&venue->entry[i], path, &why) != BL_OK)
            venue_fault(venue, path, faults, key, ": %s", why.text);
    }
}

enum bl_status entries_write(const struct venue *venue, const char *folder, struct bl_diag *diag)
{
    char to[FOLDER_PATH_MAX];
    enum bl_status status = BL_OK;
    for (unsigned i = 0; status == BL_OK && i < SCHEDULE_ENTRIES_MAX; i++) {
        if (!venue->entry[i].entry[0])
            continue;
        status = folder_path(to, diag, "%s/" STICK_ENTRIES, folder);
        if (status == BL_OK)
            status = folder_make(to, diag);
        if (status == BL_OK)
            status =
                folder_path(to, diag, "%s/" STICK_ENTRIES "/%s", folder, venue->entry[i].entry);
        if (status == BL_OK)
            status = install_entry(venue->entry[i].handed_in, to, diag);
    }
    return status;
}

bool entries_is_manifest(const char *path, char entry[STICK_PATH_MAX])
{
    static const char in[] = STICK_ENTRIES "/", end[] = "/" MANIFEST_NAME;
    size_t length = strlen(path);
    if (length >= STICK_PATH_MAX || length <= strlen(in) + strlen(end) ||
        strncmp(path, in, strlen(in)) != 0 || strcmp(path + length - strlen(end), end) != 0)
        return false;
    snprintf(entry, STICK_PATH_MAX, "%.*s", (int)(length - strlen(end)), path);
    return strchr(entry + strlen(in), '/') == NULL;
}
