/* The fate of an Entry's key that was handed over. */
#ifndef ENTITY_HANDED_H
#define ENTITY_HANDED_H

enum handed {
    HANDED_BACK, /* the key cannot be taken now: it stays with its source and comes again */
    HANDED_ON,   /* in the journal, so no kill loses or doubles the key */
    HANDED_LOST  /* no room for the key, which is gone */
};

#endif
