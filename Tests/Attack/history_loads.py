"""Loads of earlier revisions, beside those in loads.py."""

import itertools

import bodies
import wire
from loads import load

SCREENS = 8
COUNTER = itertools.count()


@load
def earlier_revisions(context):
    """Eight clients that replace pages of 200 kB, read the earlier ones in ever new viewports, ask
    for changes between them, and take them back."""
    page = bodies.large_page(0.2)
    screens = [f"/v1/screens/kept-{number}" for number in range(SCREENS)]
    for screen in screens:
        context.exchange(wire.request("PUT", f"{screen}/pages/0", page))

    def step(number):
        count = next(COUNTER)
        screen = screens[count % SCREENS]
        context.exchange(wire.request("PUT", f"{screen}/pages/{count % 3}", page))
        revision = 1 + count // SCREENS
        width = 300 + count % 100
        for target in [
                f"/layout?pages=all&width={width}&revision={revision}",
                f"/layout.svg?width={width}&revision={revision}",
                f"/changes?since={max(1, revision - 2)}&pages=all&width={width}",
                f"/changes?since={revision}&revision={max(1, revision - 1)}&width={width}",
                "/revisions?pageSize=1000"]:
            context.exchange(wire.request("GET", screen + target))
        body = b'{"revision":%d}' % revision
        context.exchange(wire.request("POST", f"{screen}/revert", body))

    context.repeat(8, step)
