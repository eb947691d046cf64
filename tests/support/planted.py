"""Faults that are planted in copies of the sources: how a list of them is written, and what a source is
with one. In a list each is a line "* NAME", lines "WORD: TEXT" of it, and then the file, lines that stand
in it, after "- ", and those that stand there instead, after "+ "; more places in it, or files, may follow.
Lines are compared without their indentation; the first that match go.
"""

import sys


class Fault:
    """Its name, its words, and its edits: (file, lines that go, lines that come)."""

    def __init__(self, name):
        self.name, self.words, self.edits = name, {}, []


def read(path, words=()):
    found = []
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for line in lines:
        word, _, text = line.partition(": ")
        if line.startswith("* "):
            found.append(Fault(line[2:]))
        elif line.startswith("- "):
            if found[-1].edits[-1][2]:
                found[-1].edits.append((found[-1].edits[-1][0], [], []))
            found[-1].edits[-1][1].append(line[2:])
        elif line.startswith("+"):
            found[-1].edits[-1][2].append(line[2:])
        elif word in words:
            found[-1].words[word] = text
        elif line and not line.startswith("#"):
            found[-1].edits.append((line, [], []))
    return found


def plant(path, text, gone, come):
    """The text with the fault."""
    lines = text.split("\n")
    at = [i for i in range(len(lines))
          if [line.strip() for line in lines[i:i + len(gone)]] == [g.strip() for g in gone]]
    if not at:
        sys.exit(f"{path} has no \"{gone[0].strip()}\": bring the list of faults up to date")
    lines[at[0]:at[0] + len(gone)] = come
    return "\n".join(lines)
