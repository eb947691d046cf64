"""Who gets a processor first. In a booth little runs beside the terminal; here thirty sessions, their
audit and a browser do, and what waits for a processor then is the kernel's worker that brings the bytes
of a keyboard, and of what stands for a cable: a serial port needs none. So the audit and what keeps
processors awake are of the kind that gives way to anybody at once (SCHED_IDLE), and those workers wait
for nobody."""
import os
import subprocess
import sys
import threading

AUTOGROUP = '/proc/sys/kernel/sched_autogroup_enabled'  # between its groups nobody gives way at once
# As CPUScheduling... in host/share/systemd; none without the right to.
REAL_TIME = ['chrt', '--rr', '10']
if subprocess.run([*REAL_TIME, 'true'], stderr=subprocess.DEVNULL, check=False).returncode:
    REAL_TIME = []
OTHER_MACHINE = REAL_TIME and ['chrt', '--rr', '20']  # of what never waits for the entity's terminal
# A virtual machine's idle processor is given away and comes back some 30 us later, which told a terminal
# with a browser beside it, that keeps them busy, from one without. Those of booths sleep no such sleep.
AWAKE = 'import os\nwhile True: os.sched_yield()'


class Workers:
    """The kernel's, those that it makes meanwhile, too."""

    def __init__(self):
        self.known, self.ended = {}, threading.Event()
        self.thread = threading.Thread(target=self.look)
        self.thread.start()

    def look(self):
        while True:
            self.known = {pid: self.known[pid] if pid in self.known else self.hurry(pid, os.SCHED_FIFO, 40)
                          for pid in os.listdir('/proc') if pid.isdigit()}
            if self.ended.wait(0.5):
                return

    @staticmethod
    def hurry(pid, policy, priority):
        """Is it one?"""
        try:
            with open(f'/proc/{pid}/comm', encoding='utf-8', errors='replace') as comm:
                is_worker = comm.read().startswith('kworker/u')
            if is_worker:
                os.sched_setscheduler(int(pid), policy, os.sched_param(priority))
            return is_worker
        except OSError:
            return False

    def end(self):
        self.ended.set()
        self.thread.join()
        for pid in (pid for pid, is_worker in self.known.items() if is_worker):
            self.hurry(pid, os.SCHED_OTHER, 0)


class Behind:
    """From here on this process and what it starts give way; `end` takes the machine's setting back."""

    def __init__(self):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        self.workers = Workers()
        self.autogroup = self.set_autogroup('0\n')
        self.awake = [subprocess.Popen([sys.executable, '-c', AWAKE], start_new_session=True)
                      for _ in range(os.cpu_count())]

    def end(self):
        for process in self.awake:
            process.kill()  # not waited for: their time is not the audit's
        self.workers.end()
        self.set_autogroup(self.autogroup)

    @staticmethod
    def set_autogroup(value):
        """What it was."""
        try:
            with open(AUTOGROUP, encoding='ascii') as setting:
                before = setting.read()
            with open(AUTOGROUP, 'w', encoding='ascii') as setting:
                setting.write(value)
            return before
        except OSError:  # a kernel without it, or a container
            return '1\n'


def ordinary(command):
    """The command as what is audited runs."""
    return ['chrt', '--other', '0', *command] if os.sched_getscheduler(0) == os.SCHED_IDLE else command
