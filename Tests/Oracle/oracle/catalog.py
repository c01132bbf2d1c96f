"""The catalog: the registered cell types as data (docs/catalog.md).

Only valid catalogs are read; listing every violation of an invalid one is the engine's task.
"""

from dataclasses import dataclass

from . import contract, layout_members, pointers, source_json, text
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
    pointer: str  # to the placement in the catalog


@dataclass
class CellType:
    name: str
    id: str | None
    width: object  # rule nodes, None where the catalog has none
    height: object
    has_size: bool
    content: object  # the node of a box, or None
    texts: text.Settings
    span: object  # a node, or None: one column (F20)
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
        self.section_nodes = dict(_members(root, "sections"))
        self.units = {name: _placements(name, value) for name, value in _members(root, "units")}
        self.unit_layout_nodes = {
            name: _unit_layout_node(name, value) for name, value in _members(root, "units")
        }
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

    def entry_for(self, section_id, unit_types):
        """Returns the pointer and the node of the entry of `layout_for`, or None twice."""
        if section_id is not None and section_id != "*" and section_id in self.sections:
            pointer = f"/sections/{pointers.escape(section_id)}"
            return pointer, self.section_nodes[section_id]
        for unit_type in unit_types:
            if self.unit_layouts.get(unit_type) is not None:
                return self.unit_layout_nodes[unit_type]
        if "*" in self.sections:
            return "/sections/*", self.section_nodes["*"]
        return None, None


def _members(node, name):
    value = node.get(name)
    return value.members if value is not None else []


def _each(node, pointer):
    """Returns the elements of an array, or else the node alone, with their pointers."""
    if node.kind != "array":
        return [(pointer, node)]
    return [(f"{pointer}/{index}", value) for index, value in enumerate(node.elements)]


def _placements(name, node):
    """Reads an object of placements by their roles, or an array of such objects."""
    placements = []
    for outer, value in _each(node, f"/units/{pointers.escape(name)}"):
        for role, part in value.members:
            if role in ("cell", "cells", "header", "footer"):
                for pointer, one in _each(part, f"{outer}/{role}"):
                    placements.append(_placement(role, one, pointer))
    return placements


def _unit_layout_node(name, node):
    """Returns the pointer and the node of the layout of a unit type, or None twice."""
    for pointer, value in _each(node, f"/units/{pointers.escape(name)}"):
        layout = value.get("layout")
        if layout is not None and layout.kind != "null":
            return f"{pointer}/layout", layout
    return None, None


def _unit_layout(name, node, violations):
    """Returns the layout of a unit type, or None."""
    for value in node.elements if node.kind == "array" else [node]:
        layout = value.get("layout")
        if layout is not None and layout.kind != "null":
            return layout_members.section_layout(layout, f"/units/{name}/layout", violations)
    return None


def _placement(role, node, pointer):
    data, optional = node.get("data"), node.get("optional")
    return Placement(
        role,
        node.get("type"),
        data.inside if data is not None else "",
        optional is not None and optional.bool is True,
        pointer,
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
        node.get("span"),
        [one.inside for one in can.elements] if can and can.kind == "array" else None,
    )
