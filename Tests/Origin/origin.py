#!/usr/bin/env python3
"""An origin of pages for tests: its screens are named after what it does to its clients.

    origin.py [--certificate FILE --key FILE] [--quiet]

It prints its port, and the port of a second server to which it redirects. Unless it is quiet, it
then prints a line of JSON for each request: the path and the header fields, or the path alone for
the second server. It serves http://127.0.0.1:PORT/screens until it is killed.
"""

import argparse
import gzip
import http.server
import json
import socketserver
import ssl
import threading
import time

BEHAVIOURS = {}
# The last page of a screen.
LAST = 3


def page(number, items=1):
    """A page of the built-in catalog, whose products have the page's number in their ids."""
    products = [{"productId": f"P{number}-{item}"} for item in range(items)]
    unit = {"unitType": "SS_PRODUCT_LIST", "unitData": products}
    return json.dumps(
        {"hasNext": number < LAST, "sections": [{"sectionId": "S", "units": [unit]}]}).encode()


def behaviour(function):
    """Registers a behaviour under the name of its function."""
    BEHAVIOURS[function.__name__] = function
    return function


class Handler(http.server.BaseHTTPRequestHandler):
    """Responds as the first word of the screen's name says, and with a page to any other."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.note({"path": self.path, "headers": dict(self.headers.items())})
        parts = self.path.split("/")
        if len(parts) != 5 or parts[1] != "screens" or parts[3] != "pages":
            return self.respond(b"", 404)
        self.screen, self.number = parts[2], int(parts[4])
        return BEHAVIOURS.get(self.screen.split("-")[0], ordinary)(self)

    def respond(self, body, status=200, **fields):
        """Sends a response; the names of its fields have underscores for hyphens."""
        self.send_response(status)
        fields.setdefault("Content_Type", "application/json")
        fields.setdefault("Content_Length", len(body))
        for name, value in fields.items():
            if value is not None:
                self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()
        self.wfile.write(body)

    def redirect(self, location):
        self.respond(b"", 302, Location=location)

    def log_message(self, *_):
        pass


def ordinary(handler):
    """A page, for any name that is not one of those below."""
    handler.respond(page(handler.number))


@behaviour
def slow(handler):
    """A page that takes half a second."""
    time.sleep(0.5)
    ordinary(handler)


@behaviour
def silent(handler):
    """No response for a minute."""
    time.sleep(60)


@behaviour
def dribble(handler):
    """A byte every tenth of a second."""
    handler.respond(b"", Content_Length=10_000)
    for _ in range(600):
        handler.wfile.write(b" ")
        time.sleep(0.1)


@behaviour
def missing(handler):
    handler.respond(b"{}", 404)


@behaviour
def error(handler):
    handler.respond(b"no", 500)


@behaviour
def flaky(handler):
    """503 for the first request of a screen, then its pages."""
    if handler.server.count(handler.path) == 1:
        return handler.respond(b"", 503)
    return ordinary(handler)


@behaviour
def huge(handler):
    """A page of 64 MiB, with its length."""
    part = b" " * (1 << 20)
    handler.respond(b"", Content_Length=64 << 20)
    for _ in range(64):
        handler.wfile.write(part)


@behaviour
def endless(handler):
    """Chunks without end."""
    handler.respond(b"", Content_Length=None, Transfer_Encoding="chunked")
    while True:
        handler.wfile.write(b"10000\r\n" + b" " * (1 << 16) + b"\r\n")


@behaviour
def large(handler):
    """A page of about 4 MB."""
    handler.respond(page(handler.number, 120_000))


@behaviour
def gzipped(handler):
    handler.respond(gzip.compress(page(handler.number)), Content_Encoding="gzip")


@behaviour
def bomb(handler):
    """A hundred and fifty kilobytes that are 32 MiB without their coding."""
    handler.respond(handler.server.bomb(), Content_Encoding="gzip")


@behaviour
def layers(handler):
    """The same, coded twice."""
    handler.respond(gzip.compress(handler.server.bomb()), Content_Encoding="gzip, gzip")


@behaviour
def fields(handler):
    """The same, with a field for each coding, and a status of a failure."""
    handler.send_response(400)
    body = gzip.compress(handler.server.bomb())
    for name, value in [
        ("Content-Type", "application/json"), ("Content-Encoding", "GZIP"),
        ("content-encoding", "identity"), ("Content-Encoding", "x-gzip"),
        ("Content-Length", str(len(body))),
    ]:
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)


def endless_chunks(handler, beginning, part, **fields):
    """Sends chunks without end: the beginning, and then the same part again and again."""
    handler.respond(b"", Content_Length=None, Transfer_Encoding="chunked", **fields)
    handler.wfile.write(b"%x\r\n%b\r\n" % (len(beginning), beginning))
    while True:
        handler.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))


# The head of a gzip member, without flags.
GZIP = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"


@behaviour
def empty(handler):
    """Empty stored blocks of gzip without end, which decode to nothing."""
    endless_chunks(handler, GZIP, b"\0\0\0\xff\xff" * 13_000, Content_Encoding="gzip")


@behaviour
def titled(handler):
    """A gzip member whose file name has no end."""
    beginning = GZIP[:3] + b"\x08" + GZIP[4:]
    endless_chunks(handler, beginning, b"n" * (1 << 16), Content_Encoding="gzip")


@behaviour
def members(handler):
    """Members of gzip without end, each of which is empty."""
    member = gzip.compress(b"")
    endless_chunks(handler, member, member * 3_000, Content_Encoding="gzip")


@behaviour
def extended(handler):
    """A chunk whose extension has no end."""
    handler.respond(b"", Content_Length=None, Transfer_Encoding="chunked")
    handler.wfile.write(b"1;x=")
    while True:
        handler.wfile.write(b"y" * (1 << 16))


@behaviour
def coded(handler):
    """A page that says it is compressed, and is not."""
    handler.respond(page(handler.number), Content_Encoding="gzip")


@behaviour
def html(handler):
    handler.respond(b"<html></html>", Content_Type="text/html")


@behaviour
def wrong(handler):
    handler.respond(b'{"sections": [{"units": 7}]}')


@behaviour
def cut(handler):
    """A body that ends before its length."""
    handler.respond(page(handler.number), Content_Length=100_000)
    handler.close_connection = True


@behaviour
def heads(handler):
    """Many header fields."""
    handler.respond(page(handler.number), **{f"X_{number}": "x" * 1000 for number in range(90)})


@behaviour
def garbage(handler):
    handler.wfile.write(b"\x00\x01\x02 this is not HTTP\r\n\r\n")
    handler.close_connection = True


@behaviour
def within(handler):
    handler.redirect(f"../../moved{handler.number}/pages/{handler.number}")


@behaviour
def loop(handler):
    handler.redirect(handler.path)


@behaviour
def elsewhere(handler):
    handler.redirect(f"http://127.0.0.1:{handler.server.other}/screens/a/pages/0")


@behaviour
def file(handler):
    handler.redirect("file:///etc/passwd")


@behaviour
def named(handler):
    """The same server by another name."""
    handler.redirect(f"http://localhost:{handler.server.server_port}/screens/a/pages/0")


@behaviour
def user(handler):
    handler.redirect(f"http://u:p@127.0.0.1:{handler.server.server_port}/screens/a/pages/0")


@behaviour
def brief(handler):
    handler.respond(page(handler.number), Broadsheet_TTL=1)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    """A server on a free port, with the number of requests for each path."""

    daemon_threads = True
    request_queue_size = 1024

    def __init__(self, handler):
        super().__init__(("127.0.0.1", 0), handler)
        self.lock = threading.Lock()
        self.counts = {}
        self.compressed = None
        self.is_quiet = False

    def note(self, record):
        with self.lock:
            self.counts[record["path"]] = self.counts.get(record["path"], 0) + 1
            if not self.is_quiet:
                print(json.dumps(record), flush=True)

    def count(self, path):
        with self.lock:
            return self.counts[path]

    def bomb(self):
        with self.lock:
            if self.compressed is None:
                self.compressed = gzip.compress(b" " * (32 << 20), 1)
            return self.compressed

    def handle_error(self, *_):
        """Clients that go away are expected."""


class Other(http.server.BaseHTTPRequestHandler):
    """The server that nothing should ask."""

    def do_GET(self):
        self.server.note({"path": f"elsewhere:{self.path}"})
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def serve(server):
    while True:
        server.handle_request()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    parser.add_argument("--quiet", action="store_true")
    options = parser.parse_args()
    server, other = Server(Handler), Server(Other)
    server.other = other.server_port
    # One lock for both, so that each line is printed as a whole.
    other.lock = server.lock
    server.is_quiet = other.is_quiet = options.quiet
    if options.certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.certificate, options.key)
        # The handshake is part of the first read, on the connection's own thread.
        server.socket = context.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False)
    print(server.server_port, other.server_port, flush=True)
    threading.Thread(target=serve, args=(other,), daemon=True).start()
    serve(server)


if __name__ == "__main__":
    main()
