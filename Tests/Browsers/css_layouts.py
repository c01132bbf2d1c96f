"""Lays out random sections in Chromium that CSS has an equivalent of, and compares the oracle.

    python3 Tests/Browsers/css_layouts.py PROGRAM --seed 7 --count 60 > cases.jsonl

prints one JSON object in each line: `catalog`, `page`, `query`, and `frames`, those of the items in
Chromium: x, y, width and height. The same seed gives the same lines. The exit status is 1 if the
frames of the oracle (Tests/Oracle) differ.

| sections | CSS |
|---|---|
| items that span columns (F20), aligned in their rows (F21) | grid, `span`, `align-items` |
| lines of items of any width (F9, F21); y and heights only | wrapping flex, `align-items` |
| rows of dynamic items (C18) | flex, `align-items` |
| columns of a minimum width (C19) | grid, `repeat(auto-fill, minmax(…, 1fr))` |
"""

import argparse
import json
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "Oracle"))

import broadsheet_oracle  # noqa: E402
from browser import Browser  # noqa: E402

# Chromium rounds lengths to a 64th of a pixel, once for each column.
TOLERANCE = 0.3
ALIGNMENTS = ["start", "center", "end", "stretch"]
CATALOG = {
    "units": {"U": {"cells": {"type": "T"}}},
    "cellTypes": {
        "T": {
            "size": {"width": {"value": "/w"}, "height": {"value": "/h"}},
            "span": {"value": "/span"},
        }
    },
}
SCRIPT = """
return %s.map(({style, items}) => {
    const holder = document.createElement("div");
    holder.style.cssText = `position: absolute; left: 0; top: 0; ${style}`;
    for (const style of items) {
        const item = document.createElement("div");
        item.style.cssText = `box-sizing: border-box; min-width: 0; ${style}`;
        holder.append(item);
    }
    document.body.replaceChildren(holder);
    return [...holder.children].map(item => {
        const {x, y, width, height} = item.getBoundingClientRect();
        return [x, y, width, height];
    });
});
"""


def grid(source):
    columns, alignment = source.randint(1, 6), source.choice(ALIGNMENTS)
    spacing, line = source.choice([0, 5, 12]), source.choice([0, 8, 10])
    items = [
        {"h": source.randint(5, 90), "span": source.choice([1, 1, 1, 2, 3, 9, "all"])}
        for _ in range(source.randint(1, 14))
    ]
    layout = {"gridColumnCount": columns, "itemAlignment": alignment}
    spans = [columns if i["span"] == "all" else min(i["span"], columns) for i in items]
    # Without an item that spans columns lines are those of F9 to F13, which agree.
    return {
        "layout": {**layout, "minimumInteritemSpacing": spacing, "minimumLineSpacing": line},
        "items": items,
        "style": f"display: grid; gap: {line}px {spacing}px; align-items: {alignment};"
        f"grid-template-columns: repeat({columns}, minmax(0, 1fr));",
        "css": [
            f"min-height: {item['h']}px; grid-column: span {span};"
            for item, span in zip(items, spans)
        ],
    }


def lines(source):
    alignment = source.choice(ALIGNMENTS)
    items = [
        {"w": source.randint(20, 180), "h": source.randint(5, 90)}
        for _ in range(source.randint(2, 14))
    ]
    return {
        "layout": {
            "itemAlignment": alignment, "minimumInteritemSpacing": 7, "minimumLineSpacing": 10
        },
        "items": items,
        "style": f"display: flex; flex-wrap: wrap; gap: 10px 7px; align-items: {alignment};",
        "css": [f"flex: none; width: {i['w']}px; min-height: {i['h']}px;" for i in items],
        "compares": "yh",
    }


def row(source):
    alignment, spacing = source.choice(ALIGNMENTS), source.choice([0, 8])
    items = [
        {"w": source.randint(20, 180), "h": source.randint(5, 90)}
        for _ in range(source.randint(1, 9))
    ]
    return {
        "layout": {
            "kind": "compositional", "itemSize": "dynamic", "scrolling": "continuous",
            "itemSpacing": spacing, "itemAlignment": alignment,
        },
        "items": items,
        "style": f"display: flex; gap: {spacing}px; align-items: {alignment};",
        "css": [f"flex: none; width: {i['w']}px; min-height: {i['h']}px;" for i in items],
    }


def columns(source):
    width, spacing = source.randint(20, 200), source.choice([0, 5, 12])
    items = [{} for _ in range(source.randint(1, 12))]
    uniform = {"columns": {"minItemWidth": width}, "height": 40}
    return {
        "layout": {
            "kind": "compositional", "itemSize": {"uniform": uniform}, "itemSpacing": spacing,
            "lineSpacing": 6,
        },
        "items": items,
        "style": f"display: grid; gap: 6px {spacing}px;"
        f"grid-template-columns: repeat(auto-fill, minmax({width}px, 1fr));",
        "css": ["height: 40px;"] * len(items),
    }


def case(source):
    made = source.choice([grid, grid, lines, row, columns])(source)
    width = source.choice([320, 375, 390, 768])
    page = {
        "sections": [
            {"layout": made["layout"], "units": [{"unitType": "U", "unitData": made["items"]}]}
        ]
    }
    return {
        "catalog": json.dumps(CATALOG),
        "page": json.dumps(page),
        "query": {"width": str(width), "height": "844", "rounding": "none"},
        "compares": made.get("compares", "xywh"),
        "style": f"width: {width}px; {made['style']}",
        "items": made["css"],
    }


def oracle_frames(case):
    composition = broadsheet_oracle.composition(
        {"catalog": case["catalog"], "pages": [case["page"]], "query": case["query"]}
    )
    frames = [view.frame for view in composition.placed.sections[0].arrangement.items]
    return [[frame.x, frame.y, frame.width, frame.height] for frame in frames]


def differences(case, frames):
    """Returns the indexes of the items whose frames differ from those of Chromium."""
    numbers = ["xywh".index(name) for name in case["compares"]]
    return [
        index
        for index, (own, other) in enumerate(zip(frames, case["frames"]))
        if any(abs(own[number] - other[number]) > TOLERANCE for number in numbers)
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, required=True)
    options = parser.parse_args()
    source = random.Random(options.seed)
    cases = [case(source) for _ in range(options.count)]
    browser = Browser(options.program)
    try:
        drawn = [{name: each[name] for name in ("style", "items")} for each in cases]
        frames = browser.page().run(SCRIPT % json.dumps(drawn))
    finally:
        browser.close()
    status = 0
    for number, (each, found) in enumerate(zip(cases, frames)):
        each["frames"] = found
        own = oracle_frames(each)
        if len(own) != len(found) or differences(each, own):
            print(f"case {number}: {each}, oracle {own}", file=sys.stderr)
            status = 1
        print(json.dumps({name: each[name] for name in each if name not in ("style", "items")}))
    return status


if __name__ == "__main__":
    sys.exit(main())
