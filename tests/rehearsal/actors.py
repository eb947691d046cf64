"""Who sits at the machines: judges, confederates, and an attendant beside an Entry. They know what
their screens say, and type."""

import time


class Actor:
    def __init__(self, machine, day):
        self.machine, self.day = machine, day
        self.session = None  # its number among those begun here
        self.next_key = 0.0
        self.queue = ""
        machine.changed = True
        self.begin()

    def step(self, now):
        """Looks at the screen and does the next thing. When to look again without a change."""
        machine = self.machine
        if machine.changed:
            machine.changed = False
            self.look(now)
        self.type_on(now)

    def look(self, now):
        words = self.machine.words()
        if "comes next." in words and self.day.may_begin(self.machine, words):
            self.day.begins(self.machine)
            self.begin()
            self.machine.enters += 1
            self.machine.press("Enter")
        else:
            self.watch(words, now)

    def begin(self):
        self.queue = ""

    def watch(self, words, now):
        pass

    def type_on(self, now):
        """One key of what is to be typed, at a person's pace."""
        if self.queue and now >= self.next_key and self.machine.pid:
            key, self.queue = self.queue[0], self.queue[1:]
            self.typed(key)
            self.machine.type(key)
            self.next_key = now + self.day.pace

    def typed(self, key):
        pass


class Attendant(Actor):
    """Beside an Entry: one key, and then it is the program's turn."""


class Confederate(Actor):
    """Answers every turn of the judge."""

    def begin(self):
        super().begin()
        self.answered = 0
        self.told = self.day.text_of(self.machine)

    def watch(self, words, now):
        if not self.day.kb.get((self.machine, self.day.round)):
            return
        asked = words.count("?")
        if asked > self.answered and not self.queue and " open " in words:
            self.answered = asked
            self.queue = f"{self.told} says {asked}.\r"


class Judge(Actor):
    """Asks on the side that is open, and fills in the ballot."""

    def begin(self):
        super().begin()
        self.asked = {"left": 0, "right": 0}
        self.side = None
        self.next_turn = 0.0
        self.voted = False
        self.human = None
        self.text = {"left": "", "right": ""}
        self.times = {"left": [], "right": []}

    def active(self):
        """The side that is typed to, if it is open."""
        for side in ("left", "right") if self.day.pairs else ("left",):
            part = self.machine.column(side, 2 if self.day.pairs else 1)
            if "type here" in part and " open " in part:
                return side
        return None

    def watch(self, words, now):
        for side in ("left", "right"):
            if "says" in self.machine.column(side, 2 if self.day.pairs else 1):
                self.human = side
        side = self.active()
        if side != self.side:
            self.queue, self.side = "", side
        if "Press F3 to fill in the ballot" in words and not self.voted:
            self.voted = True
            self.vote()

    def step(self, now):
        super().step(now)
        if self.machine.pid and self.session is not None and self.side and not self.queue \
                and now >= self.next_turn:
            self.asked[self.side] += 1
            self.queue = f"What is number {self.asked[self.side]}?\r"
            self.next_turn = now + self.day.turn

    def typed(self, key):
        self.text[self.side] += key
        self.times[self.side].append(time.time())

    def vote(self):
        self.day.vote(self)
