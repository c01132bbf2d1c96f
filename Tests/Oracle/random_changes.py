"""Random pairs of pages, of which one is an edit of the other, with the oracle's trees."""

import json
import random

import broadsheet_oracle

CATALOG = {
    "screen": {"minimumLineSpacing": 4, "minimumInteritemSpacing": 4},
    "cellTypes": {
        "Card": {"id": "/id", "size": {"height": {"value": "/h"}}},
        "Note": {"size": {"height": 20}},
        "Title": {"size": {"height": {"value": "/h"}}},
    },
    "units": {
        "CARDS": {"cells": {"type": "Card", "data": "/cards"}},
        "NOTES": {"cells": {"type": "Note", "data": "/notes"}},
        "TITLED": {
            "header": {"type": "Title", "data": "/title"},
            "cells": {"type": "Card", "data": "/cards"},
        },
        "END": {"footer": {"type": "Title"}},
    },
}
# A content whose parts depend on the data, of cells and of headers.
TILE = {
    "name": "back", "padding": 3, "spacing": 2, "column": [
        {"image": "/photo", "fill": 1, "height": {"value": "/h"}, "name": "photo"},
        {"row": [
            {"box": "", "fill": 1, "height": 6, "name": "bar"},
            {"switch": "/kind", "cases": {
                "new": {"box": "", "width": 12, "height": 8, "name": "new"},
                "sale": {"box": "", "width": 30.5, "height": 10, "name": "sale"}}}],
         "spacing": 2, "align": "end", "name": "line"},
        {"box": "", "if": "/name", "height": {"value": "/name"}, "name": "name"}]}
BANNER = {
    "height": {"value": "/h"}, "row": [
        {"box": "", "width": 10, "name": "mark"},
        {"image": "/text", "fill": 1, "name": "text"},
        {"box": "", "if": "/wide", "width": {"fraction": 0.3}, "name": "wide"}]}
CONTENT_CATALOG = {
    **CATALOG,
    "cellTypes": {
        **CATALOG["cellTypes"],
        "Tile": {"id": "/id", "content": TILE},
        "Banner": {"content": BANNER},
    },
    "units": {
        **CATALOG["units"],
        "TILES": {
            "header": {"type": "Banner", "data": "/title", "optional": True},
            "cells": {"type": "Tile", "data": "/cards"},
        },
    },
}
UNIFORM = {"columns": 1, "width": 120, "height": 40}
LAYOUTS = [
    {}, {"gridColumnCount": 2}, {"gridColumnCount": 3, "inset": 5},
    {"kind": "list"}, {"kind": "list", "appearance": "insetGrouped", "headerMode": "supplementary"},
    {"kind": "compositional", "scrolling": "groupPaging", "direction": "vertical",
     "itemSize": {"uniform": UNIFORM}, "lineSpacing": 8},
    {"decoration": {"kind": "card", "inset": -2}, "gridColumnCount": 2},
    {"kind": "compositional", "scrolling": "groupPagingCentered", "direction": "horizontal",
     "itemSize": {"uniform": {"width": 100, "height": 30}}, "paging": {"isInfinitePage": True}},
]


