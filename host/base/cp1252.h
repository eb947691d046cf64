/* Windows-1252: the characters of a byte, as Windows wrote them and as browsers take `iso-8859-1`
 * (WHATWG Encoding, 4.2). It is Latin-1 but for the bytes 0x80 to 0x9F, there controls. */
#ifndef BASE_CP1252_H
#define BASE_CP1252_H

#include <stdint.h>

/* The character of a byte; 0: it has none (0, 0x81, 0x8D, 0x8F, 0x90, 0x9D). */
uint32_t cp1252_point(uint8_t byte);

/* The other way; 0: there is no such byte. */
uint8_t cp1252_byte(uint32_t point);

#endif
