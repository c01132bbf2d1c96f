"""Opens web pages in Chromium that try to use a daemon, and prints the results as JSON.

    web_pages.py CHROMIUM BROADSHEET

A page's own report is not trusted: what it has written is read from the daemon, once the log of the
daemon has every request that the page has sent."""

import http.client
import http.server
import json
import queue
import subprocess
import sys
import tempfile
import threading

from browser import TIMEOUT, Browser

PAGE = '{"sections": []}'

# The attempts of a page to write to a screen of the attempt's name: the script, and the method of
# the request that arrives at the daemon. The script has `url` and `page`.
WRITES = {
    "json": ("fetch(url, {method: 'POST', body: page, headers: {'Content-Type': "
             "'application/json'}})", "OPTIONS"),
    "put": ("fetch(url + '/0', {method: 'PUT', body: new Blob([page])})", "OPTIONS"),
    "text": ("fetch(url, {method: 'POST', mode: 'no-cors', body: page})", "POST"),
    "blob": ("fetch(url, {method: 'POST', mode: 'no-cors', body: new Blob([page])})", "POST"),
    "buffer": ("fetch(url, {method: 'POST', mode: 'no-cors', "
               "body: new TextEncoder().encode(page)})", "POST"),
    "quiet": ("fetch(url, {method: 'POST', mode: 'no-cors', referrerPolicy: 'no-referrer', "
              "credentials: 'omit', body: new Blob([page])})", "POST"),
    "beacon": ("navigator.sendBeacon(url, new Blob([page]))", "POST"),
    "beacon-text": ("navigator.sendBeacon(url, page)", "POST"),
    "request": ("new Promise((done) => {const request = new XMLHttpRequest(); "
                "request.onloadend = done; request.open('POST', url); "
                "request.send(new Blob([page]))})", "POST"),
    "form": ("""(() => {
        const frame = document.createElement('iframe'), form = document.createElement('form');
        const field = document.createElement('input');
        frame.name = 'frame';
        Object.assign(form, {method: 'post', action: url, target: 'frame', enctype: 'text/plain'});
        Object.assign(field, {name: '{"sections": [], "x": "', value: '"}'});
        form.append(field);
        document.body.append(frame, form);
        form.submit();
    })()""", "POST"),
    "sandbox": ("""(() => {
        const frame = document.createElement('iframe');
        frame.sandbox = 'allow-scripts';
        frame.srcdoc = `<script>fetch('${url}', {method: 'POST', mode: 'no-cors',
            body: new Blob(['${page}'])})<` + '/script>';
        document.body.append(frame);
    })()""", "POST"),
}

# Reports the status and the text of a response, and the fields that the page can read.
READ = """
    try {
        const response = await fetch(%s, %s);
        const fields = Object.fromEntries([...response.headers].sort());
        return {type: response.type, status: response.status, text: await response.text(), fields};
    } catch (error) {
        return {type: String(error)};
    }
"""


