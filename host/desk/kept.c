#include "desk/kept.h"

#include "base/file.h"

#include <limits.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT ".setup"

/* Makes a path in the contest's folder relative, so that the folder can be moved as a whole. */
static bool name_from(char out[FOLDER_PATH_MAX], const char *path, const char *to)
{
    char folder[FOLDER_PATH_MAX], here[PATH_MAX], there[PATH_MAX];
    snprintf(folder, sizeof folder, "%.*s.", folder_length(path), path);
    if (!realpath(folder, here) || !realpath(to, there) || strchr(there, '\n'))
        return false;
    size_t length = strlen(here);
    bool inside = strncmp(here, there, length) == 0 && there[length] == '/';
    return snprintf(out, FOLDER_PATH_MAX, "%s", inside ? there + length + 1 : there) <
           FOLDER_PATH_MAX;
}

enum bl_status kept_write(const char *path, const char *venue, const char *sticks,
                          const char *people, struct bl_diag *diag)
{
    char name[FOLDER_PATH_MAX], text[3 * FOLDER_PATH_MAX + 32], *old = NULL;
    struct kept kept;
    if (!name_from(kept.venue, path, venue) || !name_from(kept.sticks, path, sticks) ||
        !name_from(kept.people, path, people))
        return BL_OK; /* later verbs then need the paths again */
    enum bl_status status = folder_path(name, diag, "%s" KEPT, path);
    int length = snprintf(text, sizeof text, "venue %s\nsticks %s\npeople %s\n", kept.venue,
                          kept.sticks, kept.people);
    if (status == BL_OK && (file_read_text(&old, name, sizeof text, "what setup kept", NULL) ||
                            strcmp(old, text) != 0))
        status = file_write(name, text, (size_t)length, diag);
    free(old);
    return status;
}

/* Takes the rest of the line that begins with the word. */
static void take(char out[FOLDER_PATH_MAX], const char *path, const char *text, const char *word)
{
    size_t length = strlen(word);
    int folder = folder_length(path);
    out[0] = '\0';
    while (text && strncmp(text, word, length) != 0) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (!text)
        return;
    text += length;
    if (snprintf(out, FOLDER_PATH_MAX, "%.*s%.*s", *text == '/' ? 0 : folder, path,
                 (int)strcspn(text, "\n"), text) >= FOLDER_PATH_MAX)
        out[0] = '\0';
}

/* True if a desk has run on this folder, and its server has answered. */
static bool is_inbox(const char *path)
{
    char heard[FOLDER_PATH_MAX];
    DIR *folder = opendir(path);
    bool place = false;
    for (const struct dirent *entry; folder && !place && (entry = readdir(folder));)
        place = entry->d_name[0] != '.' && strcmp(entry->d_name, "server") != 0;
    if (folder)
        closedir(folder);
    return place || (folder_path(heard, NULL, "%s/server/" SERVER_HEARD, path) == BL_OK &&
                     folder_has(heard));
}

void kept_read(struct kept *kept, const char *path)
{
    char name[FOLDER_PATH_MAX], *text = NULL;
    kept->venue[0] = kept->sticks[0] = kept->people[0] = '\0';
    if (folder_path(name, NULL, "%s" KEPT, path) == BL_OK)
        file_read_text(&text, name, 4 * FOLDER_PATH_MAX, "what setup kept", NULL);
    take(kept->venue, path, text, "venue ");
    take(kept->sticks, path, text, "sticks ");
    take(kept->people, path, text, "people ");
    if (folder_path(kept->inbox, NULL, "%s" DESK_INBOX, path) != BL_OK || !is_inbox(kept->inbox))
        kept->inbox[0] = '\0';
    free(text);
}
