"""The boxes of a cell's content, and their frames (docs/layout.md, rules B)."""

import math
from dataclasses import dataclass, field

from . import choices, images, numbers, pointers, sizes, text
from .flexible import Flexible, distributed
from .geometry import Frame
from .rounding import px

TOLERANCE = 1e-6
KINDS = ("column", "row", "overlay", "text", "image", "box", "space")
WIDTH, HEIGHT = "width", "height"
ADDRESSES = ("address",)  # the kind of the value of an image


@dataclass
class Part:
    """A named box in the tree; `lines` is that of a text, and `url` that of an image."""

    name: str
    frame: Frame
    lines: text.Lines | None
    url: str | None


@dataclass
class Box:
    """A box that is there: selected by its switch, and not left out."""

    kind: str
    node: object
    children: list = field(default_factory=list)
    posted: str | None = None  # the text of a text
    lines: text.Lines | None = None
    line_height: float = 0.0
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0

    def rule(self, name):
        """Returns a size rule, or None, also for "natural"."""
        node = self.node.get(name)
        return None if node is None or node.kind == "string" else node

    def number(self, name, default=0.0):
        node = self.node.get(name)
        return default if node is None else numbers.length(node.number)

    def word(self, name, default):
        node = self.node.get(name)
        return default if node is None else node.inside

    def is_false(self, name):
        node = self.node.get(name)
        return node is not None and node.bool is False

    @property
    def fill(self):
        return self.number("space" if self.kind == "space" else "fill", None)

    @property
    def padding(self):
        """(top, start, bottom, end)"""
        node = self.node.get("padding")
        return sizes.inset(node) if node is not None else (0.0,) * 4

    def ends(self, axis):
        """Returns the padding before and after the children on an axis."""
        top, start, bottom, end = self.padding
        return (start, end) if axis == WIDTH else (top, bottom)


def is_there(value):
    return value is not None and value.kind != "null" and value.inside not in (False, "")


def selected(node, data):
    """Returns the box that a `switch` stands for, or None."""
    while node is not None and node.get("switch") is not None:
        node = choices.selected(node, data)
    return node


def boxes(node, data, texts, is_root=False):
    """Returns the tree of the boxes that are there, or None."""
    node = selected(node, data)
    if node is None:
        return Box("box", sizes.EMPTY) if is_root else None
    condition = None if is_root else node.get("if")
    if condition is not None and not is_there(pointers.evaluate(condition.inside, data)):
        return None
    kind = next(kind for kind in KINDS if node.get(kind) is not None)
    box = Box(kind, node)
    has_content = True
    if kind in ("column", "row", "overlay"):
        found = [boxes(child, data, texts) for child in node.get(kind).elements]
        box.children = [child for child in found if child is not None]
        has_content = any(child.kind != "space" for child in box.children)
    elif kind == "text":
        box.posted = sizes.posted_text(node.get("text"), data)
        least = box.number("minLines")
        has_content = least > 0 or text.measure(box.posted, node, math.inf, texts)[0] > 0
    elif kind != "space":
        has_content = is_there(pointers.evaluate(node.get(kind).inside, data))
    return box if has_content or is_root else None


def each(box):
    """Yields a box and all below it, parents first."""
    yield box
    for child in box.children:
        yield from each(child)


def contains_fraction(rule):
    if rule is None or rule.kind != "object":
        return False
    if rule.get("fraction") is not None:
        return True
    parts = [rule.get(name) for name in ("min", "max", "of", "default")]
    for name in ("sum", "product"):
        parts += rule.get(name).elements if rule.get(name) is not None else []
    if rule.get("cases") is not None:
        parts += [case for _, case in rule.get("cases").members]
    return any(contains_fraction(part) for part in parts)


