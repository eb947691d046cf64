"""What both ends have on record of each session, compared key by key with what was typed, and the time of its
parts."""

import os
import re

from venue import Failure


def keys_of(day, journal, *options):
    """The ordered keys of a journal: (number, party, when it was posted, the key's name)."""
    text = day.venue.manager("transcript", "convert", journal, "--to", "keys", *options,
                             counted=False)
    found = []
    for line in text.splitlines():
        if not line.startswith("#"):
            field = line.split(" ")
            found.append((field[0], field[2], field[3], " ".join(field[5:])))
    return found


def record_of(day, place, name):
    """What that machine has put on its room's stick, or sent to the desk."""
    if day.venue.desk:
        machine = next(machine for machine in day.venue.machines if machine.place == place)
        return day.venue.desk.copy(machine, name)
    room = "judges-room" if place.endswith("judge") else "back-room"
    return os.path.join(day.work, "sticks", room, "boothlink", "records", place, name)


def compare(day):
    """Returns how many keys were placed, how many of them one end lacks, and how many it lacks where
    the record says that the cut was not confirmed: at most 20 a line. Each side's keys are those of
    the machine that the drawn cable leads to, or they are lost."""
    keys = lost = unconfirmed = 0
    for session, held in sorted(day.sessions.items()):
        booth = held["machine"].booth
        judge = record_of(day, held["machine"].place, f"{session}-judge.journal")
        for side in ("left", "right") if day.pairs else ("left",):
            cable = held["ticket"].cables[side] or ("a" if side == "left" else "b")
            place = f"booth-{booth}-cable-{cable}"
            if day.pairs and side == "left":
                day.drawn[cable] += 1
            entity = record_of(day, place, f"{session}-entity.journal")
            ours = keys_of(day, judge, "--side", side)
            theirs = keys_of(day, entity)
            same = 0
            while same < min(len(ours), len(theirs)) and ours[same] == theirs[same]:
                same += 1
            keys += len(ours)
            for party in ("judge", "entity"):
                day.placed[f"{session} {side} {party}"] = " ".join(key[3] for key in ours if key[1] == party)
            differ = max(len(ours), len(theirs)) - same
            if differ and differ <= 20 and says_unconfirmed(day, judge, side):
                unconfirmed += differ
            else:
                lost += differ
            entry, _ = day.meetings[session]
            if entry and (not day.pairs or side != held["human"]):
                day.entry_keys[day.kinds[entry - 1]] += sum(key[1] == "entity" for key in ours)
            check_typed(session, side, ours, held["text"][side], day.options.faults)
    return keys, lost, unconfirmed


def says_unconfirmed(day, journal, side):
    text = day.venue.manager("journal", "show", journal, counted=False)
    return any(side in line and "unconfirmed" in line for line in text.splitlines())


def check_typed(session, side, placed, typed, faults):
    """What the judge's end placed of its own keys is what was typed, but for what came after the cut;
    and, where things went wrong, for what was typed while no program was there to read or show it."""
    names = [name for _, party, _, name in placed if party == "judge"]
    if not names:
        raise Failure(f"{session}, {side}: not one key of the judge is on record")
    text = "".join({"Return": "\r", "space": " ", "question": "?"}.get(name, name)
                   for name in names)
    rest = iter(typed)
    if not (all(key in rest for key in text) if faults else typed.startswith(text)):
        raise Failure(f"{session}, {side}: on record is {text!r}, typed was {typed!r}")


def is_late(line, lost_s):
    """Is this a part that was open for longer than planned, by no more than a simulated controller did not
    live? Only where processes are stopped at random (STALL) is that no fault."""
    found = re.search(r"was open for (\d+) s, planned are (\d+) s", line)
    return bool(found) and "STALLED" in os.environ and 0 <= int(found[1]) - int(found[2]) <= lost_s
