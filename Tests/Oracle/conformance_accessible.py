"""The cases of accessible.json: contents with data, and what assistive technology finds in them.

The elements are written by hand, from docs/client.md, "Describe cells to assistive technology";
`record_conformance.py` writes them once the oracle finds the same.
"""

import json

from oracle import contents, names, source_json, text

FONTS = {"f": text.Font(10.0, 12.0, 0.0, True)}


def box(kind, name, value="/x", **members):
    """Returns an image or a view, whose value is there unless the data says something else."""
    return {kind: value, "name": name, **members}


def said(name, pointer="/t", **members):
    """Returns a text."""
    return {"text": pointer, "font": "f", "name": name, **members}


def column(*boxes, **members):
    return {"column": list(boxes), **members}


def element(name, role, label, **members):
    return {"name": name, "role": role, "label": label, **members}


def constant(value):
    return {"constant": value}


def join(*parts, by=" "):
    return {"join": list(parts), "by": by}


DATA = {"t": "Tea", "u": "Green", "x": 1, "alt": "A cup", "n": 4, "href": "/tea"}
TEA, GREEN = element("t", "text", "Tea"), element("u", "text", "Green")
LIKE = {"name": "h", "action": "like", "label": constant("Like")}
LIKED = element("h", "button", "Like", action="like")
BOTH = (said("t"), said("u", "/u"))


def labels():
    """A label is a pointer, a join or a constant, and is there or not."""
    def case(title, label, expected, /, **data):
        found = [] if expected is None else [element("i", "image", expected)]
        return title, column(box("image", "i", label=label)), {**DATA, **data}, found

    removed = join(constant("Remove"), "/title")
    return [
        case("a label is a pointer", "/alt", "A cup"),
        case("a label is a constant", constant("Cup"), "Cup"),
        case("a label is a join", join("/t", "/u", by=", "), "Tea, Green"),
        case("a join without by", {"join": ["/t", "/u"]}, "TeaGreen"),
        case("a part of a label is a constant", join("/n", constant("stars")), "4 stars"),
        case("a label is a number", "/n", "4"),
        case("a label is the number 0", "/n", "0", n=0),
        case("a label is a fraction", "/n", "4.5", n=4.5),
        case("a pointer of a label leads into an array", "/a/1", "two", a=["one", "two"]),
        case("a pointer of a label has escapes", "/a~1b/c~0d", "x", **{"a/b": {"c~d": "x"}}),
        case("a pointer of a label finds an empty member name", "/", "x", **{"": "x"}),
        case("an index of a label has no leading zero", "/a/01", None, a=["one", "two"]),
        case("a label finds nothing", "/no", None),
        case("a label is null", "/alt", None, alt=None),
        case("a label is a Boolean value", "/alt", None, alt=True),
        case("a label is an object", "/alt", None, alt={"text": "A cup"}),
        case("a label is an array", "/alt", None, alt=["A cup"]),
        case("a label is empty", "/alt", None, alt=""),
        case("a label is white space", "/alt", None, alt=" \t\n\u00a0\u2003\u3000"),
        case("a label keeps its white space", "/alt", " A  cup ", alt=" A  cup "),
        case("a label is a zero width space, which is no white space", "/alt", "\u200b",
             alt="\u200b"),
        case("a label is one emoji", "/alt", "\U0001f375", alt="\U0001f375"),
        case("a label is written from right to left", "/alt", "כוס תה", alt="כוס תה"),
        case("a constant is white space", constant(" "), None),
        case("none of the pointers of a join finds a text", removed, None),
        case("the pointer of a join finds null", removed, None, title=None),
        case("the pointer of a join finds an object", removed, None, title={}),
        case("the pointer of a join finds a text", removed, "Remove Tea", title="Tea"),
        case("the pointer of a join finds an empty text", removed, "Remove ", title=""),
        case("one of two pointers of a join finds a text", join("/no", "/t"), "Tea"),
        case("a join of constants alone", join(constant("A"), constant("B")), "A B"),
        case("a join of white space", join("/s", constant(" ")), None, s=" "),
        case("parts of a join that are no texts are left out with their separator",
             join("/t", "/o", constant("of"), "/z", "/u"), "Tea of Green", o={}, z=None),
    ]