class Layout:
    """The layout of one item's content. Widths are laid out first, then lines, then heights."""

    def __init__(self, content, data, texts):
        self.data = data
        self.texts = texts
        self.root = boxes(content, data, texts, is_root=True)

    @property
    def has_text(self):
        return any(box.kind == "text" for box in each(self.root))

    # The cell

    def size(self, container, fixed, width_of_default, least=None):
        """Returns (width, height) of the cell.

        container         what `fraction` of the root is of
        fixed             (width or None, height or None): lengths that the layout gives
        width_of_default  the width without a rule, or None: the natural width
        least             (width, height) instead of lengths that are 0 (C12), or None
        """
        width, height = fixed
        if width is None:
            width = self.own_width(container[0], width_of_default)
        width = numbers.size(width)
        if least is not None and width <= 0:
            width = least[0]
        if height is None:
            height = self.own_height(container[1], width)
        height = numbers.size(height)
        if least is not None and height <= 0:
            height = least[1]
        return width, height

    def own_width(self, container, default):
        rule = self.root.rule("width")
        asks = self.root.node.get("width") is not None  # "natural"
        is_natural = rule is None and (asks or default is None)
        if rule is not None:
            width = self.value(rule, container)
        else:
            most = container if default is None else default  # C13: of a header, its reference
            width = min(self.natural_width(self.root), most) if is_natural else default
        width = self.bounded(self.root, WIDTH, width, container)
        return self.texts.up(width) if is_natural and self.has_text else width  # T4

    def own_height(self, container, width):
        self.place_widths(self.root, 0.0, width)
        self.fill_lines()
        rule = self.root.rule("height")
        height = self.natural_height(self.root)
        if rule is not None:
            height = self.value(rule, container, width)
        height = self.bounded(self.root, HEIGHT, height, container)
        return self.texts.up(height) if self.has_text else height  # T4

    def parts(self, width, height, is_mirrored, image_scale):
        """Returns the named boxes in an item of a size, as they are in a tree."""
        self.place_widths(self.root, 0.0, width)
        self.fill_lines()
        self.place_heights(self.root, 0.0, height)
        named = [box for box in each(self.root) if box.node.get("name") is not None]
        scale = self.texts.pixel_scale
        parts = []
        for box in named:
            x, end = px(box.x, scale), px(box.x + box.width, scale)
            y, bottom = px(box.y, scale), px(box.y + box.height, scale)
            frame = Frame(x, y, end - x, bottom - y)
            if is_mirrored:
                frame.x = px(width - frame.x - frame.width, scale)
            found = None
            if box.kind == "image" and box.node.get("url") is not None:
                value = pointers.evaluate(box.node.get("image").inside, self.data)
                found = images.url(box.node, value, frame, image_scale)
            parts.append(Part(box.node.get("name").inside, frame, box.lines, found))
        return parts

    # Rules

    def value(self, rule, parent, width=None):
        return sizes.Rule(self.data, parent, width, self.texts).value(rule)

    def bound(self, box, name, axis, parent):
        """Returns a bound, or None; without a parent's length, one with `fraction` is none."""
        rule = box.rule(name + axis.capitalize())
        if rule is None or (parent is None and contains_fraction(rule)):
            return None
        return self.value(rule, parent, box.width if axis == HEIGHT else None)

    def bounded(self, box, axis, length, parent):
        """B1"""
        most = self.bound(box, "max", axis, parent)
        least = self.bound(box, "min", axis, parent)
        length = length if most is None else min(most, length)
        length = length if least is None else max(least, length)
        return numbers.length(max(length, sum(box.ends(axis))))

    # Natural lengths

    def natural_width(self, box):
        if box.kind == "text":
            longest = text.measure(box.posted, box.node, math.inf, self.texts)[1]
            return self.texts.up(numbers.size(longest))
        counted = [self.counted_width(child) for child in box.children]
        return numbers.length(self.together(box, counted, box.kind == "row", WIDTH))

    def counted_width(self, child):
        rule = child.rule("width")
        if rule is None or contains_fraction(rule):
            length = self.natural_width(child)
        else:
            length = self.value(rule, None)
        return self.bounded(child, WIDTH, length, None)

    def natural_height(self, box):
        if box.kind == "text":
            least = box.number("minLines")
            return self.texts.up(max(box.lines.count, least) * box.line_height)
        counted = [self.counted_height(child, box) for child in box.children]
        return numbers.length(self.together(box, counted, box.kind == "column", HEIGHT))

    def counted_height(self, child, parent):
        if parent.kind == "column":  # B3
            flexible = self.flexible_height(child)
            return flexible.clamped(flexible.base)
        rule = child.rule("height")
        natural = self.natural_height(child)
        length = natural if rule is None else self.value(rule, None, child.width)
        return self.bounded(child, HEIGHT, length, None)

    def together(self, box, lengths, is_along, axis):
        spacing = box.number("spacing") * max(0, len(lengths) - 1)
        inside = sum(lengths) + spacing if is_along else max(lengths, default=0.0)
        return inside + sum(box.ends(axis))

    # Widths

    def place_widths(self, box, x, width):
        box.x, box.width = x, width
        start, end = box.ends(WIDTH)
        inner = max(0.0, width - start - end)
        if box.kind == "row":
            flexible = [self.flexible_width(child, inner) for child in box.children]
            lengths, offsets = distributed(box, flexible, inner)
        else:
            lengths = [self.width_across(child, box, inner) for child in box.children]
            words = [alignment(child, box, "horizontal") for child in box.children]
            offsets = [placed(*pair, inner) for pair in zip(words, lengths)]
        for child, offset, length in zip(box.children, offsets, lengths):
            self.place_widths(child, x + start + offset, length)

    def width_across(self, child, parent, inner):
        """B4"""
        rule = child.rule("width")
        if rule is not None:
            length = self.value(rule, inner)
        elif is_stretched(child, parent, "horizontal", "width"):
            length = inner
        else:
            length = min(self.natural_width(child), inner)
        return self.bounded(child, WIDTH, length, inner)

    def flexible_width(self, child, inner):
        """B2"""
        rule, fill = child.rule("width"), child.fill
        shrink = rule is None and not child.is_false("shrink")
        if rule is not None:
            base = self.value(rule, inner)
        else:
            base = 0.0 if fill is not None else self.natural_width(child)
        most = self.bound(child, "max", WIDTH, inner)
        least = self.bound(child, "min", WIDTH, inner)
        return Flexible.of(child, WIDTH, base, least, most, fill is not None or shrink)

    def fill_lines(self):
        """The lines of each text in the width of its rounded frame."""
        scale = self.texts.pixel_scale
        for box in each(self.root):
            if box.kind == "text":
                width = px(box.x + box.width, scale) - px(box.x, scale) + TOLERANCE
                found = text.measure(box.posted, box.node, width, self.texts)
                shown, _, truncated, box.line_height = found
                box.lines = text.Lines(shown, truncated)

    # Heights

    def place_heights(self, box, y, height):
        box.y, box.height = y, height
        top, bottom = box.ends(HEIGHT)
        inner = max(0.0, height - top - bottom)
        if box.kind == "column":
            flexible = [self.flexible_height(child) for child in box.children]
            lengths, offsets = distributed(box, flexible, inner)
        else:
            lengths = [self.height_across(child, box, inner) for child in box.children]
            words = [alignment(child, box, "vertical") for child in box.children]
            offsets = [placed(*pair, inner) for pair in zip(words, lengths)]
        for child, offset, length in zip(box.children, offsets, lengths):
            self.place_heights(child, y + top + offset, length)

    def height_across(self, child, parent, inner):
        """B4"""
        rule = child.rule("height")
        if rule is not None:
            length = self.value(rule, None, child.width)
        elif is_stretched(child, parent, "vertical", "height"):
            length = inner
        else:
            length = self.natural_height(child)
        return self.bounded(child, HEIGHT, length, None)

    def flexible_height(self, child):
        """B2, B3"""
        rule, fill = child.rule("height"), child.fill
        most = self.bound(child, "max", HEIGHT, None)
        least = self.bound(child, "min", HEIGHT, None)
        natural = self.natural_height(child)
        if rule is None and child.rule("minHeight") is None:
            least = natural if most is None else min(natural, most)
        if rule is not None:
            base = self.value(rule, None, child.width)
        else:
            base = 0.0 if fill is not None else natural
        return Flexible.of(child, HEIGHT, base, least, most, fill is not None)


