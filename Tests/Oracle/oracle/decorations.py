"""Backgrounds behind sections (docs/layout.md, D1-D4, D7 and G8)."""

from . import numbers
from .geometry import Background, Frame


def backgrounds(section, kind, arrangement, environment):
    """Returns the section's backgrounds in order (D7). Moves the items in front of them (G8)."""
    found = [
        background(decoration, kind, arrangement, environment)
        for decoration in section.layout.get("decoration", [])
    ]
    shown = [one for one in found if one is not None]
    for item in arrangement.items if shown else []:
        item.z_index = 1
    return shown


def background(decoration, kind, arrangement, environment):
    """Returns one background, or None (D3)."""
    compositional = kind == "compositional"
    mode = decoration.get("mode", "section" if compositional else "items")
    base = base_frame(mode, arrangement, environment)
    if base is None:
        return None
    inset = decoration.get("inset", (0.0,) * 4)
    top, left, bottom, right = (numbers.length(side) for side in inset)
    width, height = base.width - left - right, base.height - top - bottom
    frame = Frame(base.x + left, base.y + top, width, height)
    if frame.width <= 0 or frame.height <= 0:
        return None
    z_index = decoration.get("zIndex", 0 if compositional else -1)
    return Background(decoration["kind"], frame, z_index, decoration.get("data"))


def base_frame(mode, arrangement, environment):
    """D1: the whole section, or the width of the viewport from the first item to the last."""
    axes = environment.axes
    cross = axes.cross(environment.width, environment.height)
    if mode == "section":
        return axes.frame(0.0, 0.0, arrangement.length, cross)
    if not arrangement.items:
        return None
    frames = [item.frame for item in arrangement.items]
    start = min(axes.main(frame.x, frame.y) for frame in frames)
    end = max(axes.main(frame.max_x, frame.max_y) for frame in frames)
    return axes.frame(start, 0.0, end - start, cross)