class Daemon:
    """A running daemon with its log."""

    def __init__(self, program, *options):
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", program, "serve", "--port", "0", "--store",
             "memory", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("listening on"), self.process.stderr.read()
        self.port = int(line.rsplit(":", 1)[1])
        self.lines = queue.Queue()
        threading.Thread(target=self.read_log, daemon=True).start()

    def read_log(self):
        for line in self.process.stderr:
            self.lines.put(json.loads(line))

    def wait(self, requests):
        """Waits until the log has requests, as pairs of a method and a path."""
        missing = set(requests)
        while missing:
            line = self.lines.get(timeout=TIMEOUT)
            missing.discard((line.get("method"), line.get("path")))

    def send(self, method, path, body=None):
        """Sends a request as a program that is not a browser does, and returns the content."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        fields = {"Content-Type": "application/json"} if body else {}
        connection.request(method, path, body, fields)
        return connection.getresponse().read()

    def screens(self):
        """Returns the names of the screens."""
        listed = json.loads(self.send("GET", "/v1/screens"))["screens"]
        return [screen["screen"] for screen in listed]


class PageHandler(http.server.BaseHTTPRequestHandler):
    """Serves an empty page for every path."""

    def do_GET(self):
        body = b"<!doctype html><title>A page</title><body></body>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def read(page, url, **options):
    """Returns what a page can read of a response."""
    return page.run(READ % (json.dumps(url), json.dumps(options)))


def attack(page, daemon, origin):
    """Tries to read, to write and to remove from a page of another origin."""
    base = f"http://127.0.0.1:{daemon.port}/v1/screens"
    page.open(origin + "/")
    expected = []
    for name, (script, method) in WRITES.items():
        path = f"/v1/screens/{name}/pages" + ("/0" if name == "put" else "")
        expected.append((method, path))
        page.run(f"""
            const url = '{base}/{name}/pages', page = '{PAGE}';
            try {{ await {script} }} catch (error) {{}}
        """)
    removal = read(page, f"{base}/kept", method="DELETE")
    daemon.wait(expected + [("OPTIONS", "/v1/screens/kept")])
    return {
        "screens": daemon.screens(), "removal": removal,
        "list": read(page, base), "opaque": read(page, base, mode="no-cors"),
    }


def rebind(page, daemon):
    """Tries the same from a page whose own name is directed at the daemon, so that it is of the
    same origin: the script that the page has loaded before runs in what the name serves now."""
    page.open(f"http://attacker.example:{daemon.port}/livez")
    fields = {"Content-Type": "application/json"}
    results = {
        "list": read(page, "/v1/screens"),
        "write": read(page, "/v1/screens/rebound/pages", method="POST", body=PAGE, headers=fields),
        "removal": read(page, "/v1/screens/kept", method="DELETE"),
    }
    return {**results, "screens": daemon.screens()}


def use(page, daemon, secret=None):
    """Reads and writes from a page that may do both."""
    base = f"http://127.0.0.1:{daemon.port}/v1/screens"
    fields = {"Authorization": f"Bearer {secret}"} if secret else {}
    writing = {**fields, "Content-Type": "application/json", "If-None-Match": "*",
               "Broadsheet-TTL": "3600", "Prefer": "return=minimal"}
    return {
        "write": read(page, f"{base}/shop/pages", method="POST", body=PAGE, headers=writing),
        "again": read(page, f"{base}/shop/pages/0", method="PUT", body=PAGE, headers=writing),
        "tree": read(page, f"{base}/shop/layout", headers={**fields, "Last-Event-ID": "1"}),
        "missing": read(page, f"{base}/none/layout", headers=fields),
        "removal": read(page, f"{base}/shop", method="DELETE", headers={**fields, "If-Match": "*"}),
        "keyless": read(page, f"{base}/shop/layout"),
    }


def stream(page, daemon):
    """Reads a stream with EventSource, and writes meanwhile."""
    base = f"http://127.0.0.1:{daemon.port}/v1/screens/streamed"
    daemon.send("PUT", "/v1/screens/streamed/pages/0", PAGE)
    return page.run(f"""
        const events = [], source = new EventSource('{base}/stream?changes=true');
        return await new Promise((done) => {{
            const note = (event) => {{
                events.push([event.type, event.lastEventId.split('.')[0],
                             JSON.parse(event.data).screen]);
                if (event.type === 'tree') fetch('{base}/pages/0', {{method: 'PUT', headers:
                    {{'Content-Type': 'application/json'}}, body: '{{"sections": [[]]}}'}});
                if (event.type === 'changes') fetch('{base}', {{method: 'DELETE'}});
                if (event.type === 'removed') {{ source.close(); done(events); }}
            }};
            for (const type of ['tree', 'changes', 'removed']) source.addEventListener(type, note);
            source.onerror = () => done([['error', '', '']]);
        }});
    """)


def own(page, daemon):
    """Writes from a page of the daemon's own origin."""
    page.open(f"http://localhost:{daemon.port}/livez")
    fields = {"Content-Type": "application/json"}
    return read(page, "/v1/screens/own/pages", method="POST", body=PAGE, headers=fields)


def serve(pages):
    """Serves pages until the process ends."""
    while True:
        pages.handle_request()


def main():
    chromium, broadsheet = sys.argv[1:]
    pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), PageHandler)
    threading.Thread(target=serve, args=[pages], daemon=True).start()
    port = pages.server_address[1]
    shop, attacker = f"http://shop.example:{port}", f"http://attacker.example:{port}"
    made = subprocess.run(
        [broadsheet, "key", "new", "shop", "--scopes", "read,write"], capture_output=True,
        text=True).stdout
    secret, line = (text.split(": ", 1)[1] for text in made.splitlines())
    with tempfile.NamedTemporaryFile("w", suffix=".keys") as keys:
        keys.write(line + "\n")
        keys.flush()
        open_daemon = Daemon(broadsheet, "--cors-origin", shop)
        keyed_daemon = Daemon(broadsheet, "--cors-origin", shop, "--keys", keys.name)
    browser = Browser(chromium)
    try:
        open_daemon.send("PUT", "/v1/screens/kept/pages/0", PAGE)
        page = browser.page()
        results = {
            "attack": attack(page, open_daemon, attacker),
            "neighbour": attack(page, open_daemon, f"http://127.0.0.1:{port}"),
            "rebind": rebind(page, open_daemon), "own": own(page, open_daemon),
        }
        page.open(shop + "/")
        results["allowed"] = use(page, open_daemon)
        results["events"] = stream(page, open_daemon)
        results["keyed"] = use(page, keyed_daemon, secret)
        print(json.dumps(results, indent=1))
    finally:
        browser.close()
        for daemon in [open_daemon, keyed_daemon]:
            daemon.process.kill()
            daemon.process.wait()


main()
