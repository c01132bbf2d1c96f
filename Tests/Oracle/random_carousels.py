#!/usr/bin/env python3
"""Prints random carousels and offsets with the results of the oracle (docs/layout.md, P3-P10).

    random_carousels.py --seed 7 --count 200      one JSON object in each line

Numbers are quarters of a point, so that sums are exact and ties are ties.
"""

import dataclasses
import functools
import random

from oracle.carousel import Carousel, copies
from random_output import print_cases


def quarter(source, low, high):
    return source.randint(low * 4, high * 4) / 4


def case(source):
    n = source.choice([1, 2, 3, 5, 9])
    infinite = n > 1 and source.random() < 0.4
    item, spacing = quarter(source, 20, 400), source.choice([0, 10, quarter(source, -10, 40)])
    insets = (quarter(source, 0, 60), quarter(source, 0, 60))
    si0, si1 = source.choice([(0, 0), (37.5, 37.5), insets])
    insets = (quarter(source, 0, 40), quarter(source, 0, 40))
    ci0, ci1 = source.choice([(0, 0), (0, 0), insets])
    # A header, or other content.
    rest = quarter(source, 0, 300) if source.random() < 0.2 else 0
    flags = [source.random() < 0.5 for _ in range(2)]
    viewport = quarter(source, 200, 500)
    count = copies(n, n * (item + spacing), viewport) or 1 if infinite else 1
    content = si0 + count * n * (item + spacing) - spacing + si1 + rest
    insets = (ci0, ci1, si0, si1)
    pager = Carousel(viewport, content, *insets, item, spacing, n, *flags, count)
    offsets = [quarter(source, -60, int(content) + 60) for _ in range(4)]
    offsets += [pager.min_offset, pager.max_offset, pager.center_initial, pager.initial_offset]
    velocities = [0, source.choice([-3.0, -0.5, 0.25, 2.0])]
    steps = [0, 1, -1, source.randint(-4, 4)]
    return {
        **dataclasses.asdict(pager),
        "pageLength": pager.page_length,
        "sectionLength": pager.section_length,
        "slack": pager.slack,
        "copyLength": pager.copy_length,
        "lastPage": pager.last_page,
        "minOffset": pager.min_offset,
        "maxOffset": pager.max_offset,
        "initialOffset": pager.initial_offset,
        "finalOffset": pager.final_offset,
        "moves": [
            {
                "offset": o,
                "page": pager.page_index(o),
                "releases": [{"velocity": v, "target": pager.release(o, v)} for v in velocities],
                "steps": [{"pages": k, "target": pager.step(k, o)} for k in steps],
                "remapped": pager.remap(o),
            }
            for o in offsets
        ],
    }


if __name__ == "__main__":
    print_cases(__doc__, lambda seed: functools.partial(case, random.Random(seed)))
