#!/usr/bin/python3
"""What one desk costs under the load of 1,000 booths: their judges' journals, of two lines with five keys a
second each, a piece a second, over 250 connections of 99 booths' places, for that is as many as a contest can
name. The desk with its nats-server has one core. In the same run the same load goes to a bare TCP log with the
same syncing. Prints a row for each figure. Exits with 1 where a copy differs or the memory's bound is missed; with
--strict also for the bounds of time, which a busy machine misses.

scale.py --build DIR [--booths N] [--seconds N] [--strict]"""

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "rehearsal"))
from page import Line  # noqa: E402

PLACES = 250
MOST_P99_S, MOST_MIB, MOST_CORE = 2.0, 200, 1.0
TICK = os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def processor_s(pids):
    """Of processes that run, and their children's that have ended."""
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            total += sum(map(int, file.read().rpartition(")")[2].split()[11:15]))
    return total / TICK


def peak_mib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return int(re.search(r"VmHWM:\s*(\d+)", file.read())[1]) / 1024


class Here:
    """The desk's page is on this machine."""

    def __init__(self, work):
        self.work, self.network = work, self

    @staticmethod
    def connect(_, port):
        return socket.create_connection(("127.0.0.1", port), 10)


class Scale:
    def __init__(self, options, work):
        self.options, self.work = options, work
        self.build = os.path.abspath(options.build)
        self.files = options.booths // PLACES
        self.path = lambda name: os.path.join(work, name)
        self.running = []
        self.seen = []  # (when, place, session, keys) of the page

    def run(self, *words, cores=None):
        return subprocess.run([*(["taskset", "-c", cores] if cores else []), *words], cwd=self.work, check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def start(self, *words):
        with open(self.path("log"), "ab") as log:
            process = subprocess.Popen(["taskset", "-c", "0", *words], cwd=self.work, stderr=log)
        self.running.append(process)
        return process.pid

    def tool(self, name):
        return os.path.join(self.build, name)

    def set_up(self):
        self.run(self.tool("boothlink"), "contest", "template", "--ruleset", "loebner-2009", "--booths", "4")
        with open(self.path("people.ini"), encoding="utf-8") as file:
            text = re.sub(r"(?m)^name =$", "name = Scale", file.read())
        text = re.sub(r"(?m)^(\w+\.(?:rights|receipt|unknown)) =$", r"\1 = yes", text)
        text = re.sub(r"(?m)^(\w+\.age) =$", r"\1 = adult", text)
        text = re.sub(r"(?m)^(\w+\.(?:submitter|comms)) =$", r"\1 = Of \1", text)
        text = re.sub(r"(?m)^((?:judge|entry|confederate)\d+) =$", r"\1 = The \1", text)
        with open(self.path("people.ini"), "w", encoding="utf-8") as file:
            file.write(text)
        self.run(self.tool("boothlink"), "contest", "setup", "--unsigned", "people.ini", "venue.ini")
        names = [f"booth-{booth}-{what}" for what in ("judge", "cable-a", "cable-b") for booth in range(1, 100)]
        for name in names[:PLACES]:
            self.run(self.tool("boothlink-desk"), "--keys", "places", "--make-key", name)

    def wait_for(self, word):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with open(self.path("log"), encoding="utf-8") as file:
                if word in file.read():
                    return
            time.sleep(0.05)
        raise SystemExit(f"scale: not within 60 s: {word}")

    def watch(self):
        """The manager's page: how many keys each tile has."""
        line = Line(Here(self.work))
        try:
            while True:
                text, now = line.read(), time.time()
                for tile in json.loads(text)["tiles"]:
                    if "session" in tile:
                        self.seen.append((now, f"booth-{tile['booth']}-judge", tile["session"],
                                          sum(side["judge"] + side["entity"] for side in tile["sides"])))
        except (OSError, ValueError):
            pass

    def page_p99_s(self):
        """From the key to the page, of all keys of judges' journals that were seen on a tile."""
        typed, count, late = {}, {}, []
        with open(self.path("times"), encoding="ascii") as file:
            for row in file:
                place, session, *times = row.split()
                typed[place, session] = [int(at) / 1e6 for at in times]
        for now, place, session, keys in self.seen:
            before = count.get((place, session), 0)
            late += [now - at for at in typed[place, session][before:keys]]
            count[place, session] = max(before, keys)
        late.sort()
        return late[len(late) // 2], late[len(late) * 99 // 100], len(late)

    def crowd(self, url, folder):
        return json.loads(self.run(self.tool("tests/scale/crowd"), url, "places", folder, str(self.files),
                                   str(self.options.seconds), "times", cores="1" if os.cpu_count() > 1 else "0"))

    def stop(self):
        for process in self.running:
            process.terminate()
        for process in self.running:
            process.wait(20)
        self.running.clear()

    def desk(self):
        port = free_port()
        desk = self.start(self.tool("boothlink-desk"), "--folder", "contest.db.inbox", "--keys", "places", "--listen",
                          f"127.0.0.1:{port}", "--contest", "contest.db", "--boothlink", self.tool("boothlink"))
        self.wait_for("open for the places")
        with open(f"/proc/{desk}/task/{desk}/children", encoding="ascii") as file:
            server = int(file.read().split()[0])
        page = threading.Thread(target=self.watch)
        page.start()
        before = processor_s([desk, server])
        done = self.crowd(f"nats://127.0.0.1:{port}", "contest.db.inbox")
        time.sleep(2)  # the page's last look
        done["processor_s"] = processor_s([desk, server]) - before
        done["desk_mib"], done["server_mib"] = peak_mib(desk), peak_mib(server)
        self.stop()
        page.join()
        done["page_p50_s"], done["page_p99_s"], done["page_keys"] = self.page_p99_s()
        return done

    def bare(self):
        port = free_port()
        os.mkdir(self.path("bare"))
        log = self.start(self.tool("tests/scale/bare"), str(port), "bare")
        time.sleep(0.5)
        before = processor_s([log])
        done = self.crowd(f"tcp://127.0.0.1:{port}", "bare")
        done["processor_s"] = processor_s([log]) - before
        self.stop()
        return done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--booths", type=int, default=1000)
    parser.add_argument("--seconds", type=int, default=15)
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args()
    work = tempfile.mkdtemp(prefix="scale.")
    scale = Scale(options, work)
    try:
        scale.set_up()
        desk, bare = scale.desk(), scale.bare()
    finally:
        scale.stop()
        shutil.rmtree(work)
    core = desk["processor_s"] / options.seconds
    print(f"{desk['journals']} journals over {desk['connections']} connections, {options.seconds} s: {desk['keys']} keys in "
          f"{desk['messages']} pieces")
    print(f"copies equal: {desk['equal']} of {desk['journals']}; of the bare log {bare['equal']} of {bare['journals']}")
    print(f"from key to the manager's page: p50 {desk['page_p50_s']:.2f} s, p99 {desk['page_p99_s']:.2f} s (most {MOST_P99_S} s), "
          f"of {desk['page_keys']} keys")
    for share in ("p50", "p99"):
        ours, theirs = (done[f"answered_{share}_ms"] for done in (desk, bare))
        print(f"from key to the answer, of which the grid is up to 1 s: {share} {ours} ms; of the bare log {theirs} ms, "
              f"ratio {ours / theirs:.2f}")
    print(f"memory: desk {desk['desk_mib']:.0f} MiB, nats-server {desk['server_mib']:.0f} MiB (most {MOST_MIB} MiB together)")
    print(f"processor: {100 * core:.0f} % of a core; the bare log {100 * bare['processor_s'] / options.seconds:.0f} %, ratio "
          f"{desk['processor_s'] / bare['processor_s']:.1f}")
    soon = desk["page_p99_s"] < MOST_P99_S and core < MOST_CORE
    good = desk["equal"] == desk["journals"] and bare["equal"] == bare["journals"] and desk["page_keys"] and \
        desk["desk_mib"] + desk["server_mib"] < MOST_MIB
    print(f"bounds of time: {'kept' if soon else 'missed'}")
    return 0 if good and (soon or not options.strict) else 1


sys.exit(main())
