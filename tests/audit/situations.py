"""What is done in each situation of the audit, and what is measured in it.

A situation says what both type, leads a session through it, and tells what it found: `same`, texts
that must be equal for all sources, and `values`, lists of units (a block, an opening, a cut of the
cable) with numbers that may only differ by chance."""
import bisect
import random
import time

from booth import ENTITY, JUDGE, SOURCES, Script, wait_for
from clock import Late

SAID = ('I was, yes, in spring.', 'Not naïve, no.', 'Why do you ask?', 'It rained all day, 中文.',
        'Perhaps.\b, who knows', 'Five, or was it six?')
ASKED = ('So, were you?', 'And then?', 'Who says so?', 'Really?', 'How many?')
GAPS = (8000, 40000)  # us between two keys, so that 2,000 take a minute and not ten
STEWARD = b'\x1b[24~'  # F12
TURN = 0.08  # s between the judge's last key of a block and the entity's first
SOUGHT_S = 0.25  # an end that finds nobody asks so often
BACK_US = 850000  # FIRST_KEY_US of host/booth/entity_booth.c: until then no source's key goes

PRESS_MARGIN_US, PRESS_STEP_US = 1000, 100  # see `latency`


def line(rng, texts, length, gaps=GAPS):
    """So many keys with their gaps; the last is Return."""
    text = ''
    while len(text) < length - 1:
        text += rng.choice(texts) + ' '
    text = text[:length - 2] + text[length - 2].replace(' ', '.')  # no end that a form would leave out
    return [(rng.randrange(*gaps), key) for key in text + '\r']


class Situation:
    name = ''
    short_media = ('serial',)  # in the short form
    sources = None  # all
    options = entity_options = ()  # of the judge's end and of the entity's
    source_options = {}  # of the entity's, for one source
    blocks = 5
    rounds, short_rounds = 20, 0
    browser_rounds = 4
    planted = killed = False

    def __init__(self, rng, plant=None):
        """plant: us that each gap between the entity's keys has more; its letters have a byte more
        then."""
        self.judge, self.entity, self.attendant = Script(), Script(), Script()
        self.frames = []  # lengths, of each block; between blocks they tell how long a session took
        self.write(rng)
        if plant:
            self.entity.blocks = [[(gap + plant, 'é' if key.islower() else key) for gap, key in block]
                                  for block in self.entity.blocks]

    def write(self, rng):
        """The scripts."""
        raise NotImplementedError

    def starved(self, session):
        """The blocks in which the page of a browser was back later than any in a booth, for the other
        sessions starve it: nothing is to be learnt of them."""
        return ()

    def retime(self, times):
        """The entity's keys come at these times of each block, us from its beginning."""
        for block, at in zip(self.entity.blocks, times):
            if len(at) == len(block) > 1:
                gaps = [b - a for a, b in zip([0] + at, at)]
                block[:] = [(gap, key) for gap, (_, key) in zip(gaps, block)]

    def lead(self, session):
        raise NotImplementedError

    def type(self, session, count):
        """A block of the entity's, until so many keys of it have their places."""
        before = len(session.frames('<'))
        session.entity.go()
        session.entity.wait()
        session.wait_placed(count)
        self.frames.append(of_keys(session.frames('<')[before:]))

    def find(self, session):
        """(same, values) of a session that is over."""
        raise NotImplementedError


def of_keys(lengths):
    """From the first frame of a key to the last: how many heartbeats and acknowledgements there are
    around them says how soon the audit looks."""
    keys = [at for at, length in enumerate(lengths) if length > min(lengths)]
    return lengths[keys[0]:keys[-1] + 1] if keys else lengths


def everything(session, notes_of_line=True):
    """What must be the same whoever types: bytes, cells, transcripts, files, and their order."""
    record, before = [], None
    for entry in session.entries():
        if entry.get('code') == 'line' and not notes_of_line:
            continue
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
    same = {'record': '\n'.join(record), 'files': '\n'.join(session.files()), 'cells': session.cells}
    for form in ('text', '2009', '1996'):
        same['transcript ' + form] = session.transcript(form)
    return same


def shown(session):
    """The texts that stood on the judge's screen beside the pages; what counts has no digits."""
    return {''.join('#' if c.isdigit() else c for c in text)
            for text in (row.split(' ', 1)[1] for row in session.rows)
            if text and not text.startswith(' ' * 10)}


