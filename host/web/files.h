/* The files of the page, part of the program: page.html, page.css and page.js. */
#ifndef WEB_FILES_H
#define WEB_FILES_H

struct web_file {
    const char *name, *text;
};

/* The last has no name. */
extern const struct web_file web_files[];

#endif
