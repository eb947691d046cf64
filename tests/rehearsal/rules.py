"""What a rehearsal knows of each ruleset: how its time is compressed, what a judge types on the
ballot, and who wins by what was typed. Written from the rules, not from the program."""

import collections

# A plan of a venue's own: the parts of the rules', shortened. Where they name none a venue must.
PLANS = {
    "loebner-1996": "5 left,2 change",
    "loebner-2003": "8 left,2 change",  # a message at a time: its Return must come in time
    "loebner-2004": "5 both,2 change",
    "loebner-2009": "5 left,5 right,2 review",
    "longbet-2002": "5 left",
    "three-party-2025": "5 both",
    "two-party-2023": "5 left",
    "two-party-2024": "10 left",  # time for an early verdict
    "class": "20 both,2 review",  # the same
}
# Rules of a venue's own: those of another with lines of its own below a line of theirs. People are
# judges and confederates by turns, in so many games of each Entry.
OWN = {"three-party-games": ("three-party-2025", {"[session]": "design = games-per-condition 4",
                                                  "[ballot]": "early-verdict = yes"}),
       "class-games": ("class", {"[session]": "design = games-per-condition 4"})}
PLANS["three-party-games"] = "20 both"  # time for an early verdict
PLANS["class-games"] = PLANS["class"]
# People answer a page before their first session, and after their last.
OWN["class-survey"] = ("class", {"[session]": "design = games-per-condition 4", "[transcript]": """[survey]
before-1 = This is a test. Your words are published without your name.
before-2 = You may leave at any time.
before-field1 = agree: yes no required
before-field2 = age: 18..99
before-field3 = why: text 60
after-1 = Some of your partners were programs. Thank you.
[transcript]"""})
PLANS["class-survey"] = PLANS["class"]
NAMELESS = {"three-party-2025", "three-party-games", "two-party-2023", "two-party-2024"}  # nothing is published by name
# Other times of the rules, in seconds, shortened likewise. 2003 r30: from what is sent to the answer.
TIMES = {"loebner-2003": ("answer-least", 5, 1)}
# 2004 A3: the first words of everybody to each judge.
OPENING = {"loebner-2004": "Hello, my name is Bob and I am the human.\r"}
# The Entries, in turn: each with what its venue's file says, and the files that it is made of. The
# doctor where there is an Emacs; no LPP where first words are asked for, which the template has none
# of. A greeter stands before what has no first words of its own.
PROGRAMS = {
    "eliza": ({"program": "perl eliza.pl"}, ["tests/entrants/eliza.pl"]),
    "lpp": ({"lpp": "lpp", "program": "./lpp_entry.pl lpp 8"}, ["host/share/examples/lpp_entry.pl"]),
    "pty": ({"program": "./entry --name Ann --pace 8", "program-io": "pty"},
            ["host/share/examples/entry.c"]),
    "lpp2": ({"lpp2": "8080",
              "program": "python3 lpp2_client.py http://127.0.0.1:8080 ai0 any polling,websocket "
                         "--name Ann"},
             ["tests/support/lpp2_client.py"]),
    "doctor": ({"program": "emacs -Q --batch -l doctor.el"}, ["tests/entrants/doctor.el"]),
}
# A language model, for --entries alone; {work} is the day's folder.
CHAT = {"chat": "unix:{work}/model.socket", "persona": "{work}/persona.txt"}


def programs(ruleset, seed, count, present):
    """The kinds of so many Entries; which of them come first is the seed's to say."""
    kinds = [kind for kind in PROGRAMS if kind in present and
             not (kind == "lpp" and ruleset in OPENING)]
    return [kinds[(seed + number) % len(kinds)] for number in range(count)]


# What an Entry must come with besides: 2004 A6, a communications program.
ENTRY = {"loebner-2004": ("comms = line 1.0",)}
LIMITED, LIMIT = ("loebner-2003",), "Do not name your employer."  # r53
RANKED = ("loebner-2009", "longbet-2002")  # §3b, II ¶14: after the last round
TWO_PARTY = ("two-party-2023", "two-party-2024")
CLASS = ("class", "class-games", "class-survey")
THREE_PARTY = ("three-party-2025", "three-party-games", *CLASS)
EXCLUDING = (*THREE_PARTY, *TWO_PARTY)
EARLY = ("two-party-2024", "three-party-games", *CLASS)  # a ballot may be given before the time is over
PAIRS = ("loebner-2004", "loebner-2009", *THREE_PARTY)


