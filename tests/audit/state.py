"""The rounds of an audit on disk, so that one that was ended goes on where it was. A round in which a
source was stuck is kept as such, and played again."""
import hashlib
import json
import os
import threading

from booth import BUILD

HERE = os.path.dirname(os.path.realpath(__file__))


def audited():
    """A digest of the programs and of the audit's own sources: rounds of others say nothing."""
    digest = hashlib.sha256()
    files = [os.path.join(folder, name) for folder in (BUILD, BUILD + '/sim', BUILD + '/tests/audit', HERE)
             for name in sorted(os.listdir(folder))]
    for path in files:
        if os.path.isfile(path) and (folder_of_sources(path) or os.access(path, os.X_OK)):
            with open(path, 'rb') as file:
                digest.update(path.encode() + hashlib.sha256(file.read()).digest())
    return digest.hexdigest()


def folder_of_sources(path):
    return path.startswith(HERE + '/')


class State:
    """Lines of JSON: the digest of what is audited, and then one for each round that counts. A line
    that a kill has cut is none."""

    def __init__(self, path):
        """path: None keeps nothing."""
        self.path, self.found, self.of = path, 0, {}
        self.file, self.lock = None, threading.Lock()
        if not path:
            return
        os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
        head = audited()
        lines = self.read()
        if not lines or lines[0] != head:
            lines = []
        lines = [line for line in lines if line == head or not line[1][1]]
        for name, found in lines[1:]:
            self.of.setdefault(name, []).append(found)
            self.found += 1
        with open(path + '~', 'w', encoding='utf-8') as file:  # without a cut line
            file.writelines(json.dumps(line) + '\n' for line in lines or [head])
        os.replace(path + '~', path)
        self.file = open(path, 'a', encoding='utf-8')  # pylint: disable=consider-using-with

    def read(self):
        lines = []
        try:
            with open(self.path, encoding='utf-8') as file:
                for line in file:
                    lines.append(json.loads(line))
        except (FileNotFoundError, ValueError):
            pass
        return lines

    def rounds(self, name):
        return self.of.get(name, ())

    def keep(self, name, found):
        """found: (was a browser in it, what was stuck, what was found by source)."""
        with self.lock:
            if self.file:
                self.file.write(json.dumps([name, found]) + '\n')
                self.file.flush()

    def close(self):
        with self.lock:
            if self.file:
                self.file.close()
            self.file = None

    def end(self, stuck):
        """All was played and judged: the next audit begins anew. Rounds that were stuck: it plays those."""
        if not self.file:
            return
        self.close()
        if stuck:
            print('# the next audit plays the rounds again that were stuck', flush=True)
        else:
            os.replace(self.path, self.path + '.done')
