"""The loads: what hostile or careless clients do, one function each.

Each function runs in a process of its own until its clock is over, and counts what came of its
requests. A load needs no more than the right to send requests.
"""

import itertools
import socket
import threading
import time

import bodies
import probes
import wire

# The screens that are stored before the daemon starts.
LARGE_SCREEN = "large"
LONG_SCREEN = "long"
OVERSIZED_SCREENS = ("oversized", "doomed")
# The times in seconds after which slow clients are closed. The first is for those that send:
# --min-rate (10 s) or the timeout of a head (10 s). The second is for those that read, from the
# first byte: the buffers of sockets hide from the daemon that they do, so the timeout of a response
# applies (30 s).
MAX_SENDING, MAX_READING = 25, 40
LOADS = {}
# The loads under which no single request to /livez may take long.
WITHOUT_STALLS = set()


class Context:
    """The daemon's port, and how much of a load to run."""

    def __init__(self, port, seconds, is_bounded, is_alone, tally):
        self.port = port
        # How many times longer a response may take that waits for other loads or other programs.
        self.time_factor = 1 if is_alone and not is_bounded else 5
        self.clock = wire.Clock(seconds, limit=60 * self.time_factor)
        self.is_bounded = is_bounded
        self.tally = tally

    def post(self, clients, *texts, target="/v1/layout"):
        """Clients that post the bodies in turn, each its own copy again and again."""
        self.send(clients, [wire.request("POST", target, text) for text in texts])

    def send(self, clients, requests):
        """Clients that send the requests in turn, each its own again and again."""
        wire.together(clients, lambda number: wire.repeat(
            self.port, self.clock, self.tally, requests[number % len(requests)]))

    def repeat(self, clients, step):
        """Clients that call `step(number)` again and again until the end, at least once."""
        def run(number):
            while True:
                step(number)
                if self.clock.is_over:
                    return

        wire.together(clients, run)

    def exchange(self, data, name=""):
        """Sends a request on a connection of its own, counts what came of it, and returns the
        status; None without a response."""
        try:
            timeout = self.clock.until_limit()
            status = wire.exchange(self.port, data, timeout)
            self.tally.add(f"{name}{status}")
            return status
        except TimeoutError:
            self.tally.add("no response")
        except (wire.Ended, OSError):
            self.tally.add("closed")


def load(function):
    """Registers a load under the name of its function."""
    LOADS[function.__name__.replace("_", "-")] = function
    return function


def load_without_stalls(*functions):
    """Notes that no event loop may stall under these loads."""
    WITHOUT_STALLS.update(function.__name__.replace("_", "-") for function in functions)


def store(port):
    """Stores the screens that loads read; the daemon has no limits here."""
    def put(screen, number, body):
        target = f"/v1/screens/{screen}/pages/{number}"
        data = wire.request("PUT", target, body, fields="Prefer: return=minimal\r\n")
        status = wire.exchange(port, data)
        if status not in (200, 201):
            raise SystemExit(f"{screen}, page {number}, was not stored: {status}")

    put("home", 0, bodies.large_page(0.01))
    put(LARGE_SCREEN, 0, bodies.many_items(600_000))
    # The tree of the long screen is a little shorter than 64 MiB.
    for screen, count, text in [
            (LONG_SCREEN, 4, 2_000), *((screen, 5, 200) for screen in OVERSIZED_SCREENS)]:
        page = bodies.large_page(15, text)
        for number in range(count):
            put(screen, number, page)


@load
def long_names(context):
    """A cell type's name of 1 MB for 20,000 items, and one of 256 bytes for 150,000."""
    context.post(4, bodies.long_type_name(), bodies.longest_type_name())


@load
def viewports(context):
    """16 viewports of 62,000 items, and of 36,000: 106 MB and 61 MB of trees."""
    context.post(4, bodies.many_viewports(62_000), bodies.many_viewports(36_000))


@load
def resting_offsets(context):
    """10,000 resting offsets in each of 1,000 sections, in 16 viewports, and of 9,000, in one."""
    context.post(4, bodies.wide_cards(1_000, 16), bodies.wide_cards(9_000, 1))


@load
def long_pointers(context):
    """A pointer of 1 MB for 1,000 diagnostics, and unknown names of 1 MB."""
    context.post(4, bodies.long_data_pointer(), bodies.long_unknown_names())


@load
def unread_trees(context):
    """60 connections that request large trees and do not read."""
    targets = [
        "/layout", "/layout?coordinates=content", "/layout?fields=frames", "/layout?width=391",
    ]
    heads = [wire.request("GET", f"/v1/screens/{LARGE_SCREEN}{target}") for target in targets]
    unread(context, 60, heads)


