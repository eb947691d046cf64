/* Messages on screens and in errors. Each room's messages.h has one row for each message of the
 * room:
 *
 *   SAY(name, text, readers, now)               the text is say_name
 *   SAY_CALL(name, text, called, readers, now)  a text that asks to call the steward: say_name is
 *                                               the text before the call, say_name_called the
 *                                               text after it
 *
 * The texts are constants, so the compiler checks the arguments of each text that is a format. In a
 * messages.c, which defines SAY_ROWS, the same rows make a table of struct message. */
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#define READS_JUDGE     1u
#define READS_ENTITY    2u /* a confederate */
#define READS_ATTENDANT 4u /* an attendant or steward, who looks after the machines */
#define READS_CALLER    8u /* the user whose command ends with the message */

struct message {
    const char *text, *called; /* called: the text after a call of the steward; NULL if `text` asks
                                * for no call */
    unsigned readers;
    const char *now; /* the reader's next action; "": `text` is a part of another text */
};

/* A room and its messages; a row with a NULL text ends the messages. */
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
