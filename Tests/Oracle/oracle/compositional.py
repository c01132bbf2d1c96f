"""Compositional sections (docs/layout.md, rules C)."""

import math
from dataclasses import dataclass, replace

from . import columns, numbers, paging
from .geometry import Arrangement, Frame, View
from .cells import Request, size_of
from .flow import ALIGNMENTS
from .layout_members import are_aligned, are_cards

DEFAULT_LENGTH = 50.0  # C6, C7, C12
MAX_OFFSETS = 10_000  # C10


@dataclass
class Group:
    """A group's size, and its items' frames in the group's coordinates."""

    width: float
    height: float
    items: list


def lay_out(section, catalog, environment):
    return _Compositional(section, catalog, environment).arrangement()


class _Compositional:
    def __init__(self, section, catalog, environment):
        self.section = section
        self.layout = section.layout
        self.types = catalog.cell_types
        self.width = environment.width
        self.start, self.area = environment.area  # G9
        self.end = self.width - self.start - self.area
        self.height = environment.height
        # C3: the member of this layout, else that of flow in the same section, else 0 (C1).
        self.item_spacing = self.resolved("itemSpacing", "minimumInteritemSpacing")
        self.line_spacing = self.resolved("lineSpacing", "minimumLineSpacing")
        inset = self.layout.get("sectionInset", self.layout.get("inset", (0.0,) * 4))
        sides = (numbers.length(side) for side in inset)
        self.top, self.leading, self.bottom, self.trailing = sides
        # C4
        self.content_width = max(0.0, self.area - self.leading - self.trailing)
        self.content_height = max(0.0, self.height - self.top - self.bottom)
        self.scrolling = self.layout.get("scrolling", "none")
        self.cards = are_cards(self.layout)  # C17
        self.alignment = self.layout.get("itemAlignment") if are_aligned(self.layout) else None

    def resolved(self, name, fallback):
        return numbers.length(self.layout.get(name, self.layout.get(fallback)))

    # Groups

    def groups(self):
        if not self.section.cells:
            return []
        size = self.layout.get("itemSize", {})
        vertical = self.layout.get("direction", "horizontal") == "vertical"
        if size == "dynamic":
            return [self.stacked_group() if vertical else self.running_group()]
        count = 1 if self.cards else self.column_count(size.get("columns", 1))
        height = numbers.size(size.get("height"), DEFAULT_LENGTH)
        if self.cards or vertical:
            item_width = self.item_width(size.get("width"), self.content_width / count)
        else:  # C5: an explicit width is ignored
            spacing = self.item_spacing * (count - 1)
            item_width = max(0.0, (self.content_width - spacing) / count)
        cells = self.section.cells
        batches = [cells[start : start + count] for start in range(0, len(cells), count)]
        make = self.column if vertical else self.row
        return [make(batch, count, item_width, height) for batch in batches]

    def column_count(self, given):
        """C19"""
        return max(1, columns.count(given, self.width, self.content_width, self.item_spacing))

    def item_width(self, width, default):
        """C6, C17: a number of points, or a fraction of the content box."""
        if isinstance(width, tuple):
            return numbers.size(numbers.length(width[1]) * self.content_width)
        return numbers.size(width, default)

    def row(self, batch, count, width, height):
        """C5: equal items side by side. C17: a card is a group of its own width."""
        if self.layout.get("isUniformAcrossSiblings"):
            height = self.tallest(batch, width, height)
        step = width + self.item_spacing
        items = [Frame(slot * step, 0.0, width, height) for slot in range(len(batch))]
        return Group(width if self.cards else self.content_width, height, items)

    def column(self, batch, count, width, height):
        """C6: items stacked in one group."""
        if self.layout.get("isUniformAcrossSiblings"):  # C11: the height of the existing items
            item_height = self.tallest(batch, width, height)
            group_height = len(batch) * item_height + (len(batch) - 1) * self.item_spacing
        else:
            item_height = max(0.0, (height - self.item_spacing * (count - 1)) / count)
            group_height = height
        step = item_height + self.item_spacing
        items = [Frame(0.0, slot * step, width, item_height) for slot in range(len(batch))]
        return Group(self.content_width, group_height, items)

    def tallest(self, batch, width, height):
        """C11: the height of the tallest item in a group; others have the estimate."""
        estimate = numbers.size(self.layout.get("uniformEstimatedHeight"), height)
        request = Request((width, self.height), (width, estimate), (width, estimate), (width, None))
        sizes = [size_of(self.types[cell.type], cell.data, request) for cell in batch]
        self.item_lines += [size.lines for size in sizes]
        return max(height for _, height in sizes)

    def stacked_group(self):
        """C7, vertical: one group of all items with their own sizes, one below the other."""
        y, items = 0.0, []
        for width, height in self.own_sizes((self.content_width, DEFAULT_LENGTH)):
            items.append(Frame(0.0, y, width, height))
            y += height + self.item_spacing
        return Group(self.content_width, y - self.item_spacing, items)  # G3: it may be negative

    def running_group(self):
        """C7, horizontal: side by side, top-aligned, as tall as the content box.

        C18: an aligned row is as tall as its tallest item.
        """
        x, items = 0.0, []
        missing = self.content_height if self.alignment is None else DEFAULT_LENGTH
        for width, height in self.own_sizes((DEFAULT_LENGTH, missing), True):
            items.append(Frame(x, 0.0, width, height))
            x += width + self.item_spacing
        tallest = max(item.height for item in items)
        height = self.content_height if self.alignment is None else tallest
        return Group(x - self.item_spacing, height, items)

    def aligned(self, groups):
        """C18: the items of all groups are in one row."""
        if self.alignment is None or not groups:
            return groups
        row = max(group.height for group in groups)
        return [
            Group(group.width, row, [self.in_row(item, row) for item in group.items])
            for group in groups
        ]

    def in_row(self, item, row):
        if self.alignment == "stretch":
            return replace(item, height=row)
        return item.moved(0.0, (row - item.height) * ALIGNMENTS[self.alignment])

    def own_sizes(self, missing, is_natural=False):
        """An axis without rule has the container's length across, and C7's length along."""
        absent = (self.content_width, missing[1])
        container = (self.content_width, self.height)
        request = Request(container, absent, missing, is_natural=is_natural)
        cells = self.section.cells
        sizes = [size_of(self.types[cell.type], cell.data, request) for cell in cells]
        self.item_lines = [size.lines for size in sizes]
        return sizes

    # Assembly

    def arrangement(self):
        """C14: header, top inset, groups, bottom inset, footer; C15 without the groups."""
        result = Arrangement(fractional_sizes=False)
        position = 0.0
        result.header, position = self.boundary(self.section.header, position)
        content_top = position + self.top
        self.item_lines = []
        groups = self.aligned(self.groups())
        if self.scrolling == "none":
            content_height = self.stack(groups, content_top, result)
        else:
            content_height = self.run(groups, content_top, result)
            if self.cards and paging.is_asked_for(self.section):
                result.paging = self.pages(groups, result.scroll["contentSize"][0], result)
        for view, lines in zip(result.items, self.item_lines):
            view.lines = lines
        position = content_top + content_height + self.bottom
        result.footer, position = self.boundary(self.section.footer, position)
        result.length = max(0.0, position)  # G3
        return result

    def stack(self, groups, top, result):
        """C8: groups along y. Returns the content's height."""
        y = top
        for group in groups:
            result.items += [View(item.moved(self.leading, y)) for item in group.items]
            y += group.height + self.line_spacing
        return y - self.line_spacing - top if groups else 0.0

    def run(self, groups, top, result):
        """C9: groups along x. Returns the content's height."""
        x, starts = self.leading, []
        for group in groups:
            result.items += [View(item.moved(x, top)) for item in group.items]
            starts.append((x, group.width))
            x += group.width + self.line_spacing
        height = max([0.0] + [group.height for group in groups])  # G2: the scroller has a frame
        end = x - self.line_spacing if groups else x
        result.scroll = self.scroller(starts, end + self.trailing, height, result)
        return height

    def scroller(self, starts, content_width, height, result):
        """C10, in the area of G9: the scroller spans the viewport"""
        content_width += self.start + self.end
        content_width = max(0.0, content_width)  # G2: a size is never negative
        furthest = max(0.0, content_width - self.width)
        snaps = []
        if self.scrolling in ("continuousGroupLeadingBoundary", "groupPaging"):
            snaps = [min(max(0.0, x - self.leading), furthest) for x, _ in starts]
        elif self.scrolling == "paging":
            pages = max(1, math.ceil((content_width - 0.001) / self.width))
            count = min(pages, MAX_OFFSETS + 1)
            snaps = [min(page * self.width, furthest) for page in range(count)]
        elif self.scrolling == "groupPagingCentered":
            snaps = [self.start + x + width / 2 - self.width / 2 for x, width in starts]
        if len(snaps) > MAX_OFFSETS:
            found = ("SNAP_OFFSETS_TRUNCATED", self.section, "only the first offsets are listed")
            result.diagnostics.append(found)
            snaps = snaps[:MAX_OFFSETS]
        centred = self.scrolling == "groupPagingCentered" and snaps
        return {
            "axis": "horizontal",
            "behavior": self.scrolling,
            "contentSize": (content_width, height),
            "snapOffsets": snaps,
            "initialOffset": snaps[0] if centred else 0.0,
            "orthogonalScrollingProperties": self.layout.get("orthogonalScrollingProperties"),
        }

    def pages(self, groups, one_copy, result):
        """P13: the section's frame is the viewport, a card is a page."""
        card = groups[0].width if groups else 0.0
        length = len(groups) * (card + self.line_spacing)
        copies = paging.copies(self.section, length, self.width)
        if copies is None:
            result.diagnostics.append(("PAGING_SWITCHED_OFF", self.section, "too short to repeat"))
        copies = copies or 1
        content = max(0.0, one_copy + (copies - 1) * length)
        insets = (self.start + self.leading, self.end + self.trailing)
        return paging.page_numbers(
            self.section, copies, self.width, content, *insets, card, self.line_spacing
        )

    def boundary(self, view, position):
        """C12, C13: exists if the section has the view, and is centred in its reference."""
        if view is None:
            return None, position
        start, reference = self.leading, self.content_width
        if self.layout.get("contentInsetsReference", "automatic") == "none":
            start, reference = 0.0, self.area
        # A type without width has the width of its reference, from which its ratios are computed.
        container, absent = (self.area, self.height), (reference, 0.0)
        least = (reference, DEFAULT_LENGTH)
        request = Request(container, absent, (0.0, 0.0), least=least)
        width, height = size_of(self.types[view.type], view.data, request)
        width = width if width > 0 else reference
        height = height if height > 0 else DEFAULT_LENGTH
        frame = Frame(start + (reference - width) / 2, position, width, height)
        return View(frame), position + height
