"""Loads of events that clients report, beside those in loads.py."""

import time

import bodies
import wire
from loads import load

QUIET_EVENTS = 100
# The catalog of Fixtures/wishes, whose action is forwarded to a backend.
CATALOG = "?catalog=wishes"
MAX_FEED_SECONDS = 10
STREAM = b"HTTP/1.1 200 "


def target(screen, path):
    return f"/v1/screens/{screen}{path}{CATALOG}"


def report(screen, count, filler):
    """A request with actions of one item, each of which is in the feed of its screen."""
    event = (b'{"type":"action","name":"favourite","section":"Wishes","item":"a",'
             b'"input":{"on":true},"number":%d,"filler":"' + b"x" * filler + b'"}')
    body = b'{"events":[%b]}' % bodies.numbered(event, count)
    return wire.request("POST", target(screen, "/events"), body)


def make(context, screen):
    """Stores a screen; beside other loads the budget may be full at first."""
    page = (b'{"sections":[{"sectionId":"Wishes","units":'
            b'[{"unitType":"wishes","unitData":[{"id":"a"}]}]}]}')
    if not succeeds(context, wire.request("PUT", target(screen, "/pages/0"), page), 200, 201):
        raise SystemExit(f"{screen} was not stored")


def succeeds(context, data, *statuses):
    """Sends a request until the daemon responds with one of the statuses, or for too long."""
    clock = wire.Clock(MAX_FEED_SECONDS * context.time_factor)
    while not clock.is_over:
        if context.exchange(data) in statuses:
            return True
        time.sleep(0.1)
    return False


def feed_events(context, screen):
    """The number of events that a backend receives which connects only now, and again while it is
    refused."""
    clock = wire.Clock(MAX_FEED_SECONDS * context.time_factor)
    found = 0
    while found < QUIET_EVENTS and not clock.is_over:
        found = received_events(context.port, screen, clock)
        if found < QUIET_EVENTS:
            time.sleep(0.1)
    return found


def received_events(port, screen, clock):
    """The number of events that a backend receives on one connection."""
    head = wire.request(
        "GET", f"/v1/screens/{screen}/feed", fields="Last-Event-ID: unknown\r\n")
    text = b""
    try:
        with wire.Connection(port) as connection:
            connection.send(head)
            while text.count(b"event: client") < QUIET_EVENTS and not clock.is_over:
                # The comments of a stream would begin the timeout of a socket again.
                connection.socket.settimeout(clock.remaining())
                part = connection.socket.recv(1 << 16)
                text += part
                if not part or not text.startswith(STREAM[:len(text)]):
                    break
    except OSError:
        pass
    return text.count(b"event: client")


@load
def event_floods(context):
    """Eight clients that post a thousand forwarded events with 4 kB each, to screens whose feeds
    are not read, while the events of another screen wait for its backend."""
    screens = [f"loud-{number}" for number in range(8)]
    for screen in ["quiet", *screens]:
        make(context, screen)
    # Only what is acknowledged may not be lost.
    is_taken = succeeds(context, report("quiet", QUIET_EVENTS, 10), 202)
    context.send(8, [report(screen, 1_000, 4_000) for screen in screens])
    if is_taken and (found := feed_events(context, "quiet")) < QUIET_EVENTS:
        context.tally.add("lost feed events", QUIET_EVENTS - found)


@load
def stored_feeds(context):
    """Eight clients that post a hundred forwarded events of 1 kB at a time to four screens, and
    read all that is stored of them each time, after unknown ids."""
    screens = [f"fed-{number}" for number in range(4)]
    for screen in screens:
        make(context, screen)

    def step(number):
        screen = screens[number % len(screens)]
        is_taken = context.exchange(report(screen, QUIET_EVENTS, 1_000)) == 202
        if is_taken and feed_events(context, screen) < QUIET_EVENTS:
            context.tally.add("lost feed events", 1)

    context.repeat(8, step)
