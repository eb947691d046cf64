#!/usr/bin/env python3
"""Writes the tables of host/session from Python's own copy of the Unicode character database:

    python3 tools/unicode_tables.py host/session

Not run by the build: both ends of a line must hold the same tables, so they are in the repository.
"""
import os
import sys
import unicodedata

KEYS_OF_CF = (0x200C, 0x200D)  # ZWNJ and ZWJ: needed to write Persian and the Indic scripts


def is_key(point):
    category = unicodedata.category(chr(point))
    return point in KEYS_OF_CF or category[0] in "LMNPS" or category == "Zs"


def is_mark(point):
    """Zero columns: marks, joiners, and the vowels and finals that complete a Hangul syllable."""
    hangul = 0x1160 <= point <= 0x11FF or 0xD7B0 <= point <= 0xD7FF
    category = unicodedata.category(chr(point))
    return point in KEYS_OF_CF or category in ("Mn", "Me") or (hangul and category == "Lo")


def is_wide(point):
    return is_key(point) and not is_mark(point) and unicodedata.east_asian_width(chr(point)) in "WF"


def ranges(test):
    first = None
    for point in range(0x20, 0x110001):
        inside = point < 0x110000 and test(point)
        if inside and first is None:
            first = point
        elif not inside and first is not None:
            yield first, point - 1
            first = None


def write(path, comment, tables):
    with open(path, "w", encoding="ascii") as out:
        guard = "SESSION_" + os.path.basename(path).replace(".", "_").upper()
        out.write(f"/* {comment}\n * Written by tools/unicode_tables.py from Unicode "
                  f"{unicodedata.unidata_version}; do not edit. */\n")
        out.write(f"#ifndef {guard}\n#define {guard}\n\n#include \"session/range.h\"\n"
                  "\n/* clang-format off */\n")
        for name, test in tables:
            cells = [f"{{0x{a:04X}, 0x{b:04X}}}," for a, b in ranges(test)]
            out.write(f"\nstatic const struct range {name}[] = {{\n")
            for at in range(0, len(cells), 4):
                out.write("    " + " ".join(cells[at:at + 4]) + "\n")
            out.write("};\n")
        out.write("\n#endif\n")


folder = sys.argv[1]
write(os.path.join(folder, "width_table.h"),
      "Code points of two columns (EastAsianWidth W and F) and of none (categories Mn and Me,\n"
      " * ZWJ, ZWNJ, Hangul vowels and finals); ambiguous ones take one column like all the rest.",
      (("wide_ranges", is_wide), ("mark_ranges", is_mark)))
write(os.path.join(folder, "key_table.h"),
      "Code points that are keys: letters, marks, numbers, punctuation, symbols and blanks, ZWJ and\n"
      " * ZWNJ. Not controls, surrogates, private use, unassigned ones, separators of lines and\n"
      " * paragraphs, nor the other format characters (bidi controls among them).",
      (("key_ranges", is_key),))
