"""Size rules: `size(with:constrainedTo:)` as data (docs/catalog.md)."""

from dataclasses import dataclass

from . import numbers, pointers


@dataclass
class Request:
    """The request of a layout for a size; lengths in points, pairs are (width, height).

    container  the space for the cell
    absent     the length of an axis for which the cell has no rule
    fallback   the size of a cell that has no size at all
    fixed      (width or None, height or None): lengths that override every rule (F5, F6)
    """

    container: tuple
    absent: tuple
    fallback: tuple
    fixed: tuple = (None, None)


def size_of(cell_type, data, request):
    """Returns the size of a cell, header or footer: (width, height), neither below 0."""
    if not cell_type.has_size:
        width, height = request.fallback
        width = request.fixed[0] if request.fixed[0] is not None else width
        height = request.fixed[1] if request.fixed[1] is not None else height
        return (numbers.size(width), numbers.size(height))
    width = request.fixed[0]
    if width is None:
        width = request.absent[0]
        if cell_type.width is not None:
            width = _Rule(data, request.container[0], None).value(cell_type.width)
    width = numbers.size(width)
    height = request.fixed[1]
    if height is None:
        height = request.absent[1]
        if cell_type.height is not None:
            height = _Rule(data, request.container[1], width).value(cell_type.height)
    return (width, numbers.size(height))


class _Rule:
    """Evaluates rules with a cell's data, the container's length and, for a height, the width."""

    def __init__(self, data, container, width):
        self.data = data
        self.container = container
        self.width = width

    def value(self, rule):
        if rule.kind == "number":
            return numbers.length(rule.number)
        if rule.get("fraction") is not None:
            return numbers.length(self.container * numbers.length(rule.get("fraction").number))
        if rule.get("ratio") is not None:
            return numbers.length(self.width * numbers.length(rule.get("ratio").number))
        if rule.get("value") is not None:
            return self.posted(rule)
        if rule.get("stack") is not None:
            return self.stack(rule)
        if rule.get("switch") is not None:
            return self.switch(rule)
        return self.clamped(rule)

    def posted(self, rule):
        found = pointers.evaluate(rule.get("value").inside, self.data)
        if found is not None and found.kind == "number":
            return numbers.length(found.number)
        default = rule.get("default")
        return numbers.length(default.number) if default is not None else 0.0

    def stack(self, rule):
        """Returns the sum of the parts inside the padding's width; 0 without parts."""
        parts = rule.get("stack").elements
        if not parts:
            return 0.0
        top, left, bottom, right = (0.0,) * 4
        if rule.get("padding") is not None:
            top, left, bottom, right = _inset(rule.get("padding"))
        inner = _Rule(self.data, self.container, max(0.0, self.width - left - right))
        spacing = rule.get("spacing")
        gaps = (len(parts) - 1) * (numbers.length(spacing.number) if spacing is not None else 0.0)
        return numbers.length(top + sum(inner.value(part) for part in parts) + gaps + bottom)

    def switch(self, rule):
        found = pointers.evaluate(rule.get("switch").inside, self.data)
        case = None
        if found is not None and found.kind == "string" and rule.get("cases") is not None:
            case = rule.get("cases").get(found.inside)
        case = case if case is not None else rule.get("default")
        return self.value(case) if case is not None else 0.0

    def clamped(self, rule):
        value = self.value(rule.get("of"))
        if rule.get("max") is not None:
            value = min(value, self.value(rule.get("max")))
        if rule.get("min") is not None:  # takes precedence over the maximum
            value = max(value, self.value(rule.get("min")))
        return value


def _inset(node):
    if node.kind == "number":
        return (numbers.length(node.number),) * 4
    sides = [node.get(side) for side in ("top", "left", "bottom", "right")]
    return tuple(numbers.length(side.number if side is not None else None) for side in sides)
