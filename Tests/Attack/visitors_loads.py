"""The load of visitors who share a key that cannot write."""

import itertools

import bodies
import wire
from loads import load

# The screen whose layouts are requested, by widths that are requested once.
SCREEN = "visited"
WIDTHS = itertools.count(1)
# The connections of the address that requests too much, and the addresses of other visitors.
CONNECTIONS, NEIGHBOURS = 300, 4


def layout(key, address):
    """A request for a layout that is in no cache, as a proxy passes it on."""
    width = 320 + next(WIDTHS) / 8
    return wire.request(
        "GET", f"/v1/screens/{SCREEN}/layout?width={width}", key=key,
        fields=f"X-Forwarded-For: {address}\r\n")


@load
def visitors(context):
    """300 connections of one address that request layouts of ever new widths with the key of all
    visitors, while visitors of other addresses and a backend request some, too."""
    page = wire.request("PUT", f"/v1/screens/{SCREEN}/pages/0", bodies.many_items(5_000))
    context.exchange(page)

    def step(number):
        if number < CONNECTIONS:
            context.exchange(layout("visitors", "203.0.113.1"))
            return
        is_backend = number == CONNECTIONS + NEIGHBOURS
        status = context.exchange(
            layout("attack" if is_backend else "visitors", f"192.0.2.{number - CONNECTIONS + 1}"))
        if status == 503:
            context.tally.add("refused neighbours")

    context.repeat(CONNECTIONS + NEIGHBOURS + 1, step)