def usual(lengths):
    """The two lengths that most have: an acknowledgement's and that of a key alone in its frame."""
    counts = {length: lengths.count(length) for length in set(lengths)}
    return sorted(sorted(counts, key=lambda length: -counts[length])[:2])


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
    short_rounds, browser_rounds = 4, 20
    short_media = ('serial', 'hub')
    planted = True

    def write(self, rng):
        for _ in range(self.blocks):
            self.judge.add((25000, key) for _, key in line(rng, ASKED, self.asked))
            self.entity.add(line(rng, SAID, self.said))
        self.attendant.add([(0, STEWARD)])

    def lead(self, session):
        wait_for('an open segment', lambda: session.judge.shows('open \u2500'))
        for block in range(1, self.blocks + 1):
            session.judge.go()
            session.judge.wait()
            session.wait_placed(self.asked * block, 'judge')
            time.sleep(TURN)
            self.type(session, self.said * block)
        session.seat.go()
        wait_for('the call of the steward', lambda: session.seat.shows('called the steward'))

    def find(self, session):
        placed = [at for at, _ in session.placed()]
        pressed = session.pressed()
        blocks = [(placed[at:at + self.said], pressed[at:at + self.said])
                  for at in range(0, len(placed), self.said)]
        values = {
            'gaps': [[b - a for a, b in zip(there, there[1:])] for there, _ in blocks],
            # From the terminal's reading of a key: how long a keyboard, the kernel's pty or a browser
            # took before is theirs, and in the gaps if anywhere. Nobody but who types knows when a
            # key was pressed: a steady fraction of a millisecond is in no gap and in no reaction.
            'latency': [[there - here for here, there in zip(*reversed(block))] for block in blocks],
            'first of a block': [[there[0] - here[0]] for there, here in blocks],
            'keys at once': [[float(len(set(there)))] for there, _ in blocks],
            'frames': self.frames,
        }
        same = everything(session)
        if session.medium == 'serial':
            same['length of a key'] = str(usual(session.frames('<')))
        else:
            found = reactions(session)
            values['reaction'] = [found[at:at + self.asked]
                                  for at in range(0, len(found), self.asked)]
        return same, values


def gaps(times):
    return [b - a for a, b in zip(times, times[1:])]


def from_each(moments, times, span_us):
    """Of each moment: the times after it, until the next one or for that long, counted from it."""
    found = []
    for at, then in zip(moments, moments[1:] + [moments[-1] + span_us]):
        last = min(then, at + span_us)
        found.append([there - at for there in
                      times[bisect.bisect_left(times, at):bisect.bisect_left(times, last)]])
    return found


def released(units):
    """What is looked at where keys have waited: when the first comes, the gaps of those that follow,
    how many of them come in the first fifth of a second, and how many share an instant."""
    return {
        'first key': [unit[:1] for unit in units],
        'first gaps': [gaps(unit[:10]) for unit in units],
        'gaps': [gaps(unit) for unit in units],
        'keys in 200 ms': [[float(sum(at < unit[0] + 200000 for at in unit))] if unit else []
                           for unit in units],
        'keys at once': [[float(len(unit) - len(set(unit)))] for unit in units],
        'keys': [[float(len(unit))] for unit in units],
    }


def without_counts(session):
    """The judge's record but for its keys, for where a key more or less is a matter of time."""
    notes = []
    for entry in session.entries():
        if entry['kind'] == 'keys' or entry.get('code') == 'line':
            continue
        text = ' '.join(f'{name}={value}' for name, value in entry.items()
                        if name not in ('time', 'time_us', 'n', 'placed', 'digest', 'remaining_us'))
        if not notes or notes[-1] != text:  # what is left of a segment is kept again and again
            notes.append(text)
    return {'record': '\n'.join(notes), 'files': '\n'.join(session.files())}


