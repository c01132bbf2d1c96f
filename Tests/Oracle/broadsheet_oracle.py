#!/usr/bin/env python3
"""Prints the tree of one or more pages, composed by the oracle.

    broadsheet_oracle.py --catalog CATALOG.json PAGE.json [PAGE.json …] [--width 390 --height 844 …]

The flags are the query parameters of docs/api.md. The tree goes to standard output, byte for byte
as the daemon composes it. The exit status is 1 if the input is invalid, with one line for each
violation on standard error.
"""

import argparse
import sys
from pathlib import Path
from urllib.parse import unquote

from oracle import contract, merge, pipeline, resolve, source_json
from oracle.catalog import Catalog
from oracle.tree import TreeWriter


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", metavar="PAGE.json")
    parser.add_argument("--catalog", required=True)
    parser.add_argument("--width", type=float, default=390)
    parser.add_argument("--height", type=float, default=844)
    parser.add_argument("--scale", type=float, default=3)
    parser.add_argument("--direction", choices=("ltr", "rtl"), default="ltr")
    parser.add_argument("--text-scale", "--textScale", type=float, default=1)
    parser.add_argument("--safe-area", "--safeArea", type=sides)
    parser.add_argument("--coordinates", choices=("section", "content"), default="section")
    parser.add_argument("--rounding", choices=("pixel", "none"), default="pixel")
    parser.add_argument("--fields", choices=("all", "frames"), default="all")
    parser.add_argument("--explain", choices=("true", "false"), default="false")
    parser.add_argument("--collapsed", default="", help="section ids, separated by commas")
    parser.add_argument("--expanded", default="", help="section ids, separated by commas")
    return parser.parse_args(argv)


def sides(text):
    """Returns the numbers of top,left,bottom,right (docs/api.md)."""
    found = tuple(float(part) for part in text.split(","))
    if len(found) != 4:
        raise argparse.ArgumentTypeError("must be top,left,bottom,right")
    return found


def compose(options):
    """Returns the tree's bytes for parsed command line options."""
    catalog = Path(options.catalog).read_bytes()
    pages = [Path(path).read_bytes() for path in options.pages]
    return Composition(catalog, pages, options).tree()


def composition(case):
    """Returns the composition of a case: its catalog and pages are texts, its query is a dict."""
    flags = [f"--{name}={value}" for name, value in case["query"].items()]
    options = arguments(["--catalog=", *flags, "--", ""])
    pages = [page.encode("utf-8") for page in case["pages"]]
    return Composition(case["catalog"].encode("utf-8"), pages, options)


def section_ids(text):
    """Returns the ids of a flag (docs/cli.md): an id may contain a comma, as %2C."""
    return {unquote(part) for part in text.split(",") if part}


class Composition:
    """Pages that are merged and laid out with a catalog."""

    def __init__(self, catalog_source, page_sources, options):
        self.options = options
        catalog = Catalog(catalog_source)
        pages = []
        for source in page_sources:
            page = contract.read_page(source_json.parse(source), catalog.names)
            number = page.number
            if number is None:  # the next free number after the highest so far
                number = max((known.number for known in pages), default=-1) + 1
            pages.append(resolve.resolve(page, number, catalog))
        collapsed, expanded = section_ids(options.collapsed), section_ids(options.expanded)
        self.screen = merge.merge(pages, catalog, collapsed, expanded)
        self.environment = pipeline.Environment(
            options.width,
            options.height,
            options.scale,
            options.direction,
            catalog.screen,
            options.rounding,
            options.text_scale,
            options.safe_area,
        )
        self.placed = pipeline.lay_out(self.screen, catalog, self.environment)

    def tree(self):
        writer = TreeWriter(
            self.environment,
            self.options.coordinates,
            self.options.fields,
            self.options.explain == "true",
        )
        return writer.tree(self.screen, self.placed)


def main(argv):
    try:
        tree = compose(arguments(argv))
    except (source_json.JSONError, contract.ContractError) as error:
        print(error, file=sys.stderr)
        return 1
    sys.stdout.buffer.write(tree)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
