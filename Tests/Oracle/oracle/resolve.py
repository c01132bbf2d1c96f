"""The resolution of a page's units into cells with a catalog (docs/catalog.md)."""

from dataclasses import dataclass, field

from . import cells, choices, layout_members, pointers, spans


@dataclass
class Cell:
    """An item before its layout. `id` has no suffix yet."""

    type: str
    data: object
    id: str
    can: list | None
    span: float  # the columns that it spans (F20)
    origin: object = None
    has_own_id: bool = True


@dataclass
class ReusableView:
    """A section's header or footer, and its position in the page."""

    type: str
    data: object
    page: int
    pointer: str
    origin: object = None


@dataclass
class Origin:
    """The unit and the placement that made an element; all but the page and type are pointers."""

    page: int
    pointer: str
    unit: str
    unit_type: str
    placement: str


@dataclass
class ResolvedSection:
    id: str | None
    pointer: str
    collapsed: bool | None
    layout: dict
    header: ReusableView | None = None
    footer: ReusableView | None = None
    data: object = None
    posted_layout: object = None
    unit_types: list = field(default_factory=list)
    cells: list = field(default_factory=list)


@dataclass
class ResolvedPage:
    number: int
    has_next: bool
    has_previous: bool
    sections: list
    diagnostics: list  # (code, page, pointer, detail)


def resolve(page, number, catalog):
    """Resolves every unit of a page; everything that is left out gives a diagnostic."""
    diagnostics = [(code, number, pointer, detail) for code, pointer, detail in page.notes]
    idle, unusable = {}, set()
    sections = [
        _Section(posted, number, catalog, diagnostics, idle, unusable).resolved
        for posted in page.sections
    ]
    diagnostics += [("DUPLICATE_ID", number, *line) for line in repeated(sections)]
    if page.unlisted:
        detail = f"{page.unlisted} more diagnostics of this page are not shown"
        diagnostics.append(("DIAGNOSTICS_TRUNCATED", number, "", detail))
    return ResolvedPage(number, page.has_next, page.has_previous, sections, diagnostics)


def repeated(sections):
    """Returns (pointer, detail) of the items whose ids earlier items of their section have."""
    groups = {}
    for index, section in enumerate(sections):
        groups.setdefault(index if section.id is None else section.id, []).extend(section.cells)
    found = []
    for cells_of_one in groups.values():
        taken = set()
        for cell in cells_of_one:
            if cell.has_own_id and cell.id in taken:
                found.append((cell.origin.pointer, f'an item before this one has "{cell.id}"'))
            if cell.has_own_id:
                taken.add(cell.id)
    return found


