"""A session beside that of the machines' screens, over a line of its own: keys are typed at both ends
all the time, and what both have on record must be the same."""

import string

from machine import Gone, eventually

PACE_MS, EACH = 400, 400  # a key so often at each end, and so many of them


class Apart:
    def __init__(self, venue, name, judge, entity):
        """judge, entity: the line's options of `boothlink judge` and `boothlink entity`."""
        self.venue, self.name = venue, name
        self.unit = f"venue-{name}"
        self.folder = f"/tmp/{name}"  # the terminal's own, who makes it and gives up its rights
        for machine, line in ((venue.judge, f"judge {judge}"), (venue.entity, f"entity {entity}")):
            letters = string.ascii_lowercase if machine is venue.judge else string.ascii_uppercase
            text = (letters * (EACH // len(letters) + 1))[:EACH]
            machine.ask(f"printf 'pace {PACE_MS}\\ntype {text}\\nwait 100000\\n' >{self.folder}.script; "
                        f"systemd-run -q --unit={self.unit} boothlink {line} --headless --session {name} "
                        f"--journal {self.folder} --script {self.folder}.script")

    def keys(self, machine):
        """Those on record at this end, in their order."""
        got, _ = machine.ask(f"boothlink transcript convert {self.folder}/*.journal --to keys | sed '/^#/d' | "
                             "cut -d ' ' -f 1,3,4,6-")
        return got.decode(errors="replace").splitlines()

    def goes_on(self, after, more=12, patience=300):
        """Keys of both come to both ends, the same in the same order."""
        before = len(self.keys(self.venue.entity))

        def more_came():
            keys = [self.keys(machine) for machine in self.venue.machines]
            shorter = min(map(len, keys))
            if keys[0][:shorter] != keys[1][:shorter]:
                return keys
            new = keys[1][before:]
            return (len(new) >= more and any("judge" in key for key in new) and
                    any("entity" in key for key in new) and keys)

        self.venue.saw(f"{self.name}: {before} keys at the entity's end before")
        try:
            keys = eventually(f"{self.name}: keys after {after}", more_came, patience)
        except Gone as gone:
            raise Gone(f"{gone}; {self.last_words()}") from None
        shorter = min(map(len, keys))
        self.venue.says(keys[0][:shorter] == keys[1][:shorter],
                        f"after {after}: {shorter} keys over the line '{self.name}', the same at both ends")

    def last_words(self):
        told = []
        for machine in self.venue.machines:
            said, _ = machine.ask(f"boothlink journal show {self.folder}/*.journal --json | grep '\"note\"' | "
                                  f"tail -n 3 | sed 's/.*\"text\"://'; journalctl -q -n 4 -o cat -u {self.unit}")
            told.append(f"{machine.name}: " + " ".join(said.decode(errors="replace").split())[-300:])
        return "; ".join(told)

    def line(self, machine):
        """What the record said last of the line."""
        said, _ = machine.ask(f"boothlink journal show {self.folder}/*.journal --json | grep '\"code\":\"line\"' | "
                              "tail -n 1 | sed 's/.*\"text\"://'")
        return said.decode(errors="replace").strip()

    def waits_down(self, patience=120):
        eventually(f"{self.name}: the line is down", lambda: "up" not in self.line(self.venue.judge), patience)
        self.venue.saw(f"{self.name}: {self.line(self.venue.judge)}")

    def close(self):
        for machine in self.venue.machines:
            machine.ask(f"systemctl stop {self.unit}; rm -rf {self.folder} {self.folder}.script")
