"""The part of the cross axis that a section is laid out in (docs/layout.md, G9)."""

from . import numbers


def area(layout, environment):
    """Returns (start, length) in reading direction."""
    axes = environment.axes
    whole = axes.cross(environment.width, environment.height)
    start, end = 0.0, 0.0
    reference = layout.get("contentInsetsReference", "automatic")
    if environment.safe_area is not None and reference != "none":
        top, left, bottom, right = environment.safe_area
        if axes.vertical:
            start, end = (right, left) if environment.direction == "rtl" else (left, right)
        else:
            start, end = top, bottom
        if reference == "layoutMargins" and axes.vertical:
            margin = 20.0 if environment.width >= 414 else 16.0
            start, end = start + margin, end + margin
    length = max(0.0, whole - start - end)
    if axes.vertical and layout.get("maxWidth") is not None:
        widest = max(1.0, numbers.length(layout["maxWidth"]))
        if widest < length:
            start, length = start + (length - widest) / 2, widest
    return start, length
