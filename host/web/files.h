/* The page's files, built into the program: page.html, page.css, page.js and door.js. */
#ifndef WEB_FILES_H
#define WEB_FILES_H

#include "base/built_text.h"

extern const struct built_text web_files[];

#endif
