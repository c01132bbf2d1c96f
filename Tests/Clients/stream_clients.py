#!/usr/bin/env python3
"""Clients of streams (Server-Sent Events), each with a collection view that applies the events.

    stream_clients.py HOST PORT DAEMON_PORT...

Streams of several layouts are opened through the server at PORT, with requests for HOST, and pages
are written through it at random. Some clients read slowly, and some connect again in between. At
the end every collection view must have the tree that GET …/layout returns. Prints a JSON object.
"""

import collections
import http.client
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Oracle"))

from collection_view import CollectionView  # noqa: E402

TIMEOUT = 60
SCREEN = "/v1/screens/live"
LAYOUTS = ["width=390", "width=390", "width=390", "width=320&pages=all", "width=800&pages=all",
           "width=390&coordinates=content"]
STEPS = 60


class Client:
    """A stream of a layout."""

    def __init__(self, host, port, layout):
        self.host, self.port, self.layout = host, port, layout
        self.counts = collections.Counter()
        self.id = self.view = None
        self.open()

    def open(self):
        """Connects, and continues after the last event."""
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        fields = {"Host": self.host, "Accept": "text/event-stream"}
        if self.id:
            fields["Last-Event-ID"] = self.id
        self.connection.request("GET", f"{SCREEN}/stream?changes=true&{self.layout}",
                                headers=fields)
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.read()
        assert self.response.headers["Content-Type"] == "text/event-stream"

    def reopen(self):
        self.connection.close()
        self.open()
        self.counts["reopened"] += 1

    def events(self):
        """The events, as the HTML standard reads them."""
        kind, data, last = "message", [], None
        while True:
            line = self.response.readline().decode().rstrip("\r\n")
            if line:
                name, _, value = line.partition(":")
                value = value.removeprefix(" ")
                if name == "event":
                    kind = value
                elif name == "data":
                    data.append(value)
                elif name == "id":
                    last = value
                continue
            if data:
                yield kind, last, "\n".join(data)
            kind, data = "message", []

    def read(self, tag):
        """Applies events up to the tree with a tag."""
        if self.id and self.id.endswith("." + tag):
            return
        for kind, last, data in self.events():
            self.counts[kind] += 1
            self.id = last
            if kind == "tree":
                self.view = CollectionView(json.loads(data))
            elif kind == "changes":
                self.view.apply(json.loads(data))
            else:
                raise AssertionError(f"{kind}: {data}")
            if last.endswith("." + tag):
                return


def send(host, port, method, path, body=None):
    """Sends a request, and returns the response with its content."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    fields = {"Host": host, "Content-Type": "application/json", "Prefer": "return=minimal"}
    connection.request(method, path, body and json.dumps(body), fields)
    response = connection.getresponse()
    content = response.read()
    assert response.status < 300, (method, path, response.status, content)
    connection.close()
    return response, content


def page(seed):
    """A page of two sections whose items come and go."""
    def section(name):
        items = [{"id": f"{name}{number}", "title": f"A product {seed.randrange(3)}"}
                 for number in seed.sample(range(30), seed.randrange(4, 20))]
        return {"sectionId": name, "units": [{"unitType": "SS_PRODUCT_LIST", "unitData": items}]}
    return {"sections": [section(name) for name in seed.sample("ABC", 2)]}


def main(host, port, daemons):
    number = random.randrange(1 << 32)
    print(f"stream_clients.py: seed {number}", file=sys.stderr)
    seed = random.Random(number)
    send(host, port, "PUT", f"{SCREEN}/pages/0", page(seed))
    clients = [Client(host, port, layout) for layout in LAYOUTS]
    counts = [streams(daemon) for daemon in daemons]

    def settle(client):
        response, content = send(host, port, "GET", f"{SCREEN}/layout?{client.layout}")
        client.read(response.headers["ETag"].strip('"'))
        assert client.view.tree == json.loads(content), f"another tree: {client.layout}"

    for _ in range(STEPS):
        send(host, port, "PUT", f"{SCREEN}/pages/{seed.randrange(3)}", page(seed))
        for client in clients:
            if seed.random() < 0.2:
                settle(client)
            elif seed.random() < 0.05:
                client.reopen()
    for client in clients:
        settle(client)
    send(host, port, "DELETE", SCREEN)
    removed = [next(client.events())[0] for client in clients]
    ends = [client.response.read().decode() for client in clients]
    total = sum((client.counts for client in clients), collections.Counter())
    print(json.dumps({"streams": counts, "events": total, "removed": removed, "ends": ends}))


def streams(daemon):
    """Returns the number of open streams of a daemon."""
    _, content = send("localhost", daemon, "GET", "/metrics")
    lines = content.decode().splitlines()
    return int(float(next(line.split()[1] for line in lines
                          if line.startswith("broadsheet_streams_open "))))


main(sys.argv[1], int(sys.argv[2]), [int(port) for port in sys.argv[3:]])
