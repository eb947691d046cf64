"""A judge and an entity on a simulated line, for the audit of blindness: who types is one of the
sources, and everything else is the same."""
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time

from chromium import Chromium
from clock import Clock, done
from processor import OTHER_MACHINE, REAL_TIME, ordinary

BUILD = os.path.realpath(os.environ.get('BUILD', 'build'))
BOOTHLINK = BUILD + '/boothlink'
LISTENER = BUILD + '/tests/audit/listener'
SIM = BUILD + '/sim/'
TYPIST = BUILD + '/tests/audit/typist'
ANSWERING = os.path.dirname(os.path.realpath(__file__)) + '/answering.py'
CHROMIUM = os.path.dirname(os.path.realpath(__file__)) + '/chromium.py'
PATIENCE = 60  # seconds, for what must happen on a machine that has more to do

# Who types: the options of his terminal, and how typist(1) types there: at the seat, as an Entry in the
# day's sandbox, by a folder that anybody may fill, or chromium.py at a page in a browser, or how
# answering.py gives whole lines.
SOURCES = {
    'keyboard': (('--keyboard',), 'seat'),
    'keyboard again': (('--keyboard',), 'seat'),
    'browser keyboard': (('--keyboard',), 'browser'),
    'pty': (('--program-io', 'pty'), 'output'),
    'pipe': (('--program-io', 'pipe'), 'output'),
    'LPP': (('--lpp', 'lpp'), 'folder'),
    'LPP outside': (('--lpp', 'lpp'), None),
    'LPP v2': ((), 'lpp2'),
    'chat': ((), 'chat'),
    'form': ((), 'web'),
}
OF_LINES = ('LPP v2', 'chat', 'form')  # for situations in which everybody's keys go as whole lines
PERSONA = '---\ngap: 0\nstream: no\ntransliterate: no\n---\nYou are Ann.\n'
MEDIA = ('serial', 'hub')
JUDGE, ENTITY = 0, 1  # the last bytes of their addresses on a hub


class Stuck(Exception):
    """Something that had to happen did not."""


# In a program that was built with ASan the shim comes before ASan's library: harmless.
os.environ['ASAN_OPTIONS'] = ':'.join(
    ['verify_asan_link_order=0'] + os.environ.get('ASAN_OPTIONS', '').split(':'))


def wait_for(what, condition):
    """Looks ever more seldom: fifty sessions wait at the same time."""
    until, pause = time.monotonic() + PATIENCE, 0.02
    while not (found := condition()):
        if time.monotonic() > until:
            raise Stuck(what)
        time.sleep(pause)
        pause = min(pause * 1.3, 0.2)
    return found


def end_all(folder):
    """Ends what runs in sessions below this folder: an Entry outlives its terminal."""
    for entry in os.listdir('/proc'):
        try:
            if entry.isdigit() and (os.readlink(f'/proc/{entry}/cwd') + '/').startswith(folder + '/'):
                os.kill(int(entry), 9)
        except OSError:
            pass


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def free_port():
    with socket.create_server(('127.0.0.1', 0)) as listening:
        return str(listening.getsockname()[1])


