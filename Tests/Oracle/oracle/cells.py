"""The sizes and the parts of cells, which have a size, a content, or neither (docs/catalog.md)."""

import math
import re

from . import contents, images, pointers, sizes
from .sizes import EXPECTED, Request

__all__ = ["Request", "parts", "size_of", "unusable"]


def size_of(cell_type, data, request):
    """Returns the `Size` of a cell, header or footer, neither length below 0."""
    if cell_type.content is None:
        return sizes.size_of(cell_type, data, request)
    layout = contents.Layout(cell_type.content, data, cell_type.texts)
    default = None if request.is_natural else request.absent[0]
    fixed = request.spans or request.fixed
    return sizes.Size(layout.size(request.container, fixed, default, request.least))


def parts(cell_type, data, frame, is_mirrored, image_scale):
    """Returns the parts of a cell in its frame before rounding, or None without a content."""
    if cell_type.content is None:
        return None
    layout = contents.Layout(cell_type.content, data, cell_type.texts)
    return layout.parts(frame.width, frame.height, is_mirrored, image_scale)


def unusable(cell_type, data):
    """Returns (pointer, detail) of the values that a cell reads and that have an unusable type."""
    if cell_type.content is None:
        readings = [
            reading
            for rule in (cell_type.width, cell_type.height)
            for reading in sizes.readings(rule, data)
        ]
    else:
        readings = contents.readings(cell_type.content, data)
    found = []
    for pointer, kinds in readings:
        value = pointers.evaluate(pointer, data)
        if value is not None and is_unusable(value, kinds):
            expected = "another value" if kinds[0] == "url" else EXPECTED[kinds]
            found.append((pointer, f"a size rule needs {expected}"))
    return found


def is_unusable(value, kinds):
    """Returns whether a reader of these kinds cannot use a value."""
    if kinds[0] == "url":
        return contents.is_there(value) and not images.can_have(kinds[1], value)
    if kinds == contents.ADDRESSES:
        return contents.is_there(value) and not is_address(value)
    if kinds == sizes.NUMBERS and value.kind == "number":
        return not math.isfinite(value.number)
    return value.kind not in (*kinds, "null")


def is_address(value):
    """Returns whether clients load an image from a value: http, https, or a relative address."""
    if value.kind != "string" or any(ord(char) < 0x20 for char in value.inside):
        return False
    scheme = re.match(r"[^:/?#]*:", value.inside)
    return scheme is None or re.match(r"https?://[^/?#]", value.inside, re.IGNORECASE) is not None
