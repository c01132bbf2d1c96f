"""Loads of contents of cells that take long to lay out, beside those in loads.py.

Catalogs come with the requests, so a client needs nothing of the daemon's own.
"""

import json

import bodies
import wire
from loads import load

# The largest number of boxes and rules of a content.
BOXES = 256
HUGE = 1e308


def catalog(content):
    return {"units": {"U": {"cells": {"type": "C"}}}, "cellTypes": {"C": {"content": content}}}


def composition(content, items, layout=None, data=None):
    """A request for items of one content: `data` is that of each item."""
    value = json.dumps(data if data is not None else {}).encode()
    page = b'{"sections":[{"layout":%b,"units":[{"unitType":"U","unitData":[%b]}]}]}' % (
        json.dumps(layout or {}).encode(), b",".join([value] * items))
    return bodies.composition([page], catalog=json.dumps(catalog(content)).encode())


def boxes(kind, count, box):
    return {kind: [box(number) for number in range(count)]}


def nested(depth, inner):
    """Columns and rows within each other, of which each asks for the natural width of the next."""
    for level in range(depth):
        inner = {"row" if level % 2 else "column": [inner], "align": "start", "padding": 1}
    return inner


def rounds(count):
    """A row whose boxes meet their bounds one after the other, so that the rest is shared again in
    as many rounds."""
    share, used, result = 390 / count, 0.0, []
    for number in range(count):
        limit = (390 - used) / (count - number) * 0.999999
        result.append({"box": "", "fill": 1, "maxWidth": limit, "name": f"b{number}"})
        used += limit
    return {"row": result, "height": share}


CONTENTS = [
    boxes("column", BOXES - 1, lambda number: {"box": "", "fill": 1, "name": f"b{number}"}),
    boxes("overlay", BOXES - 1, lambda number: {"image": "", "name": f"b{number}"}),
    rounds(BOXES // 2 - 1),
    nested(14, boxes("row", BOXES - 15, lambda number: {"box": "", "name": f"b{number}"})),
    boxes("row", BOXES // 2 - 1, lambda number: {
        "box": "", "fill": 1 + number % 1000, "width": HUGE, "name": f"b{number}"}),
    boxes("column", BOXES // 3, lambda number: {
        "row": [{"box": ""}], "height": {"ratio": HUGE}, "padding": HUGE, "name": f"b{number}"}),
]


@load
def many_boxes(context):
    """Up to 10,000 items of contents of 256 boxes and rules, of which each box in the root has a
    part, six at a time."""
    items = 500 if context.is_bounded else 10_000
    requests = [wire.request("POST", "/v1/layout?fields=frames", composition(content, items))
                for content in CONTENTS]
    context.send(len(requests), requests)


@load
def many_cells(context):
    """100,000 items with few boxes, in each kind of layout, four at a time."""
    items = 2_000 if context.is_bounded else 100_000
    content = nested(14, {"image": "/i", "height": {"value": "/h", "default": 3}, "name": "i"})
    layouts = [{}, {"gridColumnCount": 7}, {"kind": "list"},
               {"kind": "compositional", "itemSize": "dynamic"}]
    requests = [wire.request("POST", "/v1/layout", composition(
        content, items, layout, {"i": 1, "h": 7})) for layout in layouts]
    context.send(len(requests), requests)


BLANK = " " * 100_000
SPOKEN = "x" * 100_000
DESCRIBED = [
    # All boxes overlap, so that each pair is looked at.
    (boxes("overlay", BOXES - 1, lambda number: {
        "box": "", "name": f"b{number}", "link": "/href", "label": "/alt"}),
     {"alt": "Tea", "href": "/tea"}),
    # Labels that are white space to the end, each another one.
    (boxes("column", BOXES - 1, lambda number: {
        "box": "", "name": f"b{number}", "link": "/href",
        "label": {"join": ["/alt", {"constant": " " * (number + 1)}]}}),
     {"alt": BLANK, "href": "/tea"}),
    # Controls that are said as texts, which are white space, too.
    ({"column": [{**nested(13, boxes("row", BOXES - 16, lambda number: {
        "box": "", "name": f"b{number}", "label": "/no"})), "name": "c", "link": "/href"}]},
     {"alt": SPOKEN, "href": SPOKEN}),
    # A label and a link of 100 kB.
    ({"box": "", "name": "b", "height": 9, "link": "/href", "label": "/alt"},
     {"alt": SPOKEN, "href": SPOKEN}),
]
# Each byte of the value is three of the URL.
PICTURE = {"column": [
    {"image": "/i", "name": f"i{number}", "height": 1, "url": "/{value}?w={width}&h={height}"}
    for number in range(BOXES // 2 - 1)]}


@load
def described_cells(context):
    """Contents whose boxes say what they are, with long labels and links, and many pairs of boxes
    in an overlay, all with lint; and 127 URLs of 4,096 bytes in an item. Five at a time."""
    small, large = (50, 4) if context.is_bounded else (1_000, 80)
    requests = [
        wire.request("POST", "/v1/layout?fields=frames&lint=true&textScale=2", composition(
            content, small if len(data["alt"]) < 100 else large, data=data))
        for content, data in DESCRIBED]
    items = composition(PICTURE, small, data={"i": " " * (4_096 // 3 - 5)})
    requests.append(wire.request("POST", "/v1/layout", items))
    context.send(len(requests), requests)
