#include "rules/fields.h"

#include "late/inih.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const struct fields *fields;
    void *target;
    const char *text;                /* the unread rest */
    int line;                        /* number of the line being read */
    int bad_line;                    /* number of the line with the fault in diag; 0: none */
    int section_line;                /* number of the line with the section's heading */
    int told_section;                /* section_line of the unknown section that was reported
                                      * last */
    bool wrong_section;              /* the value is in an unknown section */
    char comment[FIELD_COMMENT_MAX]; /* the comment behind the value of the line being read */
    struct bl_diag diag;
    bool seen[FIELDS_MAX];
    struct faults *faults; /* NULL: reading stops at the first fault */
    const char *name;
    int *line_out;
};

/* Finds the comment as inih does: the text after a blank and a semicolon, trimmed. */
static void find_comment(const char *line, size_t length, char out[FIELD_COMMENT_MAX])
{
    size_t at = 1;
    out[0] = '\0';
    while (at < length && !(line[at] == ';' && (line[at - 1] == ' ' || line[at - 1] == '\t')))
        at++;
    for (at++; at < length && line[at] == ' '; at++)
        ;
    while (length > at && (unsigned char)line[length - 1] <= ' ')
        length--;
    if (at < length && length - at < FIELD_COMMENT_MAX) {
        memcpy(out, line + at, length - at);
        out[length - at] = '\0';
    }
}

static bool is_heading(const char *line, size_t length)
{
    size_t at = 0;
    while (at < length && (line[at] == ' ' || line[at] == '\t'))
        at++;
    return at < length && line[at] == '[' && memchr(line + at, ']', length - at);
}