class Boundary(Situation):
    """What is typed before the judge has begun, while the line is closed, and across the end of a
    segment."""
    name = 'opening and close'
    segments, blocks = 10, 20
    said_before, said_across = 20, 60
    asks_after = 1.0  # s, in the first segment
    options = ('--plan', ','.join(['5 left,1 change'] * 10), '--begin', 'key')

    def write(self, rng):
        self.judge.add([(0, b'\x1b[20~')])  # F9: the plan begins
        for _ in range(self.segments):
            self.judge.add((25000, key) for _, key in line(rng, ASKED, 6))
            self.entity.add(line(rng, SAID, self.said_before))
            self.entity.add(line(rng, SAID, self.said_across))

    def lead(self, session):
        session.entity.go()  # before anything has begun
        session.entity.wait()
        # All from the plan's own beginning: when it is seen that there is a segment may be seconds later.
        coming = [(0.0, session.judge.to_go())]
        for segment in range(self.segments):
            coming.append((6 * segment + (self.asks_after if segment == 0 else 0.4), session.judge.to_go()))
            coming.append((6 * segment + 4.0, session.entity.to_go()))
            if segment + 1 < self.segments:
                # Not when the other has come to its end: one end is seen sooner than another.
                coming.append((6 * segment + 5.8, session.entity.to_go()))
        session.done(session.do(*((at - before, *step) for (before, _), (at, step) in
                                  zip(coming[:1] + coming, coming))))
        wait_for('the end of the plan', lambda: session.judge.shows('The session is over'))

    def find(self, session):
        opened = openings(session)
        asked = [at for at, _ in session.placed('judge')]
        firsts = [asked[bisect.bisect_left(asked, at)] for at in opened]
        placed = [at for at, _ in session.placed()]
        values = {f'after an opening: {what}': units for what, units in released(
            from_each(opened, placed, 3_000_000)).items()}
        values.update({f'at a close: {what}': units for what, units in released(
            from_each([at + 3_800_000 for at in opened], placed, 1_700_000)).items()
                       if what in ('gaps', 'keys')})
        values['after the first key: first key'] = [unit[:1] for unit in from_each(
            firsts[:1], placed, 3_000_000)]
        return without_counts(session), values


def openings(session):
    """When each segment in which the entity may type was opened, us."""
    opened = {}
    for entry in session.entries():
        if entry['kind'] == 'segment' and entry['state'] == 'open' and entry['index'] % 2 == 0:
            opened.setdefault(entry['index'], entry['time_us'])
    return list(opened.values())


class Interrupted(Situation):
    """Typing goes on while something takes the line away and gives it back."""
    said = 70
    blocks = 10
    rest = 0.3  # s into a block, when it happens

    def write(self, rng):
        self.judge.add((25000, key) for _, key in line(rng, ASKED, 10))
        for _ in range(self.blocks):
            self.entity.add(line(rng, SAID, self.said))

    def lead(self, session):
        wait_for('an open segment', lambda: session.judge.shows('open \u2500'))
        session.judge.go()
        session.judge.wait()
        session.wait_placed(self.judge.keys(), 'judge')
        for block in range(self.blocks):
            self.interrupted(session)
            self.settle(session, block)

    def interrupted(self, session):
        """A block, in which it happens."""
        *_, mark = session.done(session.do(*self.beginning(session), *self.interruption(session)))
        session.marks.append(mark)
        session.entity.wait()

    def beginning(self, session):
        """Steps of the clock's, with which a block begins."""
        return ((0, *session.entity.to_go()),)

    def interruption(self, session):
        """Those with which it is interrupted; the last is when that is over."""
        raise NotImplementedError

    def settle(self, session, block):
        """All that will come of this block has come."""
        raise NotImplementedError

    def find(self, session):
        placed = [at for at, _ in session.placed()]
        values = released(from_each(session.marks, placed, 3_000_000))
        return self.same(session), values

    def starved(self, session):
        if not self.killed:
            return ()
        back = session.entity.found()
        late = [block for block, killed in enumerate(session.marks)
                if not any(0 <= at - killed < BACK_US for at in back)]
        if len(late) > self.blocks / 2:
            raise Late
        return late

    def same(self, session):
        raise NotImplementedError


class Outage(Interrupted):
    """The cable is out for so long that the line is down."""
    name = 'outage'
    out_s = 3.6

    def interruption(self, session):
        entity = ' entity' if session.medium == 'hub' else ''
        # By chance: else how busy the machine was would say when after the plug it is asked next.
        out_s = self.out_s + random.uniform(0, SOUGHT_S)
        return (self.rest, *session.to_tell('unplug' + entity)), (out_s, *session.to_tell('plug' + entity))

    def settle(self, session, block):
        session.wait_placed(self.said * (block + 1))

    def same(self, session):
        return everything(session, notes_of_line=False)  # among which keys they stand is chance


