"""Ed25519 (RFC 8032), to sign ballot files as a judge's machine does (boothlink-ballot(5))."""

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def root(y):
    """x of a point, the even one."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return x if x % 2 == 0 else P - x


BASE_Y = 4 * pow(5, -1, P) % P
BASE = (root(BASE_Y), BASE_Y, 1, root(BASE_Y) * BASE_Y % P)


def add(one, two):
    a = (one[1] - one[0]) * (two[1] - two[0]) % P
    b = (one[1] + one[0]) * (two[1] + two[0]) % P
    c = 2 * one[3] * two[3] * D % P
    d = 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiple(number):
    """Of the base point, in 32 bytes."""
    point, sum_ = BASE, (0, 1, 1, 0)
    while number:
        if number & 1:
            sum_ = add(sum_, point)
        point = add(point, point)
        number >>= 1
    over = pow(sum_[2], -1, P)
    x, y = sum_[0] * over % P, sum_[1] * over % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


class Key:
    """A machine's, of 32 bytes of seed."""

    def __init__(self, seed):
        digest = hashlib.sha512(seed).digest()
        self.secret = int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | (1 << 254)
        self.prefix = digest[32:]
        self.public = multiple(self.secret)

    def sign(self, text):
        r = int.from_bytes(hashlib.sha512(self.prefix + text).digest(), "little") % ORDER
        point = multiple(r)
        k = int.from_bytes(hashlib.sha512(point + self.public + text).digest(), "little") % ORDER
        return point + ((r + k * self.secret) % ORDER).to_bytes(32, "little")
