"""The catalog: the registered cell types as data (docs/catalog.md).

Only valid catalogs are read; listing every violation of an invalid one is the engine's task.
"""

from dataclasses import dataclass

from . import contract, layout_members, source_json, text
from .layout_members import Violations


@dataclass
class Placement:
    """A placement of a unit: `role` is cell, cells, header or footer.

    `type` is a string with the name of a cell type, or an object with a `switch` among names.
    """

    role: str
    type: object
    data: str
    optional: bool


@dataclass
class CellType:
    name: str
    id: str | None
    width: object  # rule nodes, None where the catalog has none
    height: object
    has_size: bool
    content: object  # the node of a box, or None
    texts: text.Settings
    can: list | None  # the gestures that the type permits; None if it restricts nothing


class Catalog:
    def __init__(self, source):
        root = source_json.parse(source)
        violations = Violations()
        self.screen = {}
        if root.get("screen"):
            self.screen = layout_members.screen_layout(root.get("screen"), "/screen", violations)
        self.names = dict(contract.DEFAULT_NAMES)
        for name, value in _members(root, "contract"):
            self.names[name] = value.inside
        self.sections = {
            name: layout_members.section_layout(value, f"/sections/{name}", violations)
            for name, value in _members(root, "sections")
        }
        self.units = {name: _placements(value) for name, value in _members(root, "units")}
        self.unit_layouts = {
            name: _unit_layout(name, value, violations) for name, value in _members(root, "units")
        }
        fonts = {name: text.font(value) for name, value in _members(root, "fonts")}
        self.texts = text.Settings(fonts)
        types = _members(root, "cellTypes")
        self.cell_types = {name: _cell_type(name, value, self.texts) for name, value in types}
        if violations:
            raise contract.ContractError(violations)

    def layout_for(self, section_id, unit_types):
        """Returns the entry of an id, else the layout of the first unit type with one, else "*"."""
        if section_id is not None and section_id != "*" and section_id in self.sections:
            return self.sections[section_id]
        for unit_type in unit_types:
            if self.unit_layouts.get(unit_type) is not None:
                return self.unit_layouts[unit_type]
        return self.sections.get("*", {})


def _members(node, name):
    value = node.get(name)
    return value.members if value is not None else []


def _placements(node):
    """Reads a placement object with one placement of each role, or an array of such objects."""
    placements = []
    for value in node.elements if node.kind == "array" else [node]:
        for role, part in value.members:
            if role in ("cell", "cells", "header", "footer"):
                placements.append(_placement(role, part))
    return placements


def _unit_layout(name, node, violations):
    """Returns the layout of a unit type, or None."""
    for value in node.elements if node.kind == "array" else [node]:
        layout = value.get("layout")
        if layout is not None and layout.kind != "null":
            return layout_members.section_layout(layout, f"/units/{name}/layout", violations)
    return None


def _placement(role, node):
    data, optional = node.get("data"), node.get("optional")
    return Placement(
        role,
        node.get("type"),
        data.inside if data is not None else "",
        optional is not None and optional.bool is True,
    )


def _cell_type(name, node, texts):
    identity, size, can = node.get("id"), node.get("size"), node.get("can")
    return CellType(
        name,
        identity.inside if identity is not None else None,
        size.get("width") if size is not None else None,
        size.get("height") if size is not None else None,
        size is not None and size.kind == "object",
        node.get("content"),
        texts,
        [one.inside for one in can.elements] if can and can.kind == "array" else None,
    )