class Kill(Interrupted):
    """The entity's terminal is killed and started again, as its unit does."""
    name = 'kill -9'
    killed = True

    def interruption(self, session):
        return ((self.rest, 'kill', session.seat.pid()),)

    def settle(self, session, block):
        """How many are left depends on the moment: none comes any more."""
        last = -1
        while (count := len(session.placed())) != last:
            last = count
            time.sleep(0.7)

    def same(self, session):
        return without_counts(session)


class Paste(Situation):
    """More than a terminal's queue holds, all at once."""
    name = 'paste'
    said, blocks = 400, 4
    apart_s = 1.5

    def write(self, rng):
        for _ in range(self.blocks):
            self.judge.add((25000, key) for _, key in line(rng, ASKED, 6))
            self.entity.add([(0, ''.join(key for _, key in line(rng, SAID, self.said)))])

    def lead(self, session):
        wait_for('an open segment', lambda: session.judge.shows('open \u2500'))
        for block in range(self.blocks):
            session.judge.go()
            session.judge.wait()
            session.wait_placed(6 * (block + 1), 'judge')
            # A terminal is busy for 50 ms then, and a booth's machine has one.
            time.sleep(random.uniform(0, self.apart_s))
            self.type(session, self.said * (block + 1))

    def find(self, session):
        placed = [at for at, _ in session.placed()]
        units = [placed[at:at + self.said] for at in range(0, len(placed), self.said)]
        values = {what: units for what, units in released(
            [[at - unit[0] for at in unit] for unit in units]).items() if what != 'first key'}
        values['duration'] = [[float(unit[-1] - unit[0])] for unit in units]
        values['frames'] = self.frames
        return everything(session), values


# What a keyboard, or a program by mistake, may send: broken UTF-8, controls, escape sequences whole
# and cut short. Function keys that the terminal itself obeys are not among them.
SEQUENCES = (
    '80', 'bf', 'c0', 'c1', 'c2', 'c3', 'c3 28', 'c3 c3 a9', 'e4', 'e4 b8', 'e4 b8 41', 'e0 80 80',
    'ed a0 80', 'ed bf bf', 'ef bf bd', 'ef bf be', 'ef bf bf', 'ee 80 80', 'f0', 'f0 9f', 'f0 9f 98',
    'f0 9f 98 80', 'f0 82 82 ac', 'f4 90 80 80', 'f8 88 80 80 80', 'fe', 'ff', 'c2 80', 'c2 9b',
    'c2 9b 41', 'c2 9b 33 31 6d', '9b', 'c2 9d 30 3b 61 07', 'c2 a0', 'c2 ad', 'e2 80 8b', 'e2 80 8d',
    'e2 80 8e', 'e2 80 ae', 'ef bb bf', 'cc 81', '65 cc 81', '00', '01', '05', '07', '0b', '0c', '0e',
    '10', '1b', '1b 41', '1b 5b 41', '1b 5b', '1b 5b 31 3b 35 43', '1b 4f 41', '1b 5b 33 7e', '1b 1b',
    '1b 5d 30 3b 61 07', '1b 5d 30 3b 61', '1b 50 61 1b 5c', '1b 28 42', '1b c3 a9', '1b 5b 4d 20 21 21',
    '1b 5b 32 30 30 7e 61 1b 5b 32 30 31 7e', '1c', '1f', '7f 08')


class Bytes(Situation):
    """Bytes that are no plain text, each at a line of its own."""
    name = 'bytes'
    sources = ('keyboard', 'keyboard again', 'pty', 'pipe')
    rounds, short_rounds, browser_rounds = 2, 1, 0  # no browser sends what is no text

    def write(self, rng):
        self.judge.add((25000, key) for _, key in line(rng, ASKED, 6))
        keys = []
        for i, sequence in enumerate(SEQUENCES):
            keys += [(20000, f'{i}='), (20000, bytes.fromhex(sequence)), (160000, '.\r')]
        self.entity.add(keys)

    def lead(self, session):
        wait_for('an open segment', lambda: session.judge.shows('open \u2500'))
        session.judge.go()
        session.judge.wait()
        session.wait_placed(self.judge.keys(), 'judge')
        session.entity.go()
        session.entity.wait()
        session.wait_entries('the last line', lambda: f'\r{len(SEQUENCES) - 1}=' in ''.join(
            key for _, key in session.placed()) and session.placed()[-1][1] == '\r')

    def find(self, session):
        text = ''.join(key for _, key in session.placed())
        same = everything(session)
        del same['record']
        for i, row in enumerate(text.split('\r')[:-1]):
            name = SEQUENCES[i] if i < len(SEQUENCES) else '?'
            same[name] = row.encode('unicode_escape').decode()
        return same, {}


