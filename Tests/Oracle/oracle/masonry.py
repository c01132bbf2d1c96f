"""Masonry sections (docs/layout.md, rules M): columns that are filled each by itself."""

from . import columns
from .flow import Flow
from .geometry import View
from .cells import size_of

DEFAULT_COLUMNS = 2
MOST_COLUMNS = 64  # M1
TOLERANCE = 0.001  # M4


def lay_out(section, catalog, environment):
    return _Masonry(section, catalog, environment).arrangement()


class _Masonry(Flow):
    def __init__(self, section, catalog, environment):
        super().__init__(section, catalog, environment)
        self.pages = False  # P1: neither flow nor cards

    def column_count(self, viewport_width):
        count = super().column_count(viewport_width)
        return DEFAULT_COLUMNS if count is None else min(MOST_COLUMNS, count)

    def place_items(self, position, result):
        """M2: each item below the columns that it spans. Returns the length of all items."""
        result.fractional_sizes = False  # M5
        count = max(1, self.columns)
        space = self.cross_viewport - self.cross0 - self.cross1
        column = columns.length(space, self.interitem, count)
        ends = [0.0] * count
        bottom, next_column = 0.0, 0
        for cell in self.section.cells:
            span = int(min(cell.span, count))
            width = columns.spanned(column, self.interitem, span)
            size = size_of(self.types[cell.type], cell.data, self.grid_request(width))
            place = self.place(ends, span, next_column)
            y = max(ends[place : place + span])
            x = self.cross0 + place * (column + self.interitem)
            view = View(self.axes.frame(position + y, x, size[1], width))
            view.lines = size.lines
            result.items.append(view)
            ends[place : place + span] = [y + size[1] + self.line_spacing] * span
            bottom = max(bottom, y + size[1])
            next_column = place + span
        return bottom

    def place(self, ends, span, next_column):
        """M4: the first of the columns that an item spans."""
        places = range(len(ends) - span + 1)
        if self.section.layout.get("placement", "shortest") == "inOrder":
            return next_column if next_column in places else 0
        starts = [max(ends[place : place + span]) for place in places]
        return next(place for place in places if starts[place] <= min(starts) + TOLERANCE)
