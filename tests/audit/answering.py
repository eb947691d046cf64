#!/usr/bin/python3
"""An Entry of whole lines in the audit of blindness: it types the script of typist.c at its times and
keeps the same log, but each line is given at its Return, as its BackSpaces have left it.

    answering.py lpp2 SCRIPT LOG GO PORT    a client of LPP v2
    answering.py chat SCRIPT LOG GO SOCKET  a server of chat completions
    answering.py web SCRIPT LOG GO PORT     a form of HTML

A question that finds no line ready waits for the next one."""
import html
import http.server
import json
import os
import socketserver
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', 'support'))

# pylint: disable=wrong-import-position
import lpp2_client
from chromium import loopback_up

AGAIN = 0.1  # s between two tries to connect
PAGE = '''<html><body><form action="/" method="post">
<p><b>Judge:</b> {asked}</p>
<p><b>Partner:</b>
{said}</p>
<hr><p><input name="say" type="text"><input type="submit" value="Send"></p>
</form></body></html>'''


class Script:
    """Types in a thread of its own; each line goes to give()."""

    def __init__(self, script, log, go, give):
        os.mkfifo(go, 0o600)
        self.go, self.give = os.open(go, os.O_RDWR), give
        self.log = open(log, 'a', encoding='ascii')  # pylint: disable=consider-using-with
        with open(script, encoding='ascii') as lines:
            self.lines = lines.read().splitlines()
        threading.Thread(target=self.type, daemon=True).start()

    def note(self, text):
        self.log.write(f'{text}\n')
        self.log.flush()

    def type(self):
        line, due = b'', time.monotonic()
        for row in self.lines:
            if row == 'go':
                self.note('waits')
                while os.read(self.go, 1) != b'g':
                    pass
                due = time.monotonic()
                continue
            gap, data = row.split(' ', 1)
            due += int(gap) / 1e6
            time.sleep(max(0.0, due - time.monotonic()))
            line += bytes.fromhex(data)
            if line.endswith(b'\n'):
                self.give(erased(line.decode().rstrip('\n')))
                line = b''
            self.note(time.time_ns() // 1000)
        self.note('end')


def erased(text):
    left = ''
    for key in text:
        left = left[:-1] if key == '\b' else left + key
    return left


class Lines:
    """Lines on their way to who asks for them."""

    def __init__(self):
        self.lines, self.come = [], threading.Condition()

    def give(self, line):
        with self.come:
            self.lines.append(line)
            self.come.notify()

    def take(self):
        with self.come:
            self.come.wait_for(lambda: self.lines)
            return self.lines.pop(0)


LINES = Lines()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def address_string(self):
        return 'entry'

    def body(self):
        return self.rfile.read(int(self.headers.get('Content-Length', 0)))

    def send(self, kind, text):
        self.send_response(200)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


class Chat(Handler):
    def do_GET(self):
        self.send('application/json', json.dumps({'data': [{'id': 'audit'}]}))

    def do_POST(self):
        warms_up = json.loads(self.body())['max_tokens'] == 1
        self.send('application/json', json.dumps({'choices': [
            {'message': {'content': 'Yes.' if warms_up else LINES.take()}, 'finish_reason': 'stop'}]}))


class Form(Handler):
    def do_GET(self):
        self.send('text/html; charset=utf-8', PAGE.format(asked='', said=''))

    def do_POST(self):
        self.body()
        self.send('text/html; charset=utf-8', PAGE.format(asked='so', said=html.escape(LINES.take())))


class Local(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    server_name, server_port = 'local', 0


class Client:
    """Connects again whenever it is cut off, and says again what it had no connection for."""

    def __init__(self, port):
        self.port, self.client, self.partner, self.unsaid = port, None, None, []
        self.lock = threading.Lock()

    def say(self, what, **body):
        self.client.send(lpp2_client.event(what, {**body, 'id': 'ai0', 'secret': 'audit'}))

    def give(self, line):
        with self.lock:
            self.unsaid.append(line)
            self.speak()

    def speak(self):
        while self.unsaid and self.client and self.partner:
            try:
                self.say('message', to=self.partner, content=self.unsaid[0])
            except lpp2_client.Gone:
                return
            self.unsaid.pop(0)

    def hear(self, told):
        what, text = told
        with self.lock:
            if what == 'roundInformation' or what == 'control' and 'partners' in text:
                partners = json.loads(text).get('partners') or {}
                self.partner = (partners.get('ai0') or [self.partner])[0]
            self.speak()

    def run(self):
        while True:
            try:
                client = lpp2_client.Client(self.port, 'websocket')
                with self.lock:
                    self.client = client
                    self.say('control', status='register')
                    self.say('control', status='roundInformation')
                while True:
                    told = client.receive()
                    if told:
                        self.hear(told)
            except lpp2_client.Gone:
                with self.lock:
                    if self.client:
                        self.client.close()
                    self.client = None
                time.sleep(AGAIN)


def main():
    way, script, log, go, where = sys.argv[1:]
    loopback_up()  # in a hub's namespace it is down
    if way == 'lpp2':
        client = Client(int(where))
        Script(script, log, go, client.give)
        client.run()
    Script(script, log, go, LINES.give)
    if way == 'chat':
        Local(where, Chat).serve_forever()
    http.server.ThreadingHTTPServer(('127.0.0.1', int(where)), Form).serve_forever()


if __name__ == '__main__':
    main()