class Paced(Interrupted):
    """The same at a venue's pace: nothing comes faster than that, whatever happens."""
    least_us = 30000  # of the pace of 60±20 ms, with some room for the line and a busy machine
    said, blocks = 40, 3
    entity_options = ('--pace', '60+-20')
    rounds = 5

    def find(self, session):
        same, values = super().find(session)
        placed = [at for at, _ in session.placed()]
        # A gap between two keys may be short when the first of them was late on the wire; a burst is
        # several that follow one another.
        same['bursts'] = str(sum(c - a < 2 * self.least_us for a, c in zip(placed, placed[2:])))
        if same['bursts'] != '0':
            same['bursts'] += f' in {self.name} of {session.source}'
        return same, values

    def settle(self, session, block):
        Kill.settle(self, session, block)


def left(block):
    """How many keys of a message are left when its BackSpaces are applied."""
    return len(block) - 2 * sum(key == '\b' for _, key in block)


class PacedMessages(Paced):
    """Messages at the venue's pace: a line of the judge's, one of the entity's, and what happens
    happens while that is on its way."""
    entity_options = ('--pace', 'message 60+-20 after 1500')
    rest = 2.5  # of a message that goes from 1.5 s to some 4 s after the judge's Return
    asks_s = 0.5  # the judge takes 0.25 s
    sources = tuple(SOURCES)

    def write(self, rng):
        for _ in range(self.blocks):
            self.judge.add((25000, key) for _, key in line(rng, ASKED, 10))
            self.entity.add(line(rng, SAID, self.said))

    def lead(self, session):
        wait_for('an open segment', lambda: session.judge.shows('open \u2500'))
        for block in range(self.blocks):
            self.interrupted(session)
            session.wait_placed(sum(map(left, self.entity.blocks[:block + 1])))

    def beginning(self, session):
        return (0, *session.judge.to_go()), (self.asks_s, *session.entity.to_go())

    def find(self, session):
        same, values = super().find(session)
        asked = [at for at, key in session.placed('judge') if key == '\r']
        placed = [at for at, _ in session.placed()]
        # BackSpaces are applied, so it is known which keys come, and when the first of them does.
        values['reply'] = [unit[:1] for unit in from_each(asked, placed, 10_000_000)]
        same['early'] = str([at < 1_500_000 for unit in values['reply'] for at in unit].count(True))
        return same, values


class PacedOutage(Paced):
    name = 'outage, paced'
    out_s = Outage.out_s
    interruption, same = Outage.interruption, Outage.same


class PacedKill(Paced):
    name = 'kill -9, paced'
    short_rounds, killed = 1, True
    interruption, same = Kill.interruption, Kill.same


class MessagesOutage(PacedMessages):
    name = 'outage, messages'
    out_s = Outage.out_s
    interruption, same = Outage.interruption, Outage.same


class MessagesKill(PacedMessages):
    name = 'kill -9, messages'
    killed = True
    interruption, same = Kill.interruption, Kill.same


class Filtered(Open):
    """An Entry behind a filter that holds its keys, and everybody's keys held for as long, as the
    tickets of a venue have it."""
    name = 'filters'
    short_rounds, planted = 0, False
    rounds, browser_rounds = 10, 4
    entity_options = ('--hold', '100')
    source_options = {'pty': ('--strip-prompt', '> '), 'pipe': ('--strip-prompt', '[A-Z]+: '),
                      'LPP': ('--lpp-scan', '80'), 'LPP outside': ('--lpp-scan', '100')}


SITUATIONS = (Open, Boundary, Outage, Kill, Paste, Bytes, PacedOutage, PacedKill,
              MessagesOutage, MessagesKill, Filtered)
