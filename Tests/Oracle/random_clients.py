#!/usr/bin/env python3
"""Random pages with conditions, and who gets what of them: a model of docs/clients.md.

Some unit types and cell types have schemas (docs/schemas.md).

It decides by the text alone, without a layout: for each of several clients it prints the sections
with their headers, items and footers, and the diagnostics.
"""
import json
import random

from oracle.json_schema import Validator, parse
from random_output import print_cases

PLATFORMS = ["ios", "android", "web"]
FLAGS = ["a", "b", "newCart"]
OPERATORS = [">=", ">", "<=", "<", "="]
ELEMENT = {"properties": {"kind": {"not": {"const": "c"}}}, "required": ["id"]}
SCHEMAS = [
    {"type": "object"}, {"type": ["array", "object"]}, {"required": ["list"]}, False,
    {"items": {"required": ["id"]}},
    {"items": {"$ref": "#/$defs/element"}, "$defs": {"element": ELEMENT}},
    {"properties": {"list": {"type": "array", "items": ELEMENT}, "one": ELEMENT}},
    {"properties": {"list": {"maxItems": 1}, "one": {"$ref": "#one"}},
     "$defs": {"one": {"$anchor": "one", "properties": {"kind": {"enum": ["a", "b"]}}}}},
    {"anyOf": [{"type": "array", "minItems": 1}, {"required": ["one"]}, {"required": ["id"]}]},
    {"if": {"type": "object"}, "then": {"not": {"required": ["title"]}}, "else": {"maxItems": 2}},
]
CELL_SCHEMAS = [
    {"type": "object"}, ELEMENT, {"required": ["id"]}, {"required": ["title"]}, {"type": "array"},
    {"properties": {"kind": {"enum": ["a", "b"]}, "id": {"pattern": "^i[0-9]*[02468]$"}}}, False,
    {"$ref": "#one", "$defs": {"1": {"$anchor": "one", "type": ["object", "null"]}}},
    {"anyOf": [{"required": ["kind"]}, {"maxItems": 2, "type": "array"}]},
]


def numbers(version):
    """Returns the four numbers of a version."""
    parts = [int(part) for part in version.split(".")]
    return parts + [0] * (4 - len(parts))


def comparison_holds(text, value):
    """Returns whether all comparisons hold; `value` is None for the newest there could be."""
    for word in text.split():
        operator = next(op for op in OPERATORS if word.startswith(op))
        if value is None:
            if operator not in (">", ">="):
                return False
            continue
        bound = value[1](word[len(operator):])
        number = value[0]
        if not {
            ">=": number >= bound, ">": number > bound, "<=": number <= bound,
            "<": number < bound, "=": number == bound,
        }[operator]:
            return False
    return True


def holds(condition, asks):
    """Returns whether a `when` holds for a request."""
    if condition is None:
        return True
    clients = condition.get("client")
    if clients is not None:
        named = {name: text for name, text in clients.items() if text is not None}
        if not named:
            return False
        if asks["client"] is None:
            if not all(comparison_holds(text, None) for text in named.values()):
                return False
        else:
            platform, version = asks["client"].split("/")
            if platform not in named:
                return False
            if not comparison_holds(named[platform], (numbers(version), numbers)):
                return False
    if not set(condition.get("flags") or []) <= set(asks["flags"]):
        return False
    if set(condition.get("without") or []) & set(asks["flags"]):
        return False
    width = condition.get("width")
    return width is None or comparison_holds(width, (asks["width"], float))


def can_draw(cell_type, asks):
    """Returns whether the client can draw a cell type."""
    since = cell_type.get("since")
    if since is None or asks["client"] is None:
        return True
    platform, version = asks["client"].split("/")
    if platform not in since:
        return True
    return since[platform] is not None and numbers(version) >= numbers(since[platform])


