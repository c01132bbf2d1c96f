"""The bytes of a tree (docs/api.md, "The tree")."""

from .geometry import Frame
from .numbers import string, written


MAX_POSTED = 100  # the posted sections that the origin of a section lists
MAX_POINTER = 1024  # the bytes of a pointer, as in diagnostics
DECORATION_Z_INDEX = -1  # J: the default, which is not written


class TreeWriter:
    def __init__(self, environment, coordinates="section", fields="all", explain=False):
        self.environment = environment
        self.coordinates = coordinates
        self.fields = fields
        self.explain = explain

    def tree(self, screen, placed):
        environment = self.environment
        viewport = join(
            number("width", environment.width),
            number("height", environment.height),
            number("scale", environment.scale),
            member("direction", string(environment.direction)),
            *([] if environment.text_scale == 1 else [number("textScale", environment.text_scale)]),
            *([] if environment.safe_area is None else [self.safe_area()]),
        )
        content = join(number("width", placed.width), number("height", placed.height))
        sections = [
            self.section(index, section, placed.sections[index])
            for index, section in enumerate(screen.sections)
        ]
        lines = [self.diagnostic(line) for line in [*screen.diagnostics, *placed.diagnostics]]
        return join(
            number("page", screen.page),
            number("pageCount", screen.page_count),
            member("hasNext", boolean(screen.has_next)),
            *([member("hasPrevious", boolean(True))] if screen.has_previous else []),
            member("viewport", viewport),
            member("contentSize", content),
            member("sections", array(sections)),
            member("diagnostics", array(lines)),
        )

    def safe_area(self):
        sides = zip(("top", "left", "bottom", "right"), self.environment.safe_area)
        return member("safeArea", join(*[number(name, side) for name, side in sides]))

    def section(self, index, section, placed):
        arrangement = placed.arrangement
        origin = Frame() if self.coordinates == "section" else placed.frame  # R5
        shown = zip(section.cells, section.item_ids, arrangement.items)
        items = [
            self.element(origin, cell, view, member("id", string(item_id)))
            for cell, item_id, view in shown
        ]
        parts = [
            member("id", string(section.id) if section.id is not None else b"null"),
            number("index", index),
            member("frame", frame(placed.frame, Frame())),
            member("collapsed", boolean(section.collapsed)),
        ]
        if arrangement.header is not None:
            parts.append(member("header", self.element(origin, section.header, arrangement.header)))
        parts.append(member("items", array(items)))
        if arrangement.footer is not None:
            parts.append(member("footer", self.element(origin, section.footer, arrangement.footer)))
        if arrangement.backgrounds:
            backgrounds = [self.background(origin, one) for one in arrangement.backgrounds]
            parts.append(member("decorations", array(backgrounds)))
        if arrangement.scroll is not None:
            parts.append(member("scroll", scroll(arrangement.scroll)))
        if arrangement.paging is not None:
            parts.append(member("paging", paging(arrangement.paging)))
        if self.fields == "all" and section.data is not None:
            parts.append(member("data", section.data.raw))
        if self.explain:
            parts.append(member("from", section_origin(section)))
        return join(*parts)

    def element(self, origin, cell, view, *before):
        parts = [*before, member("type", string(cell.type))]
        can = getattr(cell, "can", None)
        if can is not None:
            parts.append(member("can", array([string(one).encode("ascii") for one in can])))
        parts.append(member("frame", frame(view.frame, origin)))
        if view.z_index is not None:
            parts.append(number("zIndex", view.z_index))
        if view.pinned:
            parts.append(member("pinned", b"true"))
        if view.parts is not None:
            named = [member(part.name, self.part(part)) for part in view.parts]
            parts.append(member("parts", join(*named)))
        elif view.lines is not None:
            parts.append(number("lines", view.lines.count))
            if view.lines.truncated:
                parts.append(member("truncated", b"true"))
        if view.separator is not None:
            parts.append(member("separator", frame(view.separator, origin)))
        if self.fields == "all":
            parts.append(member("data", cell.data.raw))
        if self.explain:
            parts.append(member("from", origin_of(cell.origin)))
        return join(*parts)

    def part(self, part):
        parts = [member("frame", frame(part.frame, Frame()))]
        if part.lines is not None:
            parts.append(number("lines", part.lines.count))
            if part.lines.truncated:
                parts.append(member("truncated", b"true"))
        if part.url is not None and self.fields == "all":
            parts.append(member("url", string(part.url)))
        return join(*parts)

    def background(self, origin, decoration):
        parts = [
            member("kind", string(decoration.kind)),
            member("frame", frame(decoration.frame, origin)),
        ]
        if decoration.z_index != DECORATION_Z_INDEX:
            parts.append(number("zIndex", decoration.z_index))
        if self.fields == "all" and decoration.data is not None:
            parts.append(member("data", decoration.data.raw))
        return join(*parts)

    def diagnostic(self, line):
        code, page, pointer, detail = line
        return join(
            member("code", string(code)),
            number("page", page),
            member("pointer", string(pointer)),
            member("detail", string(detail)),
        )