def alignment(child, parent, name):
    return child.word(name, parent.word("align", "stretch"))


def is_stretched(child, parent, name, length):
    """Returns whether a child without a rule is as long as its parent; "natural" says no."""
    return alignment(child, parent, name) == "stretch" and child.node.get(length) is None


def placed(word, length, inner):
    return {"center": (inner - length) / 2, "end": inner - length}.get(word, 0.0)


# Values that a content cannot use


def readings(node, data):
    """Yields (pointer, kinds) of the values that boxes read, unless `if` leaves them out."""
    while node is not None and node.get("switch") is not None:
        yield node.get("switch").inside, choices.KINDS
        node = choices.selected(node, data)
    if node is None:
        return
    condition = node.get("if")
    if condition is not None and not is_there(pointers.evaluate(condition.inside, data)):
        return
    if node.get("text") is not None:
        yield from sizes.readings(node, data)
    for name in ("width", "height", "minWidth", "maxWidth", "minHeight", "maxHeight"):
        yield from sizes.readings(node.get(name), data)
    if node.get("image") is not None:
        has_url = node.get("url") is not None
        yield node.get("image").inside, ("url", node) if has_url else ADDRESSES
    for kind in ("column", "row", "overlay"):
        for child in node.get(kind).elements if node.get(kind) is not None else ():
            yield from readings(child, data)
