#!/usr/bin/python3
"""A person at the page of a terminal in a browser, in the audit of blindness: types the script of
typist.c at its times, by the browser's own protocol, and keeps the same log.

    chromium.py type SCRIPT LOG GO ENDPOINT ADDRESS
    chromium.py forward FD PORT

ENDPOINT: of a running Chromium (`Chromium`), in which a window is opened; ADDRESS: the file in which
the terminal keeps the page's address. A key is logged as pressed when the browser says so: its way
there is the protocol's and no person's. `forward`, in a network namespace, joins to PORT there
whatever connects to FD, a socket that listens outside of it."""
import base64
import fcntl
import json
import os
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

from processor import ordinary

PATIENCE = 60
RETURN, BACKSPACE = '\r', '\x7f'
NAMED = {RETURN: ('Enter', 13, '\r'), BACKSPACE: ('Backspace', 8, ''),
         '\x1b[20~': ('F9', 120, ''), '\x1b[24~': ('F12', 123, '')}
# When each key was pressed, us since 1970: when the page gave it out, or, as long as it had nobody to
# give it to, when it came; and when it found a terminal. What the browser does before is as a
# keyboard's own way of seeing its keys.
WATCH = """(() => {
    const now = () => Math.round((performance.timeOrigin + performance.now()) * 1000);
    const send = WebSocket.prototype.send;
    let came = false;
    window.pressed = [];
    addEventListener('keydown', () => {
        came = true;
        window.pressed.push(now());
        setTimeout(() => { came = false; });
    }, true);
    WebSocket.prototype.send = function (data) {
        if (came) window.pressed[window.pressed.length - 1] = now();
        came = false;
        send.call(this, data);
    };
    window.WebSocket = class extends WebSocket {
        constructor(...what) {
            super(...what);
            this.addEventListener('open', () => found(String(now())));
        }
    };
})();"""
PASTE = """{
    const data = new DataTransfer();
    data.setData('text/plain', %s);
    document.getElementById('keys').dispatchEvent(new ClipboardEvent('paste',
        {clipboardData: data, bubbles: true, cancelable: true}));
}"""
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


class Chromium:
    """One browser for all of the audit, a window for each session."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix='chromium.')
        self.process = subprocess.Popen(
            # Not behind all else: a page that never comes to its turn types at a pace of its own.
            [*ordinary(['nice', '-n', '5', 'chromium']),
             '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
             '--disable-background-networking', '--disable-component-update',
             '--disable-background-timer-throttling', '--disable-renderer-backgrounding',
             '--disable-backgrounding-occluded-windows', '--remote-debugging-port=0',
             '--remote-allow-origins=*', f'--user-data-dir={self.folder}'],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)
        port = self.folder + '/DevToolsActivePort'
        until = time.monotonic() + PATIENCE
        while not (os.path.exists(port) and open(port, encoding='ascii').read().count('\n')):
            if time.monotonic() > until or self.process.poll() is not None:
                self.close()
                raise OSError('Chromium does not start')
            time.sleep(0.05)
        number, path = open(port, encoding='ascii').read().split()
        self.endpoint = f'ws://127.0.0.1:{number}{path}'

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def why_no_chromium():
    """'' where there is one."""
    return '' if shutil.which('chromium') else 'chromium is not installed; make deps BROWSER=1 does that'


class Protocol:
    """What is said to Chromium, over a WebSocket (RFC 6455): text alone, each message whole."""

    def __init__(self, endpoint, called):
        """called: with what the page gives to its binding `found`."""
        self.called = called
        at = urllib.parse.urlparse(endpoint)
        self.socket = socket.create_connection((at.hostname, at.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(f'GET {at.path} HTTP/1.1\r\nHost: {at.netloc}\r\nUpgrade: websocket\r\n'
                            'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: '
                            f'{base64.b64encode(os.urandom(16)).decode()}\r\n\r\n'.encode())
        self.stream = self.socket.makefile('rb')
        if b'101' not in self.stream.readline():
            raise OSError('Chromium does not talk')
        while self.stream.readline().strip():
            pass
        self.asked, self.answers, self.session = 0, {}, None
        self.arrived = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            head = self.stream.read(2)
            if len(head) < 2:
                os._exit(0)  # the browser is gone: the audit is over
            length = head[1] & 127
            if length > 125:
                length = int.from_bytes(self.stream.read(2 if length == 126 else 8), 'big')
            body = self.stream.read(length)
            if head[0] & 15 != 1:
                continue
            said = json.loads(body)
            if said.get('method') == 'Runtime.bindingCalled':
                self.called(said['params']['payload'])
            if 'id' in said:
                with self.arrived:
                    self.answers[said['id']] = said
                    self.arrived.notify_all()

    def send(self, method, **parameters):
        """Says it, and waits for nothing."""
        self.asked += 1
        said = {'id': self.asked, 'method': method, 'params': parameters}
        if self.session:
            said['sessionId'] = self.session
        body = json.dumps(said).encode()
        head = b'\x81' + (bytes([128 | len(body)]) if len(body) < 126 else
                          b'\xfe' + struct.pack('>H', len(body)))
        self.socket.sendall(head + bytes(4) + body)  # masked by zeros
        return self.asked

    def ask(self, method, **parameters):
        number = self.send(method, **parameters)
        with self.arrived:
            if not self.arrived.wait_for(lambda: number in self.answers, PATIENCE):
                raise OSError(f'{method}: no answer')
            said = self.answers.pop(number)
        if 'error' in said:
            raise OSError(f"{method}: {said['error']['message']}")
        return said['result']

    def run(self, script):
        return self.ask('Runtime.evaluate', expression=script,
                        returnByValue=True)['result'].get('value')


def wait_for(what, condition):
    until = time.monotonic() + PATIENCE
    while not (found := condition()):
        if time.monotonic() > until:
            raise OSError(what)
        time.sleep(0.03)
    return found


class Page:
    def __init__(self, endpoint, address, found):
        """found: called with when it finds a terminal, us."""
        self.talk = Protocol(endpoint, found)
        # Closed with the connection.
        context = self.talk.ask('Target.createBrowserContext', disposeOnDetach=True)
        target = self.talk.ask('Target.createTarget', url='about:blank', newWindow=True, width=1000,
                               height=700, **context)
        self.talk.session = self.talk.ask('Target.attachToTarget', flatten=True, **target)['sessionId']
        self.talk.ask('Emulation.setFocusEmulationEnabled', enabled=True)
        self.talk.ask('Page.enable')
        self.talk.ask('Runtime.enable')
        self.talk.ask('Runtime.addBinding', name='found')
        self.talk.ask('Page.addScriptToEvaluateOnNewDocument', source=WATCH)
        self.talk.ask('Page.navigate', url=address)
        wait_for('the page', lambda: self.talk.run(
            "document.activeElement && document.activeElement.id === 'keys' && "
            "Boolean(document.querySelector('.side .rows'))"))
        self.pressed = 0

    def press(self, text):
        """One key, or what is pasted."""
        if len(text) > 1 and text not in NAMED:
            self.talk.ask('Runtime.evaluate', expression=PASTE % json.dumps(text.replace('\r', '\n')))
            return
        name, code, typed = NAMED.get(text, (text, ord(text.upper()) if text.isalnum() and text.isascii() else 0, text))
        what = {'key': name, 'windowsVirtualKeyCode': code}
        self.talk.send('Input.dispatchKeyEvent', type='keyDown' if typed else 'rawKeyDown',
                       **what, **({'text': typed} if typed else {}))
        self.talk.send('Input.dispatchKeyEvent', type='keyUp', **what)
        self.pressed += 1

    def when(self):
        """When each key was pressed that was not told before."""
        wait_for('the keys pressed', lambda: self.talk.run('window.pressed.length') >= self.pressed)
        self.pressed = 0
        self.talk.answers.clear()
        return self.talk.run('window.pressed.splice(0)')

    def text(self):
        return self.talk.run('document.body.innerText').splitlines()


def blocks(path):
    """[[(gap in us, text)]]"""
    found = []
    with open(path, encoding='ascii') as script:
        for row in script:
            if row.startswith('go'):
                found.append([])
            else:
                gap, data = row.split()
                found[-1].append((int(gap), bytes.fromhex(data).decode()))
    return found


def type_block(page, block, log):
    due = time.monotonic()
    pasted = []
    for gap, text in block:
        due += gap / 1e6
        while (left := due - time.monotonic()) > 0:
            time.sleep(left)
        if len(text) > 1 and text not in NAMED:
            pasted.append(int(time.time() * 1e6))
        page.press(text)
    for at in pasted + page.when():
        log.write(f'{at}\n')


def show(page, log_name, seen, seconds):
    """Each text that the page has, for a while: what a function key brings."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with open(log_name + '.rows', 'a', encoding='utf-8') as rows:
            for text in page.text():
                if text not in seen:
                    seen.add(text)
                    rows.write(f'0 {text}\n')
        time.sleep(0.2)