def unread(context, clients, requests):
    """Connections that send the requests in turn and do not read, until the end."""
    def step(number):
        try:
            with wire.Connection(context.port, receive_buffer=4_096) as connection:
                connection.socket.settimeout(context.clock.remaining())
                connection.send(requests[number % len(requests)])
                context.tally.add("unread")
                wait_for_end(connection, context.clock)
        except OSError:
            context.tally.add("closed")
            time.sleep(0.05)

    context.repeat(clients, step)


def wait_for_end(connection, clock):
    """Waits until the daemon closes the connection, without reading, or until the end."""
    while not clock.is_over:
        time.sleep(0.05)
        check(connection)


def check(connection):
    """Fails once the connection was reset, even if bytes that arrived before are not read."""
    error = connection.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if error:
        raise OSError(error, "reset")


@load
def unfinished_bodies(context):
    """100 bodies of 15 MB whose last byte never comes."""
    body = b" " * (15 << 20)
    head = wire.request("POST", "/v1/layout", length=len(body) + 1)

    def step(_):
        try:
            with wire.Connection(context.port) as connection:
                connection.socket.settimeout(context.clock.remaining())
                connection.send(head + body)
                context.tally.add(connection.receive())
        except TimeoutError:
            context.tally.add("unfinished")
        except (wire.Ended, OSError):
            context.tally.add("closed")
        time.sleep(0.05)

    context.repeat(30 if context.is_bounded else 100, step)


@load
def slow_clients(context):
    """200 connections that send heads and bodies, or read trees, at 100 bytes a second."""
    tree = wire.request("GET", f"/v1/screens/{LARGE_SCREEN}/layout")
    body = wire.request("POST", "/v1/layout", length=1 << 20)

    def run(number):
        try:
            with wire.Connection(context.port, receive_buffer=4_096) as connection:
                connection.socket.settimeout(30)
                connection.send([b"G", body, tree, b"GET /livez HTTP/1.1\r\n"][number % 4])
                trickle(connection, context, reads=number % 4 == 2)
                context.tally.add("slow and open" if is_full(context) else "open at the end")
        except (wire.Ended, OSError):
            context.tally.add("closed")

    wire.together(200, run)


def is_full(context):
    """Returns whether the load lasts so long that the daemon has to close slow connections."""
    return context.clock.seconds >= MAX_SENDING


def trickle(connection, context, reads):
    """Sends or reads 10 bytes ten times a second."""
    end = context.clock.end
    if reads:
        # Beside other loads it may take a while until the response begins.
        connection.socket.settimeout(context.clock.until_limit())
        connection.socket.recv(1, socket.MSG_PEEK)
        if is_full(context):
            end = time.monotonic() + MAX_READING
    while time.monotonic() < end:
        time.sleep(0.1)
        if reads:
            check(connection)
            if not connection.socket.recv(10):
                raise wire.Ended()
        else:
            connection.send(b"X" * 10)


@load
def large_pages(context):
    """Four clients that post pages of 15 MB, and store them."""
    data = wire.request("POST", "/v1/layout", bodies.large_page())
    stored = wire.request("PUT", "/v1/screens/posted/pages/0", bodies.large_page())
    context.send(4, [data, data, data, stored])


@load
def million_items(context):
    """Four clients that lay out a million items, or 600,000."""
    context.post(4, bodies.many_items(), bodies.many_items(600_000))


@load
def equal_ids(context):
    """Four clients with a million equal ids, or 500,000."""
    context.post(4, bodies.equal_ids(), bodies.equal_ids(500_000))


@load
def id_pointers(context):
    """Four clients with an id pointer of 8 MB."""
    context.post(4, bodies.long_id_pointer())


@load
def violations(context):
    """A name of 1 MB with 255 violations, and 100,000 violations of a page."""
    context.post(4, bodies.many_violations(), bodies.violations_of_a_page())


@load
def oversized_screens(context):
    """A stored screen that is larger than the daemon's limits: read, written, and removed."""
    kept, removed = (f"/v1/screens/{screen}" for screen in OVERSIZED_SCREENS)
    page = bodies.page(b"{}")
    requests = [
        wire.request("GET", f"{kept}/layout"), wire.request("GET", f"{kept}/pages"),
        wire.request("GET", f"{kept}/layout.svg"), wire.request("GET", f"{kept}/pages/3"),
        wire.request("PUT", f"{kept}/pages/9", page),
    ]
    context.send(len(requests), requests)
    context.exchange(wire.request("DELETE", removed), "DELETE ")


@load
def long_screens(context):
    """48 clients that read a screen of 60 MB; and 24 that request its pages, and do not read."""
    layout = f"/v1/screens/{LONG_SCREEN}/layout"
    pages = [wire.request("GET", f"/v1/screens/{LONG_SCREEN}/pages/{number}")
             for number in range(4)]
    reader = threading.Thread(target=unread, args=(context, 24, pages))
    reader.start()
    heads = [wire.request("GET", f"{layout}{part}") for part in ("?pages=all", "", ".svg")]
    if context.is_bounded:
        wire.together(12, lambda number: insist(context, heads[number % len(heads)]))
    else:
        context.send(48, heads)
    reader.join()