def people(ruleset, booths):
    """How many judges, Entries and confederates there are for so many booths."""
    if ruleset in OWN:
        return 2 * booths + 1, 3, 0  # who are judges are the confederates
    if ruleset in PAIRS:
        return booths, booths, booths
    if ruleset == "longbet-2002":
        return 3, 1, 3  # I: three judges, three foils
    entries = max(1 if ruleset in TWO_PARTY else 2, booths // 2)
    return 5 if ruleset == "loebner-2003" else booths, entries, booths - entries  # r40: five


class Ballot:
    """What one judge typed on one ballot: keys of the form, and what they mean."""

    def __init__(self, keys, value):
        self.keys, self.value = keys, value


def ballot(ruleset, dice, human, favourite):
    """human: the side of the confederate where there are two, else whether it is one. favourite: is
    the Entry here the one that is to win?"""
    if ruleset == "loebner-2009":  # §3a: which of the two is the human
        side = {"left": "right", "right": "left"}[human] if favourite else human
        return Ballot([side[0]], {"human": side})
    if ruleset in THREE_PARTY:  # which is the human, confidence, reason
        side = {"left": "right", "right": "left"}[human] if favourite else human
        name, least, most = ("sure", 1, 5) if ruleset in CLASS else ("confidence", 50, 100)
        sure, why = str(dice.randint(least, most)), f'the {side} one said "{dice.randint(0, 999)}"'
        return Ballot([side[0], "Tab", sure, "Tab", why],
                      {"human": side, "fields": {name: sure, "reason": why}})
    if ruleset == "loebner-2004":  # A15: 100 points
        entry = dice.randint(60, 80) if favourite else dice.randint(20, 40)
        left = 100 - entry if human == "left" else entry
        return Ballot([str(left), "Tab", str(100 - left)], {"left": left, "right": 100 - left})
    if ruleset in ("loebner-2003", "loebner-1996"):
        most = 5 if ruleset == "loebner-2003" else 10
        score = most if human else most - 1 if favourite else dice.randint(1, most - 2)
        return Ballot([str(score)], {"score": score})
    human = human or favourite  # II ¶13
    value = {"verdict": "human" if human else "machine"}
    if ruleset in TWO_PARTY:  # confidence and reason besides
        sure, why = str(dice.randint(50, 100)), f'it said "{dice.randint(0, 999)}"'
        value["fields"] = {"confidence": sure, "reason": why}
        return Ballot([value["verdict"][0], "Tab", sure, "Tab", why], value)
    return Ballot([value["verdict"][0]], value)


def answers(dice, page):
    """Of each field of a page of the survey: what is typed, and the answer that it means."""
    if page == "after":
        return {}
    agree, age = dice.choice(["yes", "no"]), str(dice.randint(18, 90))
    return {"agree": (agree[0], agree), "age": (age, age), "why": ("I, Ann", "I, Ann")}


def ranks(ruleset, dice, entries, favourite):
    """What a judge ranks his sessions, in their order. entries: is the Entry in each of them?"""
    given = list(range(1, len(entries) + 1))
    dice.shuffle(given)
    if ruleset == "longbet-2002":  # II ¶14: 4 is the most human
        at, to = entries.index(True), given.index(len(given) if favourite else 1)
        given[at], given[to] = given[to], given[at]
    return given


def trials(ruleset):
    return 3 if ruleset == "longbet-2002" else 1  # II ¶4


def winner(ruleset, ballots):
    """Of pairs and single meetings that are scored; the long bet is passed or not. ballots: of (judge, entry or None, human's side or whether it is one, value). The Entry that
    wins, None for nobody alone."""
    points = collections.Counter()
    if ruleset in (*THREE_PARTY, *TWO_PARTY):
        return None  # rates are counted
    for _, entry, human, value in ballots:
        if entry is None:
            continue
        if ruleset == "loebner-2009":
            points[entry] += value["human"] != human  # §3b: votes as the human
        elif ruleset == "loebner-2004":
            side = "right" if human == "left" else "left"
            points[entry] += value[side] > value[human]  # B1: columns won
        else:
            points[entry] += value["score"]
    best = points.most_common(2)
    return best[0][0] if len(best) == 1 or best[0][1] > best[1][1] else None


def row(judge, entry, confederate, human, value):
    """The ballot as the contest should have it among those that count."""
    found = {"judge": int(judge), "entry": entry, "confederate": confederate}
    found = {name: number for name, number in found.items() if number}
    if "human" in value:
        found["human"] = value["human"] != human
    elif "left" in value:
        found["points"] = [100 - value[human], value[human]]
    elif "verdict" in value:
        found["human"] = value["verdict"] == "human"
    else:
        found["rating"] = str(value["score"])
    return found


def ranked(ruleset, entries, entry, confederate, human, value):
    """Whom a judge ranks for a session (2009 §3b: the one not taken for the human; long bet II ¶14:
    the one that there was), as the contest counts candidates: Entries, then confederates."""
    if ruleset in PAIRS and value["human"] == human:
        return entry
    return entries + confederate if confederate else entry
