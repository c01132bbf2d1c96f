"""Size rules: `size(with:constrainedTo:)` as data (docs/catalog.md)."""

from dataclasses import dataclass

from . import choices, numbers, pointers, source_json, text

NUMBERS = ("number",)
TEXTS = ("string", "number")
EMPTY = source_json.parse(b"{}")

@dataclass
class Request:
    """The request of a layout for a size; lengths in points, pairs are (width, height).

    container  the space for the cell
    absent     the length of an axis for which the cell has no rule
    fallback   the size of a cell that has no size at all
    fixed      (width or None, height or None): lengths that override every rule (F5, F6)
    spans      the same for a cell with a content, if they are others
    is_natural whether a cell with a content is as wide as its boxes without a rule
    least      (width, height) of a cell with a content instead of lengths that are 0 (C12)
    """

    container: tuple
    absent: tuple
    fallback: tuple
    fixed: tuple = (None, None)
    spans: tuple | None = None
    is_natural: bool = False
    least: tuple | None = None


class Size(tuple):
    """(width, height), and the lines of the texts that they depend on, or None (T5)."""

    lines = None


def size_of(cell_type, data, request):
    """Returns the `Size` of a cell, header or footer, neither length below 0."""
    if not cell_type.has_size:
        width, height = request.fallback
        width = request.fixed[0] if request.fixed[0] is not None else width
        height = request.fixed[1] if request.fixed[1] is not None else height
        return Size((numbers.size(width), numbers.size(height)))
    across = along = None
    width = request.fixed[0]
    if width is None:
        width = request.absent[0]
        if cell_type.width is not None:
            rule = Rule(data, request.container[0], None, cell_type.texts)
            width = rule.value(cell_type.width)
            across = rule.lines[0]
    width = numbers.size(width)
    height = request.fixed[1]
    if height is None:
        height = request.absent[1]
        if cell_type.height is not None:
            rule = Rule(data, request.container[1], width, cell_type.texts)
            height = rule.value(cell_type.height)
            along = rule.lines[0]
    height = numbers.size(height)
    if along is not None:
        height = cell_type.texts.up(height)  # T4
    size = Size((width, height))
    size.lines = along or across
    return size


class Rule:
    """Evaluates rules with a cell's data, the container's length and, for a height, the width."""

    def __init__(self, data, container, width, texts, lines=None):
        self.data = data
        self.container = container
        self.width = width
        self.texts = texts
        self.lines = lines if lines is not None else [None]  # shared by the parts of a rule

    def value(self, rule):
        if rule.kind == "number":
            return numbers.length(rule.number)
        if rule.get("fraction") is not None:
            return numbers.length(self.container * numbers.length(rule.get("fraction").number))
        if rule.get("ratio") is not None:
            return numbers.length(self.width * self.ratio(rule.get("ratio")))
        if rule.get("value") is not None:
            return self.posted(rule)
        if rule.get("sum") is not None:
            return numbers.length(sum(self.value(part) for part in rule.get("sum").elements))
        if rule.get("product") is not None:
            part, factor = rule.get("product").elements
            return numbers.length(self.value(part) * numbers.length(factor.number))
        if rule.get("stack") is not None:
            return self.stack(rule)
        if rule.get("switch") is not None:
            return self.switch(rule)
        if rule.get("text") is not None:
            return self.text(rule)
        return self.clamped(rule)

    def text(self, rule):
        """T1 for a height, T3 for a width, which has no width before it."""
        space = max(0.0, self.container if self.width is None else self.width)
        shown, longest, truncated, line_height = text.measure(
            posted_text(rule.get("text"), self.data), rule, space, self.texts
        )
        lines = self.lines[0] or text.Lines()
        self.lines[0] = text.Lines(lines.count + shown, lines.truncated or truncated)
        if self.width is None:
            return min(space, self.texts.up(numbers.size(longest)))
        least = rule.get("minLines")
        return numbers.length(max(shown, int(least.number) if least else 0) * line_height)

    def posted(self, rule):
        number = self.number(rule.get("value"))
        return _default(rule) if number is None else number

    def ratio(self, rule):
        """Returns height by width: the number itself, a value in the data, or a quotient of two."""
        if rule.kind == "number":
            return numbers.length(rule.number)
        if rule.get("value") is not None:
            return self.posted(rule)
        width, height = self.number(rule.get("width")), self.number(rule.get("height"))
        if width is None or height is None or width == 0:
            return _default(rule)
        return numbers.length(height / width)

    def number(self, pointer):
        """Returns the number of the data at a pointer, or None."""
        found = pointers.evaluate(pointer.inside, self.data)
        is_number = found is not None and found.kind == "number"
        return numbers.length(found.number) if is_number else None

    def stack(self, rule):
        """Returns the sum of the parts inside the padding's width; 0 without parts."""
        parts = rule.get("stack").elements
        if not parts:
            return 0.0
        top, left, bottom, right = (0.0,) * 4
        if rule.get("padding") is not None:
            top, left, bottom, right = inset(rule.get("padding"))
        width = max(0.0, self.width - left - right)
        inner = Rule(self.data, self.container, width, self.texts, self.lines)
        spacing = rule.get("spacing")
        gaps = (len(parts) - 1) * (numbers.length(spacing.number) if spacing is not None else 0.0)
        return numbers.length(top + sum(inner.value(part) for part in parts) + gaps + bottom)

    def switch(self, rule):
        case = choices.selected(rule, self.data)
        return self.value(case) if case is not None else 0.0

    def clamped(self, rule):
        value = self.value(rule.get("of"))
        if rule.get("max") is not None:
            value = min(value, self.value(rule.get("max")))
        if rule.get("min") is not None:  # takes precedence over the maximum
            value = max(value, self.value(rule.get("min")))
        return value


