"""A cable between a client of TCP and its server that can be pulled.

    cutter.py PORT     forwards 127.0.0.1:PORT2, which it prints, to 127.0.0.1:PORT

SIGUSR1: what either end sends from now on is lost. SIGUSR2: all connections break, and new ones are
forwarded again."""
import selectors
import signal
import socket
import sys

selector = selectors.DefaultSelector()
peer = {}
pulled = False


def pull(*_):
    global pulled
    pulled = True


def end(connection):
    for each in (connection, peer.pop(connection, None)):
        if each:
            peer.pop(each, None)
            selector.unregister(each)
            each.close()


def plug(*_):
    global pulled
    pulled = False
    for each in list(peer):
        if each in peer:
            each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            peer[each].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            end(each)


def accept(listener):
    client, _ = listener.accept()
    try:
        server = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    except OSError:
        client.close()
        return
    peer[client], peer[server] = server, client
    selector.register(client, selectors.EVENT_READ, forward)
    selector.register(server, selectors.EVENT_READ, forward)


def forward(connection):
    try:
        data = connection.recv(65536)
        if data and not pulled:
            peer[connection].sendall(data)
    except OSError:
        data = b""
    if not data:
        end(connection)


signal.signal(signal.SIGUSR1, pull)
signal.signal(signal.SIGUSR2, plug)
ears = socket.create_server(("127.0.0.1", 0))
selector.register(ears, selectors.EVENT_READ, accept)
print(ears.getsockname()[1], flush=True)
while True:
    for key, _ in selector.select():
        if key.fileobj.fileno() >= 0:
            key.data(key.fileobj)
