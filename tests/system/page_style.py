"""Reckons the contrast (WCAG 2.2, 1.4.6) of every text of the page in a browser, on each ground that
it may stand on, light and dark, from the style sheet itself. Prints "STATUS DESCRIPTION" for each."""

import re
import sys

sheet = re.sub(r"/\*.*?\*/", "", open("host/web/page.css", encoding="utf-8").read(), flags=re.S)
LEAST = 7.0
INKS = ("red", "green", "yellow", "blue", "magenta", "cyan")
# Text, and what it stands on.
PAIRS = [(text, ground) for text in ("ink", "soft", "own", "good", "soon", "alarm") for ground in ("paper",)]
PAIRS += [(text, "ground") for text in ("ink", "soft")]
PAIRS += [("on-accent", "accent"), ("on-alarm", "alarm"), ("on-call", "call")]
PAIRS += [(ink, "paper") for ink in INKS]


def palette(block):
    return dict(re.findall(r"--([a-z-]+):\s*(#[0-9a-f]{6});", block))


def luminance(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def result(good, text):
    print(0 if good else 1, text)


blocks = re.findall(r":root \{([^}]*--ground[^}]*)\}", sheet)
result(len(blocks) == 2, "the sheet has a light and a dark palette")
result(abs(contrast("#000000", "#ffffff") - 21) < 0.01 and abs(contrast("#777777", "#ffffff") - 4.48) < 0.01,
       "the reckoning agrees with known values")
for name, block in zip(("light", "dark"), blocks):
    colours = palette(block)
    low = [f"{text} on {ground} {contrast(colours[text], colours[ground]):.2f}" for text, ground in PAIRS
           if contrast(colours[text], colours[ground]) < LEAST]
    result(not low, f"{name}: each of {len(PAIRS)} texts has a contrast of 7 at least {' '.join(low)}".rstrip())

rules = sheet
for block in blocks:
    rules = rules.replace(block, "")
result(not re.findall(r"#[0-9a-fA-F]{3,8}\b|rgb\(|hsl\(", rules), "no colour stands anywhere else")
# Each text's colour and each ground is one of the pairs' names.
texts = set(re.findall(r"(?<![-\w])color:\s*var\(--([a-z-]+)\)", rules))
grounds = set(re.findall(r"background:\s*var\(--([a-z-]+)\)", rules))
known = {name for pair in PAIRS for name in pair}
result(texts <= known and grounds <= known, f"and each that is used is reckoned {sorted((texts | grounds) - known)}")
result(texts and grounds, "which are some")
sys.exit(0)