def type_all(script, log_name, go, endpoint, address):
    def address_told():
        try:
            with open(address, encoding='ascii') as file:
                return file.read().strip()
        except OSError:
            return ''

    os.mkfifo(go, 0o600)
    told = os.open(go, os.O_RDWR)
    seen = set()
    with open(log_name, 'a', encoding='ascii', buffering=1) as log:
        page = Page(endpoint, wait_for('the address', address_told),
                    lambda at: log.write(f'found {at}\n'))
        for block in blocks(script):
            log.write('waits\n')
            while os.read(told, 1) != b'g':
                pass
            log.write(f'go {int(time.time() * 1e6)}\n')
            type_block(page, block, log)
            if any(text.startswith('\x1b') for _, text in block):
                show(page, log_name, seen, 3)
        log.write('end\n')
        while True:
            signal.pause()


# Into a network namespace.

def loopback_up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = fcntl.ioctl(any_socket, SIOCGIFFLAGS, struct.pack('16sh14x', b'lo', 0))
        flags = struct.unpack('16sh14x', request)[1] | IFF_UP
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack('16sh14x', b'lo', flags))


def forward(fd, port):
    """Whatever connects to the socket that listens outside is joined to the port in here."""
    listening = socket.socket(fileno=fd)
    chosen = selectors.DefaultSelector()
    chosen.register(listening, selectors.EVENT_READ, None)
    loopback_up()
    print('ready', flush=True)
    while True:
        for key, _ in chosen.select():
            if key.data is None:
                accept(listening, port, chosen)
            elif key.fileobj.fileno() >= 0:
                pump(key.fileobj, key.data, chosen)


def accept(listening, port, chosen):
    outer, inner = listening.accept()[0], socket.socket()
    try:
        inner.connect(('127.0.0.1', port))
    except OSError:
        outer.close()
        inner.close()
        return
    for one, other in ((outer, inner), (inner, outer)):
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        chosen.register(one, selectors.EVENT_READ, other)


def pump(one, other, chosen):
    try:
        data = one.recv(65536)
        if data:
            other.sendall(data)
            return
    except OSError:
        pass
    for each in (one, other):
        chosen.unregister(each)
        each.close()


if __name__ == '__main__':
    if sys.argv[1] == 'forward':
        forward(int(sys.argv[2]), int(sys.argv[3]))
    else:
        type_all(*sys.argv[2:])
