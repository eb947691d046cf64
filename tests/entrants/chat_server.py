#!/usr/bin/env python3
"""A server of chat completions that does what a file says, for the tests.

    chat_server.py PORT|SOCKET LOG FAULTS

Each request takes the first line of the file FAULTS, or answers if there is none; its body goes to
LOG, a line each. The answer repeats the last thing that the judge has said. A request of one token
is the first one, of an Entry that warms up: it is answered, and not in the log. While FAULTS begins
with "unlisted" there is no list of models.
"""
import http.server
import json
import os
import socketserver
import sys
import time

address, log, faults = sys.argv[1:4]


def next_fault():
    try:
        with open(faults) as file:
            lines = file.read().split('\n')
        with open(faults, 'w') as file:
            file.write('\n'.join(lines[1:]))
        return lines[0]
    except OSError:
        return ''


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def address_string(self):
        return 'entry'

    def send_bytes(self, body):
        self.send_response(200)
        self.send_header('Connection', 'close')
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = True

    def send(self, status, kind, body):
        self.send_response(status)
        self.send_header('Content-Type', kind)
        self.send_header('Connection', 'close')
        self.end_headers()
        self.wfile.write(body.encode())
        self.close_connection = True

    def do_GET(self):
        with open(log + '.gets', 'a') as file:
            file.write(self.path + '\n')
        with open(faults) as file:
            status = 404 if file.read().startswith('unlisted') else 200
        self.send(status, 'application/json', json.dumps({'data': [{'id': 'mock-1b'}]}))

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        if body['max_tokens'] == 1:
            fault = ''
        else:
            fault = next_fault()
            body['path'] = self.path
            body['authorization'] = self.headers.get('Authorization', '')
            with open(log, 'a') as file:
                file.write(json.dumps(body) + '\n')
        said = [m['content'] for m in body['messages'] if m['role'] == 'user'][-1]
        words = {'think': '<think>Is he a judge? <b>No.</think>You say: ' + said,
                 'markdown': '# Well\n\n**You** say: `' + said + '` \u2014 \u201cright\u201d\u2026 \U0001f600\n- snake_case 2 * 3',
                 'open': '<think>Is he a judge? You say nothing.',
                 'long': 'a ' * 40000,
                 'empty': ''}.get(fault, 'You say: ' + said)
        if fault in ('301', '302', '307', '308'):
            self.send_response(int(fault))
            self.send_header('Location', '/elsewhere')
            self.end_headers()
        elif fault.isdigit():
            self.send(int(fault), 'application/json', json.dumps({'error': {'message': 'no\x1b room'}}))
        elif fault == 'garbage':
            self.send(200, 'text/html', 'data: <html>\n\n')
        elif fault == 'html':
            self.send(200, 'text/html', '<html><body>\n<h1>Welcome</h1>\n</body></html>\n')
        elif fault == 'latin':
            self.send_bytes(b'data: {"choices": [{"delta": {"content": "Caf\xe9"}}]}\r\n\r\n'
                            if body.get('stream') else
                            b'{"choices": [{"message": {"content": "Caf\xe9"}}]}')
        elif fault == 'forged':
            self.send(503, 'application/json', json.dumps({'error': {'message':
                      'no\noutcome: request 9: answered; 1 ms, first word after 1 ms'}}))
        elif fault == 'silence':
            time.sleep(600)
        elif body.get('stream'):
            self.stream(words, fault)
        else:
            self.send(200, 'application/json', json.dumps(
                {'choices': [{'message': {'content': words}, 'finish_reason': 'stop'}],
                 'usage': {'prompt_tokens': 5, 'completion_tokens': 3}}))

    def stream(self, words, fault):
        self.send_response(200)
        self.send_header('Content-Type', 'text/event-stream')
        self.send_header('Connection', 'close')
        self.end_headers()
        self.close_connection = True
        if fault == 'break':
            words = words[:3]
        for at in range(0, len(words), 3):
            self.event({'choices': [{'delta': {'content': words[at:at + 3]}}]})
            if fault == 'wait':
                while not os.path.exists(faults + '.go'):
                    time.sleep(0.02)
        if fault == 'break':
            return
        self.event({'choices': [{'delta': {}, 'finish_reason': 'stop'}]})
        self.event({'choices': [], 'usage': {'prompt_tokens': 5, 'completion_tokens': 3}})
        self.wfile.write(b'data: [DONE]\n\n')

    def event(self, data):
        self.wfile.write(('data: ' + json.dumps(data) + '\r\n\r\n').encode())
        self.wfile.flush()


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


if address.isdigit():
    server = Server(('127.0.0.1', int(address)), Handler)
else:
    class Local(socketserver.ThreadingUnixStreamServer):
        daemon_threads = True
        server_name, server_port = 'local', 0
    server = Local(address, Handler)
print(server.server_address[1] if address.isdigit() else address, flush=True)
server.serve_forever()
