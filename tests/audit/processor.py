"""Who gets a processor first. In a booth little runs beside the terminal; here thirty sessions, their
audit and a browser do, and what waits for a processor then is the kernel's worker that brings the keys
of a keyboard. So the audit and what keeps processors awake are of the kind that gives way to anybody at
once (SCHED_IDLE)."""
import os
import subprocess
import sys

AUTOGROUP = '/proc/sys/kernel/sched_autogroup_enabled'  # between its groups nobody gives way at once
# As CPUScheduling... in host/share/systemd; none without the right to.
REAL_TIME = ['chrt', '--rr', '10']
if subprocess.run([*REAL_TIME, 'true'], stderr=subprocess.DEVNULL, check=False).returncode:
    REAL_TIME = []
# A virtual machine's idle processor is given away and comes back some 30 us later, which told a terminal
# with a browser beside it, that keeps them busy, from one without. Those of booths sleep no such sleep.
AWAKE = 'import os\nwhile True: os.sched_yield()'


class Behind:
    """From here on this process and what it starts give way; `end` takes the machine's setting back."""

    def __init__(self):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        self.autogroup = self.set_autogroup('0\n')
        self.awake = [subprocess.Popen([sys.executable, '-c', AWAKE], start_new_session=True)
                      for _ in range(os.cpu_count())]

    def end(self):
        for process in self.awake:
            process.kill()  # not waited for: their time is not the audit's
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
