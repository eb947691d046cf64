"""Runs a command at a terminal and answers its questions: at_terminal.py ANSWERS COMMAND...

ANSWERS is a file of lines "QUESTION: ANSWER", each given once, in their order, where the output ends with
"QUESTION: ". A question that has none is answered by Enter. What comes is printed; the command's exit code
is returned."""

import os
import pty
import sys

answers = {}
with open(sys.argv[1]) as file:
    for line in file:
        question, answer = line.rstrip("\n").split(": ", 1)
        answers.setdefault(question, []).append(answer)
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
said = ""
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:  # EIO: the command has ended
        break
    said += data.decode(errors="replace")
    if said.endswith(": "):
        question = said.rsplit("\n", 1)[-1][:-2]
        os.write(fd, ((answers.get(question) or [""]).pop(0) + "\n").encode())
        said += "\n"
print(said.replace("\r", ""), end="")
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
