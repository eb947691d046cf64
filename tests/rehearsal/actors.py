"""Who sits at the machines: judges, and in the back room whoever the round's ticket is for. They know
what their screens say, and type."""

import re

import rules


class Actor:
    def __init__(self, machine, day):
        self.machine, self.day = machine, day
        self.next_key, self.queue = 0.0, ""
        self.board_since, self.pressed = None, 0.0
        self.ticket = None  # of the session that is on here
        self.answering = None  # the page of the survey that is on the screen
        machine.changed = True

    def step(self, now):
        """Looks at the screen, if it has changed, and types what is due."""
        if not self.machine.pid:
            return
        if self.machine.changed:
            self.machine.changed = False
            self.look(self.machine.words(), now)
        if self.ticket:
            self.turn(now)
        if self.queue and now >= self.next_key:
            key, self.queue = self.queue[0], self.queue[1:]
            self.typed(key)
            self.machine.type(key)
            self.next_key = now + self.day.pace

    def answer(self, words):
        """True: a page of the survey is on the screen. Its person answers, and leaves it."""
        found = re.search(r"survey-(before|after)-([jc]\d+)", words)
        if not found or words.startswith("boothlink: booth"):
            self.answering = None
            return False
        if self.answering != found.group():
            self.answering = found.group()
            self.day.say(f"{self.machine.place} shows {self.answering}")
            keys = self.day.answer(found.group(1), found.group(2))
            for number, key in enumerate(keys):
                self.machine.type(key)
                self.machine.press("Tab" if number + 1 < len(keys) else "Enter")
            if not keys:
                self.machine.press("Enter")
        elif "GIVEN " in words and "NOT GIVEN" not in words:
            self.machine.press("F10")
        return True

    def asks_survey(self, words, now):
        """A person in the back room answers before Enter is pressed, while the board is there."""
        if "F1: a page to read" not in words or self.ticket or now < self.pressed + 2:
            return False
        self.machine.changed = True
        self.board_since = self.board_since or now
        if now >= self.board_since + 1.2:
            self.pressed = now
            self.machine.press("F1")
        return True

    def look(self, words, now):
        if self.answer(words):
            self.pressed, self.board_since = 0.0, None
            return
        if words.startswith("boothlink: booth"):
            if self.asks_survey(words, now):
                return
            if self.ticket and ("comes next." in words or "are over." in words):
                if not self.machine.is_waiting_for(self.ticket):
                    self.day.ends(self)
                    self.ticket, self.queue = None, ""
            # A machine that has taken another's place asks again.
            asks = self.ticket and self.machine.is_waiting_for(self.ticket) and \
                now > self.pressed + 2
            if asks or (not self.ticket and self.day.may_begin(words)):
                self.machine.changed = True  # nobody counts as sitting down before a second has passed
                if not self.board_since:
                    self.board_since = now
                if now < self.board_since + 1.2:
                    return
                if not asks:
                    self.ticket = self.day.ticket_of(self.machine)
                    self.begin()
                self.pressed = now
                self.machine.enters += 1
                self.machine.press("Enter")
        else:
            self.board_since = None
            if self.ticket:
                self.watch(words, now)

    def begin(self):
        pass

    def watch(self, words, now):
        pass

    def turn(self, now):
        pass

    def typed(self, key):
        pass


UNTOLD_S = 20  # an attendant waits for the judge's machine, which may have been off, to come back


class BackRoom(Actor):
    """A confederate, who answers every turn of the judge; beside an Entry nobody types."""

    untold_since = None  # that its last cut was not told

    def begin(self):
        self.answered = 0
        self.text = ""
        self.greeting = rules.OPENING.get(self.day.options.ruleset, "")

    def watch(self, words, now):
        untold = "Is the session over? Then press F9" in words
        self.untold_since = (self.untold_since or now) if untold else None
        stopped = "F9 starts it again" in words
        if now >= self.next_key and (stopped or untold and now >= self.untold_since + UNTOLD_S):
            self.machine.press("F9")
            self.next_key = now + 1
        elif stopped or untold:
            self.machine.changed = True  # looked at again when it is time, though nothing changes there
        if not self.ticket.keyboard:
            return
        if self.queue or " open " not in words:
            return
        self.queue, self.greeting = self.greeting, ""
        asked = words.count("?")
        if asked > self.answered and not self.queue:
            self.answered = asked
            self.queue = f"Flesh {self.ticket.round} says {asked}.\r"

    def typed(self, key):
        self.text += key


