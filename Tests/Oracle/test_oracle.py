#!/usr/bin/env python3
"""Tests of the oracle: numbers calculated by hand, and cases that are easily implemented wrongly.

    python3 -m unittest discover -s Tests/Oracle
"""

import json
import unittest

import record_goldens
from oracle import contract, merge, numbers, pointers, source_json


class WorkedNumbers(unittest.TestCase):
    """Cases below Fixtures/ may have `worked` numbers, calculated by hand from the rule's text."""

    def test_every_worked_case(self):
        checked = 0
        for path in sorted(record_goldens.FIXTURES.rglob("cases.json")):
            for case in json.loads(path.read_text("utf-8")):
                with self.subTest(folder=path.parent.name, case=case["name"]):
                    tree = json.loads(record_goldens.tree(path.parent, case))
                    for name, expected in case.get("worked", {}).items():
                        self.assert_close(expected, found(tree, name), name)
                        checked += 1
        self.assertGreater(checked, 100)

    def assert_close(self, expected, actual, name):
        if isinstance(expected, list):
            self.assertEqual(len(expected), len(actual), f"{name}: {actual}")
            for one, other in zip(expected, actual):
                self.assert_close(one, other, f"{name}: {actual}")
        elif isinstance(expected, str):
            self.assertEqual(expected, actual, name)
        else:
            self.assertAlmostEqual(expected, actual, delta=0.000_501, msg=name)


def found(tree, name):
    """Returns the values of a tree that a worked number is compared with."""
    if name == "contentSize":
        return [tree["contentSize"]["width"], tree["contentSize"]["height"]]
    if name == "sections":
        return [box(section["frame"]) for section in tree["sections"]]
    if name in ("headers", "footers"):
        kind = name[:-1]
        return [box(section[kind]["frame"]) for section in tree["sections"] if kind in section]
    if name == "separators":
        return [box(item["separator"]) for item in items(tree) if "separator" in item]
    if name == "decorations":
        sections = tree["sections"]
        decorations = [one for section in sections for one in section.get("decorations", [])]
        return [[*box(one["frame"]), one.get("zIndex", -1)] for one in decorations]
    if name == "scroll":
        return [scroller(section["scroll"]) for section in tree["sections"] if "scroll" in section]
    if name == "paging":
        return [pager(section["paging"]) for section in tree["sections"] if "paging" in section]
    if name == "parts":
        return [[part, *box(parts[part]["frame"])] for parts in contents(tree) for part in parts]
    if name == "urls":
        return [one["url"] for parts in contents(tree) for one in parts.values() if "url" in one]
    if name == "z":
        return [item.get("zIndex", 0) for item in items(tree)]
    if name == "pinned":
        return [
            [view.get("pinned", False), view.get("zIndex", 0)]
            for section in tree["sections"]
            for view in (section.get("header"), section.get("footer"))
            if view is not None
        ]
    return [item["frame"][name] for item in items(tree)]


def items(tree):
    return [item for section in tree["sections"] for item in section["items"]]


def contents(tree):
    return [item["parts"] for item in items(tree) if "parts" in item]


def scroller(scroll):
    """Returns content width and height, the initial offset, then the snap offsets."""
    size = scroll["contentSize"]
    return [size["width"], size["height"], scroll["initialOffset"], *scroll["snapOffsets"]]


def pager(paging):
    names = ["pageLength", "pageCount", "minOffset", "maxOffset", "initialOffset", "finalOffset"]
    return [paging[name] for name in [*names, "copies"]]


def box(frame):
    return [frame["x"], frame["y"], frame["width"], frame["height"]]