def posted_text(node, data):
    """Returns the text of a pointer or of a `join`; None without a string or a number."""
    joined = node.get("join") if node.kind == "object" else None
    sources = joined.elements if joined else [node]
    found = [pointers.evaluate(source.inside, data) for source in sources]
    parts = [part.text for part in found if part is not None and part.kind in TEXTS]
    separator = node.get("by") if joined else None
    return (separator.inside if separator else "").join(parts) if parts else None


def _default(rule):
    default = rule.get("default")
    return numbers.length(default.number) if default is not None else 0.0


EXPECTED = {
    NUMBERS: "a number here; its default is used",
    choices.KINDS: "a string, a number, true or false here; its default is used",
    TEXTS: "a string or a number here; it has no lines",
    ("address",): "an address that clients load",
}


def readings(rule, data):
    """Yields (pointer, kinds that the rule can use); cases that are not selected do not count."""
    if rule is None or rule.kind != "object":
        return
    ratio = rule.get("ratio")
    if rule.get("value") is not None:
        yield rule.get("value").inside, NUMBERS
    elif ratio is not None and ratio.kind == "object":
        for name in ("value", "width", "height"):
            if ratio.get(name) is not None and ratio.get(name).kind == "string":
                yield ratio.get(name).inside, NUMBERS
    elif rule.get("switch") is not None:
        yield rule.get("switch").inside, choices.KINDS
        yield from readings(choices.selected(rule, data), data)
    elif rule.get("text") is not None:
        node = rule.get("text")
        parts = node.get("join").elements if node.kind == "object" else [node]
        yield from ((part.inside, TEXTS) for part in parts)
    elif rule.get("product") is not None:
        yield from readings(rule.get("product").elements[0], data)
    else:
        for name in ("stack", "sum"):
            for part in rule.get(name).elements if rule.get(name) is not None else ():
                yield from readings(part, data)
        for name in ("min", "max", "of"):
            yield from readings(rule.get(name), data)


def inset(node):
    if node.kind == "number":
        return (numbers.length(node.number),) * 4
    sides = [node.get(side) for side in ("top", "left", "bottom", "right")]
    return tuple(numbers.length(side.number if side is not None else None) for side in sides)
