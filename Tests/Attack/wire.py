"""HTTP/1.1 over blocking sockets, with a count of what came of the requests."""

import collections
import socket
import struct
import threading
import time


class Ended(Exception):
    """The connection ended before the response was complete."""


class Clock:
    """The time that a load lasts.

    At its end clients begin no more requests. A request that has begun may last until the limit.
    """

    def __init__(self, seconds, limit=60):
        self.seconds = seconds
        self.end = time.monotonic() + seconds
        self.limit = self.end + limit

    @property
    def is_over(self):
        return time.monotonic() >= self.end

    def remaining(self):
        return max(0.01, self.end - time.monotonic())

    def until_limit(self):
        return max(0.01, self.limit - time.monotonic())


class Tally:
    """Counts outcomes by name: a status, or the name of what happened instead of a response."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = collections.Counter()

    def add(self, outcome, count=1):
        with self.lock:
            self.counts[str(outcome)] += count


def request(method, target, body=None, length=None, fields="", key="attack"):
    """Returns the bytes of a request with a key; `length` is that of a body that is sent
    separately."""
    head = (f"{method} {target} HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {secret(key)}\r\n{fields}")
    if body is not None or length is not None:
        head += f"Content-Length: {len(body) if length is None else length}\r\n"
    return (head + "\r\n").encode() + (body or b"")


def secret(key):
    """The secret of a key (`daemon.KEYS`)."""
    return f"secret-{key}"


class Connection:
    """A connection to the daemon."""

    def __init__(self, port, timeout=60, receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(timeout)
        self.socket.connect(("127.0.0.1", port))
        self.buffer = bytearray(1 << 18)
        self.is_last = False
        # The entity tag of the last response, without quotes.
        self.tag = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def reset(self):
        """Closes the connection with a reset instead of an orderly end."""
        linger = struct.pack("ii", 1, 0)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.socket.close()

    def receive(self):
        """Reads a response, and returns its status."""
        head = b""
        while b"\r\n\r\n" not in head:
            head += self._read()
        head, rest = head.split(b"\r\n\r\n", 1)
        status = int(head[9:12])
        if status == 100:
            return self.receive()
        self.is_last = b"connection: close" in head.lower()
        self.tag = field(head, b"etag").decode().strip('"')
        length = int(field(head, b"content-length") or 0) if status not in (204, 304) else 0
        missing = length - len(rest)
        while missing > 0:
            missing -= len(self._read(missing))
        return status

    def _read(self, limit=None):
        count = self.socket.recv_into(self.buffer, min(limit or len(self.buffer), 1 << 18))
        if count == 0:
            raise Ended()
        return memoryview(self.buffer)[:count] if limit else bytes(self.buffer[:count])


def field(head, wanted):
    """Returns the value of a field, or nothing."""
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == wanted:
            return value.strip()
    return b""


def exchange(port, data, timeout=60):
    """Sends one request on a connection of its own, and returns the status of the response."""
    with Connection(port, timeout) as connection:
        connection.send(data)
        return connection.receive()


def repeat(port, clock, tally, data):
    """Sends a request again and again until the end, at least once, and counts the statuses."""
    connection = None
    while True:
        try:
            connection = connection or Connection(port)
            connection.socket.settimeout(clock.until_limit())
            tally.add(status_of(connection, data))
            if connection.is_last:
                connection.socket.close()
                connection = None
        except TimeoutError:
            tally.add("no response")
            return
        except (Ended, OSError):
            tally.add("closed")
            if connection:
                connection.socket.close()
            connection = None
            time.sleep(0.01)
        if clock.is_over:
            return


def status_of(connection, data):
    """Sends a request, and returns the status of its response.

    A daemon that rejects a request may close the connection while the request is being sent.
    """
    try:
        connection.send(data)
    except TimeoutError:
        raise
    except OSError:
        connection.is_last = True
    return connection.receive()


def together(count, body):
    """Runs `body(number)` on `count` threads, and waits for their end."""
    threads = [threading.Thread(target=body, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
