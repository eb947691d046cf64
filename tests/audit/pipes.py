"""What a listener on a hub hears of `boothlink line`, over which a communications program of the
entrants' own speaks (2004 A6): the frames, whose length and time must not tell who feeds it."""
import os
import random
import shutil
import subprocess
import time

import tells
from booth import BOOTHLINK, BUILD, ENTITY, TYPIST, Session, Stuck, wait_for
from situations import SAID, Situation, line

KEYS, BLOCKS = 60, 4
# How the communications program is fed: by a person at its terminal, by an Entry through a pipe, or
# by an Entry that has it built in.
SOURCES = ('keyboard', 'keyboard again', 'pipe', 'itself')


class Typed(Situation):
    """The entity's keys alone."""

    def write(self, rng):
        for _ in range(BLOCKS):
            self.entity.add(line(rng, SAID, KEYS))

    def lead(self, session):
        raise NotImplementedError

    find = lead


class Pipe(Session):
    """The two ends of a `boothlink line` on a hub, with who types at one of them."""

    def __init__(self, folder, source, key, seed):
        script = Typed(random.Random(seed))
        self.fed, self.entity_keys = source, script.entity.blocks
        self.seated = source.startswith('keyboard')
        super().__init__(folder, 'keyboard' if self.seated else 'LPP outside', 'hub', script, key)

    def begin(self):
        f = self.folder
        self.open_medium()
        self.start(self.at('listener', [BUILD + '/tests/audit/listener', f + '/heard']))
        for end in ('judge', 'entity'):
            self.start(self.at(end, [BOOTHLINK, 'line', '--line', *self.port(''), '--link',
                                     f'{f}/{end}.pty']), stdout=subprocess.DEVNULL)
        for end in ('judge', 'entity'):
            wait_for(f'{f}: the pty', lambda path=f'{f}/{end}.pty': os.path.exists(path))
        self.start(['sh', '-c', 'exec cat judge.pty >read'])
        if self.seated:
            self.start(self.entity.command(TYPIST, 'seat', 'sh', '-c',
                                           'stty raw -echo; exec cat >entity.pty'))
        else:
            types = 'sleep 600 | ' + ' '.join(self.entity.command(TYPIST, 'output'))
            self.start(['sh', '-c', types + {'pipe': ' | cat >entity.pty',
                                             'itself': ' >entity.pty'}[self.fed]])
        wait_for(f'{f}: the line', lambda: 'is up' in self.errors())

    def read(self):
        try:
            return os.path.getsize(self.folder + '/read')
        except OSError:
            return 0

    def lead(self):
        """{measure: a unit for each block}"""
        found = {'frames': [], 'gaps': []}
        for block in range(BLOCKS):
            began = time.time() * 1e6
            self.entity.go()
            self.entity.wait()
            size = sum(len(key.replace('\b', '\x7f').encode())
                       for keys in self.entity_keys[:block + 1] for _, key in keys)
            wait_for(f'{self.folder}: {size} bytes', lambda want=size: self.read() >= want)
            sent = [(at, length) for at, sender, length in self.heard()
                    if sender == ENTITY and at >= began]
            found['frames'].append([float(length) for _, length in sent])
            found['gaps'].append([b - a for (a, _), (b, _) in zip(sent, sent[1:])])
        return found


def play(work, number, source, seed):
    folder = f'{work}/line.{number}.{source}'.replace(' ', '-')
    pipe = Pipe(folder, source, work + '/line.key', seed)
    try:
        pipe.begin()
        return pipe.lead()
    except Stuck as why:
        raise Stuck(f'{why}: {pipe.errors()}') from why
    finally:
        pipe.close()
        shutil.rmtree(folder, ignore_errors=True)


def check(tap, work, rounds, level, rng, pool):
    """Adds to the audit what is heard of a line."""
    found = {source: [] for source in SOURCES}
    for number in range(rounds):
        seed = rng.random()
        futures = {source: pool.submit(play, work, number, source, seed)
                   for source in rng.permutation(SOURCES)}
        for source, future in futures.items():
            found[source].append(future.result())
    tests = []
    for source in SOURCES[1:]:
        for measure in ('frames', 'gaps'):
            ours, theirs = ([unit for values in found[who] for unit in values[measure]]
                            for who in (source, 'keyboard'))
            p = tells.paired(ours, theirs, rng)
            tests.append((p, f'{source}, {measure}: AUC {tells.area(ours, theirs):.3f}, p {p:.2g}'))
    for _, words in sorted(tests):
        print(f'# line, hub, {words}')
    rejected = tells.holm(tests, level)
    keys = rounds * BLOCKS * KEYS
    tap.result(not rejected, f'line, hub: no frame of {keys} keys tells who feeds the program',
               '\n'.join(rejected))
