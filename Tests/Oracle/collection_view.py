#!/usr/bin/env python3
"""A model of a collection view: it holds a tree, applies a changes document, and raises an error
wherever a collection view of UIKit would raise an exception.

    python3 Tests/Oracle/collection_view.py FILE

FILE has three lines for each case: a tree, a changes document, and the tree that must come out.
The model is written from docs/changes.md without reference to the Swift code.
"""

import copy
import json
import sys


class Refused(Exception):
    """An update that a collection view cannot perform, or that says something needless."""


def check(condition, reason):
    if not condition:
        raise Refused(reason)


class CollectionView:
    LISTS = {
        "deleteSections", "insertSections", "moveSections",
        "deleteItems", "insertItems", "moveItems", "reloadItems",
    }

    def __init__(self, tree):
        self.tree = copy.deepcopy(tree)

    @property
    def sections(self):
        return self.tree["sections"]

    def apply(self, changes):
        if changes["reset"]:
            check(not {"stages", "sections", "frames"} & set(changes), "a reset has changes")
            self.tree = copy.deepcopy(changes["tree"])
            return
        check(len(changes["stages"]) <= 3, "more than three stages")
        for stage in changes["stages"]:
            self.perform(stage)
        for index, section in enumerate(self.sections):
            section["index"] = index
        for entry in changes["sections"]:
            self.update(entry)
        previous = None
        for run in changes["frames"]:
            self.place(run)
            start = (run["section"], run["item"])
            check(previous is None or start > previous, "runs overlap, touch or are out of order")
            previous = (run["section"], run["item"] + len(run["frames"]))
        tree = dict(changes["tree"])
        check("sections" not in tree, "the members include sections")
        if "diagnostics" in tree:
            check(tree["diagnostics"] != self.tree["diagnostics"], "the same diagnostics")
        else:
            tree["diagnostics"] = self.tree["diagnostics"]
        tree["sections"] = self.sections
        self.tree = tree

    # A batch update.

    def perform(self, stage):
        check(stage and set(stage) <= self.LISTS, f"a stage of {sorted(stage)}")
        check(all(stage.values()), "an empty list")
        if "reloadItems" in stage:
            check(len(stage) == 1, "reloads beside other changes")
            return self.reload(stage["reloadItems"])
        moves = stage.get("moveSections", [])
        leaving = stage.get("deleteSections", []) + [move["from"] for move in moves]
        coming = [entry["index"] for entry in stage.get("insertSections", [])]
        coming += [move["to"] for move in moves]
        check(len(set(leaving)) == len(leaving), "a section leaves twice")
        check(len(set(coming)) == len(coming), "two sections come to one place")
        check(all(0 <= index < len(self.sections) for index in leaving), "no such section")
        moved = self.remove(stage, leaving)
        carried = [self.sections[move["from"]] for move in moves]
        after = [one for index, one in enumerate(self.sections) if index not in set(leaving)]
        arrivals = [(move["to"], section) for move, section in zip(moves, carried)]
        for entry in stage.get("insertSections", []):
            arrivals.append((entry["index"], copy.deepcopy(entry["value"])))
        for index, section in sorted(arrivals, key=lambda arrival: arrival[0]):
            check(0 <= index <= len(after), "a section comes beyond the end")
            after.insert(index, section)
        self.insert(stage, moved, after, coming)
        self.tree["sections"] = after

    def remove(self, stage, leaving):
        """Takes out the items that leave, and returns those that move, in their order."""
        places = [self.item(entry) for entry in stage.get("deleteItems", [])]
        origins = [self.item(move["from"]) for move in stage.get("moveItems", [])]
        gone = places + origins
        check(len(set(gone)) == len(gone), "an item leaves twice")
        check(not {section for section, _ in gone} & set(leaving), "an item of a leaving section")
        moved = [self.sections[section]["items"][item] for section, item in origins]
        for section, item in sorted(gone, reverse=True):
            del self.sections[section]["items"][item]
        return moved

    def insert(self, stage, moved, after, coming):
        """Puts items at their places, from the first one to the last."""
        arrivals = []
        for entry in stage.get("insertItems", []):
            arrivals.append(((entry["section"], entry["item"]), copy.deepcopy(entry["value"])))
        for move, item in zip(stage.get("moveItems", []), moved):
            arrivals.append(((move["to"]["section"], move["to"]["item"]), item))
        places = [place for place, _ in arrivals]
        check(len(set(places)) == len(places), "two items come to one place")
        for (section, item), value in sorted(arrivals, key=lambda arrival: arrival[0]):
            check(0 <= section < len(after), "no such section")
            check(section not in set(coming), "an item comes into a section that comes")
            check(0 <= item <= len(after[section]["items"]), "an item comes beyond the end")
            after[section]["items"].insert(item, value)

    def reload(self, entries):
        places = [self.item(entry) for entry in entries]
        check(len(set(places)) == len(places), "an item is reloaded twice")
        for (section, item), entry in zip(places, entries):
            old = self.sections[section]["items"][item]
            new = copy.deepcopy(entry["value"])
            check(old["id"] == new["id"], "a reload changes an id")
            check(content(old) != content(new), "a reload changes nothing")
            self.sections[section]["items"][item] = new

    def item(self, entry):
        section, item = entry["section"], entry["item"]
        check(0 <= section < len(self.sections), "no such section")
        check(0 <= item < len(self.sections[section]["items"]), "no such item")
        return section, item

    # The members and frames that differ after the batch updates.

    def update(self, entry):
        section = self.sections[entry["index"]]
        check(len(entry) > 1, "no member differs")
        for name, value in entry.items():
            if name == "index":
                continue
            check(name not in ("id", "items"), f"{name} of a section")
            if value is None:
                check(section.pop(name, None) is not None, f"{name} was not there")
            else:
                check(section.get(name) != value, f"{name} is the same")
                section[name] = value

    def place(self, run):
        items = self.sections[run["section"]]["items"]
        frames = run["frames"]
        separators = run.get("separators", [None] * len(frames))
        check(frames and len(separators) == len(frames), "a run of different lengths")
        check(run["item"] + len(frames) <= len(items), "a run beyond the items")
        seen = False
        for item, frame, separator in zip(items[run["item"]:], frames, separators):
            before = (item["frame"], item.get("separator"))
            item["frame"] = box(frame)
            if "separators" in run:
                item.pop("separator", None)
                if separator is not None:
                    item["separator"] = box(separator)
            check((item["frame"], item.get("separator")) != before, "a frame is the same")
            seen = seen or before[1] is not None or "separator" in item
        check(seen == ("separators" in run), "separators are missing, or needless")


def box(numbers):
    x, y, width, height = numbers
    return {"x": x, "y": y, "width": width, "height": height}


def content(item):
    return {name: value for name, value in item.items() if name not in ("frame", "separator")}


def main(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    failures = 0
    for number in range(0, len(lines) - 2, 3):
        old, changes, new = (json.loads(line) for line in lines[number:number + 3])
        try:
            view = CollectionView(old)
            view.apply(changes)
            check(view.tree == new, "another tree")
        except Refused as error:
            failures += 1
            print(f"case {number // 3}: {error}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
