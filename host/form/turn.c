#include "form/turn.h"

static void erase(struct form_turn *turn)
{
    while (turn->length && (turn->text[turn->length - 1] & 0xC0) == 0x80)
        turn->length--;
    if (turn->length)
        turn->length--;
}

bool turn_take(struct form_turn *turn, uint8_t byte)
{
    if (turn->sent)
        *turn = (struct form_turn){0};
    if (byte == '\n')
        turn->sent = true;
    else if (byte == 0x7F || byte == 0x08)
        erase(turn);
    else if (turn->length == TURN_MAX)
        turn->lost++;
    else if (byte >= ' ' || byte == '\t')
        turn->text[turn->length++] = (char)(byte == '\t' ? ' ' : byte);
    turn->text[turn->length] = '\0';
    return turn->sent;
}
