#include "entity/form_entry.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static bool is_address(const char *url)
{
    return (strncasecmp(url, "http://", 7) == 0 && url[7]) ||
           (strncasecmp(url, "https://", 8) == 0 && url[8]);
}

enum bl_status form_entry_set(struct ours *ours, const struct form_entry *form,
                              struct bl_diag *diag)
{
    char *template = NULL, delay[16];
    enum bl_status status = BL_OK;
    if (form->web && !is_address(form->web))
        return bl_fail(diag, BL_USAGE,
                       "--web %.200s: expected an address as http://HOST[:PORT]/PATH", form->web);
    if (form->template)
        status = file_read_text(&template, form->template, FORM_TEMPLATE_MAX, "a template of HTML",
                                diag);
    if (status)
        return status;
    if (template)
        ours_add(ours, "template", template);
    free(template);
    snprintf(delay, sizeof delay, "%u", form->delay_ms);
    if (form->delay_ms)
        ours_add(ours, "delay", delay);
    return BL_OK;
}