def origin_of(value):
    return join(
        number("page", value.page),
        member("pointer", string(cut(value.pointer))),
        member("unit", string(cut(value.unit))),
        member("unitType", string(cut(value.unit_type))),
        member("placement", string(cut(value.placement))),
    )


def section_origin(section):
    """Returns where a section was posted, and the members that its layout was asked to have."""
    posted = [
        join(number("page", page), member("pointer", string(cut(pointer))))
        for page, pointer in section.posted[:MAX_POSTED]
    ]
    layout = {}
    for node in section.layouts:
        values = dict(node.members)  # the last of repeated members, at the place of the first
        layout.update({name: one for name, one in values.items() if one.kind != "null"})
    members = [string(name).encode("utf-8") + b":" + one.raw for name, one in layout.items()]
    return join(
        member("posted", array(posted)),
        member("entry", string(cut(section.entry)) if section.entry is not None else b"null"),
        member("layout", join(*members)),
    )


def cut(text):
    encoded = text.encode("utf-8")
    if len(encoded) <= MAX_POINTER:
        return text
    return encoded[: MAX_POINTER - 3].decode("utf-8", "ignore") + "…"


def frame(value, origin):
    return join(
        number("x", value.x + origin.x),
        number("y", value.y + origin.y),
        number("width", value.width),
        number("height", value.height),
    )


def scroll(value):
    width, height = value["contentSize"]
    offsets = [written(offset).encode("ascii") for offset in value["snapOffsets"]]
    carried = []
    if value["orthogonalScrollingProperties"]:
        properties = value["orthogonalScrollingProperties"]
        carried = [member("orthogonalScrollingProperties", scroll_properties(properties))]
    return join(
        member("axis", string(value["axis"])),
        member("behavior", string(value["behavior"])),
        member("contentSize", join(number("width", width), number("height", height))),
        member("snapOffsets", array(offsets)),
        number("initialOffset", value["initialOffset"]),
        *carried,
    )


def scroll_properties(value):
    parts = []
    if "decelerationRate" in value:
        parts.append(member("decelerationRate", string(value["decelerationRate"])))
    if "bounce" in value:
        parts.append(member("bounce", boolean(value["bounce"])))
    return join(*parts)


def paging(value):
    def written_member(name):
        if isinstance(value[name], bool):
            return member(name, boolean(value[name]))
        return number(name, value[name])

    return join(*[written_member(name) for name in value])


def number(name, value):
    return member(name, written(value))


def boolean(value):
    return "true" if value else "false"


def member(name, value):
    """Returns `"name":value`; values are bytes, so that posted ones are copied unchanged."""
    value = value.encode("utf-8") if isinstance(value, str) else value
    return b'"' + name.encode("ascii") + b'":' + value


def join(*members):
    return b"{" + b",".join(members) + b"}"


def array(values):
    return b"[" + b",".join(values) + b"]"
