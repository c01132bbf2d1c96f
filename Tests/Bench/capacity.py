#!/usr/bin/env python3
"""Measures the figures of docs/operations.md, "Capacity", and prints them as a table.

    capacity.py BENCHMARKS [ROUNDS]

BENCHMARKS is the program of `make bench`; each round runs its groups that are named in the
document, one after the other. The table has the median of the rounds, the smallest and the largest
figure. Other load distorts the figures, so the load average is printed with them.
"""

import datetime
import os
import re
import subprocess
import sys

GROUPS = ["get", "http", "put", "start", "memory"]


def rows(text):
    """Yields the names of the rows of a table, with that of the row above, and their figures."""
    above = ""
    for line in text.splitlines():
        cells = line.split("|")
        if len(cells) < 4 or cells[1].strip() in ("measured", "") or set(cells[1]) <= set(" -"):
            continue
        name = cells[1].strip()
        # Details of the row above have two more leading spaces.
        if cells[1].startswith("   "):
            name = f"{above}: {name}"
        else:
            above = name
        yield name, cells[2].strip()


def number(figure):
    """Returns the first number of a figure, for its order among the rounds."""
    found = re.search(r"\d[\d,]*\.?\d*", figure)
    return float(found[0].replace(",", "")) if found else 0.0


def measure(program, rounds):
    """Returns the figures of each row of each group, in the order of the table."""
    figures = {}
    for turn in range(rounds):
        for group in GROUPS:
            print(f"round {turn + 1} of {rounds}: {group}", file=sys.stderr, flush=True)
            table = subprocess.run(
                [program, group], stdout=subprocess.PIPE, check=True, text=True).stdout
            for name, figure in rows(table):
                figures.setdefault((group, name), []).append(figure)
    return figures


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return re.search(r"model name\s*: (.*)", file.read())[1]
    except (OSError, TypeError):
        return "an unknown processor"


def main(words):
    if len(words) not in (1, 2):
        sys.exit(__doc__.strip())
    rounds = int(words[1]) if len(words) == 2 else 3
    load = os.getloadavg()[0]
    figures = measure(words[0], rounds)
    print(f"{datetime.date.today()}, {os.cpu_count()} cores, {processor()}, "
          f"load average at the start {load:.1f}, {rounds} rounds\n")
    print("| measurement | median | smallest, largest | group |\n|---|---|---|---|")
    for (group, name), values in figures.items():
        ordered = sorted(values, key=number)
        median = ordered[len(ordered) // 2]
        print(f"| {name} | {median} | {ordered[0]}, {ordered[-1]} | `{group}` |")


if __name__ == "__main__":
    main(sys.argv[1:])
