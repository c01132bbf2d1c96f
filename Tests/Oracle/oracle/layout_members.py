"""The members of a section's layout and of the screen's (docs/layout.md, J).

A layout is a dict of the members that are set. Later dicts override earlier ones member by member;
a member is one value, so an inset with only a top has 0 on its other sides.
"""

import math

from . import pointers

KINDS = ("flow", "compositional", "list", "masonry")
SCROLLING = (
    "none",
    "continuous",
    "continuousGroupLeadingBoundary",
    "paging",
    "groupPaging",
    "groupPagingCentered",
)
REFERENCES = ("automatic", "none", "safeArea", "layoutMargins")
ALIGNMENTS = ("start", "center", "end", "stretch")
PLACEMENTS = ("shortest", "inOrder")
APPEARANCES = ("plain", "grouped", "insetGrouped", "sidebar", "sidebarPlain")

PAGING_DEFAULTS = {
    "isEnabled": True,
    "isAlignCenter": False,
    "isLooping": False,
    "isInfinitePage": False,
    "isAutoRolling": False,
    "autoRollingTimeInterval": 3.0,
}


LINES = ("inset", "minimumLineSpacing", "minimumInteritemSpacing")

# The members with effect on a section of each kind, beside those of every kind (docs/layout.md,
# J): compositional also falls back on flow's inset and spacings (C3).
MEMBERS = {
    "flow": (*LINES, "gridColumnCount", "itemAlignment"),
    "masonry": (*LINES, "gridColumnCount", "placement"),
    "compositional": (
        *("direction", "itemSize", "scrolling", "itemSpacing", "lineSpacing", "sectionInset"),
        *("orthogonalScrollingProperties", "isUniformAcrossSiblings", "uniformEstimatedHeight"),
        *("itemAlignment", *LINES),
    ),
    "list": ("appearance", "showsSeparators", "headerMode", "footerMode", "headerTopPadding"),
}
MAX_UNKNOWN_NAMES = 100
MAX_INTERVAL = 600  # P11, in seconds
MAX_DECORATIONS = 16


def without_effect(node, posted, catalogs):
    """Returns the members of a section's layout without effect, given the catalog's layout.

    They have an effect on other kinds only, or none beside other members (C5, C17, C18).
    """
    merged = {**catalogs, **posted}
    kind = merged.get("kind", "flow")
    others = {name for names in MEMBERS.values() for name in names} - set(MEMBERS[kind])
    found = [name for name, value in node.members if name in others and value.kind != "null"]
    if kind != "compositional":
        return found
    size, own_size = merged.get("itemSize"), posted.get("itemSize", {})
    if are_cards(merged):
        found += ["itemSize/uniform/columns"] if "columns" in own_size else []
        found += [n for n in ("itemSpacing", "minimumInteritemSpacing") if n in posted]
    elif isinstance(size, dict) and "width" in size and merged.get("direction") != "vertical":
        found += ["itemSize/uniform/width"] if "width" in own_size else []  # C5
    if "itemAlignment" in posted and not are_aligned(merged):
        found.append("itemAlignment")
    return found


def are_aligned(layout):
    """C18: items of a row that may differ in height."""
    sideways = layout.get("scrolling", "none") != "none"
    measured = sideways and layout.get("isUniformAcrossSiblings", False)
    horizontal = layout.get("direction", "horizontal") == "horizontal"
    return horizontal and (layout.get("itemSize") == "dynamic" or measured)


def are_cards(layout):
    """C17: uniform items with a width, in horizontal groups that scroll sideways."""
    size = layout.get("itemSize")
    sideways = layout.get("scrolling", "none") != "none"
    horizontal = layout.get("direction", "horizontal") == "horizontal"
    return sideways and horizontal and isinstance(size, dict) and "width" in size