int fields_section_line(const char *text, const char *section)
{
    char heading[64];
    int line = 1, length = snprintf(heading, sizeof heading, "[%s]", section);
    for (; *text; line++) {
        text += strspn(text, " \t");
        if (strncmp(text, heading, (size_t)length) == 0)
            return line;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return 0;
}

/* Gives inih one line. A long line, which inih would split, is a fault. Reading stops at a fault,
 * unless all faults are reported. */
static char *next_line(char *out, int room, void *stream)
{
    struct reading *reading = stream;
    size_t length = strcspn(reading->text, "\n");
    if (reading->bad_line || *reading->text == '\0')
        return NULL;
    reading->line++;
    if (reading->line_out)
        *reading->line_out = reading->line;
    if (length + 2 > (size_t)room && reading->faults) {
        faults_add(reading->faults, reading->name, reading->line, "a line is longer than %d bytes",
                   room - 2);
        reading->text += length + (reading->text[length] == '\n');
        strcpy(out, "\n");
        return out;
    }
    if (length + 2 > (size_t)room) {
        bl_fail(&reading->diag, BL_DATA, "a line is longer than %d bytes", room - 2);
        reading->bad_line = reading->line;
        return NULL;
    }
    find_comment(reading->text, length, reading->comment);
    if (is_heading(reading->text, length))
        reading->section_line = reading->line;
    length += reading->text[length] == '\n';
    memcpy(out, reading->text, length);
    out[length] = '\0';
    reading->text += length;
    return out;
}

static void list_words(const char *const *choice, char *out, size_t size)
{
    size_t length = 0;
    out[0] = '\0';
    for (size_t i = 0; choice[i] && length < size; i++)
        length += (size_t)snprintf(out + length, size - length, "%s%s",
                                   i == 0          ? ""
                                   : choice[i + 1] ? ", "
                                                   : " or ",
                                   choice[i]);
}

static enum bl_status take_number(const struct field *field, int *out, const char *value,
                                  struct bl_diag *diag)
{
    char words[160];
    if (!field->choice) {
        char *rest;
        long number = strtol(value, &rest, 10), most = field->most ? field->most : 9999;
        if (*rest || rest == value || number < 0 || number > most)
            return bl_fail(diag, BL_DATA, "[%s] %s = '%s': expected a number from 0 to %ld",
                           field->section, field->key, value, most);
        *out = (int)number;
        return BL_OK;
    }
    for (int i = 0; field->choice[i]; i++) {
        if (strcmp(field->choice[i], value) == 0) {
            *out = i + 1;
            return BL_OK;
        }
    }
    list_words(field->choice, words, sizeof words);
    return bl_fail(diag, BL_DATA, "[%s] %s = '%s': expected %s", field->section, field->key, value,
                   words);
}

static enum bl_status take_field(const struct field *field, void *target, const char *value,
                                 struct bl_diag *diag)
{
    char *out = (char *)target + field->offset;
    if (field->size == 0)
        return take_number(field, (int *)(void *)out, value, diag);
    if (strlen(value) >= field->size)
        return bl_fail(diag, BL_DATA, "[%s] %s: longer than %zu bytes", field->section, field->key,
                       field->size - 1);
    memcpy(out, value, strlen(value) + 1);
    return BL_OK;
}

static bool has_section(const struct fields *fields, const char *section)
{
    for (size_t i = 0; i < fields->count; i++)
        if (strcmp(fields->field[i].section, section) == 0)
            return true;
    return false;
}

static enum bl_status no_section(struct reading *reading, const char *section, const char *key)
{
    const struct fields *fields = reading->fields;
    char words[400] = "", name[80];
    size_t length = 0;
    reading->wrong_section = true;
    if (!section[0])
        return bl_fail(&reading->diag, BL_DATA, "%s: stands in no section; %s lists them", key,
                       fields->manual);
    for (size_t i = 0; i < fields->count; i++) {
        snprintf(name, sizeof name, "[%s]", fields->field[i].section);
        if (length < sizeof words && !strstr(words, name))
            length += (size_t)snprintf(words + length, sizeof words - length, "%s%s",
                                       length ? ", " : "", name);
    }
    for (size_t i = 0; fields->more_sections && fields->more_sections[i]; i++)
        if (length < sizeof words)
            length += (size_t)snprintf(words + length, sizeof words - length, ", [%s]",
                                       fields->more_sections[i]);
    return bl_fail(&reading->diag, BL_DATA, "[%s]: no such section: expected one of %s", section,
                   words);
}

static enum bl_status take_value(struct reading *reading, const char *section, const char *key,
                                 const char *value)
{
    const struct fields *fields = reading->fields;
    reading->wrong_section = false;
    /* inih gives a comment without a value as the value. */
    if (value[0] == ';')
        return bl_fail(&reading->diag, BL_DATA,
                       "[%s] %s: a value cannot begin with ';': expected a blank before a comment",
                       section, key);
    for (size_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->field[i];
        if (strcmp(field->section, section) != 0 || strcmp(field->key, key) != 0)
            continue;
        /* inih reports an indented next line as the same key again. */
        if (reading->seen[i])
            return bl_fail(&reading->diag, BL_DATA,
                           "[%s] %s: given twice, or goes on in another line", section, key);
        reading->seen[i] = true;
        if (fields->take_comment)
            fields->take_comment(reading->target, i, reading->comment);
        enum bl_status status = take_field(field, reading->target, value, &reading->diag);
        return !status && fields->check ? fields->check(reading->target, &reading->diag) : status;
    }
    for (size_t i = 0; fields->more_sections && fields->more_sections[i]; i++)
        if (strcmp(fields->more_sections[i], section) == 0)
            return fields->take_more(reading->target, section, key, value, reading->comment,
                                     &reading->diag);
    if (!has_section(fields, section))
        return no_section(reading, section, key);
    return bl_fail(&reading->diag, BL_DATA, "[%s] %s: no such field; %s lists them", section, key,
                   fields->manual);
}

static int on_value(void *user, const char *section, const char *key, const char *value)
{
    struct reading *reading = user;
    enum bl_status status = take_value(reading, section, key, value);
    bool heading = section[0] && reading->wrong_section;
    int line = heading ? reading->section_line : reading->line;
    if (status != BL_OK && reading->faults) {
        if (!heading || reading->told_section != line)
            faults_add(reading->faults, reading->name, line, "%s", reading->diag.text);
        if (heading)
            reading->told_section = line;
        return 1;
    }
    if (status != BL_OK && !reading->bad_line)
        reading->bad_line = line;
    return status == BL_OK;
}

void faults_add(struct faults *faults, const char *name, int line, const char *format, ...)
{
    char text[480];
    int length = snprintf(text, sizeof text, "%.100s:%d: ", name, line);
    va_list list;
    va_start(list, format);
    vsnprintf(text + length, sizeof text - (size_t)length, format, list);
    va_end(list);
    faults->count++;
    faults->tell(faults->ctx, text);
}

void fields_read_all(const struct fields *fields, void *target, const char *text, const char *name,
                     int *line, struct faults *faults)
{
    struct reading reading = {.fields = fields,
                              .target = target,
                              .text = text,
                              .faults = faults,
                              .name = name,
                              .line_out = line};
    struct bl_diag diag;
    int bad;
    if (late_load(&late_inih, &diag) != BL_OK) {
        faults_add(faults, name, 1, "%s", diag.text);
        return;
    }
    bad = late_inih.parse_stream(next_line, &reading, on_value, &reading);
    if (bad > 0) /* inih reports its first error, and reads on */
        faults_add(faults, name, bad, "expected 'key = value' or '[section]'");
    else if (bad < 0)
        faults_add(faults, name, 1, "no memory");
}

enum bl_status fields_read(const struct fields *fields, void *target, const char *text,
                           const char *name, struct bl_diag *diag)
{
    struct reading reading = {.fields = fields, .target = target, .text = text};
    enum bl_status loaded = late_load(&late_inih, diag);
    int line;
    if (loaded != BL_OK)
        return loaded;
    line = late_inih.parse_stream(next_line, &reading, on_value, &reading);
    if (line < 0)
        return bl_fail(diag, BL_NOMEM, "%s: no memory", name);
    /* A line that inih cannot read is reported if it comes before the other faults. */
    if (line > 0 && (!reading.bad_line || line < reading.bad_line))
        return bl_fail(diag, BL_DATA, "%s:%d: expected 'key = value' or '[section]'", name, line);
    if (reading.bad_line)
        return bl_fail(diag, BL_DATA, "%s:%d: %s", name, reading.bad_line, reading.diag.text);
    return BL_OK;
}
