"""The part of a tree around an item (docs/api.md, "Windows"), by linear search."""

TOLERANCE = 0.001


class Order:
    """Positions along a screen, in reading order."""

    def __init__(self, environment):
        self.vertical = environment.axes.vertical
        self.mirrored = not self.vertical and environment.direction == "rtl"

    def coordinate(self, frame):
        """Returns the coordinate of a frame: the smaller one, whatever the direction."""
        return frame.y if self.vertical else frame.x

    def span(self, frame):
        """Returns the start and the end of a frame, as it is read."""
        low, length = (frame.y, frame.height) if self.vertical else (frame.x, frame.width)
        return (-low - length, -low) if self.mirrored else (low, low + length)

    def content_start(self, placed):
        return -placed.width if self.mirrored else 0.0


def window(placed, environment, anchor, before, after):
    """Returns what a window shows: its origin and, of each section, the index in the whole tree,
    the first item, the number of items there, and the number of items here.

    The anchor is the indices of a section and an item, or None for the content's start.
    """
    order = Order(environment)

    def content_frame(section, item):  # R5
        return section.arrangement.items[item].frame.moved(section.frame.x, section.frame.y)

    origin, start = 0.0, order.content_start(placed)
    end = start
    if anchor is not None:
        frame = content_frame(placed.sections[anchor[0]], anchor[1])
        origin = order.coordinate(frame)
        start, end = order.span(frame)
    start, end = start - before, end + after

    def is_in(frame):
        low, high = order.span(frame)
        return min(end, high) - max(start, low) > TOLERANCE

    shown = [index for index, section in enumerate(placed.sections) if is_in(section.frame)]
    if anchor is not None:
        shown.append(anchor[0])
    sections = []
    for index in range(min(shown), max(shown) + 1) if shown else []:
        section = placed.sections[index]
        frames = [content_frame(section, item) for item in range(item_count(section))]
        found = [item for item, frame in enumerate(frames) if is_in(frame)]
        if anchor is not None and anchor[0] == index:
            found.append(anchor[1])
        if section.arrangement.scroll is not None or section.arrangement.paging is not None:
            first, count = 0, len(frames)
        elif found:
            first, count = min(found), max(found) - min(found) + 1
        else:
            ended = [frame for frame in frames if order.span(frame)[1] - start <= TOLERANCE]
            first, count = len(ended), 0
        sections.append([index, first, len(frames), count])
    return {"origin": origin, "sections": sections}


def item_count(section):
    """Returns the number of items that the tree has: of a carousel's copies, the first."""
    return min(section.count, len(section.arrangement.items))
