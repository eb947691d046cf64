#!/usr/bin/env python3
"""A minimal Entry that speaks the Loebner Prize Protocol (2009 rules, section 2 and appendix):
lpp_entry.py DIR [MS between two keys]. A judge's key is a directory TIME.KEY.judge in DIR,
which the Entry removes. An Entry's key is a directory TIME.KEY.other. TIME grows with each key."""
import os
import sys
import time

NAMES = {
    "{": "braceleft", "}": "braceright", "[": "bracketleft", "]": "bracketright",
    "(": "parenleft", ")": "parenright", " ": "space", ",": "comma", ".": "period",
    ">": "greater", "<": "less", "/": "slash", "\\": "backslash", "|": "bar",
    '"': "quotedbl", "'": "quoteright", "\t": "Tab", "=": "equal", "_": "underscore",
    "+": "plus", "-": "minus", "!": "exclam", "@": "at", "#": "numbersign", "$": "dollar",
    "%": "percent", "*": "asterisk", "^": "asciicircum", "~": "asciitilde", "`": "quoteleft",
    "&": "ampersand", "\n": "Return", ":": "colon", ";": "semicolon", "?": "question",
    "\b": "BackSpace",
}
KEYS = {name: key for key, name in NAMES.items()}


class Entry:
    def __init__(self, folder, pace_s):
        os.chdir(folder)
        self.pace_s = pace_s
        self.line = ""  # the judge's keys
        self.out = ""  # text still to be typed
        self.number = 0
        self.due = 0.0

    def answer(self):
        """Replace this function by your own."""
        if "hello" in self.line.lower():
            return "Hi! Nice to meet you.\n"
        if "?" in self.line:
            return "Hm, I would have to think about that.\n"
        return "I see. Go on.\n"

    def take_key(self, name):
        """A judge's key, by its name. A character without a name stands for itself."""
        key = KEYS.get(name, name)
        if key == "\n":
            if self.line:  # Return alone gets no answer
                self.out += self.answer()
            self.line = ""
        elif key == "\b":
            self.line = self.line[:-1]
        else:
            self.line += key

    def press_key(self, key):
        self.number = max(int(time.time() * 1000), self.number + 1)
        os.mkdir("%018d.%s.other" % (self.number, NAMES.get(key, key)))

    def look(self):
        """Takes all keys in the folder in the order of their numbers, which are equally long."""
        for name in sorted(os.listdir(".")):
            parts = name.split(".")
            if len(parts) != 3 or parts[2] != "judge":
                continue
            try:
                os.rmdir(name)
            except OSError:  # the directory is gone already
                continue
            self.take_key(parts[1])

    def run(self):
        while True:
            self.look()
            if self.out and time.monotonic() >= self.due:
                self.press_key(self.out[0])
                self.out = self.out[1:]
                self.due = time.monotonic() + self.pace_s
            time.sleep(0.02)


if len(sys.argv) < 2:
    sys.exit("usage: lpp_entry.py DIR [MS]")
Entry(sys.argv[1], float(sys.argv[2]) / 1000 if len(sys.argv) > 2 else 0.06).run()
