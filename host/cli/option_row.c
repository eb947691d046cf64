#include "cli/option_row.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static enum bl_status number_read(double *out, const struct option_row *row, const char *text,
                                  struct bl_diag *diag)
{
    char *rest;
    *out = strtod(text, &rest);
    if (rest == text || *rest || !(*out >= row->least) || !(*out <= row->most) ||
        (row->kind == OPTION_NUMBER && *out != (unsigned)*out))
        return bl_fail(diag, BL_USAGE, "%s %.40s: a %snumber from %.10g to %.10g is wanted",
                       row->name, text, row->kind == OPTION_NUMBER ? "whole " : "", row->least,
                       row->most);
    return BL_OK;
}

enum bl_status option_row_take(const struct option_row *rows, size_t count, void *base,
                               const char *name, const char *value, struct bl_diag *diag)
{
    const struct option_row *row = rows;
    enum bl_status status;
    double number;
    void *field;
    while (row < rows + count && strcmp(row->name, name) != 0)
        row++;
    if (row == rows + count)
        return bl_fail(diag, BL_SOFTWARE, "%s has no row", name);
    field = (char *)base + row->offset;
    switch (row->kind) {
    case OPTION_TEXT:
        *(const char **)field = value;
        break;
    case OPTION_FLAG:
        *(bool *)field = true;
        break;
    case OPTION_SECONDS:
    case OPTION_NUMBER:
        status = number_read(&number, row, value, diag);
        if (status)
            return status;
        *(unsigned *)field = (unsigned)(row->kind == OPTION_SECONDS ? number * 1000 : number);
    }
    return BL_OK;
}
