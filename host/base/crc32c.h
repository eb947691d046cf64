/* CRC-32C (Castagnoli), as in RFC 3720 appendix B.4. */
#ifndef BASE_CRC32C_H
#define BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Continues a checksum: crc32c(crc32c(0, a), b) is the checksum of a followed by b. The seed is the
 * checksum so far; 0 at the start. */
uint32_t crc32c(uint32_t seed, const void *bytes, size_t length);

#endif
