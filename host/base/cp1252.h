/* Windows-1252, which browsers use for `iso-8859-1`, too (WHATWG Encoding, 4.2). Windows-1252
 * equals Latin-1 except for the bytes 0x80 to 0x9F, which are controls in Latin-1. */
#ifndef BASE_CP1252_H
#define BASE_CP1252_H

#include <stdint.h>

/* The character of a byte; 0 if Windows-1252 has no character for the byte (0, 0x81, 0x8D, 0x8F,
 * 0x90, 0x9D). */
uint32_t cp1252_point(uint8_t byte);

/* The byte of a character; 0 if Windows-1252 lacks the character. */
uint8_t cp1252_byte(uint32_t point);

#endif
