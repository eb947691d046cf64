/* The built-in template, used if no other is given. */
#ifndef FORM_PAGE_H
#define FORM_PAGE_H

#include "base/built_text.h"

extern const struct built_text form_pages[];

#endif
