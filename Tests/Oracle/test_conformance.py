#!/usr/bin/env python3
"""Tests of the oracle with the conformance kit (Fixtures/conformance).

    python3 Tests/Oracle/test_conformance.py
"""

import base64
import collections
import json
import unittest
from pathlib import Path

import conformance_accessible
from collection_view import CollectionView, Refused
from oracle.carousel import Carousel
from oracle.events import EventDecoder

KIT = Path(__file__).resolve().parents[2] / "Fixtures/conformance"
VALUES = {
    "pageLength": "page_length", "sectionLength": "section_length", "slack": "slack",
    "lastPage": "last_page", "minOffset": "min_offset", "maxOffset": "max_offset",
    "initialOffset": "initial_offset", "finalOffset": "final_offset", "copyLength": "copy_length"}


def cases(file):
    return json.loads((KIT / file).read_text("utf-8"))


class Conformance(unittest.TestCase):
    def test_changes_lead_to_the_expected_trees(self):
        counts = collections.Counter()
        for case in cases("changes.json"):
            with self.subTest(case=case["name"]):
                view = CollectionView(case["tree"])
                if case.get("error"):
                    counts["error"] += 1
                    with self.assertRaises((Refused, IndexError, KeyError)):
                        view.apply(case["changes"])
                    continue
                view.apply(case["changes"])
                self.assertEqual(case["expected"], view.tree)
                counts["reset" if case["changes"]["reset"] else "changes"] += 1
        self.assertGreaterEqual(counts["changes"], 250)
        self.assertGreaterEqual(counts["reset"], 5)
        self.assertGreaterEqual(counts["error"], 7)

    def test_streams_have_the_expected_events(self):
        for case in cases("events.json"):
            content = base64.b64decode(case["bytes"])
            for cut in range(len(content) + 1):
                with self.subTest(case=case["name"], cut=cut):
                    decoder = EventDecoder()
                    events = decoder.push(content[:cut]) + decoder.push(content[cut:])
                    self.assertEqual(case["events"], events)
                    self.assertEqual(case["lastEventId"], decoder.last_event_id)
                    self.assertEqual(case["retry"], decoder.retry)

    def test_carousels_have_the_expected_offsets(self):
        for case in cases("carousel.json"):
            with self.subTest(case=case["name"]):
                carousel = carousel_of(case["lengths"])
                for name, expected in case["values"].items():
                    self.assertAlmostEqual(expected, getattr(carousel, VALUES[name]), delta=1e-9)
                for offset, index in case["pageIndex"]:
                    self.assertEqual(index, carousel.page_index(offset))
                for offset, velocity, target in case["release"]:
                    self.assertAlmostEqual(target, carousel.release(offset, velocity), delta=1e-9)
                for pages, offset, target in case["step"]:
                    self.assert_target(target, carousel.step(pages, offset))
                for offset, target in case["remap"]:
                    self.assert_target(target, carousel.remap(offset))

    def test_cells_have_the_expected_elements(self):
        listed = cases("accessible.json")
        self.assertEqual(listed, conformance_accessible.cases())
        for case in listed:
            with self.subTest(case=case["name"]):
                found = conformance_accessible.found(case["content"], case["data"])
                self.assertEqual(case["elements"], found)

    def assert_target(self, expected, actual):
        self.assertEqual(expected is None, actual is None)
        if expected is not None:
            self.assertAlmostEqual(expected, actual, delta=1e-9)


def carousel_of(lengths):
    return Carousel(
        lengths["viewportLength"], lengths["contentLength"], *lengths["contentInset"],
        *lengths["sectionInset"], lengths["itemLength"], lengths["lineSpacing"],
        lengths["pageCount"], lengths["isAlignCenter"], lengths["isLooping"],
        lengths["copies"])


if __name__ == "__main__":
    unittest.main()