class Model:
    """The page as one request sees it."""

    def __init__(self, catalog, pages, asks):
        self.catalog = catalog
        self.asks = asks
        self.names = {"when": "when", "fallback": "fallback", "essential": "essential"}
        self.names.update(catalog.get("contract", {}))
        self.sections = []
        self.diagnostics = []
        self.problem = None
        self.missing = []
        self.by_id = {}
        for number, page in enumerate(pages):
            for index, section in enumerate(page["sections"]):
                self.add(number, index, section)
        for section in self.sections:
            self.distinguish(section["items"])

    @staticmethod
    def distinguish(items):
        """Numbers the items whose id an earlier one of their section has."""
        used = set()
        for item in items:
            text, number = item[0], 2
            while item[0] in used:
                item[0] = "%s#%d" % (text, number)
                number += 1
            used.add(item[0])

    def add(self, page, index, posted):
        """Adds a posted section to the screen, unless its condition does not hold."""
        if isinstance(posted, list):
            posted = {"units": posted}
            pointer = "/sections/%d" % index
            units = pointer
        else:
            pointer = "/sections/%d" % index
            units = pointer + "/units"
        if not holds(posted.get(self.names["when"]), self.asks):
            return
        part = {"header": None, "items": [], "footer": None}
        self.unmade = self.essential_unmade = self.too_new = False
        for number, unit in enumerate(posted["units"]):
            self.add_unit(part, unit, None, page, number, "%s/%d" % (units, number))
        for role in ("header", "footer"):
            if posted.get(role) is not None:
                self.add_unit(part, posted[role], role, page, 0, pointer + "/" + role)
        if posted.get(self.names["essential"]) and (
                self.essential_unmade or (self.unmade and not part["items"])):
            self.problem = max(self.problem or "", "NOT_SUPPORTED" if self.too_new else "MISSING")
            self.missing.append([page, pointer])
        if self.essential_unmade:
            return
        identifier = posted.get("sectionId")
        if identifier is None or identifier not in self.by_id:
            section = {"id": identifier, "header": None, "items": [], "footer": None}
            self.sections.append(section)
            if identifier is not None:
                self.by_id[identifier] = section
        else:
            section = self.by_id[identifier]
        for role in ("header", "footer"):
            if part[role] is not None:
                section[role] = part[role][0]
        section["items"] += part["items"]

    def add_unit(self, part, posted, only, page, number, pointer):
        """Adds the first of a unit and its fallbacks that can be made."""
        when, fallback = self.names["when"], self.names["fallback"]
        if not holds(posted.get(when), self.asks):
            return
        essential = posted.get(self.names["essential"]) or False
        unit, place, depth, reasons = posted, pointer, 0, []
        while unit is not None:
            if depth == 0 or holds(unit.get(when), self.asks):
                found, replaced = self.judge(
                    unit, only, page, place, essential or fallback in unit)
                if not found:
                    self.diagnostics += reasons
                    if depth > 0 or replaced:
                        self.diagnostics.append(["FALLBACK_USED", page, pointer])
                    self.make(part, unit, only, page, number, place)
                    return
                reasons += found
            silent = fallback in unit and unit[fallback] is None
            unit = unit.get(fallback)
            place += "/" + fallback
            depth += 1
        self.unmade = True
        self.too_new = self.too_new or any(code == "CELL_TYPE_TOO_NEW" for code, _, _ in reasons)
        if not silent:
            self.diagnostics += reasons
        if essential:
            self.essential_unmade = True
            self.diagnostics.append(["ESSENTIAL_UNIT_MISSING", page, pointer])

    def judge(self, unit, only, page, pointer, requires_data):
        """Returns why a unit cannot be made, and whether other cell types stand in."""
        placements = self.catalog["units"].get(unit["unitType"])
        if placements is None:
            return [["UNKNOWN_UNIT_TYPE", page, pointer + "/unitType"]], False
        flat = "unitData" not in unit
        data = unit if flat else unit["unitData"]
        base = pointer if flat else pointer + "/unitData"
        there = [p for p in placements if only is None or p[0] == only]
        reasons, replaced, seen = [], False, set()
        if only is not None and not there:
            reasons.append(["NO_PLACEMENT", page, pointer + "/unitType"])
        schema = self.catalog["schemas"].get(unit["unitType"])
        if schema is not None:
            reasons += [
                ["SCHEMA_VIOLATION", page, base + place]
                for place in Validator(schema).violations(parse(json.dumps(data)))]
        for role, placement in there:
            if not holds(placement.get("when"), self.asks):
                continue
            value = self.value(data, placement)
            required = (
                requires_data and role in ("cell", "cells") and not placement.get("optional"))
            path = base + placement.get("data", "")
            if value is None:
                if required:
                    reasons.append(["MISSING_DATA", page, path])
                continue
            if role == "cells" and not isinstance(value, list):
                if required:
                    reasons.append(["NOT_AN_ARRAY", page, path])
                continue
            for element, one in enumerate(value if role == "cells" else [value]):
                posted = self.cell_type(placement["type"], one)
                if posted is None:
                    continue
                lost = self.violations(posted, one)
                if lost:
                    # What is left out need not be drawn.
                    place = path + ("/%d" % element if role == "cells" else "")
                    if required:
                        reasons += [["SCHEMA_VIOLATION", page, place + at] for at in lost]
                    continue
                if posted in seen:
                    continue
                seen.add(posted)
                shown = self.shown(posted)
                if shown is None:
                    reasons.append(["CELL_TYPE_TOO_NEW", page, pointer])
                replaced = replaced or shown != posted
        return reasons, replaced

    def violations(self, name, value):
        """Returns the pointers of the violations of an item's data by its cell type's schema."""
        schema = self.catalog["cellTypes"][name].get("schema", True)
        return Validator(schema).violations(parse(json.dumps(value)))

    def is_kept(self, name, value, page, pointer):
        """Returns whether an item's data keeps the schema of the cell type that it selects, and
        reports it otherwise; the app that asks and its fallbacks do not matter."""
        lost = self.violations(name, value)
        self.diagnostics += [["SCHEMA_VIOLATION", page, pointer + at] for at in lost]
        return not lost

    def shown(self, name):
        """Returns the cell type that the client is sent instead of another one, or None."""
        while name is not None and not can_draw(self.catalog["cellTypes"][name], self.asks):
            name = self.catalog["cellTypes"][name].get("fallback")
        return name

    @staticmethod
    def cell_type(kind, value):
        """Returns the cell type that a placement has for a value, or None."""
        if isinstance(kind, str):
            return kind
        key = value.get("kind") if isinstance(value, dict) else None
        return kind["cases"].get(key, kind.get("default"))

    @staticmethod
    def value(data, placement):
        """Returns the part of the data that a placement uses, or None."""
        path = placement.get("data", "")
        if not path:
            return data
        return data.get(path[1:]) if isinstance(data, dict) else None

    def make(self, part, unit, only, page, number, pointer):
        """Makes the cells of one unit, as far as its data goes."""
        self.unit = pointer
        placements = self.catalog["units"].get(unit["unitType"])
        if placements is None:
            return
        flat = "unitData" not in unit
        data = unit if flat else unit["unitData"]
        base = pointer if flat else pointer + "/unitData"
        there = [p for p in placements if only is None or p[0] == only]
        if not there:
            self.diagnostics.append(["NO_PLACEMENT", page, pointer + "/unitType"])
        for role, placement in there:
            if holds(placement.get("when"), self.asks):
                self.place(part, role, placement, data, base, page, number)

    def place(self, part, role, placement, data, base, page, number):
        """Uses a part of the data of a unit."""
        path = placement.get("data", "")
        value = self.value(data, placement)
        if value is None:
            if role in ("cell", "cells") and not placement.get("optional"):
                self.diagnostics.append(["MISSING_DATA", page, base + path])
            return
        if role in ("header", "footer"):
            if self.cell_type(placement["type"], value) is None:
                self.diagnostics.append(["NO_CELL_TYPE", page, base + path + "/kind"])
                return
            if not self.is_kept(
                    self.cell_type(placement["type"], value), value, page, base + path):
                return
            if part[role] is not None:
                self.diagnostics.append(["REPLACED", page, part[role][1]])
            part[role] = [self.shown(self.cell_type(placement["type"], value)), self.unit]
            return
        if role == "cell":
            self.add_item(part, value, placement["type"], page, number, 0, base + path)
            return
        if not isinstance(value, list):
            self.diagnostics.append(["NOT_AN_ARRAY", page, base + path])
            return
        for element, one in enumerate(value):
            self.add_item(
                part, one, placement["type"], page, number, element,
                "%s%s/%d" % (base, path, element))

    def add_item(self, part, value, kind, page, unit, element, pointer):
        """Adds an item with its id and its type; the id is that of the posted cell type."""
        posted = self.cell_type(kind, value)
        if posted is None:
            self.diagnostics.append(["NO_CELL_TYPE", page, pointer + "/kind"])
            return
        if not self.is_kept(posted, value, page, pointer):
            return
        pointer_to_id = self.catalog["cellTypes"][posted].get("id")
        own = value.get(pointer_to_id[1:]) if pointer_to_id and isinstance(value, dict) else None
        part["items"].append([
            own if own is not None else "p%d.u%d.e%d" % (page, unit, element), self.shown(posted)])


