#include "validate/exhibit.h"

#include "validate/emulator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void exhibit_add_image(struct exhibit **list, const char *title, uint8_t *pixels, unsigned width,
                       unsigned height)
{
    struct exhibit *exhibit = calloc(1, sizeof *exhibit);
    if (!exhibit) {
        free(pixels);
        return;
    }
    snprintf(exhibit->title, sizeof exhibit->title, "%s", title);
    exhibit->image = pixels;
    exhibit->width = width;
    exhibit->height = height;
    while (*list)
        list = &(*list)->next;
    *list = exhibit;
}

void exhibit_add_output(struct exhibit **list, const char *title, const char *name,
                        const void *bytes, size_t length, unsigned rows, unsigned columns)
{
    const char *at = bytes, *end = at + length;
    struct emulator *emulator = emulator_create(rows, columns, NULL, NULL);
    while (emulator && at < end) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        emulator_feed(emulator, at, (size_t)((feed ? feed : end) - at));
        if (feed)
            emulator_feed(emulator, "\r\n", 2);
        at = feed ? feed + 1 : end;
    }
    if (emulator)
        exhibit_add(list, title, name, emulator_picture(emulator), NULL, NULL);
    emulator_destroy(emulator);
}

void exhibit_free(struct exhibit **list)
{
    while (*list) {
        struct exhibit *exhibit = *list;
        *list = exhibit->next;
        picture_destroy(exhibit->left);
        picture_destroy(exhibit->right);
        free(exhibit->image);
        free(exhibit);
    }
}