def texts():
    """Texts, headings, images and boxes that are no controls."""
    def case(title, boxes, expected, /, **data):
        return title, column(*boxes), {**DATA, **data}, expected

    return [
        case("a text", [said("t")], [TEA]),
        case("a text is a number", [said("t", "/n")], [element("t", "text", "4")]),
        case("a text is a join", [said("t", {"join": ["/t", "/no", "/u"], "by": " – "})],
             [element("t", "text", "Tea – Green")]),
        case("a text with a label is said as its label", [said("t", label="/alt")],
             [element("t", "text", "A cup")]),
        case("a text whose label is not there is said as its text", [said("t", label="/no")],
             [TEA]),
        case("a text without a name", [{"text": "/t", "font": "f"}, said("u", "/u")], [GREEN]),
        case("a text that is not in parts", [said("t", "/no"), said("u", "/u")], [GREEN]),
        case("a text with space for a line, and no text", [said("t", "/no", minLines=1)], []),
        case("a text with space for a line, no text, and a label",
             [said("t", "/no", minLines=1, label="/alt")], [element("t", "text", "A cup")]),
        case("a heading of level 3", [said("t", role="heading")],
             [element("t", "heading", "Tea", level=3)]),
        case("a heading of level 1", [said("t", role="heading", level=1)],
             [element("t", "heading", "Tea", level=1)]),
        case("a heading of level 6 with a label", [said("t", role="heading", level=6, label="/u")],
             [element("t", "heading", "Green", level=6)]),
        case("an image without a label", [box("image", "i")], []),
        case("an image whose role is image", [box("image", "i", role="image", label="/alt")],
             [element("i", "image", "A cup")]),
        case("an image without meaning", [box("image", "i", role="none", label="/alt")], []),
        case("an image that is not in parts", [box("image", "i", "/no", label="/alt")], []),
        case("a box without a label", [box("box", "b")], []),
        case("a box with a label", [box("box", "b", label="/alt")],
             [element("b", "image", "A cup")]),
        case("a box whose role is image", [box("box", "b", role="image", label="/alt")],
             [element("b", "image", "A cup")]),
        case("a box without meaning", [box("box", "b", role="none", label="/alt")], []),
        case("an image whose if is not there", [box("image", "i", label="/alt", **{"if": "/no"})],
             []),
    ]


def hidden():
    """What is hidden is decoration, with all in it."""
    def case(title, boxes, expected):
        return title, column(*boxes), DATA, expected

    return [
        case("a hidden text", [said("t", hidden=True), said("u", "/u")], [GREEN]),
        case("a hidden image with a label", [box("image", "i", label="/alt", hidden=True)], []),
        case("all in a hidden column", [column(column(said("t")), hidden=True), said("u", "/u")],
             [GREEN]),
        case("a hidden column with a label", [column(said("t"), hidden=True, name="c", label="/u")],
             []),
    ]


