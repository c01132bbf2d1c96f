"""The columns that an item spans (docs/layout.md, F20)."""

import math

from . import pointers

ALL = math.inf


def of_item(node, data):
    """Returns (span, pointer of a value that is unusable or None) of an item's `span`."""
    if node is None or node.kind != "object":
        return span(node) or 1, None
    default = span(node.get("default")) or 1
    pointer = node.get("value").inside
    found = pointers.evaluate(pointer, data)
    if found is None or found.kind == "null":
        return default, None
    return (default, pointer) if span(found) is None else (span(found), None)


def span(node):
    """Returns the number of columns, or None for what is neither a whole number from 1 nor all."""
    if node is None:
        return None
    if node.kind == "string":
        return ALL if node.inside == "all" else None
    if node.kind != "number" or not math.isfinite(node.number):
        return None
    return node.number if node.number >= 1 and node.number == math.floor(node.number) else None
