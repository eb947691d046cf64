#include "base/crc32c.h"

#include <stdbool.h>
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#include <stdatomic.h>
#endif

/* The remainders of the 16 values of four bits, for the reflected polynomial 0x82F63B78. For short
 * frames a small table is faster than a large one. */
static const uint32_t nibble[16] = {
    0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3, 0x61C69362, 0x7198540D,
    0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9, 0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75,
};

static uint32_t by_table(uint32_t crc, const uint8_t *p, size_t length)
{
    while (length--) {
        crc ^= *p++;
        crc = crc >> 4 ^ nibble[crc & 15];
        crc = crc >> 4 ^ nibble[crc & 15];
    }
    return crc;
}

#ifdef __x86_64__
/* Uses the processor's CRC-32C instruction. */
__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t crc, const uint8_t *p,
                                                                 size_t length)
{
    uint64_t wide = crc;
    for (; length >= sizeof wide; p += sizeof wide, length -= sizeof wide) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    crc = (uint32_t)wide;
    while (length--)
        crc = __builtin_ia32_crc32qi(crc, *p++);
    return crc;
}

/* True if the processor has the CRC-32C instruction. The processor is asked at the first call.
 * __builtin_cpu_supports() would ask some twenty times at the start of every command, which is slow
 * in a virtual machine. */
static bool has_instruction(void)
{
    enum { UNKNOWN, NO, YES };
    static atomic_uchar known;
    unsigned char has = atomic_load_explicit(&known, memory_order_relaxed);
    if (has == UNKNOWN) {
        unsigned a, b, c, d;
        has = __get_cpuid(1, &a, &b, &c, &d) && c & bit_SSE4_2 ? YES : NO;
        atomic_store_explicit(&known, has, memory_order_relaxed);
    }
    return has == YES;
}

uint32_t crc32c(uint32_t seed, const void *bytes, size_t length)
{
    return ~(has_instruction() ? by_instruction : by_table)(~seed, bytes, length);
}
#else
uint32_t crc32c(uint32_t seed, const void *bytes, size_t length)
{
    return ~by_table(~seed, bytes, length);
}
#endif
