"""What assistive technology finds in a cell, and the lint of it.

docs/client.md, "Describe cells to assistive technology", and docs/layout.md, "Lint".
"""

from . import contents, pointers, sizes

# White_Space of Unicode, which is not that of str.isspace().
WHITE_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
WHITE_SPACE += "".join(map(chr, range(0x2000, 0x200B)))
CONTAINERS = ("column", "row", "overlay")
MEMBERS = ("label", "role", "hidden", "action", "link")
TARGET = 44.0
TOLERANCE = 1e-3


def is_blank(text):
    return not text or not text.strip(WHITE_SPACE)


class Names:
    """The names of the boxes of a cell that are there (`contents.Box`), with its data."""

    def __init__(self, root, data):
        self.root = root
        self.data = data
        self.is_one = self.label(root) is not None and self.control(root) is None

    # Members

    def posted(self, pointer):
        """Returns the text of a string or a number of the data, or None."""
        found = pointers.evaluate(pointer, self.data)
        return found.text if found is not None and found.kind in sizes.TEXTS else None

    def label(self, box):
        """Returns the text of the label, or None if it is not there."""
        node = box.node.get("label")
        if node is None:
            return None
        joined = node.get("join") if node.kind == "object" else None
        words, looked, found = [], 0, 0
        for part in joined.elements if joined is not None else [node]:
            if part.kind == "string":
                looked += 1
                word = self.posted(part.inside)
                found += word is not None
            else:
                word = part.get("constant").inside
            words += [] if word is None else [word]
        by = node.get("by") if joined is not None else None
        text = (by.inside if by is not None else "").join(words)
        return None if is_blank(text) or (looked and not found) else text

    def text(self, box):
        """Returns what a text says, or None."""
        spoken = self.label(box)
        if spoken is None and not is_blank(box.posted):
            spoken = box.posted
        return spoken

    def control(self, box):
        """Returns the members of the element of a control, or None."""
        action = box.node.get("action")
        if action is not None:
            sent = box.node.get("input")
            element = {"role": box.word("role", "button"), "action": action.inside}
            return element if sent is None else {**element, "input": plain(sent)}
        link = box.node.get("link")
        found = pointers.evaluate(link.inside, self.data) if link is not None else None
        if found is None or found.kind != "string" or found.inside == "":
            return None
        return {"role": "link", "link": found.inside}

    # Elements

    def elements(self):
        cell = [{"name": None, "role": "cell", "label": self.label(self.root)}]
        return (cell if self.is_one else []) + self.inside(self.root, self.is_one)

    def inside(self, box, is_silent):
        """Returns the elements of a box; those of a labelled box are its controls."""
        if is_hidden(box):
            return []
        name = box.word("name", None)
        control = self.control(box)
        if control is not None:
            members = {**control}
            return [{"name": name, "role": members.pop("role"), "label": self.said(box),
                     **members}]
        own = None if is_silent or name is None else self.own(box)
        within = []
        for child in box.children:
            within += self.inside(child, is_silent or own is not None)
        return ([{"name": name, **own}] if own is not None else []) + within

    def own(self, box):
        """Returns the element of a box with a name that is no control, or None."""
        role = box.word("role", None)
        role = None if role == "link" else role  # of a link that finds nothing
        if box.kind == "text":
            spoken, role = self.text(box), role or "text"
        else:
            spoken = self.label(box)
            role = role or ("group" if box.kind in CONTAINERS else "image")
        if spoken is None or role == "none":
            return None
        level = {"level": int(box.number("level", 3))} if role == "heading" else {}
        return {"role": role, "label": spoken, **level}

    def said(self, box):
        """Returns what a control says."""
        own = self.label(box)
        return own if own is not None else " ".join(self.spoken(box))

    def spoken(self, box):
        if is_hidden(box) or box.word("role", None) == "none":
            return []
        if box.node.get("name") is not None:
            spoken = self.text(box) if box.kind == "text" else self.label(box)
            if spoken is not None:
                return [spoken]
        return [word for child in box.children for word in self.spoken(child)]

    # Lint

    def problems(self):
        """Returns the first box that has each problem, of boxes that are laid out."""
        found = {}
        self.judge(self.root, self.is_one, found)
        self.read(self.root, "controls" if self.is_one else "all", found)
        order = [id(box) for box in contents.each(self.root)]
        return {code: min(boxes, key=lambda box: order.index(id(box)))
                for code, boxes in found.items()}

    def judge(self, box, is_silent, found):
        if is_hidden(box):
            return
        is_control = self.control(box) is not None
        if is_control:
            if min(box.width, box.height) < TARGET - TOLERANCE:
                found.setdefault("TARGET_TOO_SMALL", []).append(box)
            if is_blank(self.said(box)):
                found.setdefault("LABEL_MISSING", []).append(box)
        elif not is_silent and self.is_unlabelled(box):
            found.setdefault("LABEL_MISSING", []).append(box)
        for child in box.children:
            self.judge(child, is_silent or is_control or self.label(box) is not None, found)

    def is_unlabelled(self, box):
        is_image = box.kind in ("image", "box") and box.node.get("name") is not None
        return is_image and self.label(box) is None and box.word("role", None) != "none"

    def read(self, box, mode, found):
        """Returns (left, top, right, bottom) around what is read in a box, or None.

        `mode` says which boxes are read: all, controls (in a labelled box), or none.
        """
        if is_hidden(box):
            return None
        is_control, is_labelled = self.control(box) is not None, self.label(box) is not None
        is_shown = box.kind not in CONTAINERS or is_labelled
        is_read = mode == "all" and is_shown and box.word("role", None) != "none"
        is_read = is_read or (mode != "none" and is_control)
        if is_control:
            mode = "none" if is_labelled or mode == "none" else "all"
        elif is_labelled and mode == "all":
            mode = "controls"
        within = [self.read(child, mode, found) for child in box.children]
        if box.kind == "overlay":
            late = [box.children[index] for index in out_of_order(within)]
            if late:
                found.setdefault("READING_ORDER", []).extend(late)
        has_area = box.width > 0 and box.height > 0
        if is_read and has_area and box.node.get("name") is not None:
            within.append((box.x, box.y, box.x + box.width, box.y + box.height))
        within = [one for one in within if one is not None]
        if not within:
            return None
        sides = list(zip(*within))
        return min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3])


