#!/usr/bin/python3
"""Draws the rooms (tests/rooms.txt) in layers, from what their files include: each room stands one
above the highest that it includes whole. A room's single headers for others have no arrow.

tools/rooms.py prints the picture, tools/rooms.py --write puts it into the design, as `make map` does."""

import pathlib
import re
import sys

DESIGN = pathlib.Path("DESIGN" ".md")
FENCE = re.compile(r"(?<=\n```rooms\n).*?(?=```\n)", re.S)


def read_arrows():
    """{room: the rooms that its row names whole}."""
    rows = (line.partition(":") for line in pathlib.Path("tests/rooms.txt").read_text().splitlines())
    return {room: {to for to in rest.split() if not to.endswith(".h")}
            for room, _, rest in rows if not room.startswith("#") and room != "tests"}


def room_of(path, rooms):
    """The room of a file, by the longest name."""
    return max((room for room in rooms if path.startswith(room + "/")), key=len, default=None)


def used(arrows):
    """The same, without arrows that no file follows; "host" in a row is each room there."""
    found = {room: set() for room in arrows}
    for folder in ("host", "firmware"):
        for path in pathlib.Path(folder).rglob("*.[ch]"):
            here = room_of(str(path), arrows)
            for name in re.findall(r'^\s*#\s*include "([^"]+)"', path.read_text(), re.M):
                there = room_of(name, arrows) or room_of("host/" + name, arrows)
                if there and there != here and here and \
                        (there in arrows[here] or there.split("/")[0] in arrows[here]):
                    found[here].add(there)
    return found


def layer(room, arrows):
    """1 for a room that includes none."""
    return 1 + max((layer(to, arrows) for to in arrows[room]), default=0)


def draw(arrows):
    """The picture: the highest layer first."""
    layers = {room: layer(room, arrows) for room in arrows}
    lines = []
    for number in range(max(layers.values()), 0, -1):
        names = sorted(room.removeprefix("host/") for room in layers if layers[room] == number)
        lines.append(f"{number:2}  {'  '.join(names)}\n")
    return "".join(lines)


def main():
    picture = draw(used(read_arrows()))
    if sys.argv[1:] == ["--write"]:
        DESIGN.write_text(FENCE.sub(lambda _: picture, DESIGN.read_text()))
    else:
        print(picture, end="")


if __name__ == "__main__":
    main()