class Generator:
    """Random catalogs, pages and requests."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.next_id = 0

    def maybe(self, chance):
        return self.random.random() < chance

    def version(self):
        count = self.random.choice([1, 2, 2, 3, 4])
        return ".".join(str(self.random.choice([0, 0, 1, 2, 5])) for _ in range(count))

    def comparisons(self, number):
        count = self.random.choice([1, 1, 2])
        return " ".join(self.random.choice(OPERATORS) + number() for _ in range(count))

    def width(self):
        return self.random.choice(["390", "600", "600.5", "0"])

    def condition(self):
        """Returns a condition; often one of a few, so that parts of a page share it."""
        condition = {}
        if self.maybe(0.6):
            platforms = self.random.sample(PLATFORMS, self.random.choice([1, 1, 2, 3]))
            condition["client"] = {
                name: self.comparisons(self.version) if self.maybe(0.95) else None
                for name in platforms
            }
        for member in ("flags", "without"):
            if self.maybe(0.3):
                condition[member] = self.random.sample(FLAGS, self.random.choice([0, 1, 2]))
        if self.maybe(0.25):
            condition["width"] = self.comparisons(self.width)
        return condition

    def when(self, chance=0.35):
        if not self.maybe(chance):
            return {}
        return {self.name: self.condition() if self.maybe(0.95) else None}

    def catalog(self):
        self.kinds = ["Cell%d" % index for index in range(6)]
        catalog = {
            "cellTypes": {name: self.cell(index) for index, name in enumerate(self.kinds)},
            "units": {"T%d" % index: self.placements() for index in range(4)},
            "schemas": {
                "T%d" % index: self.random.choice(SCHEMAS) for index in range(4)
                if self.maybe(0.4)},
        }
        self.name = "when"
        if self.maybe(0.3):
            self.name = "onlyFor"
            catalog["contract"] = {"when": self.name, "fallback": "orElse", "essential": "must"}
        self.names = {"fallback": "fallback", "essential": "essential"}
        self.names.update(catalog.get("contract", {}))
        return catalog

    def cell(self, index):
        """Returns a cell type; its fallback is one before it, so that there is no circle."""
        cell = {"size": {"height": 10 + index}}
        if self.maybe(0.8):
            cell["id"] = "/id"
        if self.maybe(0.4):
            cell["since"] = {
                name: self.version() if self.maybe(0.8) else None
                for name in self.random.sample(PLATFORMS, self.random.choice([1, 2]))
            }
        if self.maybe(0.25):
            cell["schema"] = self.random.choice(CELL_SCHEMAS)
        if index > 0 and self.maybe(0.5):
            cell["fallback"] = self.random.choice(self.kinds[:index])
        return cell

    def kind(self):
        if self.maybe(0.8):
            return self.random.choice(self.kinds)
        kind = {
            "switch": "/kind",
            "cases": {"a": self.random.choice(self.kinds), "b": self.random.choice(self.kinds)},
        }
        if self.maybe(0.6):
            kind["default"] = self.random.choice(self.kinds)
        return kind

    def placements(self):
        """Returns placements as pairs of a role and its options."""
        placements = []
        for _ in range(self.random.choice([1, 1, 2, 3])):
            role = self.random.choice(["cell", "cells", "cells", "header", "footer"])
            placement = {"type": self.kind()}
            if self.maybe(0.5):
                placement["data"] = self.random.choice(["/list", "/one"])
            if self.maybe(0.3):
                placement["optional"] = True
            if self.maybe(0.4):
                placement["when"] = self.condition()
            placements.append([role, placement])
        return placements

    def element(self):
        if self.maybe(0.03):
            return None
        self.next_id += 1
        element = {"id": "i%d" % self.next_id} if self.maybe(0.7) else {"title": "x"}
        if self.maybe(0.4):
            element["kind"] = self.random.choice(["a", "b", "c"])
        return element

    def unit(self, depth=0):
        unit = {"unitType": self.random.choice(["T0", "T1", "T2", "T3", "T3", "unknown"])}
        elements = [self.element() for _ in range(self.random.choice([0, 1, 3]))]
        data = self.random.choice([
            elements, self.element(), {"list": elements, "one": self.element()}, {"list": {}}])
        if isinstance(data, dict) and self.maybe(0.3):
            unit.update(data)
        else:
            unit["unitData"] = data
        unit.update(self.when())
        if self.maybe(0.3 if depth == 0 else 0.4) and depth < 3:
            unit[self.names["fallback"]] = self.unit(depth + 1) if self.maybe(0.7) else None
        if depth == 0 and self.maybe(0.12):
            unit[self.names["essential"]] = self.maybe(0.8)
        return unit

    def section(self):
        units = [self.unit() for _ in range(self.random.choice([1, 2, 3]))]
        if self.maybe(0.2):
            return units
        section = {"units": units}
        if self.maybe(0.7):
            section["sectionId"] = self.random.choice(["s1", "s2", "s3"])
        for role in ("header", "footer"):
            if self.maybe(0.3):
                section[role] = self.unit()
        section.update(self.when())
        if self.maybe(0.1):
            section[self.names["essential"]] = True
        return section

    def asks(self):
        client = None
        if self.maybe(0.8):
            client = "%s/%s" % (self.random.choice(PLATFORMS + ["tv"]), self.version())
        flags = self.random.sample(FLAGS, self.random.choice([0, 0, 1, 2, 3]))
        return {"client": client, "flags": flags, "width": self.random.choice([390, 600, 600.5])}

    def case(self):
        catalog = self.catalog()
        pages = [
            {
                "page": number,
                "sections": [self.section() for _ in range(self.random.choice([1, 2, 4]))],
            }
            for number in range(self.random.choice([1, 1, 2, 3]))
        ]
        requests = []
        for _ in range(12):
            asks = self.asks()
            model = Model(catalog, pages, asks)
            requests.append({
                **asks, "sections": model.sections, "diagnostics": model.diagnostics,
                "problem": model.problem, "missing": model.missing})
        posted = dict(catalog)
        schemas = posted.pop("schemas")
        posted["units"] = {
            name: [{role: placement} for role, placement in placements]
            + ([{"schema": schemas[name]}] if name in schemas else [])
            for name, placements in catalog["units"].items()
        }
        return {
            "catalog": json.dumps(posted), "pages": [json.dumps(page) for page in pages],
            "requests": requests,
        }


if __name__ == "__main__":
    print_cases(__doc__, lambda seed: Generator(seed).case)
