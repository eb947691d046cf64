"""The conversations of a preliminary round: who meets whom, and what is left of them.

Written from 2003 r15, r32 to r34; 2004 A8.3 to A8.5; boothlink-venue(5), "Sticks". No ballot comes
of them, so neither acts nor finalists may change.
"""

import os
import struct

from rules import crc32c

VENUE_BOOTHS = 3


def meetings(selection, judges):
    """{(judge, entry)}, or None where no such round is held. `judges` are those of the contest."""
    rules, running = selection.rules, [e for e in selection.running() if e not in selection.lost]
    if rules.method == "prelim":
        panel = {p for p in range(1, selection.judges + 1) if p not in selection.judges_out}
        met = {(p, e) for p in panel for e in selection.allotted.get(p, running) if e in running}
        load = max((sum(p == q for q, _ in met) for p in panel), default=0)
        fits = len(running) > rules.entries_most and load <= rules.judge_load_most
        return met if met and fits else None  # r32, r34
    if rules.method == "screen-prelim":
        eight = selection.prelim_eight()
        return {(j, e) for j in judges for e in eight} if eight and judges else None
    return None


def write_venue(path, entries):
    lines = ["[venue]", "format = 1", "[machines]"]
    for booth in range(1, VENUE_BOOTHS + 1):
        for end in ("judge", "entity"):
            lines.append("booth%d.%s-a = serial:/dev/ttyUSB0@115200" % (booth, end))
    for entry in range(1, entries + 1):
        lines.append("entry%d.program = /opt/entry" % entry)
        lines.append("entry%d.comms = /opt/comms" % entry)
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")


def tickets(room):
    """[(place, file's name, session)] of a room's stick."""
    found = []
    for folder, _, names in sorted(os.walk(room)):
        for name in names:
            if name.endswith(".ticket"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    fields = dict(line.strip().split(" = ", 1) for line in file if " = " in line)
                found.append((os.path.basename(folder), name, fields.get("session")))
    return found


def differences(sticks, met, letter, times):
    """In words, where two sticks do not have just these meetings."""
    again = "-%d" % times if times > 1 else ""
    want = sorted("%s%d-e%d%s" % (letter, judge, entry, again) for judge, entry in met)
    ends = [tickets(os.path.join(sticks, room)) for room in ("judges-room", "back-room")]
    for end in ends:
        got = sorted(session for _, _, session in end)
        if got != want:
            yield "tickets of %s, and by the rules %s" % (got, want)
    for _, name, session in ends[0]:
        at = [place for place, also, of in ends[1] if (also, of) == (name, session)]
        if len(at) != 1:
            yield "%s is at %s" % (session, at)
    turns = {}
    for place, name, session in ends[0]:
        judge, entry = session.split("-")[:2]
        for who in (judge, entry, place):
            if turns.setdefault((name, who), session) != session:
                yield "%s is in two sessions at once, %s and %s" % (who, turns[name, who], session)


def journal(end, session, text):
    """A journal of a session without a key, as its file (boothlink-journal(1))."""
    head = struct.pack("<BBQ3sBBB", 1, 0, 1795289010000000, b"BLJ", 1, end == "entity", 0)
    head += struct.pack("<H", len(session)) + session.encode() + struct.pack("<H", 0)
    note = struct.pack("<BBQBI", 8, 0, 1795289010000000, 1, 1)
    note += struct.pack("<H", len(text)) + text.encode()
    for body in (head, note):
        record = struct.pack("<BH", 0xB1, len(body)) + body
        yield record + struct.pack("<I", crc32c(record))
