/* The fate of a key an Entry typed and that was handed over. */
#ifndef ENTITY_HANDED_H
#define ENTITY_HANDED_H

enum handed {
    HANDED_BACK, /* cannot be taken now; the key stays in place and comes again */
    HANDED_ON,   /* it is in the journal, so no kill loses or doubles it */
    HANDED_LOST  /* there is no room for it, and it is gone */
};

#endif
