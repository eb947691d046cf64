/* The fate of an Entry's key that was handed over. */
#ifndef ENTITY_HANDED_H
#define ENTITY_HANDED_H

enum handed {
    HANDED_BACK, /* cannot be taken now; the key stays and comes again */
    HANDED_ON,   /* in the journal, so no kill loses or doubles the key */
    HANDED_LOST  /* no room for the key, which is gone */
};

#endif