class Generator:
    """A generator of pages and of edits of them."""

    KINDS = ["CARDS", "CARDS", "TITLED", "NOTES"]

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.ids = 0

    def card(self):
        self.ids += 1
        return {"id": f"c{self.ids}", "h": self.random.choice([10, 20.25, 33, 40])}

    def title(self):
        return {"h": 18, "text": f"Title {self.ids}"}

    def section(self):
        self.ids += 1
        cards = [self.card() for _ in range(self.random.choice([0, 1, 2, 3, 4, 6]))]
        kind = self.random.choice(self.KINDS)
        data = {"cards": cards}
        if kind == "TITLED":
            data["title"] = self.title()
        if kind == "NOTES":
            data = {"notes": [{"n": index} for index in range(len(cards))]}
        section = {"units": [{"unitType": kind, "unitData": data}]}
        if self.random.random() < 0.9:
            section["sectionId"] = f"s{self.ids}"
        section["layout"] = self.random.choice(LAYOUTS)
        return section

    def page(self):
        sections = [self.section() for _ in range(self.random.randint(1, 4))]
        return {"page": 0, "sections": sections}

    def edited(self, page):
        """Returns a page after some edits."""
        page = json.loads(json.dumps(page))
        edits = [self.insert, self.delete, self.move, self.change, self.carry, self.dress]
        edits += [self.insert_section, self.delete_section, self.move_section]
        for edit in self.random.choices(edits, k=self.random.choice([1, 1, 2, 3, 5])):
            edit(page["sections"])
        return page

    def lists(self, sections):
        """Returns the lists of cards, none of which is that of notes."""
        data = [unit["unitData"] for section in sections for unit in section["units"]]
        return [one["cards"] for one in data if "cards" in one]

    def some(self, sections):
        lists = [cards for cards in self.lists(sections) if cards]
        return self.random.choice(lists) if lists else None

    def insert(self, sections):
        for cards in self.lists(sections)[:1 + self.random.randint(0, 1)]:
            cards.insert(self.random.randint(0, len(cards)), self.card())

    def delete(self, sections):
        cards = self.some(sections)
        if cards:
            cards.pop(self.random.randrange(len(cards)))

    def move(self, sections):
        cards = self.some(sections)
        if cards:
            cards.insert(self.random.randrange(len(cards)), cards.pop())

    def change(self, sections):
        cards = self.some(sections)
        if cards:
            self.change_card(self.random.choice(cards))

    def change_card(self, card):
        card[self.random.choice(["h", "name"])] = self.random.choice([11, 12, 40])

    def carry(self, sections):
        """Moves a card from one section to another."""
        cards = self.some(sections)
        if cards:
            card = cards.pop(self.random.randrange(len(cards)))
            target = self.random.choice(self.lists(sections))
            target.insert(self.random.randint(0, len(target)), card)

    def dress(self, sections):
        """Adds, changes or takes away what a section has besides items."""
        if not sections:
            return
        section = self.random.choice(sections)
        section["collapsed"] = self.random.random() < 0.3
        kind = self.random.randrange(4)
        if kind == 0:
            section["layout"] = self.random.choice(LAYOUTS)
        elif kind == 1:
            section.pop("footer", None)
            if self.random.random() < 0.6:
                section["footer"] = {"unitType": "END", "unitData": {"h": 9, "text": "End"}}
        elif kind == 2:
            data = section["units"][0]["unitData"]
            if data.pop("title", None) is None and "cards" in data:
                section["units"][0]["unitType"] = "TITLED"
                data["title"] = {"h": 15, "text": "New"}
            elif "cards" in data:
                section["units"][0]["unitType"] = "CARDS"
        else:
            section["data"] = self.random.choice([None, {"tint": self.random.randrange(9)}])

    def insert_section(self, sections):
        sections.insert(self.random.randint(0, len(sections)), self.section())

    def delete_section(self, sections):
        if len(sections) > 1:
            sections.pop(self.random.randrange(len(sections)))

    def move_section(self, sections):
        if len(sections) > 1:
            sections.insert(self.random.randrange(len(sections)), sections.pop())

    def case(self):
        """Returns two pages and a query."""
        old = self.page()
        query = {
            "width": self.random.choice([200, 320.5]), "height": 300, "scale": 2,
            "direction": self.random.choice(["ltr", "ltr", "rtl"]),
            "coordinates": self.random.choice(["section", "section", "content"]),
        }
        return old, self.edited(old), query


class ContentGenerator(Generator):
    """A generator of pages whose cells and headers have contents."""

    KINDS = ["TILES", "TILES", "TILES", "CARDS"]

    def card(self):
        return {**super().card(), "photo": self.random.choice(["/p.png", "/p.png", "", None]),
                "kind": self.random.choice(["new", "sale", None])}

    def section(self):
        section = super().section()
        if self.random.random() < 0.6:
            section["units"][0]["unitData"]["title"] = self.title()
        return section

    def title(self):
        return {"h": 18, "text": self.random.choice(["Title", "", None]),
                "wide": self.random.random() < 0.5}

    def change_card(self, card):
        name, values = self.random.choice([
            ("photo", ["/q.png", "", None]), ("kind", ["new", "sale", "other"]),
            ("name", [None, False, 12, 20.5]), ("h", [11, 12, 40])])
        card[name] = self.random.choice(values)


def tree(page, query, catalog=None):
    """Returns the oracle's tree of a page."""
    case = {"catalog": json.dumps(catalog or CATALOG), "pages": [json.dumps(page)], "query": query}
    return json.loads(broadsheet_oracle.composition(case).tree())
