#include "validate/exhibit.h"

#include <stdio.h>
#include <stdlib.h>

void exhibit_add(struct exhibit **list, const char *title, const char *left_name,
                 const struct picture *left, const char *right_name, const struct picture *right)
{
    struct exhibit *exhibit = calloc(1, sizeof *exhibit);
    if (!exhibit)
        return;
    snprintf(exhibit->title, sizeof exhibit->title, "%s", title);
    exhibit->left_name = left_name;
    exhibit->right_name = right_name;
    exhibit->left = picture_copy(left);
    exhibit->right = right ? picture_copy(right) : NULL;
    while (*list)
        list = &(*list)->next;
    *list = exhibit;
    if (!exhibit->left || (right && !exhibit->right))
        exhibit_free(list);
}

void exhibit_free(struct exhibit **list)
{
    while (*list) {
        struct exhibit *exhibit = *list;
        *list = exhibit->next;
        picture_destroy(exhibit->left);
        picture_destroy(exhibit->right);
        free(exhibit);
    }
}
