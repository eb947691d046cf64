"""What is done in each situation of the audit, and what is measured in it.

A situation says what both type, leads a session through it, and tells what it found: `same`, texts
that must be equal for all sources, and `values`, lists of units (a block, an opening, a cut of the
cable) with numbers that may only differ by chance."""
import bisect
import time

from booth import ENTITY, JUDGE, Script, wait_for

SAID = ('I was, yes, in spring.', 'Not naïve, no.', 'Why do you ask?', 'It rained all day, 中文.',
        'Perhaps.\b, who knows', 'Five, or was it six?')
ASKED = ('So, were you?', 'And then?', 'Who says so?', 'Really?', 'How many?')
GAPS = (8000, 40000)  # us between two keys, so that 2,000 take a minute and not ten
TURN = 0.08  # s between the judge's last key of a block and the entity's first

PRESS_MARGIN_US = 1000  # see `latency`


def line(rng, texts, length, gaps=GAPS):
    """So many keys with their gaps; the last is Return."""
    text = ''
    while len(text) < length - 1:
        text += rng.choice(texts) + ' '
    return [(rng.randrange(*gaps), key) for key in text[:length - 1] + '\r']


class Situation:
    name = ''
    media = ('serial', 'hub')
    sources = None  # all
    options = ()
    blocks = 5
    rounds, short_rounds = 20, 0
    planted = False

    def __init__(self, rng, plant=None):
        """plant: us that each gap between the entity's keys has more; its letters have a byte more
        then."""
        self.judge, self.entity = Script(), Script()
        self.write(rng)
        if plant:
            self.entity.blocks = [[(gap + plant, 'é' if key.islower() else key) for gap, key in block]
                                  for block in self.entity.blocks]

    def write(self, rng):
        """The scripts."""
        raise NotImplementedError

    def lead(self, session):
        raise NotImplementedError

    def find(self, session):
        """(same, values) of a session that is over."""
        raise NotImplementedError


def everything(session, keys=True):
    """What must be the same whoever types: bytes, cells, transcripts, files, and their order."""
    record, before = [], None
    for entry in session.entries():
        if entry['kind'] == 'keys':
            # Which keys share an entry is a matter of time; their order is not.
            if before == entry['party']:
                record[-1] += entry['text']
            else:
                record.append(f"{entry['party']}: {entry['text']}")
            before = entry['party']
            continue
        before = None
        record.append(' '.join(f'{name}={value}' for name, value in entry.items()
                               if name not in ('time', 'time_us')))
    same = {'record': '\n'.join(record), 'files': '\n'.join(session.files())}
    if keys:
        same['cells'] = session.cells
        for form in ('text', '2009', '1996'):
            same['transcript ' + form] = session.transcript(form)
    return same


def shown(session):
    """The texts that stood on the judge's screen, but for what was typed and what counts time."""
    typed = ''.join(key for party in ('judge', 'entity') for _, key in session.placed(party))
    rows = set()
    for row in session.rows:
        text = row.split(' ', 1)[1].strip()
        if text and text not in typed.replace('\r', ' ') and not text.startswith(tuple(typed[:1])):
            rows.add(''.join('#' if c.isdigit() else c for c in text))
    return rows


def usual(lengths):
    """The length that most have but for bare acknowledgements, which come in their own time."""
    counts = {}
    for length in lengths:
        counts[length] = counts.get(length, 0) + 1
    ranked = sorted(counts, key=lambda length: -counts[length])
    return ranked


def reactions(session):
    """How long after each frame that has a key of the judge the entity's end says something on the
    hub; while the entity types itself its own keys would answer."""
    heard = session.heard()
    answers = [at for at, sender, _ in heard if sender == ENTITY]
    asked = [at for at, sender, _ in heard if sender == JUDGE]
    found = []
    for at, _ in session.placed('judge'):
        i = bisect.bisect_left(asked, at - 100)
        if i == len(asked) or asked[i] - at > 20000:
            continue
        j = bisect.bisect_right(answers, asked[i])
        if j < len(answers):
            found.append(answers[j] - asked[i])
    return found


class Open(Situation):
    """The line is up and the judge has begun: they take turns."""
    name = 'open'
    said, asked = 20, 10  # keys in a block
    short_rounds = 4
    planted = True

    def write(self, rng):
        for _ in range(self.blocks):
            self.judge.add((25000, key) for _, key in line(rng, ASKED, self.asked))
            self.entity.add(line(rng, SAID, self.said))

    def lead(self, session):
        wait_for('an open segment', lambda: session.judge.shows('open \u2500'))
        for _ in range(self.blocks):
            session.judge.go()
            session.judge.wait()
            time.sleep(TURN)
            session.entity.go()
            session.entity.wait()
        session.wait_placed(self.entity.keys())

    def find(self, session):
        placed = [at for at, _ in session.placed()]
        typed = session.entity.typed()
        blocks = [(placed[at:at + self.said], typed[at:at + self.said])
                  for at in range(0, len(placed), self.said)]
        values = {
            'gaps': [[b - a for a, b in zip(there, there[1:])] for there, _ in blocks],
            # Nobody but who types knows when a key was pressed: a steady delay of a fraction of a
            # millisecond is in no gap and in no reaction.
            'latency': [[there - here for here, there in zip(*reversed(block))] for block in blocks],
            'first key': [[there[0] - here[0]] for there, here in blocks],
            'keys at once': [[float(len(set(there)))] for there, _ in blocks],
            'frames': [session.frames('<')],
        }
        same = everything(session)
        if session.medium == 'serial':
            same['length of a key'] = str(usual(session.frames('<'))[:2])
        else:
            found = reactions(session)
            values['reaction'] = [found[at:at + self.asked]
                                  for at in range(0, len(found), self.asked)]
        return same, values


SITUATIONS = (Open,)