def controls():
    """A control has an action, or a link that finds a text; it is said by what is in it."""
    def case(title, boxes, expected, /, **data):
        return title, column(*boxes), {**DATA, **data}, expected

    def card(*boxes, **members):
        return column(*boxes, name="c", action="open", **members)

    def opened(label):
        return [element("c", "button", label, action="open")]

    cases = [
        case("an action", [box("box", **LIKE)], [LIKED]),
        case("an action of a text", [said("h", action="like")],
             [element("h", "button", "Tea", action="like")]),
        case("an action of a text with a label", [said("h", action="like", label="/alt")],
             [element("h", "button", "A cup", action="like")]),
        case("an action of an image", [box("image", **LIKE)], [LIKED]),
        case("an action of a row", [{"row": [said("t")], **LIKE}], [LIKED]),
        case("an action of an overlay", [{"overlay": [said("t")], **LIKE}], [LIKED]),
        case("an action whose role is button", [box("box", **LIKE, role="button")], [LIKED]),
        case("an action whose role is link", [box("box", **LIKE, role="link")],
             [{**LIKED, "role": "link"}]),
        case("an action that is not in parts", [box("box", value="/no", **LIKE)], []),
        case("an action with nothing to say", [box("box", "h", action="like")],
             [element("h", "button", "", action="like")]),
        case("an action whose label is not there", [box("box", "h", action="like", label="/no")],
             [element("h", "button", "", action="like")]),
    ]
    for kind, value in (("an object", {"on": True, "of": [1, None]}), ("an array", [1, "x"]),
                        ("a text", "on"), ("a number", 2.5), ("false", False)):
        cases.append(case(f"an input that is {kind}", [box("box", **LIKE, input=value)],
                          [{**LIKED, "input": value}]))
    link = element("l", "link", "Tea", link="/tea")
    cases += [
        case("a link", [said("l", link="/href")], [link]),
        case("a link to an absolute URL", [said("l", link="/href")],
             [{**link, "link": "https://x.example/é?a=b#c"}], href="https://x.example/é?a=b#c"),
        case("a link whose role is link", [said("l", link="/href", role="link")], [link]),
        case("a link of an image", [box("image", "l", link="/href", label="/alt")],
             [{**link, "label": "A cup"}]),
        case("a link of a column", [column(*BOTH, name="l", link="/href")],
             [{**link, "label": "Tea Green"}]),
        case("a link with nothing to say", [box("image", "l", link="/href")],
             [{**link, "label": ""}]),
    ]
    for kind, data in (("nothing", {"href": None}), ("an empty text", {"href": ""}),
                       ("a number", {"href": 7}), ("an object", {"href": {"url": "/tea"}})):
        cases.append(case(f"a link that finds {kind} leaves a text",
                          [said("l", link="/href")], [element("l", "text", "Tea")], **data))
    cases += [
        case("a link that finds nothing leaves a text without the role link",
             [said("l", link="/no", role="link")], [element("l", "text", "Tea")]),
        case("a link that finds nothing leaves an image without the role link",
             [box("image", "l", link="/no", role="link", label="/alt")],
             [element("l", "image", "A cup")]),
        case("a link that finds nothing leaves a labelled row without the role link",
             [{"row": [said("t")], "name": "l", "link": "/no", "role": "link", "label": "/alt"}],
             [element("l", "group", "A cup")]),
        case("a link that finds nothing leaves the texts of a column",
             [column(*BOTH, name="l", link="/no")], [TEA, GREEN]),
        case("a link that finds nothing leaves a labelled column",
             [column(*BOTH, name="l", link="/no", label="/alt")],
             [element("l", "group", "A cup")]),
        case("a control is said as the texts in it", [card(*BOTH)], opened("Tea Green")),
        case("a control is said in the order of the content",
             [card({"row": [said("u", "/u"), column(said("t"))]})], opened("Green Tea")),
        case("a control is said as the labels in it",
             [card(box("image", "i", label="/alt"), said("t"))], opened("A cup Tea")),
        case("a text in a control is said as its label", [card(said("t", label="/u"))],
             opened("Green")),
        case("a labelled box in a control is said as its label alone",
             [card({"row": [*BOTH], "name": "r", "label": "/alt"}, said("v", "/n"))],
             opened("A cup 4")),
        case("a box in a control whose label is not there is said as what is in it",
             [card({"row": [*BOTH], "name": "r", "label": "/no"})], opened("Tea Green")),
        case("what is hidden in a control is not said",
             [card(said("t", hidden=True), said("u", "/u"))], opened("Green")),
        case("a hidden column in a control is not said",
             [card(column(said("t"), hidden=True), said("u", "/u"))], opened("Green")),
        case("an image without meaning in a control is not said",
             [card(box("image", "i", role="none", label="/alt"), said("t"))], opened("Tea")),
        case("an image without a label in a control is not said",
             [card(box("image", "i"), said("t"))], opened("Tea")),
        case("a text without a name in a control, which is not drawn, is not said",
             [card({"text": "/t", "font": "f"}, said("u", "/u"))], opened("Green")),
        case("a text in a control that is not in parts is not said",
             [card(said("t", "/no"), said("u", "/u"))], opened("Green")),
        case("a heading in a control is no element",
             [card(said("t", role="heading"), box("image", "i", label="/alt"))],
             opened("Tea A cup")),
        case("a control with a label is said as that alone", [card(*BOTH, label="/alt")],
             opened("A cup")),
    ]
    return cases


