"""The merging of pages into one screen (docs/api.md, "Screens")."""

from dataclasses import dataclass, field


@dataclass
class Section:
    """A merged section; `layout` has the catalog's members, overridden by those of the pages."""

    id: str | None
    page: int  # where the section was first posted
    pointer: str
    layout: dict = field(default_factory=dict)
    unit_types: list = field(default_factory=list)
    collapsed: bool = False
    header: object = None
    footer: object = None
    data: object = None
    cells: list = field(default_factory=list)
    item_ids: list = field(default_factory=list)
    posted: list = field(default_factory=list)  # (page, pointer) of each posted section
    layouts: list = field(default_factory=list)  # the nodes of the posted layouts
    entry: str | None = None  # the pointer to the entry of the catalog that the layout begins with


@dataclass
class Screen:
    page: int
    page_count: int
    has_next: bool
    has_previous: bool
    sections: list
    diagnostics: list


def merge(pages, catalog, collapsed=(), expanded=()):
    """Merges pages in ascending order. Sections of one id become one.

    A request may collapse sections, and expand those that the pages collapse.
    """
    pages = sorted(pages, key=lambda page: page.number)
    sections, named = [], {}
    for page in pages:
        for posted in page.sections:
            section = named.get(posted.id) if posted.id is not None else None
            if section is None:
                section = Section(posted.id, page.number, posted.pointer)
                sections.append(section)
                if posted.id is not None:
                    named[posted.id] = section
            take(section, posted)
            section.posted.append((page.number, posted.pointer))
            if posted.posted_layout is not None:
                section.layouts.append(posted.posted_layout)
    for section in sections:
        registered = catalog.layout_for(section.id, section.unit_types)
        section.layout = {**registered, **section.layout}
        section.entry, node = catalog.entry_for(section.id, section.unit_types)
        if node is not None:
            section.layouts.insert(0, node)
        if section.id is not None:
            shown = section.id in expanded
            section.collapsed = section.id in collapsed or (section.collapsed and not shown)
        if section.collapsed:
            section.cells = []
        section.item_ids = unique(cell.id for cell in section.cells)
    last = pages[-1] if pages else None
    first = pages[0] if pages else None
    return Screen(
        last.number if last else 0,
        len(pages),
        last.has_next if last else False,
        first.has_previous and first.number > 0 if first else False,
        sections,
        [line for page in pages for line in page.diagnostics],
    )


def take(section, posted):
    """Adds a posted section: its members override earlier ones, its items are appended."""
    section.layout = {**section.layout, **posted.layout}
    if posted.collapsed is not None:
        section.collapsed = posted.collapsed
    section.header = posted.header or section.header
    section.footer = posted.footer or section.footer
    section.data = posted.data or section.data
    section.unit_types.extend(posted.unit_types)
    section.cells.extend(posted.cells)


def unique(texts):
    """Returns different ids: the second item of an id gets #2, the third #3, unless they exist.

    The id of an item depends only on the items before it, so a later page renames nothing.
    """
    taken, seen, result = set(), {}, []
    for text in texts:
        candidate, count = text, seen.get(text, 1)
        while candidate in taken:
            count += 1
            candidate = f"{text}#{count}"
        seen[text] = count
        taken.add(candidate)
        result.append(candidate)
    return result