class _Section:
    def __init__(self, posted, number, catalog, diagnostics, idle, unusable):
        self.number = number
        self.catalog = catalog
        self.diagnostics = diagnostics
        self.unusable = unusable  # (cell type, pointer) of the values that were reported
        self.resolved = ResolvedSection(posted.id, posted.pointer, posted.collapsed, posted.layout)
        self.resolved.data = posted.data
        self.resolved.posted_layout = posted.posted_layout
        self.resolved.unit_types = [unit.type for unit in posted.units]
        self.report_idle_members(posted, idle)
        for index, unit in enumerate(posted.units):
            for placement in self.placements(unit):
                self.place(unit, index, placement)
        # The section's own member overrides the view of its units.
        for role, unit in (("header", posted.header), ("footer", posted.footer)):
            if unit is not None:
                self.own_view(role, unit)

    def report(self, code, pointer, detail):
        self.diagnostics.append((code, self.number, pointer, detail))

    def report_idle_members(self, posted, idle):
        """Reports layout members without effect on the section, each name once a page."""
        if posted.layout_node is None:
            return
        catalogs = self.catalog.layout_for(posted.id, self.resolved.unit_types)
        kind = {**catalogs, **posted.layout}.get("kind", "flow")
        names = layout_members.without_effect(posted.layout_node, posted.layout, catalogs)
        for name in names:
            if name not in idle:
                idle[name] = f"{posted.pointer}/layout/{name}"
                self.report("MEMBER_WITHOUT_EFFECT", idle[name], f"has no effect on {kind}")

    def placements(self, unit):
        if unit.type not in self.catalog.units:
            detail = (
                f'no unit type "{unit.type}" is registered; add it to "units" in the catalog '
                "(--catalog FILE)"
            )
            self.report("UNKNOWN_UNIT_TYPE", unit.type_pointer, detail)
            return []
        return self.catalog.units[unit.type]

    def own_view(self, role, unit):
        """Places a section's own header or footer: only placements of that role apply."""
        placements = self.placements(unit)
        fitting = [placement for placement in placements if placement.role == role]
        if placements and not fitting:
            self.report("NO_PLACEMENT", unit.type_pointer, f"this unit type makes no {role}")
        for placement in fitting:
            self.place(unit, 0, placement)

    def place(self, unit, index, placement):
        data = pointers.evaluate(placement.data, unit.data)
        pointer = unit.data_pointer + placement.data
        if data is None or data.kind == "null":
            if placement.role in ("cell", "cells") and not placement.optional:
                self.report("MISSING_DATA", pointer, "there is nothing to make a cell of")
        elif placement.role == "cell":
            self.add_cell(placement, data, unit, (index, 0), pointer)
        elif placement.role == "cells":
            if data.kind != "array":
                return self.report("NOT_AN_ARRAY", pointer, "cells are made of an array's elements")
            for element, value in enumerate(data.elements):
                self.add_cell(placement, value, unit, (index, element), f"{pointer}/{element}")
        else:
            self.set_view(placement, data, unit, pointer)

    def type_name(self, rule, data, data_pointer):
        """Returns the name of the cell type for the data, or None: then there is no such cell."""
        if rule.kind == "string":
            return rule.inside
        found = choices.selected(rule, data)
        pointer = rule.get("switch").inside
        if found is None:
            detail = "the placement's type has no case for this value and no default"
            return self.report("NO_CELL_TYPE", data_pointer + pointer, detail)
        name = found.inside
        if choices.is_unusable(rule, data) and (name, pointer) not in self.unusable:
            self.unusable.add((name, pointer))
            types = "a string, a number, true or false"
            detail = f"a placement's type needs {types} here; its default is used"
            self.report("UNUSABLE_VALUE", data_pointer + pointer, detail)
        return name

    def check_values(self, type_name, data, data_pointer):
        """Reports values that size rules cannot use, once a cell type and pointer in a page."""
        for pointer, detail in cells.unusable(self.catalog.cell_types[type_name], data):
            if (type_name, pointer) not in self.unusable:
                self.unusable.add((type_name, pointer))
                self.report("UNUSABLE_VALUE", data_pointer + pointer, detail)

    def set_view(self, placement, data, unit, data_pointer):
        type_name = self.type_name(placement.type, data, data_pointer)
        if type_name is None:
            return
        replaced = getattr(self.resolved, placement.role)
        if replaced is not None:
            detail = f"a later {placement.role} of this page takes its place"
            self.report("REPLACED", replaced.pointer, detail)
        view = ReusableView(type_name, data, self.number, unit.pointer)
        view.origin = self.origin(placement, unit, data_pointer)
        setattr(self.resolved, placement.role, view)
        self.check_values(type_name, data, data_pointer)

    def origin(self, placement, unit, data_pointer):
        return Origin(self.number, data_pointer, unit.pointer, unit.type, placement.pointer)

    def add_cell(self, placement, data, unit, position, data_pointer):
        type_name = self.type_name(placement.type, data, data_pointer)
        if type_name is None:
            return
        identity = None
        pointer = self.catalog.cell_types[type_name].id
        if pointer is not None:
            found = pointers.evaluate(pointer, data)
            identity = found.text if found is not None else None
        has_own_id = identity is not None
        if not has_own_id:  # without an identity, the id is the position
            identity = f"p{self.number}.u{position[0]}.e{position[1]}"
        can = self.catalog.cell_types[type_name].can
        span, unusable = spans.of_item(self.catalog.cell_types[type_name].span, data)
        origin = self.origin(placement, unit, data_pointer)
        self.resolved.cells.append(
            Cell(type_name, data, identity, can, span, origin, has_own_id)
        )
        self.check_values(type_name, data, data_pointer)
        if unusable is not None and (type_name, unusable) not in self.unusable:
            self.unusable.add((type_name, unusable))
            detail = 'a span needs a whole number from 1 or "all" here; its default is used'
            self.report("UNUSABLE_VALUE", data_pointer + unusable, detail)
