/* Messages on screens and in errors. Each room's messages.h has a row for each:
 *
 *   SAY(name, text, readers, now)               the text is say_name
 *   SAY_CALL(name, text, called, readers, now)  one that asks to call the steward: say_name, and
 *                                               say_name_called once the reader has called
 *
 * The texts are constants, so the compiler holds each that is a format against its arguments. With
 * SAY_ROWS defined the same file is the rows of a table of struct message: messages.c. */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#define READS_JUDGE     1u
#define READS_ENTITY    2u /* a confederate */
#define READS_ATTENDANT 4u /* an attendant or steward, who looks after the machines */
#define READS_CALLER    8u /* the user whose command ends with the message */

struct message {
    const char *text, *called; /* called: the text after a call; NULL if no call is asked for */
    unsigned readers;
    const char *now; /* the reader's next action; "": the text is a part of another text */
};

/* The messages of a room; a NULL text ends them. */
struct message_room {
    const char *room;
    const struct message *row;
};

#endif

#undef SAY
#undef SAY_CALL
#ifdef SAY_ROWS
#define SAY(name, text, readers, now)              {text, 0, readers, now},
#define SAY_CALL(name, text, called, readers, now) {text, called, readers, now},
#else
#define SAY(name, text, readers, now) static const char say_##name[] = text;
#define SAY_CALL(name, text, called, readers, now)                                                 \
    static const char say_##name[] = text;                                                         \
    static const char say_##name##_called[] = called;
#endif
