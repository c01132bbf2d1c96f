"""Flow sections (docs/layout.md, rules F)."""

import math

from . import columns, numbers, paging
from .geometry import Arrangement, View
from .cells import Request, size_of

TOLERANCE = columns.TOLERANCE  # F9's e
ALIGNMENTS = {"start": 0.0, "center": 0.5, "end": 1.0, "stretch": 0.0}  # F21
DEFAULT_ITEM = 50.0  # F1
DEFAULT_SPACING = 10.0  # F1


def lay_out(section, catalog, environment):
    return Flow(section, catalog, environment).arrangement()


def default_item_size(screen):
    """F1, F3: the layout's itemSize."""
    size = screen.get("itemSize", {})
    return (
        numbers.size(size.get("width"), DEFAULT_ITEM),
        numbers.size(size.get("height"), DEFAULT_ITEM),
    )


class Flow:
    def __init__(self, section, catalog, environment):
        self.section = section
        self.types = catalog.cell_types
        self.axes = environment.axes
        self.screen = environment.screen
        self.main_viewport = self.axes.main(environment.width, environment.height)
        self.cross_viewport = environment.area[1]  # G9
        # F2: for each value the section's, else the screen's, else F1's.
        self.line_spacing = self.resolved("minimumLineSpacing", DEFAULT_SPACING)
        self.interitem = self.resolved("minimumInteritemSpacing", DEFAULT_SPACING)
        inset = section.layout.get("inset", self.screen.get("inset", (0.0,) * 4))
        sides = [numbers.length(side) for side in inset]
        self.main0, self.main1, self.cross0, self.cross1 = self.axes.insets(sides)
        self.columns = self.column_count(environment.width)
        self.column_cross = self.grid_cross()
        if self.columns == 0:  # F6: cross insets become 0, main insets stay
            self.cross0 = self.cross1 = 0.0
        self.available = max(0.0, self.cross_viewport - self.cross0 - self.cross1)  # F8
        self.pages = paging.is_on(section, environment.section_count)

    def resolved(self, name, default):
        value = self.section.layout.get(name, self.screen.get(name))
        return numbers.length(value, default)

    def column_count(self, viewport_width):
        """Returns the number of columns, or None without a grid."""
        count = self.section.layout.get("gridColumnCount")
        space = self.cross_viewport - self.cross0 - self.cross1
        return columns.count(count, viewport_width, space, self.interitem)

    def grid_cross(self):
        """Returns the cross length of a grid's items, or None without a grid."""
        if self.columns is None or self.columns < 0:  # F7
            return None
        if self.columns == 0:  # F6
            return self.cross_viewport
        space = self.cross_viewport - self.cross0 - self.cross1
        return columns.length(space, self.interitem, self.columns)  # F5

    # Sizes

    def item_sizes(self):
        """Returns (main, cross) of every item."""
        default = default_item_size(self.screen)
        cells = self.section.cells
        if self.columns is not None and self.columns < 0:  # F7
            sizes = [default] * len(cells)
        elif self.column_cross is not None:
            crosses = [columns.spanned(self.column_cross, self.interitem, k) for k in self.spans()]
            sizes = [
                size_of(self.types[cell.type], cell.data, self.grid_request(cross))
                for cell, cross in zip(cells, crosses)
            ]
        else:
            container = self.axes.size(self.main_viewport, self.available)
            absent = self.axes.size(self.axes.main(*default), self.available)
            request = Request(container, absent, default, is_natural=not self.axes.vertical)
            sizes = [size_of(self.types[cell.type], cell.data, request) for cell in cells]
        self.item_lines = [getattr(size, "lines", None) for size in sizes]
        return [(self.axes.main(*size), self.axes.cross(*size)) for size in sizes]

    def grid_request(self, cross):
        """F5: the cross length is the grid's, the main length the cell's, else the item size's."""
        default = default_item_size(self.screen)
        container = self.axes.size(self.main_viewport, cross)
        absent = self.axes.size(self.axes.main(*default), cross)
        fixed, is_natural = self.axes.size(None, cross), not self.axes.vertical
        return Request(container, absent, default, fixed, is_natural=is_natural)

    def spans(self):
        """F20: the number of columns of every item."""
        most = max(1, self.columns or 0)
        return [int(min(cell.span, most)) for cell in self.section.cells]

    def view_length(self, view):
        """F15: the main length of a header or footer; 0 without a rule (F1)."""
        container = self.axes.size(self.main_viewport, self.cross_viewport)
        absent = self.axes.size(0.0, self.cross_viewport)
        spans = self.axes.size(None, self.cross_viewport)
        is_natural = not self.axes.vertical
        request = Request(container, absent, (0.0, 0.0), spans=spans, is_natural=is_natural)
        return self.axes.main(*size_of(self.types[view.type], view.data, request))

    # Lines

    def lines(self, sizes):
        """Returns each line as (indices, offset, gap)."""
        if not sizes:
            return []
        if max(self.spans()) > 1:  # F20
            return self.rows(len(sizes))
        if all(size == sizes[0] for size in sizes):  # F10
            return self.uniform_lines(len(sizes), sizes[0][1])
        return self.ragged_lines([cross for _, cross in sizes])

    def rows(self, count):
        """F20: rows of columns, which items fill in their order."""
        spans = self.spans()
        rows, row, used = [], [], 0
        for index in range(count):
            span = spans[index % len(spans)]
            if used + span > self.columns:
                rows.append((row, 0.0, self.interitem))
                row, used = [], 0
            row.append(index)
            used += span
        return [*rows, (row, 0.0, self.interitem)]

    def uniform_lines(self, count, cross):
        """F10, F11."""
        step = cross + self.interitem
        if step <= 1e-9:
            return [(range(count), 0.0, self.interitem)]
        per_line = max(1, math.floor((self.available + self.interitem + TOLERANCE) / step))
        if per_line == 1:
            offset, gap = (self.available - cross) / 2, 0.0
        else:
            used = per_line * cross + (per_line - 1) * self.interitem
            offset, gap = 0.0, self.interitem + max(0.0, self.available - used) / (per_line - 1)
        starts = range(0, count, per_line)
        return [(range(start, min(start + per_line, count)), offset, gap) for start in starts]

    def ragged_lines(self, crosses):
        """F9, F12, F13."""
        broken, line, used = [], [], 0.0
        for index, cross in enumerate(crosses):
            if line and used + self.interitem + cross <= self.available + TOLERANCE:
                used += self.interitem + cross
            else:
                if line:
                    broken.append((line, used))
                line, used = [], cross
            line.append(index)
        broken.append((line, used))
        lone = all(len(line) == 1 for line, _ in broken)
        result = []
        for number, (line, used) in enumerate(broken):
            is_last = number == len(broken) - 1
            if is_last and not lone:  # F13
                result.append((line, 0.0, self.interitem))
            elif len(line) == 1:
                result.append((line, (self.available - used) / 2, self.interitem))
            else:
                spread = max(0.0, self.available - used) / (len(line) - 1)
                result.append((line, 0.0, self.interitem + spread))
        return result

    # Assembly

    def arrangement(self):
        """F15: header, leading inset, lines, trailing inset, footer. F17: all but items remain."""
        result = Arrangement()
        position = 0.0
        code, view = "HEADER_HAS_NO_SIZE", self.section.header
        result.header, position = self.boundary(code, view, position, result)
        position += self.main0
        position += self.place_items(position, result)
        position += self.main1
        code, view = "FOOTER_HAS_NO_SIZE", self.section.footer
        result.footer, position = self.boundary(code, view, position, result)
        result.length = max(0.0, position)  # G3
        if self.pages:
            first = result.items[0].frame if result.items else None
            result.paging = paging.page_numbers(
                self.section,
                self.copies,
                self.main_viewport,
                result.length,
                self.main0,
                self.main1,
                self.axes.main(first.width, first.height) if first else 0.0,
                self.line_spacing,
            )
        return result

    def place_items(self, start, result):
        """Places the items in lines. Returns the length of the lines."""
        position = start
        sizes = self.item_sizes()
        if self.pages:  # P1: frame i has item i mod n; a tree lists the first copy
            sizes = self.repeated(sizes, result)
        alignment = self.section.layout.get("itemAlignment", "center")  # F14, F21
        for number, (indices, offset, gap) in enumerate(self.lines(sizes)):
            if number > 0:
                position += self.line_spacing  # F4
            thickness = max(sizes[index][0] for index in indices)
            cross_position = self.cross0 + offset
            for index in indices:
                main, cross = sizes[index]
                if alignment == "stretch":
                    main = thickness
                aligned = position + (thickness - main) * ALIGNMENTS[alignment]
                view = View(self.axes.frame(aligned, cross_position, main, cross))
                view.lines = self.item_lines[index % len(self.item_lines)]
                result.items.append(view)
                cross_position += cross + gap
            position += thickness
        return position - start

    def repeated(self, sizes, result):
        """P1: the sizes of all copies; lines of several items switch paging off."""
        lines = self.lines(sizes)
        if any(len(indices) > 1 for indices, _, _ in lines):
            self.pages = False
            return sizes
        length = sum(size[0] + self.line_spacing for size in sizes)
        copies = paging.copies(self.section, length, self.main_viewport)
        if copies != 1 and any(len(indices) > 1 for indices, _, _ in self.lines(sizes * 2)):
            copies = None
        if copies is None:
            result.diagnostics.append(("PAGING_SWITCHED_OFF", self.section, "cannot be repeated"))
        self.copies = copies or 1
        return sizes * self.copies

    def boundary(self, code, view, position, result):
        """F15: the width of the viewport; a length of 0 gives no element but a diagnostic."""
        if view is None:
            return None, position
        length = self.view_length(view)
        if length <= 0:
            result.diagnostics.append((code, view, "its length along the scroll axis is 0"))
            return None, position
        frame = self.axes.frame(position, 0.0, length, self.cross_viewport)
        return View(frame), position + length
