"""The number of columns of a grid (docs/layout.md, F5 to F7, F18, F19, and C19)."""

import math

from . import numbers

TOLERANCE = 0.001  # F9's e


def count(columns, viewport_width, space, spacing):
    """Returns the number for a `gridColumnCount` or `columns`, or None without one.

    `space` is the length that the insets leave, `spacing` the one between two items.
    """
    if not isinstance(columns, tuple):
        return columns
    if columns[0] == "breakpoints":  # F19
        _, default, counts = columns
        reached = [width for width in counts if width <= viewport_width]
        return counts[max(reached)] if reached else default
    _, width, limit = columns  # F18
    step = max(1.0, max(1.0, numbers.length(width)) + spacing)
    fitting = max(1, math.floor((space + spacing + TOLERANCE) / step))
    return fitting if limit is None else min(fitting, limit)


def length(space, spacing, columns):
    """F5: the length of one of the columns."""
    return max(0.0, (space - spacing * (columns - 1)) / columns)


def spanned(column, spacing, span):
    """F20: the length of an item that spans columns."""
    return max(0.0, span * column + (span - 1) * spacing)
