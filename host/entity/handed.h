/* The fate of an Entry's key that was handed over. */
#ifndef ENTITY_HANDED_H
#define ENTITY_HANDED_H

enum handed {
    HANDED_BACK, /* not taken now: the key stays with its source and comes again */
    HANDED_ON,   /* in the journal */
    HANDED_LOST  /* dropped: no room */
};

#endif