class Hostile(unittest.TestCase):
    """Invalid and unusual pages: the oracle has the outcomes of the .expected.json files."""

    def test_every_hostile_page(self):
        folder = record_goldens.FIXTURES / "hostile"
        pages = sorted(path for path in folder.glob("*.json") if ".expected" not in path.name)
        self.assertGreater(len(pages), 30)
        for page in pages:
            with self.subTest(page=page.name):
                expected = json.loads(page.with_suffix(".expected.json").read_text("utf-8"))
                del expected["why"]
                if "errors" in expected:
                    expected["errors"].sort()
                self.assertEqual(self.outcome(page), expected)

    def outcome(self, page):
        case = {"pages": [f"hostile/{page.name}"], "catalog": "storefront/catalog.json", "tree": ""}
        try:
            tree = json.loads(record_goldens.tree(record_goldens.FIXTURES, case))
        except source_json.JSONError as error:
            return {"status": 400, "code": "INVALID_JSON", "offset": error.offset}
        except contract.ContractError as error:
            pointers = sorted(pointer for pointer, _ in error.violations)
            return {"status": 422, "code": "INVALID_CONTRACT", "errors": pointers}
        lines = [{"code": line["code"], "pointer": line["pointer"]} for line in tree["diagnostics"]]
        ids = [item["id"] for section in tree["sections"] for item in section["items"]]
        return {"status": 200, "diagnostics": lines, "ids": ids}


class Numbers(unittest.TestCase):
    def test_written_in_thousandths_by_the_shortest_form(self):
        table = {
            0.0: "0", -0.0: "0", -0.0001: "0", 2.0: "2", 172.5: "172.5", 1 / 3: "0.333",
            0.0005: "0.001", -2.0005: "-2.001", 1e9: "1000000000",
            1e21: "1000000000000000000000", float("nan"): "0", float("inf"): "0",
            103.66666666666667: "103.667",
        }  # fmt: skip
        for value, expected in table.items():
            self.assertEqual(numbers.written(value), expected, repr(value))

    def test_lengths_are_limited(self):
        self.assertEqual(numbers.length(float("nan")), 0)
        self.assertEqual(numbers.length(float("-inf")), 0)
        self.assertEqual(numbers.length(-1e300), -1e9)
        self.assertEqual(numbers.size(-3), 0)
        self.assertEqual(numbers.length(None, 10), 10)


class SourceJSON(unittest.TestCase):
    def test_slices_are_the_posted_bytes(self):
        root = source_json.parse(b'\xef\xbb\xbf {"a": [1e2 , "\\u00e9"], "a":  {"b" : -0.0 } } ')
        self.assertEqual(root.get("a").raw, b'{"b" : -0.0 }')
        self.assertEqual(root.members[0][1].raw, b'[1e2 , "\\u00e9"]')
        self.assertEqual(root.members[0][1].elements[1].inside, "\u00e9")

    def test_offsets_of_errors(self):
        table = {
            b"": 0, b"{": 1, b'{"a"': 4, b"[1,]": 3, b"[01]": 2, b"nul": 0,
            b'"\\ud800"': 1, b"1 2": 2, b'["\x01"]': 2, b"[" * 129: 128,
        }  # fmt: skip
        for text, offset in table.items():
            with self.subTest(text=text), self.assertRaises(source_json.JSONError) as caught:
                source_json.parse(text)
            self.assertEqual(caught.exception.offset, offset, text)

    def test_pointers(self):
        root = source_json.parse(b'{"a/b": [10, 20], "": 0, "m~n": 8}')
        self.assertEqual(pointers.evaluate("/a~1b/1", root).number, 20)
        self.assertEqual(pointers.evaluate("/m~0n", root).number, 8)
        self.assertEqual(pointers.evaluate("/", root).number, 0)
        self.assertIsNone(pointers.evaluate("/a~1b/01", root))
        self.assertIsNone(pointers.evaluate("/a~1b/-", root))


class Identity(unittest.TestCase):
    def test_equal_ids_get_suffixes_in_order(self):
        self.assertEqual(merge.unique(["a", "a", "a#2", "a"]), ["a", "a#2", "a#2#2", "a#3"])
        self.assertEqual(merge.unique(["a#2", "a", "a", "a"]), ["a#2", "a", "a#3", "a#4"])


if __name__ == "__main__":
    unittest.main()
