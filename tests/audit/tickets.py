"""What a judge can read of a contest before its sessions: the tickets of the judges' room and the
judges' sheets. Contests are made and drawn; nothing in a judge's ticket goes with who is human."""
import configparser
import os
import re

import tells
from booth import BOOTHLINK, run

PEOPLE = 4
NAMES = re.compile(r'(Confederate|Entry|Author)-[1-9]')


def contest(folder, number):
    """Makes one with its sticks; returns the folder of these and the judges' sheets."""
    file, out = f'{folder}/{number}.db', f'{folder}/{number}'
    said = []

    def do(verb, *words):
        said.append(run(BOOTHLINK, 'contest', verb, file, *words))
        return said[-1].stdout.decode()

    do('new', '--name', 'Audit', '--ruleset', 'loebner-2009')
    machines = ['[venue]', 'format = 1', '[machines]']
    for i in range(1, PEOPLE + 1):
        do('add', 'judge', f'Judge {i}')
        do('add', 'confederate', f'Confederate-{i}')
        do('add', 'entry', f'Entry-{i}', '--submitter', f'Author-{i}', '--rights', '--receipt',
           '--comms', 'comms')
        machines += [f'booth{i}.{end}-{cable} = serial:/dev/tty{end[0]}{cable}{i}'
                     for end in ('judge', 'entity') for cable in 'ab']
        # Where the Entry stays at its cable all its tickets hang together, and are no trials apart.
        machines += [f'booth{i}.controller = serial:/dev/ttyc{i}', f'booth{i}.either = yes',
                     f'entry{i}.program = ./entry']
    with open(out + '.ini', 'w', encoding='ascii') as venue:
        venue.write('\n'.join(machines) + '\n')
    do('draw', 'commit')
    do('schedule')
    do('draw', 'reveal')
    do('tickets', '--venue', out + '.ini', '--out', out)
    sheets = do('sheet', '--for', 'judges', '--venue', out + '.ini')
    failed = [command for command in said if command.returncode]
    if failed:
        raise OSError(failed[0].stderr.decode())
    return out, sheets


def tickets(folder):
    for path, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith('.ticket'):
                with open(os.path.join(path, name), encoding='utf-8') as ticket:
                    yield name, ticket.read()


def parsed(text):
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text)
    return parser


def meetings(out):
    """(is the left one human, the judge's ticket, its file's name) of each."""
    human = {}
    for _, text in tickets(out + '/back-room'):
        ticket = parsed(text)
        end = ticket['line']['port'].replace('ttye', 'ttyj')
        human[ticket['ticket']['session'], end] = 'keyboard' in ticket['entity']
    for name, text in tickets(out + '/judges-room'):
        ticket = parsed(text)
        yield human[ticket['ticket']['session'], ticket['line.left']['port']], text, name


def marks(text, name):
    """All that a judge could go by: each line, numbers aside, its file's number, and its size."""
    section, found = '', {f'file {name}', f'{len(text)} bytes'}
    for row in text.splitlines():
        if row.startswith('['):
            section = row
        elif row:
            found.add(f'{section} {row}')
            found.add(f'{section} ' + re.sub(r'\d+', '#', row))
    found.add(re.sub(r'\d+', '#', text))
    return found


def check(tap, folder, contests, level):
    rows, named = [], []
    for number in range(contests):
        out, sheets = contest(folder, number)
        rows += [(left, marks(text, name)) for left, text, name in meetings(out)]
        texts = [sheets] + [text for _, text in tickets(out + '/judges-room')]
        named += [found.group() for found in map(NAMES.search, texts) if found]
    tap.result(not named, f"tickets: no judge's ticket or sheet names an entity, {contests} contests",
               ' '.join(named))
    human = [found for left, found in rows if left]
    other = [found for left, found in rows if not left]
    tests = [(tells.exact(sum(mark in found for found in human), len(human),
                          sum(mark in found for found in other), len(other)), mark)
             for mark in set().union(*human, *other)]
    tap.result(len(human) > 0 and len(other) > 0 and not tells.holm(tests, level),
               f"tickets: nothing in {len(rows)} judges' tickets goes with who is human",
               '\n'.join(tells.holm(tests, level)) or f'{len(human)} of {len(rows)} are human')
    planted = [(left, found | ({'planted'} if left else set())) for left, found in rows]
    p = tells.exact(sum('planted' in found for left, found in planted if left), len(human),
                    sum('planted' in found for left, found in planted if not left), len(other))
    tap.result(p <= level / (len(tests) + 1), 'tickets: a mark on those of one kind is found', str(p))
