#!/usr/bin/env python3
"""Prints random contents whose boxes say what they are, with what the oracle finds in them.

    random_accessible.py --seed 7 --count 200

prints one JSON object in each line: `catalog` and `page` (texts), `query`, `elements` (of each
item, in the form of Fixtures/conformance/accessible.json), and `lint`: for each code the number of
items, the id of the first, and its part in words. The same seed gives the same lines.
"""

import json
import random

import broadsheet_oracle
from oracle import contents, names, source_json, text
from random_contents import LENGTHS, TEXTS, VALUES, ContentGenerator
from random_output import print_cases

FONTS = {"f": {"files": ["f.ttf"], "size": 10, "lineHeight": 12},
         "g": {"files": ["f.ttf"], "size": 16, "scales": False}}
ACTIONS = {"like": {"forward": True}, "open": {"forward": True}}
INPUTS = [1, 2.5, "x", True, {"on": False, "of": [1, None]}, []]
LINKS = ["/a/b?c=d", "https://x.example/é", "#top", "", None, 7, {}]
PLACES = ["start", "center", "end"]
CONTAINERS = ("column", "row", "overlay")


class Generator(ContentGenerator):
    """Makes contents with the members, which are those that a catalog permits."""

    def content(self):
        root = super().content()
        self.describe(root, is_root=True)
        return root

    def describe(self, box, is_root=False, is_inside=False):
        """Adds members to a box and those in it; returns whether one of them is a control."""
        if "space" in box:
            return False
        if "switch" in box:
            boxes = [*box["cases"].values(), *([box["default"]] if "default" in box else [])]
            return any([self.describe(one, is_root, is_inside) for one in boxes])
        is_named = "name" in box
        is_control = is_named and not is_inside and self.maybe(0.18)
        if is_control:
            self.control(box)
        kind = next(kind for kind in contents.KINDS if kind in box)
        has_control = any([
            self.describe(child, is_inside=is_inside or is_control)
            for child in (box[kind] if kind in CONTAINERS else [])])
        is_leaf = kind in ("image", "box")
        if (is_named or is_root) and self.maybe(0.45 if is_leaf else 0.15):
            box["label"] = self.label()
        if is_named and not is_control:
            self.role(box, kind, is_root)
        if not is_root and not is_control and not has_control and self.maybe(0.06):
            box["hidden"] = True
        return is_control or has_control

    def container(self, depth):
        """Returns a container; sometimes an overlay of boxes with a size and a place each."""
        if self.maybe(0.75):
            return super().container(depth)
        boxes = []
        for _ in range(self.random.randint(2, 5)):
            self.names += 1
            kind = self.random.choice(["text", "image", "box"])
            box = {"text": "/t0", "font": "f"} if kind == "text" else {kind: ""}
            boxes.append({**box, "name": f"n{self.names}"})
            for name, values in (("width", [10, 20.5, 44, 60]), ("height", [12, 24, 43.999, 50]),
                                 ("horizontal", PLACES), ("vertical", PLACES)):
                boxes[-1][name] = self.random.choice(values)
        self.count += len(boxes)
        return {"overlay": boxes, "height": self.random.choice([50, 90])}

    def control(self, box):
        if self.maybe(0.4):
            box["link"] = "/href"
            if self.maybe(0.3):
                box["role"] = "link"
            return
        box["action"] = self.random.choice(list(ACTIONS))
        if self.maybe(0.4):
            box["input"] = self.random.choice(INPUTS)
        if self.maybe(0.3):
            box["role"] = self.random.choice(["button", "link"])

    def label(self):
        kind = self.random.random()
        if kind < 0.35:
            return self.random.choice([*TEXTS, *VALUES, *LENGTHS])
        if kind < 0.6:
            return {"constant": self.random.choice(["Like", "Remove it", "é…", " "])}
        parts = self.random.sample([*TEXTS, "/n0", "/v0"], 2)
        if self.maybe(0.6):
            parts.insert(self.random.randint(0, 2), {"constant": self.random.choice(["of", " "])})
        return {"join": parts, "by": self.random.choice([" ", "", ", "])}

    def role(self, box, kind, is_root):
        roles = {"text": ["heading"], "image": ["image", "none"], "box": ["image", "none"]}
        found = roles.get(kind, ["heading", "image"] if "label" in box and not is_root else [])
        if found and self.maybe(0.25):
            box["role"] = self.random.choice(found)
        if box.get("role") == "heading" and self.maybe(0.5):
            box["level"] = self.random.randint(1, 6)

    def data(self):
        data = super().data()
        if self.maybe(0.8):
            data["href"] = self.random.choice(LINKS)
        return data


def generator(seed):
    source = random.Random(seed)
    boxes = Generator(source, ["f", "g"])

    def case():
        catalog = {
            "fonts": FONTS, "sections": {"S": {"gridColumnCount": 1}},
            "units": {"U": {"cells": {"type": "Item"}}},
            "cellTypes": {"Item": {"id": "/id", "actions": ACTIONS, "content": boxes.content()}}}
        items = [{"id": f"i{index}", **boxes.data()} for index in range(source.randint(1, 4))]
        page = {"sections": [
            {"sectionId": "S", "units": [{"unitType": "U", "unitData": items}]}]}
        query = {"width": source.choice([100, 180, 320]), "rounding": "none",
                 "textScale": source.choice([1, 1, 0.8, 1.5, 2.5])}
        catalog, page = (json.dumps(one, ensure_ascii=False) for one in (catalog, page))
        return {"catalog": catalog, "page": page, "query": {k: str(v) for k, v in query.items()},
                **expected(catalog, page, query)}

    return case


def layouts(catalog, page, query):
    """Returns the layout of the content of each item, in its frame."""
    composition = broadsheet_oracle.composition(
        {"catalog": catalog, "pages": [page], "query": query})
    root = source_json.parse(catalog.encode("utf-8"))
    content = root.get("cellTypes").get("Item").get("content")
    fonts = {name: text.font(node) for name, node in root.get("fonts").members}
    settings = text.Settings(fonts, query["textScale"])
    section = composition.screen.sections[0]
    found = []
    for cell, placed in zip(section.cells, composition.placed.sections[0].arrangement.items):
        layout = contents.Layout(content, cell.data, settings)
        layout.parts(placed.frame.width, placed.frame.height, False, 1)
        found.append(layout)
    return content, found


def words(box):
    article = "an" if box.kind in ("image", "overlay") else "a"
    name = box.word("name", None)
    return f"{article} {box.kind} without a name" if name is None else f'the {box.kind} "{name}"'


def expected(catalog, page, query):
    """Returns the elements and the lint of the items of a page."""
    content, found = layouts(catalog, page, query)
    cells = [names.Names(layout.root, layout.data) for layout in found]
    lint = {}

    def add(code, index, box):
        entry = lint.setdefault(code, {"count": 0, "item": f"i{index}", "part": words(box)})
        entry["count"] += 1

    if names.is_judged(content):
        for index, cell in enumerate(cells):
            for code, box in cell.problems().items():
                add(code, index, box)
    if names.is_judged(content) and query["textScale"] > 1:
        _, smaller = layouts(catalog, page, {**query, "textScale": 1})
        for index, pair in enumerate(zip(found, smaller)):
            boxes = zip(*[contents.each(layout.root) for layout in pair])
            cut = [one for one, other in boxes if names.is_cut(one) and not names.is_cut(other)]
            if cut:
                add("TEXT_CUT_WHEN_LARGER", index, cut[0])
    return {"elements": [cell.elements() for cell in cells], "lint": lint}


if __name__ == "__main__":
    print_cases(__doc__, generator)