def why_no_hub():
    """'' where network namespaces can be made."""
    with subprocess.Popen([SIM + 'hub', '--port', 'a', '--with-stdin'], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as hub:
        ready = hub.stdout.readline().strip() == b'ready'
        hub.stdin.close()
        return '' if ready else hub.stderr.read().decode().replace('hub: ', '').strip()


class Script:
    """What a typist types: blocks of (gap in us, key), each begun by one `go`."""

    def __init__(self, blocks=()):
        self.blocks = list(blocks)

    def add(self, keys):
        self.blocks.append(list(keys))

    def keys(self):
        return sum(len(block) for block in self.blocks)

    def write(self, path, program):
        """Return and BackSpace are other bytes on a keyboard than in what a program writes."""
        said = {'\r': b'\n'} if program else {'\b': b'\x7f'}
        with open(path, 'w', encoding='ascii') as out:
            for block in self.blocks:
                out.write('go\n')
                for gap, key in block:
                    data = key if isinstance(key, bytes) else b''.join(
                        said.get(c, c.encode()) for c in key)
                    out.write(f'{gap} {data.hex()}\n')


class Typist:
    """Where one's script, its log and its FIFO lie: in the session's folder, or, `boxed`, in the copy
    of a folder that an Entry has in its sandbox, which is reached by that process."""

    def __init__(self, folder, name, script, program, boxed=False):
        self.boxed, self.pid_boxed, self.pipe, self.kept = boxed, None, None, None
        self.name = '.'.join(folder.split('/')[-2:] + [name])  # no other process is called so
        self.folder = folder + '/entry' if boxed else folder
        script.write(f'{self.folder}/{self.name}.script', program)
        self.rounds = 0

    def command(self, typist, way, *rest):
        return [typist, way, *(f'{self.name}.{x}' for x in ('script', 'log', 'go')), *rest]

    def path(self, extension):
        return f'{self.place()}/{self.name}.{extension}'

    def place(self):
        if not self.boxed:
            return self.folder
        if not self.pid_boxed:
            mine = f'\0{self.name}.log\0'.encode()
            for entry in filter(str.isdigit, os.listdir('/proc')):
                try:
                    with open(f'/proc/{entry}/cmdline', 'rb') as cmdline:
                        said = cmdline.read()
                except OSError:
                    continue
                if said.startswith(b'./typist\0') and mine in said:
                    self.pid_boxed = entry
        return f'/proc/{self.pid_boxed}/cwd'

    def write(self, what):
        if self.pipe is None:
            self.pipe = os.open(self.path('go'), os.O_RDWR | os.O_NONBLOCK)
        os.write(self.pipe, what)

    def lines(self):
        if self.kept is not None:
            return self.kept
        try:
            with open(self.path('log'), encoding='ascii') as log:
                return log.read().splitlines()
        except OSError:
            return []

    def keep(self):
        """The log of an Entry goes with its sandbox."""
        self.kept = self.lines() if self.boxed else None

    def close(self):
        if self.pipe is not None:
            os.close(self.pipe)

    def waits(self):
        """How often it has come to a `go`, or to the end."""
        return sum(line in ('waits', 'end') for line in self.lines())

    def go(self):
        """Begins the next block."""
        self.rounds += 1
        wait_for(f'{self.name}: the typist', lambda: self.waits() >= self.rounds)
        self.write(b'g')

    def to_go(self):
        """A step of the clock's, which begins the next block; as soon as the one before is typed."""
        self.rounds += 1
        return 'go', self.path('go')

    def done(self):
        return self.waits() > self.rounds

    def wait(self):
        wait_for(f'{self.name}: the block typed', self.done)

    def typed(self):
        return [int(line) for line in self.lines() if line.isdigit()]

    def pid(self):
        """Of what runs at the seat now."""
        pids = [line[4:] for line in self.lines() if line.startswith('pid ')]
        return int(pids[-1]) if pids else 0

    def draw(self):
        """The cells of the seat's screen."""
        self.write(b'p')
        path = self.path('log.cells')
        wait_for(path, lambda: os.path.exists(path))
        with open(path, encoding='utf-8') as cells:
            return cells.read()

    def rows(self):
        """Each text that a row of the seat's screen ever had."""
        try:
            with open(self.path('log.rows'), encoding='utf-8') as rows:
                return rows.read().splitlines()
        except FileNotFoundError:
            return []

    def shows(self, text):
        return any(text in row for row in self.rows())


class Browser(Typist):
    """At a page; the terminal that serves it runs at a seat where nothing is typed."""
    lock, chromium = threading.Lock(), None  # one for all sessions

    def __init__(self, folder, name, script, keys):
        """keys: how many of the script are the entity's."""
        super().__init__(folder, name, script, False)
        self.keys = keys
        self.terminal = Typist(folder, 'terminal', Script(), False)

    def command_page(self):
        with self.lock:
            if not Browser.chromium:
                Browser.chromium = Chromium()
        return self.command(CHROMIUM, 'type', self.chromium.endpoint, 'entity/entity.url')

    def times(self, read):
        """[[us from a `go` to a key]] of each block: when the terminal `read` it, or, where that is
        not known of each key, when the page gave it out. The attendant's, which come last, are no
        keys of the line."""
        goes, typed = [], []
        for line in self.lines():
            if line.startswith('go '):
                goes.append(int(line[3:]))
                typed.append([])
            elif line.isdigit():
                typed[-1].append(int(line))
        given = sum(typed, [])
        if len(read) == self.keys:
            given = read + given[self.keys:]
        given = iter(given)
        return [[next(given) - go for _ in block] for go, block in zip(goes, typed)]

    def found(self):
        """us, each time that the page found a terminal."""
        return [int(line[6:]) for line in self.lines() if line.startswith('found ')]

    def pid(self):
        return self.terminal.pid()

    def close(self):
        super().close()
        self.terminal.close()

    @classmethod
    def close_chromium(cls):
        if cls.chromium:
            cls.chromium.close()


class Session:
    """One session of one source on one medium, from its cable to its record."""
    lock, clock = threading.Lock(), None  # one for all sessions

    def __init__(self, folder, source, medium, situation, key):
        """situation: see situations.py. What the attendant presses is typed at the entity's
        keyboard, whoever else types there."""
        self.folder, self.source, self.medium, self.key = folder, source, medium, key
        self.processes, self.marks, self.known = [], [], {}
        os.makedirs(folder)
        what, self.way = SOURCES[source]
        entity, attendant = situation.entity, situation.attendant
        at_keyboard = self.way in ('seat', 'browser')
        if at_keyboard:
            entity = Script(entity.blocks + attendant.blocks)
        else:
            os.makedirs(folder + '/entry/lpp')
            shutil.copy(TYPIST, folder + '/entry/typist')
        self.judge = Typist(folder, 'judge', situation.judge, False)
        self.entity = (Browser(folder, 'entity', entity, situation.entity.keys()) if self.way == 'browser' else
                       Typist(folder, 'entity', entity, not at_keyboard,
                              self.way in ('output', 'folder')))
        self.seat = self.entity if at_keyboard else Typist(folder, 'seat', attendant, False)
        self.options = situation.options
        self.entity_options = [*what, *situation.entity_options,
                               *situation.source_options.get(source, ())]

    # What runs.

    def start(self, command, **how):
        process = subprocess.Popen(ordinary(command), cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stderr=open(self.folder + '/errors', 'ab'), **how)
        self.processes.append(process)
        return process

    def open_medium(self):
        f = self.folder
        if self.medium == 'serial':
            command = [SIM + 'nullmodem', '--a', f + '/a', '--b', f + '/b', '--shm', f + '/shm']
        else:
            command = [SIM + 'hub', '--port', 'judge', '--port', 'entity', '--port', 'listener']
        self.cable = self.start(command + ['--control', f + '/control'], stdout=subprocess.PIPE)
        if self.cable.stdout.readline().strip() != b'ready':
            raise Stuck(f'{self.medium}: {self.errors()}')
        # A cable and a hub wait for no processor. Beside an Entry that is given its key just when the
        # acknowledgement has left, these would: that told of every program (AUC 0.57).
        if REAL_TIME:
            os.sched_setscheduler(self.cable.pid, os.SCHED_FIFO, os.sched_param(50))

    def at(self, end, command):
        """The command as it runs at this end of the line: a terminal as its unit of systemd has it. The
        judge's and who listens are on other machines than the entity's, so they wait for none of it."""
        if command[0] in (BOOTHLINK, LISTENER):
            command = [*(REAL_TIME if end == 'entity' else OTHER_MACHINE), *command]
        if self.medium == 'serial':
            return ['env', f'BOOTHLINK_SIM={self.folder}/shm', f'LD_PRELOAD={SIM}shim.so', *command]
        return [SIM + 'hub', '--control', self.folder + '/control', '--enter', end, *command]

    def port(self, device):
        if self.medium == 'serial':
            return [f'serial:{self.folder}/{device}']
        return ['ether:eth0/left', '--key', self.key]

    def begin(self):
        f = self.folder
        self.open_medium()
        if self.medium == 'hub':
            self.start(self.at('listener', [LISTENER, f + '/heard']))
        self.start_judge()
        # Which of the two is there first decides how often one greets the other; an Entry's terminal
        # takes longer to start, which nobody sees who does not stand beside it.
        wait_for('the judge to wait', lambda: self.judge.shows('waiting for the other terminal'))
        what = []
        if self.way in ('output', 'folder'):
            rest = ['lpp'] if self.way == 'folder' else []
            what = ['--folder', f + '/entry', '--program',
                    'exec ' + ' '.join(self.entity.command('./typist', self.way, *rest))]
        elif self.way is None:
            os.mkdir(f + '/lpp')
            self.start(self.entity.command(TYPIST, 'folder', 'lpp'))
        elif self.way == 'browser':
            what = ['--screen', 'web' + self.forward()]
        elif self.way in ('lpp2', 'chat', 'web'):
            what = self.answering()
        end = self.at('entity', [BOOTHLINK, 'entity', '--line', *self.port('b'), '--session', 'audit',
                                 '--journal', f + '/entity', *self.entity_options, *what])
        if self.way == 'browser':
            self.start(self.seat.terminal.command(TYPIST, 'seat', *end))
            self.start(self.seat.command_page())
        else:
            self.start(self.seat.command(TYPIST, 'seat', *end))
        wait_for(f'{f}: the line', lambda: self.judge.shows('  connected'))  # and not "being connected"

    def answering(self):
        """Starts the Entry; the options of the terminal for it."""
        where = self.folder + '/chat' if self.way == 'chat' else free_port()
        with open(self.folder + '/persona', 'w', encoding='ascii') as persona:
            persona.write(PERSONA)
        self.start(self.at('entity', self.entity.command(ANSWERING, self.way, where)))
        if self.way == 'chat':
            wait_for(f'{where}: the server', lambda: os.path.exists(where))
        return {'lpp2': ['--lpp2', where],
                'chat': ['--chat', 'unix:' + where, '--persona', self.folder + '/persona'],
                'web': ['--web', f'http://127.0.0.1:{where}/', '--form-delay', '100']}[self.way]

    def forward(self):
        """A browser has its page in another network namespace than the hub's: ":PORT" for the page."""
        if self.medium == 'serial':
            return ''
        with socket.create_server(('127.0.0.1', 0)) as listening:
            port = listening.getsockname()[1]
            forwarder = self.start(
                self.at('entity', [sys.executable, CHROMIUM, 'forward', str(listening.fileno()),
                                   str(port)]),
                stdout=subprocess.PIPE, pass_fds=[listening.fileno()])
        if forwarder.stdout.readline().strip() != b'ready':
            raise Stuck(f'the way to the page: {self.errors()}')
        return f':{port}'

    def start_judge(self):
        f = self.folder
        end = self.at('judge', [BOOTHLINK, 'judge', '--left', *self.port('a'), '--session', 'audit',
                                '--journal', f + '/judge', '--trace', f + '/trace', *self.options])
        self.start(self.judge.command(TYPIST, 'seat', *end))

    def errors(self):
        with open(self.folder + '/errors', encoding='utf-8', errors='replace') as errors:
            return errors.read().strip()

    def to_tell(self, *words):
        """A step of the clock's: the cable or the hub is told so."""
        tool = SIM + ('nullmodem' if self.medium == 'serial' else 'hub')
        return 'run', [tool, '--control', self.folder + '/control', '--send', ' '.join(words)]

    @classmethod
    def do(cls, *steps):
        """See Clock; `done` waits for it."""
        with cls.lock:
            if not cls.clock:
                cls.clock = Clock()
        return cls.clock.do(*steps)

    @staticmethod
    def done(future):
        return done(future, 2 * PATIENCE)

    @classmethod
    def close_clock(cls):
        if cls.clock:
            cls.clock.close()

    def end(self):
        """Takes what stands on the judge's screen, and ends both, the judge first."""
        self.cells = self.judge.draw()
        self.entity.keep()
        for typist in (self.judge, self.seat):
            self.stop(typist.pid())
        self.rows = self.judge.rows()

    def stop(self, pid):
        try:
            os.kill(pid, 15)
        except ProcessLookupError:
            return
        wait_for(f'{self.folder}: the end of process {pid}',
                 lambda: not os.path.exists(f'/proc/{pid}'))

    def close(self):
        for pid in (self.judge.pid(), self.seat.pid()):
            if pid and os.path.exists(f'/proc/{pid}'):
                os.kill(pid, 15)
        for process in reversed(self.processes):
            process.kill()
            process.wait()
        for typist in {self.judge, self.entity, self.seat}:
            typist.close()
        end_all(self.folder)

    # What it left.

    def journal(self, end='judge'):
        return f'{self.folder}/{end}/audit-{end}.journal'

    def entries(self, end='judge'):
        """What has not grown since it was read is not read again."""
        journal = self.journal(end)
        size = os.path.getsize(journal) if os.path.exists(journal) else 0
        if self.known.get(end, (None,))[0] != size:
            shown = run(BOOTHLINK, 'journal', 'show', '--json', journal)
            self.known[end] = size, [json.loads(line) for line in shown.stdout.splitlines()]
        return self.known[end][1]

    def placed(self, party='entity'):
        """(us, key) of each that has its place, at the judge's end."""
        return [(entry['time_us'], key) for entry in self.entries()
                if entry['kind'] == 'keys' and entry['party'] == party for key in entry['text']]

    def pressed(self):
        """us, of each key of the entity, when its terminal read it."""
        return [entry['time_us'] for entry in self.entries('entity') if entry['kind'] == 'pressed'
                for _ in entry['text']]

    def wait_entries(self, what, condition):
        """Looks into the judge's record when that stands still: a process for each look of thirty
        sessions takes a whole processor, and keyboards are what waits for it."""
        size = -1

        def found():
            nonlocal size
            before, size = size, os.path.getsize(self.journal())
            return before == size and condition()
        return wait_for(f'{self.folder}: {what}', found)

    def wait_placed(self, count, party='entity'):
        self.wait_entries(f'{count} keys of the {party}', lambda: len(self.placed(party)) >= count)

    def transcript(self, form):
        """Without what is a time in it."""
        text = run(BOOTHLINK, 'transcript', 'convert', self.journal(), '--to', form).stdout.decode()
        return re.sub(r'\d{4}-\d\d-\d\d(T[\d:.]+Z)?|\d\d:\d\d(:\d\d)?|\d{14,18}', 'TIME', text)

    def frames(self, way):
        with open(self.folder + '/trace', encoding='ascii') as trace:
            return [int(line[2:]) for line in trace if line[0] == way and line.endswith('\n')]

    def heard(self):
        """(us, sender, bytes) of each frame on the hub."""
        with open(self.folder + '/heard', encoding='ascii') as heard:
            return [tuple(int(word) for word in line.split()) for line in heard
                    if line.count(' ') == 2 and line.endswith('\n')]

    def files(self):
        return sorted(os.path.relpath(os.path.join(path, name), self.folder)
                      for path, _, names in os.walk(self.folder + '/judge') for name in names)
