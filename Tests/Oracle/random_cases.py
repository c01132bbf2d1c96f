#!/usr/bin/env python3
"""Prints random catalogs, pages and viewports with the oracle's trees.

    random_cases.py --seed 7 --count 200

prints one JSON object in each line: `catalog`, `pages` (texts with unusual white space, escapes and
numbers), `query`, `tree`, `windows`: rectangles with the elements in them, and `anchored`: windows
around items. The same seed gives the same lines. Cases that the rules do not decide are not
generated.
"""

import json
import random
from urllib.parse import quote

import broadsheet_oracle
from oracle import contract, layout_members, visibility, windows
from random_contents import ContentGenerator
from random_output import print_cases

WORDS = ["alpha", "베타", "gamma delta", 'quo"te', "back\\slash", "tab\t"]
WORDS += ["é", "😀", "a/b", "m~n", "", "x" * 40]
UNUSUAL_NUMBERS = ["1e999", "-1e999", "1e308", "-0", "-0.0", "5e-324", "1e12", "0.1e1"]
CONTRACTS = [
    {"sections": "blocks", "unitType": "kind/of", "units": "rows", "unitData": "d~ta"},
    {"units": "data"},
]
PADDINGS = [4, {"top": 3, "left": 8}, {"bottom": 5, "right": 2.5}, {"left": 500}]
MAX_INPUTS = 16  # docs/catalog.md, cellTypes
STYLES = ["big", "small", "other", "3", "3.0", 3, 3.0, 0, 2.5, True, False, "true", None, [], {}]
SPANS = [1, 2, 2, 3, 2.0, "all", None, 0, -1, 1.5, "two", True, [2], 2147483648]
MODES = ["none", "supplementary", "firstItemInSection"]
SECTION_IDS = ["ProductList", "목록", "a,b", "12", "quo\"te", "ProductList2"]
UNIT_TYPES = ["CELL", "CELLS", "BOTH", "TITLE", "TITLED", "OPTIONAL", "TWICE"]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.contents = ContentGenerator(self.random, ["f", "g"])

    # Numbers and texts

    def maybe(self, chance):
        return self.random.random() < chance

    def length(self, low, high):
        """Returns a length, sometimes negative or extreme."""
        kind = self.random.random()
        if kind < 0.02:
            return Raw(self.random.choice(UNUSUAL_NUMBERS))
        if kind < 0.5:
            return self.random.randint(int(low), int(high))
        return round(self.random.uniform(low, high) * 4) / 4

    def spacing(self):
        return self.random.choice([0, 0, 1, 4, 7.5, 10, 15, 16, -5, self.length(-20, 60)])

    def inset(self):
        if self.maybe(0.3):
            return self.spacing()
        sides = self.random.sample(["top", "left", "bottom", "right"], self.random.randint(1, 4))
        return {side: self.spacing() for side in sides}

    # The catalog

    def catalog(self):
        cell_types = {f"Type{index}": self.cell_type() for index in range(5)}
        types = list(cell_types)

        def part(data="", **more):
            placement = {"type": self.placement_type(types), **more}
            if data or self.maybe(0.2):
                placement["data"] = data
            return placement

        units = {
            "CELL": {"cell": part()},
            "CELLS": {"cells": part("/items")},
            "BOTH": {"header": part("/title"), "cells": part("/items"), "footer": part("/more")},
            "TITLE": {"header": part()},
            "TITLED": [{"header": part("/title")}, {"footer": part("/title")}],
            "OPTIONAL": {"cells": part("/extra", optional=True)},
            "TWICE": [{"cell": part()}, {"cells": part("/items")}, {"cell": part("/items/0")}],
        }
        for rules in units.values():
            if self.maybe(0.1):
                owner = self.random.choice(rules) if isinstance(rules, list) else rules
                owner["layout"] = self.layout()
        catalog = {"units": units, "cellTypes": cell_types, "fonts": self.fonts()}
        if self.maybe(0.7):
            catalog["screen"] = self.screen()
        if self.maybe(0.8):
            named = self.random.sample(SECTION_IDS, 2) + (["*"] if self.maybe(0.6) else [])
            catalog["sections"] = {name: self.layout() for name in named}
        if self.maybe(0.2):
            catalog["contract"] = self.random.choice(CONTRACTS)
        return catalog

    def placement_type(self, types):
        """Returns the name of a cell type, or a choice among names, often without a default."""
        if self.maybe(0.65):
            return self.random.choice(types)
        names = self.random.sample(["big", "small", "3", "2.50", "true", "false", "-0"], 4)
        cases = {name: self.random.choice([*types, None]) for name in names}
        pointer = self.random.choice(["/style", "/style", "/nested/style", "", "/nothing"])
        choice = {"switch": pointer, "cases": cases}
        if self.maybe(0.7):
            choice["default"] = self.random.choice([*types, None])
        return choice

    def screen(self):
        screen = {}
        if self.maybe(0.3):
            screen["direction"] = self.random.choice(["horizontal", "vertical"])
        if self.maybe(0.3):
            screen["itemSize"] = {"width": self.length(0, 120), "height": self.length(0, 120)}
        for name in ("minimumLineSpacing", "minimumInteritemSpacing", "interSectionSpacing"):
            if self.maybe(0.3):
                screen[name] = self.spacing()
        if self.maybe(0.2):
            screen["inset"] = self.inset()
        for name in ("pinHeaders", "pinFooters"):
            if self.maybe(0.1):
                screen[name] = True
        return screen

    def cell_type(self):
        cell_type = {}
        if self.maybe(0.6):
            cell_type["id"] = self.random.choice(["/id", "/nested/id"])
        if self.maybe(0.3):
            cell_type["content"] = self.contents.content()
        elif self.maybe(0.8):
            cell_type["size"] = self.size()
        if self.maybe(0.4):
            cell_type["span"] = self.random.choice([1, 2, 3, 900, "all", *[self.span()] * 4])
        if self.maybe(0.2):
            gestures = ["move", "delete", "select", "drag"]
            cell_type["can"] = self.random.sample(gestures, self.random.randint(0, 4))
        return cell_type

    def span(self):
        span = {"value": self.random.choice(["/span", "/span", "/w", "/style", "/nothing"])}
        if self.maybe(0.4):
            span["default"] = self.random.choice([1, 2, 5, "all"])
        return span

    def size(self):
        """Returns a size that reads fewer values than a catalog permits: a span reads one."""
        while True:
            size = {}
            if self.maybe(0.7):
                size["width"] = self.rule(2, is_height=False)
            if self.maybe(0.8):
                size["height"] = self.rule(3, is_height=True)
            if pointer_count(size) < MAX_INPUTS:
                return size

    def fonts(self):
        fonts = {}
        for name in ("f", "g"):
            font = {"files": ["f.ttf"], "size": self.random.choice([10, 17, 12.5, 1])}
            if self.maybe(0.6):
                font["lineHeight"] = self.random.choice([12, 20, 21.3])
            if self.maybe(0.3):
                font["letterSpacing"] = self.random.choice([0.1, -0.5, 3])
            if self.maybe(0.3):
                font["scales"] = self.maybe(0.5)
            fonts[name] = font
        return fonts

    def text_rule(self):
        pointers = ["/text", "/text", "/nested/text", "/h", "/style", "/nothing"]
        rule = {"text": self.random.choice(pointers), "font": self.random.choice(["f", "g"])}
        if self.maybe(0.3):
            rule["text"] = {"join": self.random.sample(pointers[1:], self.random.randint(1, 3))}
            if self.maybe(0.7):
                rule["text"]["by"] = self.random.choice([" ", "", " - ", "\n"])
        if self.maybe(0.4):
            rule["maxLines"] = self.random.choice([1, 2, 3])
        if self.maybe(0.3):
            rule["minLines"] = self.random.choice([0, 1, 2])
        if self.maybe(0.2):
            rule["overflow"] = self.random.choice(["clip", "anywhere"])
        return rule

    def rule(self, depth, is_height):
        kinds = ["number", "number", "value", "fraction", "text"]
        if is_height:
            kinds.append("ratio")
        if depth > 0:
            kinds += ["switch", "clamp", "sum", "product"] + (["stack"] if is_height else [])
        kind = self.random.choice(kinds)

        def inner():
            return self.rule(depth - 1, is_height)

        if kind == "number":
            return self.length(10, 200)
        if kind == "value":
            rule = {"value": self.random.choice(["/w", "/h", "/nested/h", "/nothing"])}
            if self.maybe(0.6):
                rule["default"] = self.length(10, 100)
            return rule
        if kind == "text":
            return self.text_rule()
        if kind == "fraction":
            return {"fraction": self.random.choice([0.25, 0.5, 1, 0.3333, 0])}
        if kind == "ratio":
            return {"ratio": self.ratio()}
        if kind == "sum":
            return {"sum": [inner() for _ in range(self.random.choice([0, 1, 2, 3]))]}
        if kind == "product":
            return {"product": [inner(), self.random.choice([2, 0.5, 1, 0, -1, 1e9])]}
        if kind == "switch":
            names = self.random.sample(["big", "small", "3", "true", "-0", "2.50"], 3)
            rule = {"switch": "/style", "cases": {name: inner() for name in names}}
            if self.maybe(0.7):
                rule["default"] = inner()
            return rule
        if kind == "clamp":
            rule = {"of": inner()}
            if self.maybe(0.6):
                rule["min"] = self.random.choice([0, 40, inner()])
            if self.maybe(0.6):
                rule["max"] = self.random.choice([30, 120, 300, inner()])
            return rule
        rule = {"stack": [inner() for _ in range(self.random.choice([0, 1, 2, 2, 3]))]}
        if self.maybe(0.4):
            rule["spacing"] = self.random.randint(-4, 12)
        if self.maybe(0.4):
            rule["padding"] = self.random.choice(PADDINGS)
        return rule

    def ratio(self):
        kind = self.random.random()
        if kind < 0.4:
            return self.random.choice([1, 0.5625, 1.5, 0.25])
        rule = {"width": "/w", "height": self.random.choice(["/h", "/nested/h"])}
        if kind < 0.7:
            rule = {"value": self.random.choice(["/aspect", "/nested/aspect", "/nothing"])}
        if self.maybe(0.5):
            rule["default"] = self.random.choice([0.75, 1])
        return rule

    # Layouts

    def layout(self):
        layout = {}
        if self.maybe(0.5):
            layout["inset"] = self.inset()
        if self.maybe(0.5):
            layout["minimumLineSpacing"] = self.spacing()
        if self.maybe(0.5):
            layout["minimumInteritemSpacing"] = self.spacing()
        if self.maybe(0.4):
            layout["gridColumnCount"] = self.columns()
        if self.maybe(0.2):
            layout["itemAlignment"] = self.random.choice(layout_members.ALIGNMENTS)
        if self.maybe(0.15):
            layout["decoration"] = self.decorations()
        if self.maybe(0.15):
            layout["contentInsetsReference"] = self.random.choice(layout_members.REFERENCES)
        if self.maybe(0.1):
            layout["maxWidth"] = self.random.choice([300, 100.5, 600, self.length(-5, 900)])
        for name in ("pinHeader", "pinFooter"):
            if self.maybe(0.1):
                layout[name] = self.maybe(0.7)
        kind = self.random.random()
        if kind < 0.2:
            layout.update(self.compositional())
        elif kind < 0.35:
            layout.update(self.list())
        elif kind < 0.45:
            layout["paging"] = self.paging()
        elif kind < 0.55:
            layout.update(self.cards())
        elif kind < 0.7:
            layout.update(self.masonry())
        if self.maybe(0.1):
            layout["unheardOf"] = [1, {"of": None}]
        return layout

    def masonry(self):
        layout = {"kind": "masonry"}
        if self.maybe(0.5):
            layout["gridColumnCount"] = self.random.choice([2, 3, 4, 5, 7])
        if self.maybe(0.4):
            layout["placement"] = self.random.choice(layout_members.PLACEMENTS)
        return layout

    def columns(self):
        counts = [0, 1, 2, 2, 3, 5, 12, -1, 200, 2147483647]
        kind = self.random.random()
        if kind < 0.2:
            columns = {"minItemWidth": self.random.choice([0.25, 1, 60, 100, 160, 99.5, 1000])}
            if self.maybe(0.4):
                columns["max"] = self.random.choice([1, 3, 6, 2147483647])
            return columns
        if kind < 0.4:
            widths = self.random.sample(["0", "375", "390.5", "6e2", "768", "1024.0"], 3)
            return {name: self.random.choice(counts) for name in [*widths, "default"]}
        return self.random.choice(counts)

    def compositional(self):
        layout = {"kind": "compositional"}
        if self.maybe(0.8):
            layout["direction"] = self.random.choice(["horizontal", "vertical"])
        uniform = {}
        if self.maybe(0.7):
            counts = [0, 1, 2, 3, 5, 2147483647, -4, self.columns(), self.columns()]
            uniform["columns"] = self.random.choice(counts)
        if self.maybe(0.5):
            uniform["width"] = self.length(10, 200)
            if self.maybe(0.4):
                uniform["width"] = {"fraction": self.random.choice([0.8, 0.25, 1, 1.5, 0, -1])}
        if self.maybe(0.8):
            uniform["height"] = self.length(10, 200)
        sizes = ["dynamic", {"uniform": uniform}, {"uniform": uniform}]
        layout["itemSize"] = self.random.choice(sizes)
        if self.maybe(0.5):
            layout["scrolling"] = self.random.choice(layout_members.SCROLLING)
        for name in ("itemSpacing", "lineSpacing"):
            if self.maybe(0.5):
                layout[name] = self.spacing()
        if self.maybe(0.5):
            layout["sectionInset"] = self.inset()
        if self.maybe(0.3):
            layout["paging"] = self.paging()
        if self.maybe(0.4):
            layout["itemAlignment"] = self.random.choice(layout_members.ALIGNMENTS)
        if self.maybe(0.3):
            layout["isUniformAcrossSiblings"] = self.maybe(0.8)
        if self.maybe(0.3):
            layout["uniformEstimatedHeight"] = self.length(10, 100)
        return layout

    def cards(self):
        """Returns a compositional layout whose items scroll sideways as cards (C17)."""
        layout = self.compositional()
        width = self.random.choice([140, self.length(10, 400), {"fraction": 0.8}])
        layout["itemSize"] = {"uniform": {"width": width, "height": self.length(20, 200)}}
        layout["direction"] = "horizontal"
        layout["scrolling"] = self.random.choice(layout_members.SCROLLING[1:])
        if self.maybe(0.5):
            layout["paging"] = self.paging()
        return layout

    def list(self):
        layout = {"kind": "list"}
        if self.maybe(0.8):
            layout["appearance"] = self.random.choice(layout_members.APPEARANCES)
        if self.maybe(0.3):
            layout["showsSeparators"] = self.maybe(0.5)
        if self.maybe(0.6):
            layout["headerMode"] = self.random.choice(MODES)
        if self.maybe(0.6):
            layout["footerMode"] = self.random.choice(["none", "supplementary"])
        if self.maybe(0.3):
            layout["headerTopPadding"] = self.spacing()
        return layout

    def paging(self):
        paging = {}
        for name in ("isEnabled", "isAlignCenter", "isLooping", "isInfinitePage", "isAutoRolling"):
            if self.maybe(0.5):
                paging[name] = self.maybe(0.6)
        if self.maybe(0.3):
            paging["autoRollingTimeInterval"] = self.random.choice(
                [1, 2.5, 0.125, 600, 600.5, 0, -1, 3600]
            )
        return paging

    def decorations(self):
        if self.maybe(0.5):
            return self.decoration()
        return [self.decoration() for _ in range(self.random.choice([0, 1, 2, 3, 16]))]

    def decoration(self):
        decoration = {"kind": self.random.choice(WORDS[:4])}
        if self.maybe(0.6):
            decoration["mode"] = self.random.choice(["section", "items"])
        if self.maybe(0.6):
            decoration["inset"] = self.inset()
        if self.maybe(0.4):
            decoration["zIndex"] = self.random.choice([-1, 0, 3, -7])
        if self.maybe(0.5):
            decoration["data"] = {"colour": [1, 2]}
        return decoration

    # Pages

    def page(self, number, names):
        page = {}
        if self.maybe(0.8):
            page["page"] = number
        if self.maybe(0.6):
            page["hasNext"] = self.maybe(0.5)
        if self.maybe(0.2):
            page["hasPrevious"] = self.maybe(0.8)
        sections = [self.section(names) for _ in range(self.random.randint(0, 4))]
        page[names["sections"]] = sections
        return self.with_unknown(page)

    def with_unknown(self, value):
        """Sometimes adds a member that no contract defines, or one for other programs."""
        if self.maybe(0.05):
            value[self.random.choice(["version", "sectionID", "a/b~", "x-note", "$schema"])] = [1]
        return value

    def section(self, names):
        units = [self.unit(names) for _ in range(self.random.choice([0, 1, 1, 2, 3]))]
        if self.maybe(0.15):
            return units
        section = {}
        if self.maybe(0.8):
            section[names["sectionId"]] = self.random.choice([*SECTION_IDS, None, 12, "*"])
        if self.maybe(0.4):
            section["layout"] = self.layout()
        if self.maybe(0.15):
            section["collapsed"] = self.maybe(0.6)
        if self.maybe(0.2):
            section["header"] = self.unit(names, "TITLE")
        if self.maybe(0.2):
            section["data"] = self.random.choice([None, False, {"é": [1e2]}, "", self.data()])
        section[names["units"]] = units
        return self.with_unknown(section)

    def unit(self, names, kind=None):
        kind = kind or self.random.choice([*UNIT_TYPES, "CELLS", "CELLS", "BOTH"])
        if self.maybe(0.03):
            kind = "UNREGISTERED"
        if kind == "CELL" and self.maybe(0.3):  # a flat unit
            unit = {names["unitType"]: kind, **self.data()}
            own = [names["unitType"], names["unitData"]]
            name = self.misspelt(self.random.choice(own))
            if self.maybe(0.2) and name not in own:
                unit[name] = 1
            return unit
        data = self.data()
        uniform = self.maybe(0.4)
        model = self.data()
        count = self.random.choice([0, 1, 2, 3, 5, 8, 13])
        data["items"] = [
            {**(model if uniform else self.data()), "id": self.identity()} for _ in range(count)
        ]
        if self.maybe(0.7):
            data["title"] = self.data()
        if self.maybe(0.5):
            data["more"] = self.data()
        if self.maybe(0.1):
            data["items"] = self.random.choice([None, {}, "none", 3])
        return self.with_unknown({names["unitType"]: kind, names["unitData"]: data})

    def misspelt(self, name):
        """Returns a name with up to three typing errors, perhaps in other letters."""
        letters = list(name)
        for _ in range(self.random.choice([0, 1, 1, 2, 2, 3])):
            place = self.random.randrange(len(letters) - 1)
            letters[place : place + 2] = self.random.choice(
                [
                    [letters[place]],
                    [letters[place], "e", letters[place + 1]],
                    [letters[place + 1], letters[place]],
                    ["u", letters[place + 1]],
                ]
            )
        return self.random.choice([str, str.lower, str.upper, str.title])("".join(letters))

    def identity(self):
        words = [*WORDS, "a", "b", "a#2", 7, 7.0, None, True, Raw("1e2"), Raw("100")]
        return self.random.choice(words) if self.maybe(0.4) else f"i{self.random.randint(0, 60)}"

    def data(self):
        data = {"w": self.length(5, 240), "h": self.length(5, 160), **self.contents.data()}
        if self.maybe(0.5):
            data["style"] = self.random.choice(STYLES)
        if self.maybe(0.5):
            data["span"] = self.random.choice(SPANS)
        if self.maybe(0.3):
            data["aspect"] = self.random.choice([0.5, 1.25, 0, -1, "1", None, [1]])
        if self.maybe(0.05):
            data[self.random.choice(["w", "h"])] = self.random.choice([0, "100", True, {}, None])
        if self.maybe(0.3):
            style = self.random.choice(STYLES)
            data["nested"] = {"h": self.length(5, 90), "id": self.identity(), "style": style}
            data["nested"]["text"] = self.random.choice([*WORDS, 7, None])
        if self.maybe(0.2):
            data["text"] = self.random.choice(WORDS)
        if self.maybe(0.6):
            words = self.random.choices([*WORDS, "\n", "a", "of", "titles", "  "], k=8)
            data["text"] = " ".join(words)
        return data

    # The request

    def query(self):
        query = {
            "width": self.random.choice([320, 375, 390, 414, 430, 768, 1024, 390.5, 0.25, 100000]),
            "height": self.random.choice([568, 667, 844, 1024, 200]),
            "scale": self.random.choice([1, 1.5, 2, 3, 4, 0.5, 1.25, 2.625, 2.75, 3.5, 8]),
        }
        if self.maybe(0.4):
            query["direction"] = self.random.choice(["ltr", "rtl", "rtl"])
        if self.maybe(0.4):
            query["coordinates"] = self.random.choice(["section", "content"])
        if self.maybe(0.3):
            query["rounding"] = self.random.choice(["pixel", "none"])
        if self.maybe(0.2):
            query["fields"] = self.random.choice(["all", "frames"])
        if self.maybe(0.4):
            query["explain"] = "true"
        if self.maybe(0.3):
            query["textScale"] = self.random.choice([0.5, 1, 1.3528, 2, 4])
        if self.maybe(0.3):
            sides = self.random.choices([0, 16, 20, 59, 34.5, 400], k=4)
            query["safeArea"] = ",".join(str(side) for side in sides)
        names = self.random.sample(["ProductList", "목록", "12", "no such section"], 4)
        if self.maybe(0.3):
            query["collapsed"] = ",".join(quote(name, safe="") for name in names[:2])
        if self.maybe(0.3):
            query["expanded"] = ",".join(quote(name, safe="") for name in names[2:])
        return query

    def windows(self, placed):
        """Returns rectangles with the elements in them.

        Their edges are between device pixels, so that they never coincide with edges of frames.
        """
        rectangles = []
        for _ in range(3):
            x, y = self.random.uniform(-50, placed.width), self.random.uniform(-50, placed.height)
            size = (self.random.uniform(-300, 500), self.random.uniform(-600, 900))
            rectangles.append((x, y, *size))
        rectangles.append((-1e9, 0.0123, 2e9, placed.height / 2))
        return [{"rect": rect, "shows": visibility.visible(placed, rect)} for rect in rectangles]

    def anchored(self, composition):
        """Returns windows around items, and around the content's start.

        Their lengths are no sums of lengths of elements, so that no element ends where they do.
        """
        placed = composition.placed
        places = [
            (index, item) for index, section in enumerate(placed.sections)
            for item in range(windows.item_count(section))
        ]
        anchors = self.random.sample(places, min(3, len(places))) + [None]
        cases = []
        for anchor in anchors:
            lengths = [self.random.choice([0.0, self.random.uniform(0, 900)]) for _ in range(2)]
            shown = windows.window(placed, composition.environment, anchor, *lengths)
            cases.append({"anchor": anchor, "before": lengths[0], "after": lengths[1], **shown})
        return cases

    # Texts

    def text(self, value):
        """Returns JSON with unusual white space and escapes, without duplicate members."""
        if isinstance(value, dict):
            members = [
                f"{self.string(name)}{self.gap()}:{self.gap()}{self.text(item)}"
                for name, item in value.items()
            ]
            start = "{" + self.gap()
            return start + f"{self.gap()},{self.gap()}".join(members) + self.gap() + "}"
        if isinstance(value, list):
            start = "[" + self.gap()
            elements = f",{self.gap()}".join(self.text(item) for item in value)
            return start + elements + self.gap() + "]"
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, Raw):
            return value.text
        return json.dumps(value)

    def string(self, text):
        return json.dumps(text, ensure_ascii=self.maybe(0.2))

    def gap(self):
        return self.random.choice(["", "", "", "", "", " ", "\n", "\t", "\r\n "])

    def case(self):
        catalog = self.catalog()
        names = dict(contract.DEFAULT_NAMES)
        names.update(catalog.get("contract", {}))
        count = self.random.choice([1, 1, 1, 2, 3])
        pages = [self.page(number, names) for number in range(count)]
        if self.maybe(0.2):
            numbers = self.random.sample([0, 3, 9, 2147483647], len(pages))
            for page, number in zip(pages, numbers):
                page["page"] = number
        else:
            for number, page in enumerate(pages):
                page.setdefault("page", number) if number else None
        case = {
            "catalog": self.text(catalog),
            "pages": [self.text(page) for page in pages],
            "query": {name: str(value) for name, value in self.query().items()},
        }
        composition = broadsheet_oracle.composition(case)
        case["tree"] = composition.tree().decode("utf-8")
        case["windows"] = self.windows(composition.placed)
        case["anchored"] = self.anchored(composition)
        return case


def pointer_count(rule):
    """Returns the number of strings in a rule: as many as it has pointers, or more."""
    if isinstance(rule, (dict, list)):
        parts = rule.values() if isinstance(rule, dict) else rule
        return sum(pointer_count(part) for part in parts)
    return 1 if isinstance(rule, str) else 0


class Raw:
    """A number as a literal."""

    def __init__(self, text):
        self.text = text


if __name__ == "__main__":
    print_cases(__doc__, lambda seed: Generator(seed).case)