class Violations(list):
    """The violations, as (pointer, detail), and the unknown members."""

    def __init__(self):
        super().__init__()
        self.unknown = {}  # the pointer to the first member of each name
        self.notes = []  # (code, pointer, detail) of these and of values that cannot be used
        self.unlisted = 0

    def add(self, pointer, detail):
        self.append((pointer, detail))

    def expect(self, node, pointer, known):
        """Notes the members of an object that are not known, each name once."""
        for name, _ in node.members:
            if name in known or name == "$schema" or name.startswith("x-"):
                continue
            if name in self.unknown:
                continue
            if len(self.unknown) < MAX_UNKNOWN_NAMES:
                self.unknown[name] = f"{pointer}/{pointers.escape(name)}"
                detail = "is not known and is ignored"
                self.notes.append(("UNKNOWN_MEMBER", self.unknown[name], detail))
            else:
                self.unlisted += 1


def finite(node, pointer, violations):
    """Returns a number; one beyond all that a computer has counts as 0, and is reported (G2)."""
    if not math.isfinite(node.number):
        detail = "is beyond the largest number (1.8e308), and counts as 0"
        violations.notes.append(("UNUSABLE_VALUE", pointer, detail))
    return node.number


# Every reader takes (node, pointer, violations) and returns the value, or None after it has added a
# violation.


def number(node, pointer, violations):
    if node.kind != "number":
        return violations.add(pointer, "must be a number")
    return finite(node, pointer, violations)


def integer(node, pointer, violations):
    if node.integer is None:
        return violations.add(pointer, "must be an integer")
    return node.integer


def boolean(node, pointer, violations):
    if node.kind != "bool":
        return violations.add(pointer, "must be true or false")
    return node.bool


def one_of(*names):
    def read(node, pointer, violations):
        if node.kind != "string" or node.inside not in names:
            return violations.add(pointer, "must be one of " + ", ".join(names))
        return node.inside

    return read


def inset(node, pointer, violations):
    """Reads a number for all sides or an object of sides. Returns (top, left, bottom, right)."""
    if node.kind == "number":
        return (finite(node, pointer, violations),) * 4
    if node.kind != "object":
        return violations.add(pointer, "must be a number or an object")
    sides = record(top=number, left=number, bottom=number, right=number)(node, pointer, violations)
    return tuple(sides.get(side, 0.0) for side in ("top", "left", "bottom", "right"))


def record(**readers):
    """Returns a reader of an object: null members are absent, unknown ones are noted."""

    def read(node, pointer, violations):
        if node.kind != "object":
            return violations.add(pointer, "must be an object")
        violations.expect(node, pointer, readers)
        result = {}
        for name, reader in readers.items():
            value = node.get(name)
            if value is None or value.kind == "null":
                continue
            read_value = reader(value, f"{pointer}/{name}", violations)
            if read_value is not None:
                result[name] = read_value
        return result

    return read


def grid_columns(node, pointer, violations):
    """Reads a count, ("fitting", width, max), or ("breakpoints", default, {width: count})."""
    if node.kind != "object":
        return integer(node, pointer, violations)
    fitting, default = (
        node.get(name) is not None and node.get(name).kind != "null"
        for name in ("minItemWidth", "default")
    )
    if fitting == default:
        return violations.add(pointer, "must have either minItemWidth or default")
    if fitting:
        found = record(minItemWidth=number, max=integer)(node, pointer, violations)
        if found["minItemWidth"] <= 0 or found.get("max", 1) < 1:
            return violations.add(pointer, "must be above 0")
        return ("fitting", found["minItemWidth"], found.get("max"))
    counts = {}
    for name, value in node.members:
        if name != "default" and value.kind != "null":
            counts[float(name)] = integer(value, f"{pointer}/{name}", violations)
    default = integer(node.get("default"), f"{pointer}/default", violations)
    return ("breakpoints", default, counts)


