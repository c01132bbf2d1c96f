"""The content of a cell as elements with CSS (docs/layout.md, "As CSS").

A length that depends on the width of its own box is an expression of `--w`, which the page's script
sets to that width: no width depends on a height.
"""

import json

from measured_lines import STYLE

ALIGNMENTS = {"start": "flex-start", "end": "flex-end"}
JUSTIFICATIONS = {**ALIGNMENTS, "spaceBetween": "space-between"}
CONTAINERS = ("column", "row", "overlay")


# The data


def found(pointer, data):
    """Returns the value of a JSON Pointer, or None."""
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        if isinstance(data, list):
            data = data[int(token)] if token.isdigit() and int(token) < len(data) else None
        else:
            data = data.get(token) if isinstance(data, dict) else None
    return data


def is_there(pointer, data):
    value = found(pointer, data)
    return value is not None and value is not False and value != ""


def number(pointer, data):
    value = found(pointer, data)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number else None


def chosen(switch, data):
    """Returns the case of a `switch`, its default, or None."""
    value, cases = found(switch["switch"], data), switch["cases"]
    if isinstance(value, bool):
        value = "true" if value else "false"
    if isinstance(value, (int, float)):
        names = [name for name in cases if name.replace(".", "").isdigit()]
        value = next((name for name in names if float(name) == value), None)
    case = cases.get(value) if isinstance(value, str) else None
    return switch.get("default") if case is None else case


def words(box, data):
    """Returns the text of a box, or None."""
    source = box["text"]
    pointers = source["join"] if isinstance(source, dict) else [source]
    values = [found(pointer, data) for pointer in pointers]
    parts = [str(value) for value in values if isinstance(value, (str, int, float))]
    return (source.get("by", "") if isinstance(source, dict) else "").join(parts)


def selected(box, data):
    """Returns the box that is there, or None."""
    while box is not None and "switch" in box:
        box = chosen(box, data)
    return box


def is_shown(box, data):
    """Returns whether a box is not left out."""
    if "if" in box and not is_there(box["if"], data):
        return False
    if "text" in box:
        return box.get("minLines", 0) > 0 or words(box, data).strip(" \t\r") != ""
    for kind in ("image", "box"):
        if kind in box:
            return is_there(box[kind], data)
    return "space" in box or any("space" not in child for child in children(box, data))


def children(box, data):
    """Returns the boxes in a box that are there."""
    all_of_them = next((box[kind] for kind in CONTAINERS if kind in box), [])
    there = [selected(child, data) for child in all_of_them]
    return [child for child in there if child is not None and is_shown(child, data)]


# Lengths


def length(rule, data):
    """Returns a size rule as a CSS length."""
    if isinstance(rule, (int, float)):
        return f"{rule}px"
    if "fraction" in rule:
        return f"{rule['fraction'] * 100}%"
    if "ratio" in rule:
        return f"calc(var(--w) * {rule['ratio']})"
    if "value" in rule:
        value = number(rule["value"], data)
        return f"{rule.get('default', 0) if value is None else value}px"
    if "sum" in rule:
        return "calc(" + " + ".join(length(part, data) for part in rule["sum"]) + ")"
    if "product" in rule:
        return f"calc({length(rule['product'][0], data)} * {rule['product'][1]})"
    if "switch" in rule:
        case = chosen(rule, data)
        return "0px" if case is None else length(case, data)
    clamped = length(rule["of"], data)
    if "max" in rule:
        clamped = f"min({clamped}, {length(rule['max'], data)})"
    return f"max({clamped}, {length(rule['min'], data)})" if "min" in rule else clamped


def has_fraction(rule):
    """Returns whether a size rule contains a `fraction`, whatever a `switch` in it selects."""
    return '"fraction"' in json.dumps(rule)


def features(font):
    """Returns the OpenType features of a font as CSS."""
    pairs = [feature.partition("=") for feature in font.get("features", [])]
    return ", ".join(f'"{tag}" {value or 1}' for tag, _, value in pairs) or "normal"


def font_styles(fonts, scale, families):
    """Returns the style and the line height of each font at a text size."""
    styles = {}
    for name, font in fonts.items():
        factor = scale if font.get("scales", True) else 1
        height = font["lineHeight"] * factor
        names = ", ".join(families[json.dumps(file)] for file in font["files"])
        styles[name] = {
            "lineHeight": height,
            "advance": (font["size"] / 2 + font.get("letterSpacing", 0)) * factor,
            "style": STYLE + f"font: {font['size'] * factor}px {names}; line-height: {height}px;"
            f"letter-spacing: {font.get('letterSpacing', 0) * factor}px;"
            f"font-feature-settings: {features(font)};"}
    return styles


