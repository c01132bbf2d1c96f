"""The lengths of flexible boxes (CSS Flexible Box Layout 1, section 9.7)."""

import math
from dataclasses import dataclass

from . import numbers


@dataclass
class Flexible:
    base: float
    least: float
    most: float
    padding: float
    grow: float
    shrink: float
    free: float = 0.0  # the length before clamping
    target: float = 0.0
    is_frozen: bool = False

    @staticmethod
    def of(child, axis, base, least, most, does_shrink):
        """Returns the item of a box with the padding as the least base; bounds may be None."""
        padding = sum(child.ends(axis))
        return Flexible(
            numbers.length(max(base, padding)),
            -math.inf if least is None else least,
            math.inf if most is None else most,
            padding,
            child.fill or 0.0,
            1.0 if does_shrink else 0.0,
        )

    def clamped(self, length):
        return max(self.padding, self.least, min(self.most, length))


def distributed(box, flexible, inner):
    """Returns the lengths of a container's children along its axis, and their offsets."""
    gaps = box.number("spacing") * max(0, len(flexible) - 1)
    resolve(flexible, inner - gaps)
    lengths = [one.target for one in flexible]
    left = inner - gaps - sum(lengths)
    justify, between = box.word("justify", "start"), box.number("spacing")
    if justify == "spaceBetween" and left > 0 and len(flexible) > 1:
        between += left / (len(flexible) - 1)
    at, offsets = {"center": left / 2, "end": left}.get(justify, 0.0), []
    for length in lengths:
        offsets.append(at)
        at += length + between
    return lengths, offsets


def resolve(flexible, space):
    """Sets the target of each item."""
    grows = sum(one.clamped(one.base) for one in flexible) < space
    for one in flexible:
        one.target = one.clamped(one.base)
        factor = one.grow if grows else one.shrink
        is_past = one.base > one.target if grows else one.base < one.target
        one.is_frozen = factor == 0 or is_past
    while unfrozen := [one for one in flexible if not one.is_frozen]:
        free = space - sum(one.target if one.is_frozen else one.base for one in flexible)
        weights = [one.grow if grows else one.shrink * (one.base - one.padding) for one in unfrozen]
        violation = 0.0
        for one, weight in zip(unfrozen, weights):
            share = free * weight / sum(weights) if sum(weights) > 0 else 0.0
            one.free = one.base + share
            one.target = one.clamped(one.free)
            violation += one.target - one.free
        for one in unfrozen:
            difference = one.target - one.free
            if abs(violation) < 1e-12:
                one.is_frozen = True
            else:
                one.is_frozen = difference > 0 if violation > 0 else difference < 0
