"""List sections (docs/layout.md, rules L)."""

from . import numbers
from .geometry import Arrangement, Frame, View
from .cells import Request, size_of

DEFAULT_ROW = 44.0  # L3, L5
FIRST_PADDING, PADDING = 35.0, 17.5  # L4
PLAIN_HEADER_PADDING = 22.0  # L5


def lay_out(section, catalog, environment):
    return _List(section, catalog, environment).arrangement()


class _List:
    def __init__(self, section, catalog, environment):
        self.section = section
        self.layout = section.layout
        self.types = catalog.cell_types
        self.environment = environment
        area = environment.area[1]  # G9
        self.appearance = self.layout.get("appearance", "plain")  # L1
        self.margin = 20.0 if area >= 414 else 16.0  # L2
        self.inset = self.margin if self.appearance in ("insetGrouped", "sidebar") else 0.0
        self.row_width = max(0.0, area - 2 * self.inset)

    def height(self, element, zero_counts):
        """L3, L5: the height of the cell at the row's width, else 44."""
        container = (self.row_width, self.environment.height)
        missing = (self.row_width, DEFAULT_ROW)
        request = Request(container, missing, missing, fixed=(self.row_width, None))
        size = size_of(self.types[element.type], element.data, request)
        self.lines = size.lines
        return size[1] if size[1] > 0 or zero_counts else DEFAULT_ROW

    def arrangement(self):
        result = Arrangement(fractional_sizes=False)
        has_header = self.shows("header", result)
        has_footer = self.shows("footer", result)
        padded = self.appearance in ("grouped", "insetGrouped")
        y = 0.0
        if has_header:
            y += self.header_padding()
            result.header, y = self.boundary(self.section.header, y)
        elif padded:  # L4
            y += FIRST_PADDING if self.environment.section_index == 0 else PADDING
        for index, cell in enumerate(self.section.cells):
            height = self.height(cell, zero_counts=True)
            row = Frame(self.inset, y, self.row_width, height)
            separator = self.separator(index, row)
            result.items.append(View(row, separator=separator, lines=self.lines))
            y += height
        if has_footer:
            result.footer, y = self.boundary(self.section.footer, y)
        elif padded:
            y += PADDING
        result.length = max(0.0, y)
        return result

    def shows(self, role, result):
        """L5: a posted view that its mode does not show gives a diagnostic."""
        view = getattr(self.section, role)
        if view is None:
            return False
        if self.layout.get(f"{role}Mode") == "supplementary":
            return True
        result.diagnostics.append((f"{role.upper()}_NOT_SHOWN", view, f"this list shows no {role}"))
        return False

    def header_padding(self):
        default = PLAIN_HEADER_PADDING if self.appearance == "plain" else 0.0
        return numbers.length(self.layout.get("headerTopPadding"), default)

    def boundary(self, view, y):
        height = self.height(view, zero_counts=False)
        return View(Frame(self.inset, y, self.row_width, height)), y + height

    def separator(self, index, row):
        """L6"""
        is_last = index == len(self.section.cells) - 1
        is_header = index == 0 and self.layout.get("headerMode") == "firstItemInSection"
        if not self.layout.get("showsSeparators", True) or is_header:
            return None
        if is_last and self.appearance in ("insetGrouped", "sidebar"):
            return None
        inset = 0.0 if is_last and self.appearance == "grouped" else self.margin
        if row.width <= inset:  # no length remains
            return None
        thickness = 1 / self.environment.scale
        return Frame(row.x + inset, row.max_y - thickness, row.width - inset, thickness)