def insist(context, data):
    """Sends a request until it is not refused. On a slow machine a layout takes longer than the two
    seconds that requests wait for its memory."""
    while context.exchange(data) == 503 and context.clock.until_limit() > 1:
        context.tally.add("503", -1)
        context.tally.add("503, and again")
        time.sleep(1)


@load
def distinct_trees(context):
    """Eight clients that read many different trees and pictures of a large screen."""
    widths = itertools.count(200)

    def step(number):
        with_picture = number % 4 == 3
        target = f"/v1/screens/{LARGE_SCREEN}/layout" + (".svg" if with_picture else "")
        context.exchange(wire.request("GET", f"{target}?width={next(widths)}"))

    context.repeat(8, step)


@load
def many_screens(context):
    """Eight clients that store pages of 4 MB in many screens, and read them."""
    body = bodies.large_page(4)
    numbers = itertools.count()
    last = 8 if context.is_bounded else 60

    def step(_):
        screen = f"/v1/screens/many-{next(numbers) % last}"
        context.exchange(wire.request("PUT", f"{screen}/pages/0", body))
        context.exchange(wire.request("GET", f"{screen}/layout"))

    context.repeat(8, step)


@load
def whole_screens(context):
    """Eight clients that replace a screen: by thousands of small pages, by few large ones, and by
    ones that are not pages."""
    small = bodies.composition(bodies.numbered_pages(10_000))
    large = bodies.composition([bodies.large_page(3) for _ in range(4)])
    invalid = bodies.composition([b"[]"] * 10_000)
    requests = [
        wire.request("PUT", f"/v1/screens/whole-{number}", body)
        for number, body in enumerate([small, large, small, invalid])
    ]
    context.send(8, requests)


@load
def resets(context):
    """Floods of connections that are reset midway: in a head, in a body, in a response."""
    body = bodies.large_page(1)
    post = wire.request("POST", "/v1/layout", body)
    pieces = [b"GET /li", post[:len(post) // 2], post,
              wire.request("GET", f"/v1/screens/{LARGE_SCREEN}/layout"), b""]

    numbers = itertools.count()

    def step(_):
        try:
            connection = wire.Connection(context.port)
            connection.send(pieces[next(numbers) % len(pieces)])
            connection.reset()
            context.tally.add("reset")
        except OSError:
            context.tally.add("closed")

    context.repeat(16, step)


@load
def nesting(context):
    """Arrays and objects as deep as a body is long, and as deep as is permitted."""
    context.post(
        4, bodies.deepest_nesting(), bodies.nested_objects(), bodies.nested_data())


@load
def pipelines(context):
    """60 connections with a thousand requests each whose responses are not read."""
    targets = ["/openapi.json", probes.LAYOUT, f"/v1/screens/{LARGE_SCREEN}/layout"]
    data = [wire.request("GET", target) * 1_000 for target in targets]
    unread(context, 60, data)


@load
def unread_streams(context):
    """300 streams that are not read, of a screen that is written and of a large one."""
    pages = [wire.request("PUT", "/v1/screens/streamed/pages/0", bodies.large_page(size))
             for size in (0.2, 0.3)]
    context.exchange(pages[0], "PUT ")
    streams = [
        wire.request("GET", f"/v1/screens/{screen}/stream?changes=true&width={width}")
        for screen, width in [("streamed", 390), ("streamed", 391), ("home", 390),
                              ("streamed", 392), (LARGE_SCREEN, 390)]]
    readers = threading.Thread(target=unread, args=(context, 300, streams))
    readers.start()
    context.send(2, pages)
    readers.join()


@load
def origin_pages(context):
    """200 clients that request ever new screens, whose pages are slow, 4 MB, endless, or bombs."""
    numbers = itertools.count()
    # Pages of 4 MB are stored.
    last = 8 if context.is_bounded else 60
    kinds = ["slow", "endless", "large", "bomb", "layers", "slow"]

    def step(_):
        number = next(numbers)
        kind = kinds[number % len(kinds)]
        screen = f"{kind}-{number % last if kind == 'large' else number}"
        context.exchange(wire.request("GET", f"/v1/screens/{screen}/layout"))

    context.repeat(200, step)


@load
def client_events(context):
    """Four clients that post a thousand events with 4 KiB of input each, also of a large screen."""
    data = [wire.request("POST", f"/v1/screens/{screen}/events", bodies.client_events(name))
            for screen in ("home", LARGE_SCREEN) for name in (b"gone%d", b"P1#%d")]
    context.send(4, data)
