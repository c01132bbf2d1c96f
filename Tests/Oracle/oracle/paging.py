"""Carousel paging in a tree (docs/layout.md, P1-P7)."""

from . import carousel, numbers
from .layout_members import PAGING_DEFAULTS


def is_on(section, section_count):
    """P: a flow screen of exactly one section whose paging is enabled."""
    return is_asked_for(section) and section_count == 1


def is_asked_for(section):
    paging = section.layout.get("paging")
    return paging is not None and paging["isEnabled"]


def copies(section, copy_length, viewport):
    """P1: None if an infinite section cannot be repeated."""
    if not section.layout["paging"]["isInfinitePage"]:
        return 1
    return carousel.copies(len(section.cells), copy_length, viewport)


def page_numbers(section, count, viewport, content, inset0, inset1, item, spacing):
    """P3-P7 for content insets of 0; a client may have others. P13 has the numbers of cards."""
    configuration = section.layout["paging"]
    page_length = item + spacing  # P3
    section_length = content - inset0 - inset1
    slack = (viewport - item) / 2
    last_page = (section_length + spacing) / page_length - 1 if page_length > 0 else 0.0  # P4
    lowest = 0.0  # P6
    highest = max(lowest, content - viewport)
    initial, final = lowest, highest  # P7
    if configuration["isAlignCenter"]:
        initial = max(lowest, inset0 - slack)
        final = min(highest, inset0 + last_page * page_length - slack)
    interval = numbers.length(configuration["autoRollingTimeInterval"])
    return {
        **{name: configuration[name] for name in PAGING_DEFAULTS},
        "autoRollingTimeInterval": interval,
        "pageLength": page_length,
        "pageCount": len(section.cells),
        "minOffset": lowest,
        "maxOffset": highest,
        "initialOffset": initial,
        "finalOffset": final,
        "copies": count,
    }
