"""Pages become one screen (docs/api.md, "Screens")."""

from dataclasses import dataclass, field


@dataclass
class Section:
    """A merged section; `layout` holds the catalog's members overridden by the pages'."""

    id: str | None
    layout: dict
    page: int  # where the section was first posted
    pointer: str
    collapsed: bool = False
    header: object = None
    footer: object = None
    cells: list = field(default_factory=list)
    item_ids: list = field(default_factory=list)


@dataclass
class Screen:
    page: int
    page_count: int
    has_next: bool
    sections: list
    diagnostics: list


def merge(pages, catalog, collapsed=()):
    """Pages in ascending order, whatever order they came in. Sections of one id become one."""
    pages = sorted(pages, key=lambda page: page.number)
    sections, named = [], {}
    for page in pages:
        for posted in page.sections:
            section = named.get(posted.id) if posted.id is not None else None
            if section is None:
                section = Section(posted.id, dict(catalog.layout_for(posted.id)), page.number, posted.pointer)
                sections.append(section)
                if posted.id is not None:
                    named[posted.id] = section
            take(section, posted)
    for section in sections:
        if section.id is not None and section.id in collapsed:
            section.collapsed = True
        if section.collapsed:
            section.cells = []
        section.item_ids = unique(cell.id for cell in section.cells)
    last = pages[-1] if pages else None
    return Screen(
        last.number if last else 0,
        len(pages),
        last.has_next if last else False,
        sections,
        [line for page in pages for line in page.diagnostics],
    )


def take(section, posted):
    """A later page's header, footer, collapsed and each layout member it sets win; items follow on."""
    section.layout = {**section.layout, **posted.layout}
    if posted.collapsed is not None:
        section.collapsed = posted.collapsed
    section.header = posted.header or section.header
    section.footer = posted.footer or section.footer
    section.cells.extend(posted.cells)


def unique(texts):
    """Ids told apart: a second item of one id gets #2, a third #3, past any that is taken.

    What an item is called depends only on the items before it, so a later page renames nothing.
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
