"""Device pixels (docs/layout.md, R1-R3 and R5) and mirroring (R4)."""

import math
from dataclasses import replace


def px(value, scale):
    """R1: the nearest device pixel, ties towards +infinity, independent of floating-point noise."""
    if not math.isfinite(scale) or scale <= 0:
        return value
    return math.floor(value * scale + 0.5 + 1e-6) / scale


def rounded(frame, scale, fractional_sizes):
    """R2: flow rounds x and y. R3: compositional and list round all four."""
    result = replace(frame, x=px(frame.x, scale), y=px(frame.y, scale))
    if not fractional_sizes:
        result = replace(result, width=px(frame.width, scale), height=px(frame.height, scale))
    return result


def mirrored(frame, parent_width):
    """R4: the mirror image of a section in the content, or of an element in its section."""
    return replace(frame, x=parent_width - frame.x - frame.width)
