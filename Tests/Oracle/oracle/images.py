"""The URLs of images (docs/catalog.md, "URLs of images")."""

import math
import re
from fractions import Fraction

MAX_VALUE = 4096
PLAIN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
RESERVED = b":/?#[]@!$&'()*+,;="


def url(box, value, frame, scale):
    """Returns the URL of an image of a frame, or None.

    box    the box with `url`, and perhaps `widths`
    value  the value in the data, or None
    """
    if frame.width <= 0 or frame.height <= 0:
        return None
    width, height = pixels(box, frame, scale)
    return filled(box.get("url").inside, value, width, height)


def can_have(box, value):
    """Returns whether a value has a URL in frames with an area."""
    return filled(box.get("url").inside, value, 1, 1) is not None


def pixels(box, frame, scale):
    """Returns the width and the height that a URL has."""
    scale = scale if math.isfinite(scale) and scale > 0 else 1.0
    width, height = (nearest(Fraction(length * scale)) for length in (frame.width, frame.height))
    widths = box.get("widths")
    if widths is None:
        return width, height
    listed = [int(one.number) for one in widths.elements]
    chosen = next((one for one in listed if one >= width), listed[-1])
    return chosen, nearest(Fraction(height * chosen, width))


def nearest(number):
    return max(1, math.floor(number + Fraction(1, 2)))


def filled(template, value, width, height):
    """Returns a template with a value and lengths, or None if the value cannot be used."""
    text = value.text if value is not None else None
    if not text:
        return None
    encoding = kept if "{+value}" in template else encoded
    written = encoding(text.encode("utf-8"))
    if len(written) > MAX_VALUE:
        return None
    parts = {"{value}": written, "{+value}": written}
    parts |= {"{width}": str(width), "{height}": str(height)}
    result = re.sub(r"\{[^}]*\}", lambda found: parts[found[0]], template)
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", result)
    return result if scheme is None or scheme[1].lower() in ("http", "https") else None


def encoded(text, safe=PLAIN):
    return "".join(chr(byte) if byte in safe else f"%{byte:02X}" for byte in text)


def kept(text):
    """Keeps reserved characters, and each percent sign before two hexadecimal digits."""
    parts = re.split(rb"(%[0-9A-Fa-f]{2})", text)
    return "".join(
        part.decode("ascii") if index % 2 else encoded(part, PLAIN + RESERVED)
        for index, part in enumerate(parts)
    )
