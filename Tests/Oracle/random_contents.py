"""Random contents of cells, with data for them; a part of the scripts that print random cases."""

# The members of the data: texts, lengths, values that are there or not, and the value of switches.
TEXTS = ["/t0", "/t1", "/t2"]
LENGTHS = ["/n0", "/n1"]
VALUES = ["/v0", "/v1", "/v2"]
WORDS = ["a", "of", "cup", "mug", "milk", "bread", "butter", "lemonade", "marmalade", "x" * 30]
ALIGNMENTS = ["start", "center", "end", "stretch"]
JUSTIFICATIONS = ["start", "center", "end", "spaceBetween"]
TEMPLATES = [
    "/{value}?w={width}&h={height}", "{+value}", "https://i.example/{width}/{+value}",
    "x{value}:{height}",
]
MAX_DEPTH = 4
MAX_BOXES = 24


class ContentGenerator:
    """Makes contents that have no more boxes, rules and pointers than a catalog permits.

    `is_css` leaves out what browsers lay out in another way: bounds of the width across the axis
    without `stretch`, texts of several paragraphs that are cut, and a `minWidth` that combines a
    `fraction` with other lengths.
    """

    def __init__(self, random, fonts, is_css=False):
        self.random = random
        self.fonts = fonts
        self.is_css = is_css

    def maybe(self, chance):
        return self.random.random() < chance

    # Boxes

    def content(self):
        self.count = self.names = 0
        kind = self.random.choices(["container", "leaf", "switch"], [90, 6, 4])[0]
        return self.member_of(None, None, MAX_DEPTH, kind)

    def member_of(self, parent, align, depth, kind=None):
        """Returns a box in a box of a kind and an alignment; without a kind, a root."""
        self.count += 1
        if kind is None:
            weights = [35, 50, 6, 8] if depth > 0 and self.count < MAX_BOXES else [0, 90, 2, 8]
            kind = self.random.choices(["container", "leaf", "switch", "space"], weights)[0]
        if kind == "space" and parent in ("column", "row"):
            return self.condition({"space": self.weight()})
        if kind == "switch" and depth > 0:
            names = self.random.sample(["big", "small", "3", "true"], self.random.randint(1, 3))
            cases = {name: self.member_of(parent, align, depth - 1) for name in names}
            choice = {"switch": "/k", "cases": cases}
            if self.maybe(0.6):
                choice["default"] = self.member_of(parent, align, depth - 1, "leaf")
            return choice
        box = self.container(depth) if kind == "container" else self.leaf()
        self.names += 1
        if self.is_css or "url" in box or self.maybe(0.8):
            box["name"] = f"n{self.names}"
        self.place(box, parent, align)
        return box

    def container(self, depth):
        kind = self.random.choice(["column", "row", "row", "overlay"])
        box = {}
        if self.maybe(0.5):
            box["align"] = self.random.choice(ALIGNMENTS)
        if kind != "overlay":
            if self.maybe(0.4):
                box["justify"] = self.random.choice(JUSTIFICATIONS)
            if self.maybe(0.6):
                box["spacing"] = self.random.choice([4, 8, 2.5])
        if self.maybe(0.4):
            paddings = [6, 3.5, {"left": 8}, {"top": 2, "right": 5, "bottom": 4}]
            box["padding"] = self.random.choice(paddings)
        align = box.get("align", "stretch")
        count = self.random.choice([1, 2, 2, 3, 3, 4])
        children = [self.member_of(kind, align, depth - 1) for _ in range(count)]
        return {kind: children, **box}

    def leaf(self):
        if self.maybe(0.35):
            kind = self.random.choice(["image", "box"])
            box = {kind: self.random.choice([*VALUES, ""])}
            if kind == "image" and not self.is_css and self.maybe(0.3):
                box["url"] = self.random.choice(TEMPLATES)
                if "{width}" in box["url"] and self.maybe(0.5):
                    box["widths"] = self.random.choice([[160], [20, 40, 80], [1, 16384]])
            return box
        box = {"text": self.random.choice(TEXTS), "font": self.random.choice(self.fonts)}
        if self.maybe(0.2):
            box["text"] = {"join": self.random.sample([*TEXTS, "/n0"], 2), "by": " "}
        if self.maybe(0.5):
            box["maxLines"] = self.random.choice([1, 1, 2, 3])
        if self.maybe(0.15):
            box["minLines"] = self.random.choice([0, 1, 2])
        if self.maybe(0.15):
            box["overflow"] = self.random.choice(["clip", "anywhere"])
        return box

    # Members of a box in its parent

    def place(self, box, parent, align):
        is_stretched = {"width": align == "stretch", "height": align == "stretch"}
        if parent in ("column", "row"):
            if self.maybe(0.3):
                box["fill"] = self.weight()
            names = ("horizontal", "width") if parent == "column" else ("vertical", "height")
            self.align(box, *names, is_stretched)
            if parent == "row" and self.maybe(0.2):
                box["shrink"] = self.maybe(0.3)
        elif parent == "overlay":
            self.align(box, "horizontal", "width", is_stretched)
            self.align(box, "vertical", "height", is_stretched)
        if parent is not None:
            self.condition(box)
        is_leaf = "image" in box or "box" in box
        if self.maybe(0.5 if is_leaf else 0.12):
            box["height"] = self.rule(2, is_height=True)
        if self.maybe(0.45 if is_leaf else 0.12):
            box["width"] = self.rule(2, is_height=False)
        for name in ("width", "height"):
            if self.maybe(0.06):
                box[name] = "natural"
                is_stretched[name] = False
        for name in ("minWidth", "maxWidth", "minHeight", "maxHeight"):
            has_width = box.get("width", "natural") != "natural"
            is_fit = parent != "row" and not has_width and not is_stretched["width"]
            if self.maybe(0.07) and not (self.is_css and name == "maxWidth" and is_fit):
                box[name] = self.rule(
                    1, is_height=name.endswith("Height"), is_least=name == "minWidth")

    def align(self, box, name, length, is_stretched):
        if self.maybe(0.25):
            box[name] = self.random.choice(ALIGNMENTS)
            is_stretched[length] = box[name] == "stretch"

    def condition(self, box):
        if self.maybe(0.12):
            box["if"] = self.random.choice(VALUES)
        return box

    def weight(self):
        return self.random.choice([1, 1, 1, 2, 3, 1.5, 1000])

    # Rules

    def rule(self, depth, is_height, is_whole=True, is_least=False):
        kinds = ["number", "number", "value", "ratio" if is_height else "fraction"]
        if depth > 0:
            kinds += ["switch", "clamp", "sum", "product"]
        kind = self.random.choice(kinds)
        if kind == "fraction" and self.is_css and is_least and not is_whole:
            kind = "number"

        def inner():
            return self.rule(depth - 1, is_height, is_whole=False, is_least=is_least)

        if kind == "number":
            return self.random.choice([0, 12, 24, 31.5, 48, 80])
        if kind == "value":
            return {"value": self.random.choice(LENGTHS), "default": self.random.choice([20, 36])}
        if kind in ("ratio", "fraction"):
            return {kind: self.random.choice([0.5, 0.25, 1, 0.75, 1.25])}
        if kind == "switch":
            return {"switch": "/k", "cases": {"big": inner(), "3": inner()}, "default": inner()}
        if kind == "clamp":
            return {"of": inner(), "min": 10, "max": self.random.choice([40, 100])}
        if kind == "sum":
            return {"sum": [inner(), self.random.choice([8, -8, inner()])]}
        return {"product": [inner(), self.random.choice([0.5, 2, 1.5])]}

    # Data

    def data(self):
        data = {}
        for pointer in TEXTS:
            if self.maybe(0.85):
                data[pointer[1:]] = self.text()
        for pointer in LENGTHS:
            if self.maybe(0.7):
                data[pointer[1:]] = self.random.choice([0, 16, 40.5, 90])
        for pointer in VALUES:
            if self.maybe(0.9):
                there = ["http://x/y", "a b/ü%2F%.jpg", "a:b", 1, -1.5e3, 0, {}, [], True]
                data[pointer[1:]] = self.random.choice([*there, None, False, ""])
        if self.maybe(0.8):
            data["k"] = self.random.choice(["big", "small", "other", 3, True, None])
        return data

    def text(self):
        count = self.random.choice([0, 1, 1, 2, 3, 5, 8])
        words = " ".join(self.random.choices(WORDS, k=count))
        if not self.is_css and self.maybe(0.2):
            return self.random.choice(["\n", " ", words + "\n" + words, 12.5, None, []])
        return words