class Judge(Actor):
    """Asks on the side that is open, and fills in the ballot; after the last round gives ranks."""

    ranks = 0  # the judge who is to rank here, from 1

    def look(self, words, now):
        found = re.search(r"The ranks of judge (\d+) come next", words)
        if found and not self.ranks:
            self.machine.changed = True
            self.board_since = self.board_since or now
            if now >= self.board_since + 1.2:
                self.ranks, self.ranked = int(found.group(1)), False
                self.machine.enters += 1
                self.machine.press("Enter")
        elif self.ranks and words.startswith("boothlink: booth") and not found:
            self.ranks = 0
        elif self.ranks and "GIVEN " in words and "NOT GIVEN" not in words:
            self.machine.press("F10")
        elif self.ranks and "rank this one" in words and not self.ranked:
            self.ranked = True
            given = self.day.rank_of(self.ranks)
            for number, rank in enumerate(given):
                self.machine.type(str(rank))
                self.machine.press("Tab" if number + 1 < len(given) else "Enter")
        elif not self.ranks:
            super().look(words, now)

    def begin(self):
        self.asked, self.text = 0, {"left": "", "right": ""}
        self.asked_of = {"left": 0, "right": 0}
        self.sides = ("left", "right") if self.day.pairs else ("left",)
        words = rules.OPENING.get(self.day.options.ruleset, "").strip(".\r")
        self.greeting_end = "".join(words.partition(" and ")[2].split())
        self.side = self.human = self.ballot = None
        self.greeted = False  # each side has said the first words that are asked of it
        self.next_turn = 0.0
        self.open = {"left": False, "right": False}
        self.late = self.day.gives_late(self)

    def column(self, side):
        return self.machine.column(side, 2 if self.day.pairs else 1)

    def watch(self, words, now):
        open_now, greetings = None, 0
        for side in self.sides:
            part = self.column(side)
            if "Flesh" in part:
                self.human = side
            self.open[side] = " open " in part
            greetings += self.greeting_end in part.replace(" ", "")  # a line may have ended anywhere
            if "type here" in part and self.open[side]:
                open_now = side
        self.greeted = self.greeted or greetings == len(self.sides)
        if open_now != self.side:
            self.queue, self.side = "", open_now
        asked = "YOUR BALLOT" in words and \
            (not self.late or "The session is over" in words)
        # Who knows enough ends the round with his ballot, where the rules let him.
        early = self.day.options.ruleset in rules.EARLY and not self.day.options.questions and open_now and self.human and \
            not self.late and all("\r" in text for text in (self.text[side] for side in self.sides))
        if (asked or early) and not self.ballot:
            self.queue = ""
            if "THE TIME IS OVER" in words:
                self.day.late.add(self.ticket.session)
            self.ballot = self.day.vote(self)
            self.machine.press("F3")
            for key in self.ballot.keys:
                self.machine.press(key) if key == "Tab" else self.machine.type(key)
            self.machine.press("Enter")
        if "Press Return again to give it" in words:
            self.machine.press("Enter")  # it is late, and sealed at once
        if "Return again gives it" in words and self.ticket.session not in self.day.early:
            self.day.early.add(self.ticket.session)
            self.machine.press("Enter")  # and the round ends

    def turn(self, now):
        if self.side and not self.queue and now >= self.next_turn and not self.ballot:
            most = self.day.options.questions
            other = "right" if self.side == "left" else "left"
            if self.asked and all(self.open.values()) and self.last == self.side and \
                    not (most and self.asked_of[other] >= most):
                self.machine.press("F2")  # each in his turn
                self.next_turn = now + 0.3
                return
            if most and self.asked_of[self.side] >= most:
                return
            self.asked, self.last = self.asked + 1, self.side
            self.asked_of[self.side] += 1
            self.queue = f"What is {self.asked}?\r"
            self.next_turn = now + self.day.between

    def typed(self, key):
        self.text[self.side] += key
