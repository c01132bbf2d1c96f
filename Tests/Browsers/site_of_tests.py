"""A site of one origin: pages of the tests, and a daemon behind a proxy that can misbehave."""

import http.client
import http.server
import json
import select
import subprocess
import tempfile
import threading
import time

HOP_FIELDS = {"connection", "transfer-encoding", "content-length", "keep-alive"}
TIMEOUT = 60
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
          "img-src 'self'; font-src 'self'")


class Daemon:
    """A daemon whose screens survive its end."""

    def __init__(self, program, *options):
        self.folder = tempfile.TemporaryDirectory(prefix="broadsheet-web-")
        self.words = [
            program, "serve", "--port", "0", "--log", "text", "--store",
            f"sqlite:{self.folder.name}/screens.db", *options]
        self.secret = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", *self.words],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("listening on"), line
        self.port = int(line.rsplit(":", 1)[1])

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def send(self, method, path, body=None):
        """Sends a request as a backend does, and returns the content."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        fields = {"Content-Type": "application/json", "Prefer": "return=minimal"}
        if self.secret:
            fields["Authorization"] = f"Bearer {self.secret}"
        connection.request(method, path, None if body is None else json.dumps(body), fields)
        response = connection.getresponse()
        content = response.read()
        assert response.status < 400, (method, path, response.status, content)
        connection.close()
        return content

    def put(self, screen, page, number=0):
        self.send("PUT", f"/v1/screens/{screen}/pages/{number}", page)


class Site:
    """The server of the tests' origin; `mode` is what it does with responses of the daemon.

    `pass` forwards them, `cut` ends streams after 300 bytes, `delay` waits for 0.1 s before each
    part, and `buffer` sends nothing of a stream before its end. `posted` are the contents of the
    page's requests with POST.
    """

    def __init__(self, daemon):
        self.daemon = daemon
        self.mode = "pass"
        self.has_policy = True
        self.pages = {}
        self.requests = []
        self.posted = []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                site.handle(self)

            do_POST = do_HEAD = do_GET

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.run, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self.server.server_port}"

    def run(self):
        """Handles requests until the process ends."""
        while True:
            self.server.handle_request()

    def handle(self, handler):
        length = int(handler.headers.get("Content-Length", 0))
        body = handler.rfile.read(length) if length else None
        handler.close_connection = True
        try:
            page = self.pages.get(handler.path.split("?")[0])
            if page is not None:
                self.serve(handler, page)
            else:
                self.requests.append((handler.command, handler.path, dict(handler.headers)))
                if handler.command == "POST":
                    self.posted.append(body)
                self.forward(handler, body)
        except (OSError, http.client.HTTPException):
            pass  # One of the two is gone.

    def serve(self, handler, page):
        content, kind = page if isinstance(page, tuple) else (page, "text/html; charset=utf-8")
        content = content if isinstance(content, bytes) else content.encode()
        handler.send_response(200)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(content)))
        if self.has_policy:
            handler.send_header("Content-Security-Policy", POLICY)
        handler.end_headers()
        handler.wfile.write(content)

    def forward(self, handler, body):
        mode = self.mode
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=TIMEOUT)
        fields = {name: value for name, value in handler.headers.items()
                  if name.lower() not in {"host", "connection", "accept-encoding"}}
        fields["Origin"] = f"http://127.0.0.1:{self.daemon.port}"
        connection.request(handler.command, handler.path, body, fields)
        response = connection.getresponse()
        is_stream = "event-stream" in response.headers.get("Content-Type", "")
        if is_stream and mode == "buffer":
            self.wait_for_end(handler)
            connection.close()
            return
        handler.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in HOP_FIELDS:
                handler.send_header(name, value)
        handler.send_header("Connection", "close")
        handler.end_headers()
        sent = 0
        while part := response.read1(65536):
            if mode == "delay":
                time.sleep(0.1)
            if is_stream and mode == "cut":
                part = part[:max(0, 300 - sent)]
            handler.wfile.write(part)
            handler.wfile.flush()
            sent += len(part)
            if is_stream and mode == "cut" and sent >= 300:
                break
        connection.close()

    def wait_for_end(self, handler):
        """Waits until the client gives up."""
        select.select([handler.connection], [], [], TIMEOUT)

    def count(self, name):
        return sum(f"/{name}?" in path or path.endswith(f"/{name}") for _, path, _ in self.requests)
