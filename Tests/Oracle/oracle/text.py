"""Measured texts (docs/catalog.md, "Texts"; docs/layout.md, rules T), with a simple measurer.

Every character is half as wide as the font's size, whatever the base direction of the text (T8);
lines break at spaces. `SimpleMeasurer` in Tests/TextTestSupport measures in the same way.
"""

import math
from dataclasses import dataclass


@dataclass
class Font:
    size: float
    line_height: float
    letter_spacing: float
    scales: bool


@dataclass
class Settings:
    """The fonts by name, the reader's text size, and the pixels per point (0: not rounded)."""

    fonts: dict
    text_scale: float = 1.0
    pixel_scale: float = 0.0

    def up(self, length):
        """T4: the first device pixel at or above a length."""
        if not (self.pixel_scale > 0 and math.isfinite(self.pixel_scale)):
            return length
        return max(0.0, math.ceil(length * self.pixel_scale - 1e-6) / self.pixel_scale)


@dataclass
class Lines:
    """The lines of the texts of a size, as a tree shows them."""

    count: int = 0
    truncated: bool = False


def font(node):
    """Reads an entry of the catalog's `fonts`."""

    def number(name, default):
        value = node.get(name)
        return value.number if value is not None and value.kind == "number" else default

    size = number("size", None)
    scales = node.get("scales")
    return Font(
        size,
        number("lineHeight", size * 1.25),
        number("letterSpacing", 0.0),
        scales is None or scales.bool is not False,
    )


def fill(text, width, advance, breaks_words):
    """Returns the numbers of characters of the lines, filled greedily."""

    def fits(count):
        return math.floor(count * advance * 64) / 64 <= width

    paragraphs = [
        [word for word in paragraph.replace("\t", " ").split(" ") if word]
        for paragraph in text.split("\n")
    ]
    if not paragraphs[-1]:
        paragraphs.pop()
    lines = []
    for words in paragraphs:
        line = 0
        for word in words:
            if line and fits(line + 1 + len(word)):
                line += 1 + len(word)
                continue
            if line:
                lines.append(line)
            line = len(word)
            if breaks_words:
                most = 1
                while most < line and fits(most + 1):
                    most += 1
                while line > most:
                    lines.append(most)
                    line -= most
        lines.append(line)
    return lines


def measure(text, rule, width, settings):
    """Returns (lines shown, advance of the longest, truncated, line height) of a rule `text`."""
    used = settings.fonts[rule.get("font").inside]
    factor = settings.text_scale if used.scales else 1.0
    advance = (used.size / 2 + used.letter_spacing) * factor
    overflow = rule.get("overflow")
    breaks_words = overflow is None or overflow.inside != "clip"
    every = fill(text, width, advance, breaks_words) if text is not None else []
    limit = rule.get("maxLines")
    shown = every if limit is None else every[: int(limit.number)]
    longest = max((count * advance for count in shown), default=0.0)
    return len(shown), longest, len(shown) < len(every), used.line_height * factor