def interval(node, pointer, violations):
    """Reads an interval of P11; the default stands in for one that cannot be used."""
    if node.kind != "number":
        return number(node, pointer, violations)
    if 0 < node.number <= MAX_INTERVAL:
        return node.number
    if "paging/autoRollingTimeInterval" not in violations.unknown:
        violations.unknown["paging/autoRollingTimeInterval"] = pointer
        detail = "is in seconds, above 0 and at most 600"
        violations.notes.append(("UNUSABLE_VALUE", pointer, detail))
    return None


def paging(node, pointer, violations):
    readers = {name: boolean for name in PAGING_DEFAULTS}
    readers["autoRollingTimeInterval"] = interval
    found = record(**readers)(node, pointer, violations)
    return None if found is None else {**PAGING_DEFAULTS, **found}


def item_width(node, pointer, violations):
    """Reads a number of points, or ("fraction", f)."""
    if node.kind != "object":
        return number(node, pointer, violations)
    found = record(fraction=number)(node, pointer, violations)
    if "fraction" not in found:
        return violations.add(f"{pointer}/fraction", "must be a number")
    return ("fraction", found["fraction"])


def item_size(node, pointer, violations):
    if node.kind == "string" and node.inside == "dynamic":
        return "dynamic"
    if node.kind != "object" or node.get("uniform") is None:
        return violations.add(pointer, 'must be "dynamic" or an object with "uniform"')
    violations.expect(node, pointer, ("uniform",))
    return record(columns=grid_columns, width=item_width, height=number)(
        node.get("uniform"), f"{pointer}/uniform", violations
    )


def anything(node, pointer, violations):
    return node


def text(node, pointer, violations):
    if node.text is None:
        return violations.add(pointer, "must be a string or a number")
    return node.text


def decorations(node, pointer, violations):
    """Returns a list of decorations, of which a section may have at most 16."""
    if node.kind != "array":
        one = decoration(node, pointer, violations)
        return None if one is None else [one]
    if len(node.elements) > MAX_DECORATIONS:
        return violations.add(pointer, "has too many decorations")
    found = [
        decoration(element, f"{pointer}/{index}", violations)
        for index, element in enumerate(node.elements)
    ]
    return [one for one in found if one is not None]


def decoration(node, pointer, violations):
    found = record(
        kind=text, mode=one_of("section", "items"), inset=inset, zIndex=integer, data=anything
    )(node, pointer, violations)
    if found is not None and "kind" not in found and node.get("kind") is None:
        return violations.add(f"{pointer}/kind", "is missing")
    return found


section_layout = record(
    kind=one_of(*KINDS),
    # flow
    inset=inset,
    minimumLineSpacing=number,
    minimumInteritemSpacing=number,
    gridColumnCount=grid_columns,
    itemAlignment=one_of(*ALIGNMENTS),
    paging=paging,
    # masonry
    placement=one_of(*PLACEMENTS),
    # compositional
    direction=one_of("horizontal", "vertical"),
    itemSize=item_size,
    scrolling=one_of(*SCROLLING),
    itemSpacing=number,
    lineSpacing=number,
    sectionInset=inset,
    orthogonalScrollingProperties=record(decelerationRate=text, bounce=boolean),
    isUniformAcrossSiblings=boolean,
    uniformEstimatedHeight=number,
    # list
    appearance=one_of(*APPEARANCES),
    showsSeparators=boolean,
    headerMode=one_of("none", "supplementary", "firstItemInSection"),
    footerMode=one_of("none", "supplementary"),
    headerTopPadding=number,
    # all
    contentInsetsReference=one_of(*REFERENCES),
    maxWidth=number,
    decoration=decorations,
    pinHeader=boolean,
    pinFooter=boolean,
)

screen_layout = record(
    direction=one_of("vertical", "horizontal"),
    itemSize=record(width=number, height=number),
    minimumLineSpacing=number,
    minimumInteritemSpacing=number,
    inset=inset,
    interSectionSpacing=number,
    pinHeaders=boolean,
    pinFooters=boolean,
)
