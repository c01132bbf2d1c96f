#!/usr/bin/env python3
"""Writes the golden trees of the cases.json files below Fixtures/.

    record_goldens.py [--check] [FOLDER …]

A case names pages, a catalog, a query and the tree's file, all relative to its folder. With --check
nothing is written. In both modes the exit status is 1 if a file was not up to date, so that a
recording run is not mistaken for a successful check.
"""

import argparse
import json
import sys
from pathlib import Path
from urllib.parse import parse_qsl

import broadsheet_oracle

FIXTURES = Path(__file__).resolve().parents[2] / "Fixtures"


def tree(folder, case):
    flags = [f"--{name}={value}" for name, value in parse_qsl(case.get("query", ""))]
    pages = [str(folder / page) for page in case["pages"]]
    catalog = str(folder / case["catalog"])
    options = broadsheet_oracle.arguments(["--catalog", catalog, *flags, "--", *pages])
    return broadsheet_oracle.compose(options)


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("folders", nargs="*", type=Path)
    options = parser.parse_args(argv)
    folders = options.folders or sorted(path.parent for path in FIXTURES.rglob("cases.json"))
    changed = 0
    for folder in folders:
        for case in json.loads((folder / "cases.json").read_text("utf-8")):
            target = folder / case["tree"]
            expected = tree(folder, case)
            if target.exists() and target.read_bytes() == expected:
                continue
            changed += 1
            print(f"{target}: {'differs' if options.check else 'recorded'}")
            if not options.check:
                target.parent.mkdir(exist_ok=True)
                target.write_bytes(expected)
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
