"""Loads of windows of a screen with very many items, beside those in loads.py."""

import itertools
import json
import urllib.parse

import bodies
import wire
from loads import load, load_without_stalls

READERS = 4
SCREEN = "/v1/screens/windowed"
# Windows around a removed item have those items behind it to pass.
REMOVED = 1_000


@load
def window_searches(context):
    """Four readers of one screen of 990,000 items: windows around items anywhere, around ids that
    the tree does not have, and changes of windows whose anchor was removed."""
    count = 20_000 if context.is_bounded else 990_000
    page = bodies.page(bodies.numbered(b'{"id":"%d"}', count))
    context.exchange(wire.request(
        "PUT", f"{SCREEN}/pages/0", page, fields="Prefer: return=minimal\r\n"), "PUT ")
    since = known_window(context)
    operation = {"op": "deleteItems", "section": "S", "items": list(range(REMOVED))}
    context.exchange(wire.request(
        "POST", f"{SCREEN}/updates", json.dumps({"operations": [operation]}).encode(),
        fields="Prefer: return=minimal\r\n"), "removal ")
    numbers = itertools.count()

    def step(_):
        number = next(numbers)
        item = REMOVED + number * 7919 % (count - REMOVED)
        target = [f"/layout?item={item}&before=0&after=300", f"/layout?item=none-{number}",
                  f"/changes?since={since}&before=0&after={300 + number % 100}"][number % 3]
        context.exchange(wire.request("GET", SCREEN + target))

    context.repeat(READERS, step)


def known_window(context):
    """Returns what a client sends as `since` that has the window around the first item."""
    with wire.Connection(context.port) as connection:
        connection.send(wire.request("GET", f"{SCREEN}/layout?item=0&before=0&after=300"))
        status = connection.receive()
        context.tally.add(f"window {status}")
        return "1." + urllib.parse.quote(connection.tag)


load_without_stalls(window_searches)
