"""The elements in a rectangle of the content (docs/layout.md, V1-V3), by linear search."""

import math


def visible(placed, rectangle):
    """Returns the elements, in V3's order, that have an area in common with (x, y, w, h)."""
    if any(math.isnan(number) for number in rectangle):  # V2
        return []
    x, y, width, height = rectangle
    left, right = sorted((x, x + width))
    top, bottom = sorted((y, y + height))

    def meets(frame, section):  # V1: a frame or rectangle without area meets no other
        if left == right or top == bottom:
            return False
        frame = frame.moved(section.frame.x, section.frame.y)  # R5
        inside = frame.x < right and left < frame.max_x and frame.y < bottom and top < frame.max_y
        return inside and frame.width > 0 and frame.height > 0

    found = []
    for index, section in enumerate(placed.sections):
        arrangement = section.arrangement
        named = [
            (f"decoration {number}", background.frame)
            for number, background in enumerate(arrangement.backgrounds)
        ]
        if arrangement.header is not None:
            named.append(("header", arrangement.header.frame))
        for number in range(section.count):
            if number < len(arrangement.items):
                named.append((f"item {number}", arrangement.items[number].frame))
        if arrangement.footer is not None:
            named.append(("footer", arrangement.footer.frame))
        found += [f"{index} {name}" for name, frame in named if meets(frame, section)]
    return found
