"""SipHash-2-4, as boothlink-contest(5) says."""

MASK = (1 << 64) - 1


def siphash(key, text):
    def rotate(x, n):
        return ((x << n) | (x >> (64 - n))) & MASK

    def turn(v):
        v[0] = (v[0] + v[1]) & MASK
        v[2] = (v[2] + v[3]) & MASK
        v[1], v[3] = rotate(v[1], 13) ^ v[0], rotate(v[3], 16) ^ v[2]
        v[0] = (rotate(v[0], 32) + v[3]) & MASK
        v[2] = (v[2] + v[1]) & MASK
        v[1], v[3] = rotate(v[1], 17) ^ v[2], rotate(v[3], 21) ^ v[0]
        v[2] = rotate(v[2], 32)

    k = [int.from_bytes(key[i : i + 8], "little") for i in (0, 8)]
    v = [k[0] ^ 0x736F6D6570736575, k[1] ^ 0x646F72616E646F6D]
    v += [k[0] ^ 0x6C7967656E657261, k[1] ^ 0x7465646279746573]
    text += bytes(7 - len(text) % 8) + bytes([len(text) % 256])
    for i in range(0, len(text), 8):
        word = int.from_bytes(text[i : i + 8], "little")
        v[3] ^= word
        turn(v), turn(v)
        v[0] ^= word
    v[2] ^= 255
    turn(v), turn(v), turn(v), turn(v)
    return (v[0] ^ v[1] ^ v[2] ^ v[3]).to_bytes(8, "little")


def number_of(eight):
    return int.from_bytes(eight, "big")
