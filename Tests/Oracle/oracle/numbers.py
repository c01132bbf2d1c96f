"""Lengths: limited when they are read, and formatted when they are written."""

import math
from decimal import ROUND_HALF_UP, Decimal

LONGEST = 1e9


def length(value, default=0.0):
    """G2: a missing length has its default, one that is not finite is 0, others are clamped."""
    if value is None:
        return default
    if not math.isfinite(value):
        return 0.0
    return max(-LONGEST, min(LONGEST, float(value)))


def size(value, default=0.0):
    """G2: the length of an element, never below 0."""
    return max(0.0, length(value, default))


def written(value):
    """Formats a number for a response: thousandths, the shortest form, no exponent, no -0."""
    if not math.isfinite(value):
        return "0"
    rounded = Decimal(value).quantize(Decimal("0.001"), rounding=ROUND_HALF_UP)
    text = format(Decimal(repr(float(rounded))), "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def string(text):
    """Formats a text as a JSON string, with no more escapes than necessary, short if possible."""
    short = {'"': '\\"', "\\": "\\\\"}
    short |= {"\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    out = ['"']
    for char in text:
        out.append(short.get(char) or (f"\\u{ord(char):04x}" if ord(char) < 0x20 else char))
    out.append('"')
    return "".join(out)