class Styles:
    """The elements of one item: its content in its data, with the fonts at a text size."""

    def __init__(self, data, fonts):
        self.data = data
        self.fonts = fonts

    def rule(self, box, name):
        """Returns a size rule as CSS, or None, also for "natural"."""
        rule = box.get(name)
        if rule in (None, "natural"):
            return None
        css = length(rule, self.data)
        if has_fraction(rule) and "%" not in css:
            css += " + 0.0001%"  # browsers drop 0%
        return f"max(0px, {css})"

    def root(self, content):
        """Returns the element of the content."""
        box = selected(content, self.data) or {"box": ""}
        element = self.element(box, (0, 0))
        element["bounds"] = self.bounds(box)
        element["width"] = self.rule(box, "width")
        element["height"] = self.rule(box, "height")
        element["isNatural"] = box.get("width") == "natural"
        return element

    def bounds(self, box):
        css = ""
        for name, member in (
            ("min-width", "minWidth"), ("max-width", "maxWidth"),
            ("min-height", "minHeight"), ("max-height", "maxHeight"),
        ):
            rule = self.rule(box, member)
            css += f"{name}: {rule};" if rule else ""
        return css

    def weights(self, box):
        """Returns the number of boxes that a natural width and height are the sum of."""
        inside = [self.weights(child) for child in children(box, self.data)] or [(0, 0)]
        widths, heights = zip(*inside)
        along_x, along_y = sum if "row" in box else max, sum if "column" in box else max
        return 1 + along_x(widths), 1 + along_y(heights)

    def element(self, box, before):
        """Returns a box as an element: its name, style, text, and elements inside.

        `before` has the number of boxes before it on both axes, with those that are in them, and
        its ancestors. The lengths of a browser may each be wrong by 1/64.
        """
        own = self.weights(box)
        element = {
            "name": box.get("name"), "style": self.own_style(box), "children": [],
            "depth": [before[0] + own[0], before[1] + own[1]]}
        if "text" in box:
            element["text"] = self.text(box)
        x, y = before[0] + 1, before[1] + 1
        for child in children(box, self.data):
            inner = self.element(child, (x, y))
            width, height = self.weights(child)
            x, y = x + width * ("row" in box), y + height * ("column" in box)
            inner["style"] += self.style_in(box, child, inner)
            element["children"].append(inner)
        return element

    def own_style(self, box):
        css = ""
        if "column" in box or "row" in box:
            justify = box.get("justify", "start")
            css = (
                f"display: flex; flex-direction: {'row' if 'row' in box else 'column'};"
                f"gap: {box.get('spacing', 0)}px;"
                f"justify-content: {JUSTIFICATIONS.get(justify, justify)};")
        elif "overlay" in box:
            css = (
                "display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr);"
                f"justify-items: {box.get('align', 'stretch')};")
        if css:
            align = box.get("align", "stretch")
            css += f"align-items: {ALIGNMENTS.get(align, align)};"
        padding = box.get("padding", 0)
        if not isinstance(padding, dict):
            padding = dict.fromkeys(("top", "left", "bottom", "right"), padding)
        sides = [f"{padding.get(side, 0)}px" for side in ("top", "bottom", "left", "right")]
        return css + "padding-block: {} {}; padding-inline: {} {};".format(*sides)

    def style_in(self, parent, box, element):
        """Returns the style of a box as a child."""
        width, height = self.rule(box, "width"), self.rule(box, "height")
        ratio = box["height"].get("ratio") if isinstance(box.get("height"), dict) else None
        is_leaf = "image" in box or "box" in box
        if is_leaf and isinstance(ratio, (int, float)):
            element["ratio"], height = ratio * 100, None
        is_fitting = ratio is not None or box.get("height") == "natural"
        css = f"width: {width};" if width else ""
        css += f"height: {height};" if height else ""
        css += self.bounds(box)
        align = parent.get("align", "stretch")
        if "overlay" in parent:
            css += "grid-area: 1 / 1;"
            is_natural = box.get("width") == "natural"
            css += self.placed(box, "horizontal", align, "justify-self", is_natural)
            css += self.placed(box, "vertical", align, "align-self", is_fitting)
        elif "row" in parent:
            css += self.placed(box, "vertical", align, "align-self", is_fitting)
        else:
            is_fitting = box.get("width") == "natural"
            css += self.placed(box, "horizontal", align, "align-self", is_fitting)
        if "row" not in parent and not width and "maxWidth" not in box:
            css += "max-width: 100%;"
        if "overlay" in parent:
            return css
        fill = box.get("space", box.get("fill"))
        rule = width if "row" in parent else box.get("height", "natural") != "natural"
        shrinks = fill is not None or ("row" in parent and not width and box.get("shrink", True))
        css += f"flex: {fill or 0} {int(shrinks)} {'0px' if fill and not rule else 'auto'};"
        if "column" in parent and not rule and "minHeight" not in box:
            css += "min-height: auto;"
        return css

    def placed(self, box, name, inherited, property_name, is_fitting):
        word = box.get(name, inherited)
        if word == "stretch" and is_fitting:
            word = "start"
        return f"{property_name}: {ALIGNMENTS.get(word, word)};"

    def text(self, box):
        font = self.fonts[box["font"]]
        clip = f"min-height: {box.get('minLines', 0) * font['lineHeight']}px;"
        if "maxLines" in box:
            clip += f"max-height: {box['maxLines'] * font['lineHeight']}px; overflow: clip;"
        style = font["style"]
        if box.get("overflow") == "clip":
            style += "overflow-wrap: normal;"
        if box.get("hangul") == "word":
            style += "word-break: keep-all;"
        return {
            "content": words(box, self.data), "clip": clip, "style": style,
            "lineHeight": font["lineHeight"], "maxLines": box.get("maxLines")}
