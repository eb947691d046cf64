"""The venue: cables and controllers, simulated; the machines; and the manager with the two sticks."""

import json
import os
import subprocess
import sys

from machine import Machine
from page import act_of

AT_TERMINAL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support",
                           "at_terminal.py")


class Failure(Exception):
    """What a rehearsal ends with when something did not hold."""


class Venue:
    def __init__(self, build, work, booths, pairs, controllers, picos):
        self.build, self.work, self.booths, self.pairs = build, work, booths, pairs
        self.boothlink = os.path.join(build, "boothlink")
        self.cables = [f"{booth}{cable}" for booth in range(1, booths + 1)
                       for cable in ("ab" if pairs else "a")]
        self.simulators = []
        self.desk = None
        self.picos = picos
        self.commands = []  # the manager's, as he typed them
        self.confirmed = set()  # judges' machines, at the page
        self.mending = []  # those of them that a day without faults does not need
        for cable in self.cables:
            self.simulate("nullmodem", "--a", f"{cable}.a", "--b", f"{cable}.b",
                          "--shm", f"{cable}.shm", "--control", f"{cable}.control")
        self.controllers = list(range(1, booths + 1)) if controllers else []
        for booth in self.controllers:
            more = ["--right", f"{booth}b.control"] if pairs else []
            program, board = ("pico", "pico") if booth <= picos else ("controller", "uno")
            self.simulate(program, "--elf",
                          os.path.join(build, f"firmware/{board}/boothlink.elf"), "--port", f"c{booth}",
                          "--shm", f"c{booth}.shm", "--control", f"c{booth}.control",
                          "--left", f"{booth}a.control", *more)
        places = ["judge", "cable-a"] + (["cable-b"] if pairs else [])
        self.machines = [Machine(self, f"booth-{booth}-{what}")
                         for booth in range(1, booths + 1) for what in places]

    def sim(self, name):
        return os.path.join(self.build, "sim", name)

    def shared_of(self, booth):
        """The simulated ports that a machine of this booth can see."""
        names = [cable for cable in self.cables if cable.startswith(str(booth))]
        names += [f"c{booth}"] if booth in self.controllers else []
        return ":".join(os.path.join(self.work, f"{name}.shm") for name in names)

    def simulate(self, program, *arguments):
        process = subprocess.Popen([self.sim(program), *arguments], cwd=self.work, text=True,
                                   stdout=subprocess.PIPE)
        if not process.stdout.readline():
            raise Failure(f"{program} does not start")
        self.simulators.append(process)

    def tell(self, program, name, *words):
        """A hand at a cable or at a controller: "unplug", "reset"."""
        subprocess.run([self.sim(program), "--control", os.path.join(self.work, f"{name}.control"),
                        "--send", " ".join(words)], check=True, capture_output=True, cwd=self.work)

    def time_lost(self):
        """Of each simulated controller, ms that it did not live since this machine had no time for it."""
        lost = {}
        for booth in self.controllers:
            told = subprocess.run([self.sim("controller"), "--control",
                                   os.path.join(self.work, f"c{booth}.control"), "--send", "status"],
                                  capture_output=True, cwd=self.work, text=True)
            if told.returncode == 0:
                lost[f"{booth} ({'Pico' if booth <= self.picos else 'Uno'})"] = json.loads(told.stdout)["lost_ms"]
        return lost

    def mend(self, *words):
        """A command that the manager types because something went wrong."""
        self.mending.append(" ".join(words))
        return self.manager(*words, counted=False)

    def manager(self, *words, counted=True, status=0, answers=None):
        """A command that the manager types; its output. status None: whatever it ends with. Not
        counted: the rehearsal itself wants to know. answers: at a terminal, "QUESTION: ANSWER"."""
        if counted:
            self.commands.append(" ".join(words))
        act = act_of(words) if self.desk else None
        if act:
            return self.click(act, status, answers or [])
        terminal = []
        if answers is not None:
            self.write("answers", "\n".join(answers) + "\n")
            terminal = [sys.executable, AT_TERMINAL, "answers"]
        done = subprocess.run([*terminal, self.boothlink, *words], cwd=self.work, text=True,
                              capture_output=True)
        if status is not None and done.returncode != status:
            raise Failure(f"boothlink {' '.join(words)}: {done.returncode}, "
                          f"{done.stderr.strip() or done.stdout.strip()}")
        return done.stdout

    def click(self, act, status, answers):
        """The same at the desk's page. What a terminal would ask is confirmed by its own act."""
        if act["verb"] == "collect":
            for place, words in (answer.split(": ", 1) for answer in answers):
                if place not in self.confirmed:
                    self.confirmed.add(place)
                    self.click({"verb": "machine", "words": [place, words], "options": {}}, 0, [])
        ended, said = self.desk.page.click(act)
        if status is not None and ended != status:
            raise Failure(f"the page: {act}: {ended}, {said}")
        if act["verb"] == "report":
            with open(os.path.join(self.work, "report.html"), encoding="utf-8") as file:
                return file.read()
        return said

    def check(self, booth):
        """`boothlink check` at a booth's machines with their first tickets; what the judge's says."""
        running = []
        for machine in self.machines:
            if machine.booth == booth:
                room = "judges-room" if machine.is_judge else "back-room"
                folder = os.path.join(self.work, "sticks", room, "boothlink", machine.place)
                ticket = os.path.join(folder, min(name for name in os.listdir(folder)
                                                  if name.endswith(".ticket")))
                words = ["check", "--ticket", ticket, "--quick", "--wait",
                         "60" if machine.is_judge else "120"]
                running.append((machine.is_judge, subprocess.Popen(
                    [self.boothlink, *words], cwd=machine.folder, env=machine.environment(),
                    text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)))
        said = next(process for is_judge, process in running if is_judge).communicate()[0]
        for is_judge, process in running:
            if not is_judge:
                process.terminate()
                process.communicate()
        return said

    def write(self, name, text):
        with open(os.path.join(self.work, name), "w") as file:
            file.write(text)

    def venue_file(self, programs):
        """What the manager writes down of how all is plugged."""
        lines = ["[venue]", "format = 1", "begin = ready", "[machines]"]
        port = lambda name: f"serial:{os.path.join(self.work, name)}"
        for cable in self.cables:
            booth, letter = cable[:-1], cable[-1]
            lines.append(f"booth{booth}.judge-{letter} = {port(cable + '.a')}")
            lines.append(f"booth{booth}.entity-{letter} = {port(cable + '.b')}")
        for booth in range(1, self.booths + 1):
            if self.pairs:
                lines.append(f"booth{booth}.either = yes")
            if booth in self.controllers:
                lines.append(f"booth{booth}.controller = {port(f'c{booth}')}")
        for number, program in enumerate(programs, 1):
            lines += [f"entry{number}.{key} = {value}" for key, value in program.items()]
        return "\n".join(lines) + "\n"

    def end(self):
        for machine in self.machines:
            machine.kill()
        if self.desk:
            self.desk.end()
        for process in reversed(self.simulators):  # controllers before their cables
            process.kill()
            process.wait()
        self.end_entries()

    def end_entries(self):
        """Entries that outlived their terminals: they know their folder."""
        for name in os.listdir("/proc"):
            try:
                inside = name.isdigit() and os.readlink(f"/proc/{name}/cwd").startswith(self.work)
                if inside and int(name) != os.getpid():
                    os.kill(int(name), 9)
            except OSError:
                pass

