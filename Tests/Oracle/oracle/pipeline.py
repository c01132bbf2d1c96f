"""The pipeline (docs/layout.md, G7): lay out, decorate, mirror, round."""

from dataclasses import dataclass, field

from . import areas, cells, compositional, flow, listing, masonry, numbers, paging
from .decorations import backgrounds
from .geometry import Arrangement, Axes, Frame
from .pinning import pin
from .rounding import mirrored, px, rounded


@dataclass
class Environment:
    """The parameters of a layout in points; `screen` has the screen members of the catalog."""

    width: float
    height: float
    scale: float
    direction: str  # ltr or rtl
    screen: dict
    rounding: str = "pixel"
    text_scale: float = 1.0
    safe_area: tuple | None = None  # top, left, bottom, right (G9)
    area: tuple = (0.0, 0.0)  # the start and the length of the current section's area (G9)
    section_count: int = 0
    section_index: int = 0
    axes: Axes = field(init=False)

    def __post_init__(self):
        self.axes = Axes(self.screen.get("direction"))


@dataclass
class PlacedSection:
    """A section in the content; the frames of its elements are in its own coordinates (R5)."""

    frame: Frame
    arrangement: Arrangement
    count: int = 0  # items in the tree; an infinite carousel has frames for all copies of them


@dataclass
class Placed:
    width: float
    height: float
    sections: list
    diagnostics: list


def lay_out(screen, catalog, environment):
    """Lays out every section, one after another along the main axis (F16, C16)."""
    axes = environment.axes
    catalog.texts.text_scale = environment.text_scale  # T6
    catalog.texts.pixel_scale = environment.scale if environment.rounding == "pixel" else 0.0
    environment.section_count = len(screen.sections)
    main_viewport = axes.main(environment.width, environment.height)
    cross_viewport = axes.cross(environment.width, environment.height)
    position, placed, diagnostics, previous_kind = 0.0, [], [], None
    for index, section in enumerate(screen.sections):
        environment.section_index = index
        kind, found = kind_of(section, axes)
        diagnostics.extend(found)
        if is_empty_viewport(kind, environment):  # G4
            placed.append(PlacedSection(Frame(), Arrangement()))
            continue
        position += gap_between(previous_kind, kind, environment)
        previous_kind = kind
        environment.area = areas.area(section.layout, environment)
        arrangement = engine(kind)(section, catalog, environment)
        x, y = axes.size(0.0, environment.area[0])
        each_frame(arrangement, lambda child: child.moved(x, y))
        if paging.is_asked_for(section) and arrangement.paging is None:
            reason = "paging needs a flow screen of exactly one section"
            arrangement.diagnostics.append(("PAGING_SWITCHED_OFF", section, reason))
        arrangement.backgrounds = backgrounds(section, kind, arrangement, environment)
        pin(section, kind, arrangement, environment)
        place_parts(section, arrangement, catalog, environment)
        diagnostics.extend(
            (code, posted.page, posted.pointer, detail)
            for code, posted, detail in arrangement.diagnostics
        )
        frame = axes.frame(position, 0.0, arrangement.length, cross_viewport)
        placed.append(PlacedSection(frame, arrangement, len(section.cells)))
        position += arrangement.length
    if not any(section.frame != Frame() for section in placed) and cross_viewport <= 0:
        content = (0.0, 0.0)  # G4
    else:
        content = axes.size(max(0.0, position), cross_viewport)  # F16, C16, G2
    finish(placed, content[0], environment)
    return Placed(*content, placed, diagnostics)


def kind_of(section, axes):
    """J: a screen that scrolls horizontally has flow sections only."""
    kind = section.layout.get("kind", "flow")
    if axes.vertical or kind == "flow":
        return kind, []
    detail = f"{kind} is laid out as flow"
    return "flow", [("NEEDS_VERTICAL_SCREEN", section.page, section.pointer, detail)]


def engine(kind):
    engines = {
        "flow": flow,
        "compositional": compositional,
        "list": listing,
        "masonry": masonry,
    }
    return engines[kind].lay_out


def is_empty_viewport(kind, environment):
    """G4: flow and masonry need a cross length, compositional and list need both."""
    if kind in ("flow", "masonry"):
        return environment.axes.cross(environment.width, environment.height) <= 0
    return environment.width <= 0 or environment.height <= 0


def gap_between(previous, kind, environment):
    """C16: only between two consecutive compositional sections; flow has none (F16)."""
    if previous == kind == "compositional":
        return numbers.length(environment.screen.get("interSectionSpacing"))
    return 0.0


def place_parts(section, arrangement, catalog, environment):
    """Lays the content of each element out in its frame before rounding."""
    views = [(section.header, arrangement.header), (section.footer, arrangement.footer)]
    views += zip(section.cells, arrangement.items)
    for cell, view in views:
        if view is not None:
            cell_type = catalog.cell_types[cell.type]
            is_mirrored = environment.direction == "rtl"
            view.parts = cells.parts(
                cell_type, cell.data, view.frame, is_mirrored, environment.scale)


def finish(placed, content_width, environment):
    """R4, then R1-R3, sections in the content and elements in their section (R5).

    Section sizes are never rounded, in any layout (R3, J).
    """
    scale = environment.scale if environment.rounding == "pixel" else 0.0
    for section in placed:
        arrangement = section.arrangement
        if environment.direction == "rtl":
            width = section.frame.width
            section.frame = mirrored(section.frame, content_width)
            each_frame(arrangement, lambda child: mirrored(child, width))
        section.frame.x = px(section.frame.x, scale)
        section.frame.y = px(section.frame.y, scale)
        each_frame(arrangement, lambda child: rounded(child, scale, arrangement.fractional_sizes))


def each_frame(arrangement, change):
    """Replaces every frame in a section by the result of `change`."""
    for view in [arrangement.header, *arrangement.items, arrangement.footer]:
        if view is not None:
            view.frame = change(view.frame)
            if view.separator is not None:
                view.separator = change(view.separator)
    for background in arrangement.backgrounds:
        background.frame = change(background.frame)
