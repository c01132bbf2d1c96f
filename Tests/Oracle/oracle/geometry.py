"""Frames, and the main and cross axes (docs/layout.md)."""

from dataclasses import dataclass, field, replace


@dataclass
class Frame:
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0

    @property
    def max_x(self):
        return self.x + self.width

    @property
    def max_y(self):
        return self.y + self.height

    def moved(self, x, y):
        return replace(self, x=self.x + x, y=self.y + y)


class Axes:
    """The axes: main is the axis along which the screen scrolls, cross the other one."""

    def __init__(self, direction):
        self.vertical = direction != "horizontal"

    def main(self, width, height):
        return height if self.vertical else width

    def cross(self, width, height):
        return width if self.vertical else height

    def size(self, main, cross):
        """Returns (width, height)."""
        return (cross, main) if self.vertical else (main, cross)

    def frame(self, main, cross, main_length, cross_length):
        x, y = self.size(main, cross)
        width, height = self.size(main_length, cross_length)
        return Frame(x, y, width, height)

    def insets(self, sides):
        """Returns (top, left, bottom, right) as (main0, main1, cross0, cross1)."""
        top, left, bottom, right = sides
        return (top, bottom, left, right) if self.vertical else (left, right, top, bottom)


@dataclass
class View:
    """A frame with its attributes. `z_index` is set unless it is the default of its kind."""

    frame: Frame
    z_index: int | None = None
    pinned: bool = False
    separator: Frame | None = None
    lines: object = None  # text.Lines of a measured item (T5)
    parts: list | None = None  # contents.Part of a cell with a content


@dataclass
class Background:
    kind: str
    frame: Frame
    z_index: int
    data: object


@dataclass
class Arrangement:
    """The layout of a section: its length along main, and its elements in its coordinates."""

    length: float = 0.0
    header: View | None = None
    items: list = field(default_factory=list)
    footer: View | None = None
    backgrounds: list = field(default_factory=list)
    scroll: dict | None = None
    paging: dict | None = None
    fractional_sizes: bool = True  # R2 rounds origins alone; R3, when this is False, sizes too
    diagnostics: list = field(default_factory=list)  # (code, posted element, detail)
