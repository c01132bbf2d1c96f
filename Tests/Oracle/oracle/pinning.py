"""Headers and footers that stay in view (docs/layout.md, D5-D6, L7 and G8).

A tree has their positions in the content; a client moves them.
"""

PINNED_Z_INDEX = 10


def pin(section, kind, arrangement, environment):
    """Marks a pinned header and footer. Headers of plain lists are pinned by default."""
    plain_list = kind == "list" and section.layout.get("appearance", "plain") == "plain"
    header = section.layout.get("pinHeader", environment.screen.get("pinHeaders", plain_list))
    footer = section.layout.get("pinFooter", environment.screen.get("pinFooters", False))
    for view, is_pinned in ((arrangement.header, header), (arrangement.footer, footer)):
        if view is not None and is_pinned:
            view.pinned = True
            view.z_index = PINNED_Z_INDEX