def is_hidden(box):
    node = box.node.get("hidden")
    return node is not None and node.bool is True


def plain(node):
    """Returns a value as Python has it."""
    if node.kind == "object":
        return {name: plain(value) for name, value in node.members}
    if node.kind == "array":
        return [plain(value) for value in node.elements]
    if node.kind == "number":
        return node.number if node.integer is None else node.integer
    return node.inside


def out_of_order(rectangles):
    """Yields the indexes of rectangles that come before an earlier one on the screen."""
    for index, later in enumerate(rectangles):
        if later is not None and any(
            comes_first(later, earlier) for earlier in rectangles[:index] if earlier is not None
        ):
            yield index


def comes_first(later, earlier):
    across = min(later[2], earlier[2]) - max(later[0], earlier[0])
    down = min(later[3], earlier[3]) - max(later[1], earlier[1])
    if across > TOLERANCE and down > TOLERANCE:
        return False
    is_one_line = down >= min(later[3] - later[1], earlier[3] - earlier[1]) / 2 - contents.TOLERANCE
    axis = 0 if is_one_line else 1
    return later[axis] < earlier[axis] - contents.TOLERANCE


def is_judged(node):
    """Returns whether a content has one of the members, in any of its boxes."""
    if node.kind == "array":
        return any(is_judged(one) for one in node.elements)
    if node.get("switch") is not None:
        boxes = [value for _, value in node.get("cases").members]
        boxes += [node.get("default")] if node.get("default") is not None else []
        return any(is_judged(one) for one in boxes)
    own = any(node.get(name) is not None for name in MEMBERS)
    return own or any(is_judged(node.get(kind)) for kind in CONTAINERS if node.get(kind))


def is_cut(box):
    """Returns whether a text has more lines than are shown, or than its frame has space for."""
    if box.kind != "text":
        return False
    return box.lines.truncated or box.height < box.lines.count * box.line_height - TOLERANCE
