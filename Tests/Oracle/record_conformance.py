#!/usr/bin/env python3
"""Writes the conformance kit, Fixtures/conformance.

    record_conformance.py BROADSHEET

BROADSHEET is the daemon's program, of which the kit has the changes documents. What must come out
of them, and everything else, is the oracle's.
"""

import base64
import copy
import json
import random
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path

import conformance_accessible
import conformance_events
import conformance_windows
import random_carousels
import random_changes

KIT = Path(__file__).resolve().parents[2] / "Fixtures/conformance"
SEED = 30
LISTS = [
    "deleteSections", "insertSections", "moveSections", "deleteItems", "insertItems", "moveItems",
    "reloadItems",
]
# The lists of each stage, and other members, that the kit has cases of.
COVERED = {("1", "reloadItems")} | {("2", name) for name in LISTS if name != "reloadItems"}
COVERED |= {("3", "deleteItems"), ("3", "insertItems"), ("3", "moveItems"), ("reset", "tree")}
COVERED |= {("frames", "separators"), ("null", "header"), ("null", "decorations")}
MOST_RESETS = 30
CASES = 320
WINDOWS = 60
CONTENTS = 40


class Daemon:
    """A running daemon."""

    def __init__(self, program):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as catalog:
            json.dump(random_changes.CATALOG, catalog)
            catalog.flush()
            self.process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "--", program, "serve", "--port", "0",
                 "--store", "memory", "--catalog", catalog.name],
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.address = self.process.stdout.readline().split()[-1]

    def put(self, screen, page):
        """Stores the only page of a screen."""
        urllib.request.urlopen(urllib.request.Request(
            f"{self.address}/v1/screens/{screen}/pages/0", json.dumps(page).encode(),
            {"Content-Type": "application/json"}, method="PUT")).close()

    def get(self, path):
        """Returns a tree or changes, and the entity tag without quotes."""
        with urllib.request.urlopen(f"{self.address}/v1/screens/{path}") as response:
            return json.load(response), (response.headers["ETag"] or "").strip('"')

    def changes(self, old, new, query, catalog):
        """Returns the changes between two pages."""
        body = {"from": {"pages": [old]}, "to": {"pages": [new]}, "catalog": catalog}
        request = urllib.request.Request(
            f"{self.address}/v1/changes?{urllib.parse.urlencode(query)}",
            json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as response:
            return json.load(response)


def parts(changes):
    """Returns what a case of changes covers."""
    found = set()
    stages = changes.get("stages", [])
    first = 0 if stages and set(stages[0]) == {"reloadItems"} else 1
    for number, stage in enumerate(stages, first + 1):
        found |= {(str(number), name) for name in stage}
    for section in changes.get("sections", []):
        found |= {("null", name) for name, value in section.items() if value is None}
    if any("separators" in run for run in changes.get("frames", [])):
        found.add(("frames", "separators"))
    if changes["reset"]:
        found.add(("reset", "tree"))
    return found


def name(number, query, changes):
    words = sorted({one for _, one in parts(changes)}) or ["frames"]
    return f"{number}: {', '.join(words)} in {query['coordinates']} coordinates"


def misfits(case):
    """Returns variants of a case with an index that does not fit."""
    for place in LISTS:
        for number, stage in enumerate(case["changes"].get("stages", [])):
            for entry in range(len(stage.get(place, []))):
                yield place, number, entry


def far(value):
    """Returns an entry of a stage with an index that no tree has."""
    value = copy.deepcopy(value)
    if isinstance(value, int):
        return 1_000
    if "from" in value:
        value["from"] = far(value["from"])
        return value
    return {**value, **{key: 1_000 for key in ("index", "item") if key in value}}


def wrong_cases(cases):
    """Returns cases with changes that do not fit, one of each list, and of frames and sections."""
    wrong, seen = [], set()
    for case in cases:
        for place, number, entry in misfits(case):
            if place in seen:
                continue
            seen.add(place)
            changes = copy.deepcopy(case["changes"])
            entries = changes["stages"][number][place]
            entries[entry] = far(entries[entry])
            wrong.append({"name": f"an index of {place} that does not fit", "tree": case["tree"],
                          "changes": changes, "error": True})
        for member in ("frames", "sections"):
            if case["changes"].get(member) and member not in seen:
                seen.add(member)
                changes = copy.deepcopy(case["changes"])
                entry = changes[member][0]
                entry["section" if member == "frames" else "index"] = 1_000
                wrong.append({"name": f"an index of {member} that does not fit",
                              "tree": case["tree"], "changes": changes, "error": True})
    return wrong


def check_diagnostics(expected, given):
    """Checks diagnostics, of which the oracle has no details."""
    codes = [[(one["code"], one["pointer"]) for one in lines]
             for lines in (expected["diagnostics"], given)]
    assert codes[0] == codes[1], codes


def changes_case(old, new, query, changes, catalog):
    """Returns the part of a case that does not depend on its number."""
    expected = random_changes.tree(new, query, catalog)
    if "diagnostics" in changes["tree"]:
        check_diagnostics(expected, changes["tree"]["diagnostics"])
        expected["diagnostics"] = changes["tree"]["diagnostics"]
    tree = random_changes.tree(old, query, catalog)
    return {"tree": tree, "changes": changes, "expected": expected}


def changes_cases(daemon):
    generator, catalog = random_changes.Generator(SEED), random_changes.CATALOG
    cases, resets, covered = [], 0, set()
    while len(cases) < CASES:
        old, new, query = generator.case()
        changes = daemon.changes(old, new, query, catalog)
        if changes["reset"]:
            resets += 1
            if resets > MOST_RESETS:
                continue
        covered |= parts(changes)
        cases.append({
            "name": name(len(cases), query, changes),
            **changes_case(old, new, query, changes, catalog)})
    missing = COVERED - covered
    assert not missing, missing
    return cases + wrong_cases(cases)


def content_cases(daemon):
    """Returns cases of changes of contents that are no resets."""
    generator, catalog = random_changes.ContentGenerator(SEED), random_changes.CONTENT_CATALOG
    cases = []
    while len(cases) < CONTENTS:
        old, new, query = generator.case()
        changes = daemon.changes(old, new, query, catalog)
        if not changes["reset"] and '"parts"' in json.dumps(changes):
            title = f"content {name(len(cases), query, changes)}"
            cases.append({"name": title, **changes_case(old, new, query, changes, catalog)})
    return cases


def carousel_cases():
    source = random.Random(SEED)
    cases = []
    for number in range(200):
        one = random_carousels.case(source)
        lengths = {
            "isAlignCenter": one["centred"], "isLooping": one["looping"], "pageCount": one["n"],
            "copies": one["copies"], "viewportLength": one["viewport"],
            "contentLength": one["content"], "itemLength": one["item"],
            "lineSpacing": one["spacing"], "contentInset": [one["ci0"], one["ci1"]],
            "sectionInset": [one["si0"], one["si1"]]}
        moves = one["moves"]
        values = {key: one[key] for key in (
            "pageLength", "sectionLength", "slack", "lastPage", "minOffset", "maxOffset",
            "initialOffset", "finalOffset", "copyLength")}
        cases.append({
            "name": f"carousel {number}", "lengths": lengths, "values": values,
            "pageIndex": [[move["offset"], move["page"]] for move in moves],
            "release": [[move["offset"], release["velocity"], release["target"]]
                        for move in moves for release in move["releases"]],
            "step": [[step["pages"], move["offset"], step["target"]]
                     for move in moves for step in move["steps"]],
            "remap": [[move["offset"], move["remapped"]] for move in moves]})
    return cases


def event_cases():
    from oracle.events import EventDecoder
    cases = []
    for title, content in conformance_events.streams(SEED):
        decoder = EventDecoder()
        events = decoder.push(content)
        cases.append({
            "name": title, "bytes": base64.b64encode(content).decode(), "events": events,
            "lastEventId": decoder.last_event_id, "retry": decoder.retry})
    return cases


def write(file, cases):
    """Writes cases, one a line."""
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    (KIT / file).write_text(f"[\n{lines}\n]\n", "utf-8")
    print(f"{file}: {len(cases)} cases")


def main(program):
    daemon = Daemon(program)
    try:
        write("changes.json", changes_cases(daemon)
              + conformance_windows.cases(daemon, SEED, WINDOWS) + content_cases(daemon))
    finally:
        daemon.process.kill()
    write("accessible.json", conformance_accessible.cases())
    write("carousel.json", carousel_cases())
    write("events.json", event_cases())


if __name__ == "__main__":
    main(sys.argv[1])
