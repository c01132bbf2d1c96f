"""A backend that pushes nothing: it makes a page of articles when it is asked for one.

It prints its port. docs/guide.md, "A daemon in front of a backend that pushes nothing", runs it.
"""

import http.server
import json
import re
import signal
import sys

LAST = 2


class Backend(http.server.BaseHTTPRequestHandler):
    """Serves /screens/articles/pages/0 to /screens/articles/pages/2."""

    def do_GET(self):
        print(self.path, self.headers["X-Request-Id"], flush=True)
        match = re.fullmatch("/screens/articles/pages/([0-9]+)", self.path)
        number = int(match[1]) if match else LAST + 1
        if number > LAST:
            return self.send_error(404)
        products = [{"id": f"a{number}{letter}", "title": "An article"} for letter in "abc"]
        unit = {"unitType": "SS_PRODUCT_LIST", "unitData": products}
        body = json.dumps(
            {"hasNext": number < LAST, "sections": [{"sectionId": "Articles", "units": [unit]}]})
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "max-age=600")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


signal.signal(signal.SIGTERM, lambda *_: sys.exit())
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Backend)
print(server.server_port, flush=True)
while True:
    server.handle_request()
