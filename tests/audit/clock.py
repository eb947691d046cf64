#!/usr/bin/python3
"""Does things at their moments, for the audit of blindness: it gives way to all that it audits, so it
would come to them late, and a key more or less would have gone. Run as a program it is that clock: each
line on its input is [NUMBER, STEPS], and when all steps are done it prints [NUMBER, TIMES]."""
import concurrent.futures
import heapq
import itertools
import json
import os
import selectors
import subprocess
import sys
import threading
import time

from processor import ordinary

LATE_S = 1.0


class Late(Exception):
    """The audit did something so late that it was another thing, whoever typed."""


class Clock:
    """One for all sessions."""

    def __init__(self):
        self.process = subprocess.Popen(ordinary([sys.executable, os.path.realpath(__file__)]),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding='ascii',
                                        start_new_session=True)
        self.lock, self.numbers, self.asked = threading.Lock(), itertools.count(), {}
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            number, found = json.loads(line)
            if isinstance(found, str):
                self.asked.pop(number).set_exception(OSError(found))
            else:
                self.asked.pop(number).set_result(found)

    def do(self, *steps):
        """Each step is (pause, 'go', FIFO), (pause, 'kill', PID) or (pause, 'run', COMMAND): due so many
        seconds after the one before was, the first after now; what follows a command, after its end.
        Gives what `done` takes."""
        future = concurrent.futures.Future()
        with self.lock:
            number = next(self.numbers)
            self.asked[number] = future
            self.process.stdin.write(json.dumps([number, steps]) + '\n')
            self.process.stdin.flush()
        return future

    def close(self):
        self.process.kill()
        self.process.wait()


def done(future, patience):
    """When each step was done, us since 1970."""
    times = future.result(patience)
    if any(late > LATE_S for _, late in times):
        raise Late
    return [us for us, _ in times]


def do(what, argument):
    if what == 'go':
        fifo = os.open(argument, os.O_WRONLY | os.O_NONBLOCK)
        os.write(fifo, b'g')
        os.close(fifo)
    elif what == 'kill':
        os.kill(argument, 9)
    else:
        subprocess.run(argument, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def main():
    """[moment, number, steps to come, times] each; of what failed the reason is printed for its times."""
    coming = []
    chosen = selectors.DefaultSelector()
    chosen.register(sys.stdin.buffer.raw, selectors.EVENT_READ)
    said = b''
    while True:
        wait = max(0.0, coming[0][0] - time.monotonic()) if coming else None
        if chosen.select(wait):
            data = os.read(0, 65536)
            if not data:
                return
            *lines, said = (said + data).split(b'\n')
            for line in lines:
                number, steps = json.loads(line)
                heapq.heappush(coming, [time.monotonic() + steps[0][0], number, steps, []])
        while coming and coming[0][0] <= time.monotonic():
            moment, number, steps, times = heapq.heappop(coming)
            late = time.monotonic() - moment
            try:
                do(*steps[0][1:])
            except (OSError, subprocess.CalledProcessError) as why:
                print(json.dumps([number, str(why)]), flush=True)
                continue
            times.append([int(time.time() * 1e6), late])
            if len(steps) > 1:
                before = time.monotonic() if steps[0][1] == 'run' else moment
                heapq.heappush(coming, [before + steps[1][0], number, steps[1:], times])
            else:
                print(json.dumps([number, times]), flush=True)


if __name__ == '__main__':
    main()