def labelled():
    """A labelled box is one element; so is the cell."""
    def case(title, root, expected, /, **data):
        return title, root, {**DATA, **data}, expected

    stars = {"row": [box("image", "i", label="/alt"), said("t")], "name": "r", "label": "/n"}
    rated = element("r", "group", "4")
    cell = element(None, "cell", "A cup")
    cases = []
    for kind in ("column", "row", "overlay"):
        one = {kind: stars["row"], "name": "r", "label": "/n"}
        cases.append(case(f"a labelled {kind} is one element", column(one), [rated]))
    cases += [
        case("a labelled row that is an image", column({**stars, "role": "image"}),
             [{**rated, "role": "image"}]),
        case("a labelled row that is a heading", column({**stars, "role": "heading", "level": 2}),
             [element("r", "heading", "4", level=2)]),
        case("a row whose label is not there", column({**stars, "label": "/no"}),
             [element("i", "image", "A cup"), TEA]),
        case("a labelled row that is not in parts",
             column({**stars, "if": "/no"}, said("u", "/u")), [GREEN]),
        case("the controls of a labelled box",
             column({**stars, "row": [said("t"), box("box", **LIKE)]}), [rated, LIKED]),
        case("a control deep in a labelled box, before its texts",
             column({**stars, "row": [column(box("box", **LIKE), said("t"))]}), [rated, LIKED]),
        case("a labelled box in a labelled box",
             column({**stars, "row": [column(said("t"), name="c", label="/alt")]}), [rated]),
        case("a labelled cell", column(*BOTH, label="/alt"), [cell]),
        case("a labelled cell with a name", column(*BOTH, label="/alt", name="root"), [cell]),
        case("a labelled cell has a label of constants", column(*BOTH, label=constant("A cup")),
             [cell]),
        case("the controls of a labelled cell", column(said("t"), box("box", **LIKE), label="/alt"),
             [cell, LIKED]),
        case("the controls of a labelled box in a labelled cell",
             column({**stars, "row": [said("t"), box("box", **LIKE)]}, label="/alt"),
             [cell, LIKED]),
        case("the links of a labelled cell",
             column(said("t", link="/href"), said("u", "/u", link="/no"), label="/alt"),
             [cell, element("t", "link", "Tea", link="/tea")]),
        case("a cell whose label is not there", column(*BOTH, label="/no"), [TEA, GREEN]),
        case("a labelled cell that is a text", said("t", label="/alt"), [cell]),
        case("a labelled cell that is an image", box("image", "i", label="/alt"), [cell]),
        case("a cell that is a text", said("t"), [TEA]),
        case("a cell that is an image without a label", box("image", "i"), []),
        case("a cell that is a control",
             column(*BOTH, name="root", action="open"),
             [element("root", "button", "Tea Green", action="open")]),
        case("a cell that is a control with a label",
             column(*BOTH, name="root", action="open", label="/alt"),
             [element("root", "button", "A cup", action="open")]),
        case("a labelled cell whose link finds nothing",
             column(*BOTH, name="root", link="/no", label="/alt"), [cell]),
        case("a labelled cell whose link finds a URL",
             column(*BOTH, name="root", link="/href", label="/alt"),
             [element("root", "link", "A cup", link="/tea")]),
    ]
    return cases


def orders():
    """Reading order, and boxes that a switch selects."""
    def case(title, root, expected, /, **data):
        return title, root, {**DATA, **data}, expected

    choice = {"switch": "/k", "cases": {
        "big": column(said("t"), label="/alt"), "3": column(said("t")),
        "true": {"switch": "/t", "cases": {"Tea": column(said("u", "/u"), label="/n")}}}}
    cell = element(None, "cell", "A cup")
    part = {"switch": "/k", "default": said("u", "/u"), "cases": {
        "big": said("t"), "3": {"row": [said("v", "/n")], "name": "r", "label": "/alt"}}}
    return [
        case("the order is that of the content",
             column(said("u", "/u"), {"row": [box("box", **LIKE), said("t")]}, said("v", "/n")),
             [GREEN, LIKED, TEA, element("v", "text", "4")]),
        case("the order in an overlay is that of the content, whatever the places",
             {"overlay": [said("t", vertical="end"), said("u", "/u", vertical="start")]},
             [TEA, GREEN]),
        case("names that are numbers do not change the order",
             column(said("2"), said("1", "/u")),
             [element("2", "text", "Tea"), element("1", "text", "Green")]),
        case("all in one",
             column(box("image", "photo", label="/alt"), said("title", role="heading"),
                    {"row": [box("image", "star")], "name": "rating",
                     "label": join("/n", constant("stars"))},
                    said("open", "/u", link="/href"), box("box", **LIKE)),
             [element("photo", "image", "A cup"), element("title", "heading", "Tea", level=3),
              element("rating", "group", "4 stars"),
              element("open", "link", "Green", link="/tea"), LIKED]),
        case("a content of which nothing is there", column(said("t", "/no")), []),
        case("a switch that selects a labelled cell", choice, [cell], k="big"),
        case("a switch that selects a cell by a number", choice, [TEA], k=3),
        case("a switch in a switch that selects a labelled cell", choice,
             [element(None, "cell", "4")], k=True),
        case("a switch that selects no cell", choice, [], k="other"),
        case("a switch that selects a box", column(part), [TEA], k="big"),
        case("a switch that selects a labelled box", column(part),
             [element("r", "group", "A cup")], k=3.0),
        case("a switch with a default", column(part), [GREEN]),
    ]


def found(content, data):
    """Returns the elements that the oracle finds."""
    node, posted = (source_json.parse(one) for one in (encoded(content), encoded(data)))
    root = contents.boxes(node, posted, text.Settings(FONTS), is_root=True)
    return names.Names(root, posted).elements()


def encoded(value):
    return json.dumps(value).encode()


def cases():
    """Returns the cases of the kit."""
    made = []
    for title, content, data, elements in [
        *labels(), *texts(), *hidden(), *controls(), *labelled(), *orders()
    ]:
        assert found(content, data) == elements, (title, found(content, data), elements)
        made.append({"name": title, "content": content, "data": data, "elements": elements})
    assert len({one["name"] for one in made}) == len(made)
    return made
