/* The style and the script of a transcript as a page, player.css and player.js: part of the
 * program. */
#ifndef TRANSCRIPT_PLAYER_PAGE_H
#define TRANSCRIPT_PLAYER_PAGE_H

struct player_page {
    const char *name, *text;
};

/* The last has no name. */
extern const struct player_page player_pages[];

#endif
