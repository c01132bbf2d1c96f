"""Cases of the conformance kit with windows: changes that follow, move and page them.

What must come out of the changes is cut by the oracle from its tree of all pages.
"""

import json
import random
import urllib.parse

import broadsheet_oracle
import random_changes
from oracle import windows

TOKENS = ("nextPageToken", "previousPageToken")


def window_tree(page, query, anchor, before, after):
    """Returns the window of a page's tree around an item, as windows in its coordinates have it;
    without what only a daemon has: the screen, its revision, and tokens."""
    shift = query["coordinates"] == "window"
    composed = {**query, "coordinates": "content" if shift else query["coordinates"]}
    composition = broadsheet_oracle.composition({
        "catalog": json.dumps(random_changes.CATALOG), "pages": [json.dumps(page)],
        "query": composed})
    tree = json.loads(composition.tree())
    shown = windows.window(composition.placed, composition.environment, anchor, before, after)
    ranges = shown["sections"]
    sections = []
    for place, (index, first, total, count) in enumerate(ranges):
        section = tree["sections"][index]
        section = {"id": section["id"], "index": place, "firstItem": first, "itemCount": total,
                   **{name: value for name, value in section.items()
                      if name not in ("id", "index")}}
        section["items"] = section["items"][first:first + count]
        sections.append(moved(section, shown["origin"]) if shift else section)
    start, end = (ranges[0], ranges[-1]) if ranges else ([0, 0, 0, 0], [-1, 0, 0, 0])
    own = tree["sections"][anchor[0]] if anchor else None
    tree.update({
        "hasPrevious": start[0] > 0 or start[1] > 0,
        "hasNext": end[0] + 1 < len(tree["sections"]) or end[1] + end[3] < end[2],
        "window": {
            "section": own["id"] if own else None,
            "item": own["items"][anchor[1]]["id"] if own else None,
            "origin": shown["origin"], "firstSection": start[0], "before": before,
            "after": after},
        "sections": sections, "diagnostics": []})
    return tree


def moved(value, distance):
    """Returns a section with all its frames moved up."""
    if isinstance(value, list):
        return [moved(one, distance) for one in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for name, member in value.items():
        if name in ("data", "scroll", "paging", "parts"):
            result[name] = member
        elif name in ("frame", "separator"):
            result[name] = {**member, "y": member["y"] - distance}
        else:
            result[name] = moved(member, distance)
    return result


def place(tree, item):
    """Returns the indices of the item of an id, or None."""
    for index, section in enumerate(tree["sections"]):
        for number, one in enumerate(section["items"]):
            if one["id"] == item:
                return index, number
    return None


def complete(tree, daemon_tree):
    """Returns a tree with the members that only a daemon has."""
    own = {name: daemon_tree[name] for name in ("screen", "revision", *TOKENS)
           if name in daemon_tree}
    return {**own, **tree}


def cases(daemon, seed, count):
    """Returns cases of changes: windows that follow an edit, move, or turn to the next."""
    source, generator = random.Random(seed), random_changes.Generator(seed + 1)
    found = []
    while len(found) < count:
        old, _, query = generator.case()
        new = generator.edited(old)
        query["coordinates"] = source.choice(["window", "window", "section", "content"])
        plain = {**query, "coordinates": "section"}
        before, whole = random_changes.tree(old, plain), random_changes.tree(new, plain)
        ids = [item["id"] for section in before["sections"] if section["id"] is not None
               for item in section["items"] if item["id"].startswith("c")]
        kept = [item for item in ids if place(whole, item) is not None]
        if not kept:
            continue
        lengths = [source.choice([0, 33.25, 100.5, 150.75]) for _ in range(2)]
        anchor = source.choice(kept)
        case = recorded(daemon, f"window{len(found)}", (old, new), query, anchor, lengths,
                        source.choice([None, None, source.choice(kept)]))
        found.append({"name": f"window {len(found)}: {query['coordinates']} coordinates", **case})
    return found


def recorded(daemon, screen, pages, query, anchor, lengths, target):
    """Returns the changes of a window from one page to another, or to another anchor."""
    old, new = pages
    parameters = {**query, "item": anchor, "before": lengths[0], "after": lengths[1]}
    daemon.put(screen, old)
    before, tag = daemon.get(f"{screen}/layout?{urllib.parse.urlencode(parameters)}")
    daemon.put(screen, new)
    wanted = {**query, "since": f"{before['revision']}.{tag}"}
    if target is not None:
        wanted["item"] = target
    changes, _ = daemon.get(f"{screen}/changes?{urllib.parse.urlencode(wanted)}")
    trees = []
    for page, item, own in ((old, anchor, before), (new, target or anchor, changes["tree"])):
        whole = random_changes.tree(page, {**query, "coordinates": "section"})
        tree = window_tree(page, query, place(whole, item), *lengths)
        trees.append(complete(tree, own))
    assert trees[0] == before, (trees[0], before)
    return {"tree": before, "changes": changes, "expected": trees[1]}
