#!/usr/bin/python3
"""The manager's page of the desk of WORK/contest.db, open until this ends: WORK/page has what the page names
now, a line each, with what to do; WORK/booths how many judges' machines have been heard, "3 of 4"."""

import os
import socket
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "rehearsal"))
from page import Line


class Desk:
    def __init__(self, work):
        self.work, self.network = work, self

    def connect(self, _, port):
        return socket.create_connection(("127.0.0.1", port), 10)


def lines(state):
    yield from [state["server"]] if state.get("server") else []
    for tile in state["tiles"]:
        for alarm in tile["alarms"]:
            yield f"{tile['booth']}: {alarm['text']} {alarm['todo']}"


def write(path, text):
    with open(f"{path}.part", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(f"{path}.part", path)


def heard(state):
    judges = [machine for tile in state["tiles"] for machine in tile["machines"] if "judge" in machine["name"]]
    return f"{sum('heard' in machine for machine in judges)} of {len(judges)}\n"


def main():
    work, last = sys.argv[1], None
    while True:
        try:
            line = Line(Desk(work))
            while True:
                state = line.state()
                told = "".join(f"{row}\n" for row in lines(state)), heard(state)
                if told != last:
                    write(f"{work}/page", told[0])
                    write(f"{work}/booths", told[1])
                last = told
        except (OSError, ValueError, AttributeError):
            last = None
            write(f"{work}/page", "The desk does not answer.\n")
            time.sleep(0.1)


main()
