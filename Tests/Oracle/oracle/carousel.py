"""The offsets and targets of a carousel (docs/layout.md, P3-P10 and P12).

Offsets and lengths are along the main axis, in points; P8 uses 60 times a velocity as a distance.
"""

import math
from dataclasses import dataclass

TOLERANCE = 0.001  # P1, P10: that of F9
MOST_COPIES = 33  # P1


def copies(count, copy_length, viewport):
    """P1: the copies of an infinite section; None if it would take too many."""
    if count <= 1:
        return 1
    if copy_length <= 0:
        return None
    least = 3
    while (least - 1) / 2 * copy_length < viewport - TOLERANCE:
        least += 2
        if least > MOST_COPIES:
            return None
    return least


def round_half_away(value):
    return math.floor(value + 0.5) if value >= 0 else math.ceil(value - 0.5)


@dataclass
class Carousel:
    """P2. ci and si are content and section insets, item is the first item's length.

    n is the number of items.
    """

    viewport: float
    content: float
    ci0: float
    ci1: float
    si0: float
    si1: float
    item: float
    spacing: float
    n: int
    centred: bool
    looping: bool
    copies: int

    @property
    def page_length(self):  # P3
        return self.item + self.spacing

    @property
    def section_length(self):  # P3
        return self.content - self.si0 - self.si1

    @property
    def slack(self):  # P3
        return (self.viewport - self.item) / 2

    @property
    def shift(self):
        return self.slack if self.centred else 0.0

    def current_page(self, o):  # P4
        return (o - self.si0 + self.shift) / self.page_length if self.page_length > 0 else 0.0

    @property
    def last_page(self):  # P4
        if self.page_length <= 0:
            return 0.0
        return (self.section_length + self.spacing) / self.page_length - 1

    def page_index(self, o):  # P5
        return round_half_away(self.current_page(o)) % self.n if self.n > 0 else 0

    @property
    def min_offset(self):  # P6
        return -self.ci0

    @property
    def max_offset(self):  # P6
        return max(self.min_offset, self.content - self.viewport + self.ci1)

    @property
    def center_initial(self):  # P6
        return self.si0 - self.slack

    @property
    def center_final(self):  # P6
        return self.si0 + self.last_page * self.page_length - self.slack

    def at_start(self, o):  # P6
        return o <= (self.center_initial if self.centred else self.min_offset)

    def at_end(self, o):  # P6
        return o >= (self.center_final if self.centred else self.max_offset)

    @property
    def initial_offset(self):  # P7
        return max(self.min_offset, self.center_initial) if self.centred else self.min_offset

    @property
    def final_offset(self):  # P7
        return min(self.max_offset, self.center_final) if self.centred else self.max_offset

    def release(self, o, velocity):  # P8
        target = self.settled(o + 60 * velocity, velocity)
        return max(self.initial_offset, min(target, self.final_offset))

    def settled(self, projected, velocity):  # P8, before the ends
        if self.page_length <= 0:
            return projected
        index = (self.ci0 - self.si0 + self.shift + projected) / self.page_length
        whole = math.floor(self.last_page)
        if velocity > 0:
            index = math.ceil(index)
        elif velocity < 0:
            index = math.floor(index)
        elif index > whole:
            half_way = whole + (self.last_page - whole) / 2
            index = self.last_page if index >= half_way else whole
        else:
            index = round_half_away(index)
        if index >= self.last_page:
            return self.max_offset
        if index <= 0:
            return self.min_offset
        return (self.center_initial if self.centred else self.min_offset) + self.page_length * index

    def step(self, k, o):  # P9; None: no movement
        if k == 0:
            return None
        if self.at_end(o) and k > 0:
            return self.initial_offset if self.looping else None
        if self.at_start(o) and k < 0:
            return self.final_offset if self.looping else None
        start, current = o, self.current_page(o)
        if self.centred and current != math.floor(current):
            start = self.si0 + round_half_away(current) * self.page_length - self.slack
        target = start + k * self.page_length
        half = self.page_length / 2 if self.copies == 1 else 0.0
        if target > self.max_offset:
            return self.final_offset
        if target < self.min_offset:
            return self.initial_offset
        if k > 0 and target + half > self.max_offset:
            return self.final_offset
        if k < 0 and target - half < self.min_offset:
            return self.initial_offset
        return target

    @property
    def copy_length(self):  # P10
        between = self.spacing * (self.copies - 1)
        return (self.section_length - between) / self.copies + self.spacing

    def remap(self, o):  # P10; None: no change
        if self.copies == 1 or self.copy_length <= 0:
            return None
        middle = self.copies // 2
        if self.at_start(o):
            return (self.center_initial if self.centred else o) + middle * self.copy_length
        space = (self.viewport - self.item - self.ci0 - self.ci1) / 2
        before = self.si0 - self.ci0 - (max(0.0, space) if self.centred else 0.0)
        end = before + (middle + 1) * self.copy_length
        end = min(end, self.max_offset - self.page_length + TOLERANCE)
        turns = math.floor((o - end) / self.copy_length) + 1
        turns = max(-middle, min(turns, middle))
        return o - turns * self.copy_length if turns else None
