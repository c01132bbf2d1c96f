"""The contract of a page (docs/api.md, "A page")."""

from dataclasses import dataclass, field

from . import layout_members, pointers
from .layout_members import Violations

DEFAULT_NAMES = {name: name for name in ("sections", "sectionId", "units", "unitType", "unitData")}


UNIT_OPTIONS = ("when", "fallback", "essential")


def misspelt(name, known):
    """Returns whether a member of a flat unit was probably meant to be its type or its data.

    The name is at most two letters off, whatever the case (docs/api.md, "The tree").
    """
    if name in known:
        return False
    return any(
        edits(name.lower(), other.lower()) <= (2 if len(other) >= 6 else 0) for other in known
    )


def edits(name, other):
    """Returns the number of letters added, removed, replaced and swapped with the next one."""
    rows = [list(range(len(other) + 1))]
    for row, letter in enumerate(name):
        current = [row + 1]
        for column, target in enumerate(other):
            best = min(
                rows[-1][column + 1] + 1,
                current[column] + 1,
                rows[-1][column] + (letter != target),
            )
            is_swap = row > 0 and column > 0
            if is_swap and letter == other[column - 1] and target == name[row - 1]:
                best = min(best, rows[-2][column - 1] + 1)
            current.append(best)
        rows.append(current)
    return rows[-1][-1]


class ContractError(Exception):
    """JSON that is not a page, with every violation as (pointer, detail)."""

    def __init__(self, violations):
        super().__init__("\n".join(f"{pointer} {detail}" for pointer, detail in violations))
        self.violations = violations


@dataclass
class Unit:
    """A posted unit; `pointer` is the pointer to the unit, `data_pointer` to its data."""

    type: str
    data: object
    pointer: str
    type_pointer: str
    data_pointer: str


@dataclass
class Section:
    id: str | None
    pointer: str
    collapsed: bool | None = None
    layout: dict = field(default_factory=dict)
    layout_node: object = None
    posted_layout: object = None  # the node, also of a layout without known members
    header: Unit | None = None
    footer: Unit | None = None
    data: object = None
    units: list = field(default_factory=list)


@dataclass
class Page:
    number: int | None
    has_next: bool
    has_previous: bool
    sections: list
    notes: list = field(default_factory=list)  # (code, pointer, detail) of what was read
    unlisted: int = 0  # unknown members beyond those


def read_page(node, names=DEFAULT_NAMES):
    """Reads a page from a JSON value, or raises a ContractError with every violation."""
    violations = Violations()
    page = _Reader(names, violations).page(node)
    if violations:
        raise ContractError(violations)
    page.notes, page.unlisted = violations.notes, violations.unlisted
    return page


class _Reader:
    def __init__(self, names, violations):
        self.names = names
        self.violations = violations

    def page(self, node):
        if node.kind != "object":
            return self.violations.add("", "must be an object")
        self.violations.expect(node, "", ("page", "hasNext", "hasPrevious", self.names["sections"]))
        number = self.optional(node, "", "page", layout_members.integer)
        if number is not None and not 0 <= number < 2**31:
            self.violations.add("/page", "must be 0 or more")
        has_next = self.optional(node, "", "hasNext", layout_members.boolean) or False
        has_previous = self.optional(node, "", "hasPrevious", layout_members.boolean) or False
        sections = []
        for index, value in enumerate(self.required_array(node, "", self.names["sections"])):
            section = self.section(value, f"/{pointers.escape(self.names['sections'])}/{index}")
            if section is not None:
                sections.append(section)
        return Page(number, has_next, has_previous, sections)

    def section(self, node, pointer):
        if node.kind == "array":  # the units of a section without id
            return Section(None, pointer, units=self.units(node.elements, pointer))
        if node.kind != "object":
            return self.violations.add(pointer, "must be an object or an array of units")
        own = ("layout", "collapsed", "header", "footer", "data")
        renamed = (self.names["sectionId"], self.names["units"])
        known = (*own, *renamed)
        self.violations.expect(node, pointer, known)
        identifier = self.optional(node, pointer, self.names["sectionId"], layout_members.text)
        section = Section(identifier, pointer)
        section.layout = self.optional(node, pointer, "layout", layout_members.section_layout) or {}
        section.layout_node = node.get("layout") if section.layout else None
        section.posted_layout = node.get("layout")
        section.collapsed = self.optional(node, pointer, "collapsed", layout_members.boolean)
        if "data" not in renamed:  # a contract may give this name to another member
            section.data = self.optional(node, pointer, "data", layout_members.anything)
        section.header = self.optional(node, pointer, "header", self.unit)
        section.footer = self.optional(node, pointer, "footer", self.unit)
        units = self.required_array(node, pointer, self.names["units"])
        section.units = self.units(units, f"{pointer}/{pointers.escape(self.names['units'])}")
        return section

    def units(self, values, pointer):
        units = [
            self.unit(value, f"{pointer}/{index}", self.violations)
            for index, value in enumerate(values)
        ]
        return [unit for unit in units if unit is not None]

    def unit(self, node, pointer, violations):
        if node.kind != "object":
            return violations.add(pointer, "must be an object")
        type_name, data_name = self.names["unitType"], self.names["unitData"]
        type_pointer = f"{pointer}/{pointers.escape(type_name)}"
        unit_type = node.get(type_name)
        if unit_type is None:
            return violations.add(type_pointer, "is missing")
        if unit_type.kind != "string":
            return violations.add(type_pointer, "must be a string")
        data = node.get(data_name)
        if data is None:  # a flat unit is its own data
            others = [name for name, _ in node.members if name not in UNIT_OPTIONS]
            near = [name for name in others if misspelt(name, (type_name, data_name))]
            known = [name for name, _ in node.members if name not in near]
            violations.expect(node, pointer, known)
            return Unit(unit_type.inside, node, pointer, type_pointer, pointer)
        violations.expect(node, pointer, (type_name, data_name))
        data_pointer = f"{pointer}/{pointers.escape(data_name)}"
        return Unit(unit_type.inside, data, pointer, type_pointer, data_pointer)

    def optional(self, node, pointer, name, reader):
        value = node.get(name)
        if value is None or value.kind == "null":
            return None
        return reader(value, f"{pointer}/{pointers.escape(name)}", self.violations)

    def required_array(self, node, pointer, name):
        value = node.get(name)
        pointer = f"{pointer}/{pointers.escape(name)}"
        if value is None:
            self.violations.add(pointer, "is missing")
            return []
        if value.kind != "array":
            self.violations.add(pointer, "must be an array")
        return value.elements
