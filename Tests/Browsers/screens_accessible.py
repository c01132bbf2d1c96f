"""The scenes of screens.py on what assistive technology finds in a screen, and on its controls.

Expected is what the oracle finds in the same contents (Tests/Oracle, `names`), and what stands in
Fixtures/conformance/accessible.json; what is found is Chromium's accessibility tree."""

import json
import re
import sys

from screens import CATALOG, DOT, ROOT, axe, page, put_storefront, restart, row, section

sys.path.insert(0, str(ROOT / "Tests/Oracle"))

import conformance_accessible  # noqa: E402
import random_accessible  # noqa: E402
from oracle import contents, source_json, text  # noqa: E402

FONT = {"size": 10, "lineHeight": 12, "letterSpacing": 0, "features": [], "scales": True,
        "families": [{"family": "Inter", "weight": 400}]}
VIEWPORT = {"width": 390, "height": 844, "scale": 1, "direction": "ltr", "textScale": 1}
# What a screen of the scenes is, instead of one that a daemon has: `show` replaces its tree.
STAND_IN = """
    const made = document.createElement("broadsheet-screen");
    window.sent = [];
    window.loads = 0;
    let listener = () => {};
    let previous = null;
    window.show = (tree, cells) => {
        window.cells = cells ?? window.cells;
        const update = {tree, previous, changes: null, status: "live", problem: null};
        made.screen.tree = previous = tree;
        listener(update);
    };
    made.screen = {
        url: "/v1/screens/home", tree: null, status: "live", problem: null,
        set() {}, scrolled() {}, reload: async () => true,
        subscribe: (added) => { listener = added; return () => {}; },
        send: async (event) => { sent.push(event); return {}; },
        request: async () => {
            window.loads++;
            return new Response(JSON.stringify(window.cells));
        },
    };
    document.querySelector("main").append(made);
"""
# The roles of Chromium's tree that are of elements of a cell.
ROLES = {"heading": "heading", "image": "image", "button": "button", "link": "link",
         "group": "group", "StaticText": "text"}


def stand_in(stage):
    """Opens a page with an element whose screen is a stand-in, without a tree."""
    stage.open(src=None, script=STAND_IN)


def show(scene, items, cell_types, *, header=None, footer=None, viewport=VIEWPORT):
    """Shows items, each of which has `type`, `data`, `parts` and a frame, in one section."""
    height = max([item["frame"]["y"] + item["frame"]["height"] for item in items])
    frame = {"x": 0, "y": 0, "width": viewport["width"], "height": height}
    section = {"id": "list", "index": 0, "frame": frame, "collapsed": False, "items": items}
    section |= {name: view for name, view in (("header", header), ("footer", footer)) if view}
    tree = {"revision": 1, "page": 0, "pageCount": 1, "hasNext": False, "viewport": viewport,
            "contentSize": frame, "sections": [section]}
    cells = {"cellTypes": cell_types, "fonts": {"f": FONT, "g": FONT}}
    scene.run(f"""show({json.dumps(tree)}, {json.dumps(cells)});
        await until(() => loads);
        const before = loads;
        element.reload();
        await until(() => loads > before);
        await frame(); await frame(); await frame();""")


def cell_of(content, data, number, names=None):
    """Returns an item of a type of its own, with a part for each box that is there."""
    if names is None:
        node, posted = (
            source_json.parse(json.dumps(one).encode("utf-8")) for one in (content, data))
        settings = text.Settings(conformance_accessible.FONTS)
        names = names_of(contents.boxes(node, posted, settings, is_root=True))
    parts = {name: {"frame": {"x": 2, "y": 2, "width": 300, "height": 16}} for name in names}
    return {"id": f"i{number}", "type": f"T{number}", "data": data, "parts": parts,
            "frame": {"x": 0, "y": 20 * number, "width": 320, "height": 20}}


def names_of(root):
    names = [box.word("name", None) for box in contents.each(root)]
    return [name for name in names if name is not None]


def document(stage):
    """Returns the nodes of the document by their identifiers, each with its parent."""
    nodes = {}

    def walk(node, parent):
        given = node.get("attributes", [])
        attributes = dict(zip(given[::2], given[1::2]))
        nodes[node["backendNodeId"]] = {"attributes": attributes, "parent": parent}
        for child in node.get("children", []):
            walk(child, node["backendNodeId"])

    root = stage.browser.call("DOM.getDocument", stage.page.session, depth=-1)["root"]
    walk(root, None)
    return nodes


def spoken(stage):
    """Returns the elements of Chromium's accessibility tree in each item, header and footer, by the
    item's id or the name of the view, in the form of accessible.json."""
    nodes = document(stage)
    tree = stage.browser.call("Accessibility.getFullAXTree", stage.page.session)["nodes"]
    by_id = {node["nodeId"]: node for node in tree}
    found = {}

    def value(node, name):
        return node.get(name, {}).get("value")

    def part(node):
        """Returns the attributes of the part that a node belongs to."""
        place = node.get("backendDOMNodeId")
        while place is not None and "data-name" not in nodes[place]["attributes"]:
            place = nodes[place]["parent"]
        return {} if place is None else nodes[place]["attributes"]

    def visit(node, elements):
        role = ROLES.get(value(node, "role"))
        given = nodes.get(node.get("backendDOMNodeId"), {}).get("attributes", {})
        names = (given.get("class") or "").split()
        if "item" in names or "header" in names or "footer" in names:
            elements = found.setdefault(given.get("data-id") or names[0], [])
            label = given.get("aria-label")
            if label is not None and not node["ignored"]:
                assert value(node, "name").split() == label.split(), node
                elements.append({"name": None, "role": "cell", "label": label})
            role = None
        is_blank = role == "text" and not value(node, "name").strip()
        if role and elements is not None and not node["ignored"] and not is_blank:
            own = part(node)
            element = {"name": own.get("data-name"), "role": role,
                       "label": value(node, "name") or ""}
            properties = {one["name"]: one["value"].get("value")
                          for one in node.get("properties", [])}
            if role == "heading":
                element["level"] = properties["level"]
            if "data-action" in own:
                element["action"] = own["data-action"]
            if "data-input" in own:
                element["input"] = json.loads(own["data-input"])
            if "href" in own:
                element["link"] = own["href"]
            elements.append(element)
            return
        for child in node.get("childIds", []):
            if child in by_id:
                visit(by_id[child], elements)

    visit(tree[0], None)
    return found


def normal(elements):
    """Returns elements whose labels have single spaces, as browsers make of any white space."""
    return [{**one, "label": " ".join(one["label"].split())} for one in elements]


def check(scene, expected):
    """Compares the accessibility tree of each item with the elements that are expected."""
    scene.run("await frame(); await frame()")
    found = spoken(scene)
    wrong = [(name, normal(found.get(name, [])), normal(elements))
             for name, elements in expected.items()
             if normal(found.get(name, [])) != normal(elements)]
    assert not wrong, (len(wrong), wrong[:3])


def says_what_the_kit_says(scene):
    """The elements of each case of the kit, with images that are drawn, that fail, and that have no
    address, as items, headers and footers."""
    cases = json.loads((ROOT / "Fixtures/conformance/accessible.json").read_text("utf-8"))
    assert len(cases) >= 100
    scene.site.pages["/dot.svg"] = (DOT, "image/svg+xml")
    scene.size(390, 3_000)
    stand_in(scene)
    for image in ["/dot.svg", "/none.svg", 7]:
        items = []
        for number, case in enumerate(cases):
            data = {**case["data"], "x": image}
            items.append(cell_of(case["content"], data, number))
        types = {f"T{number}": {"content": case["content"]} for number, case in enumerate(cases)}
        show(scene, items, types)
        if image == "/dot.svg":
            scene.until("[...element.querySelectorAll('img')].every((one) => one.naturalWidth)")
            assert scene.run("return element.querySelectorAll('img').length") > 20
        else:
            scene.until("!element.querySelector('img')")
        check(scene, {f"i{number}": case["elements"] for number, case in enumerate(cases)})
    for number in range(0, len(cases), 3):
        case = cases[number]
        view = {**cell_of(case["content"], case["data"], number), "kind": None}
        view = {name: view[name] for name in ("type", "data", "parts", "frame")}
        show(scene, items[:1], types, header=view, footer=view)
        check(scene, {"header": case["elements"], "footer": case["elements"]})
        [label] = [one["label"] for one in case["elements"] if one["role"] == "cell"] or [None]
        roles = scene.run("""return ["header", "footer"].map((name) => {
            const view = element.querySelector(`.${name}`);
            return [view.getAttribute("role"), view.getAttribute("aria-level")]; })""")
        has_heading = any(one["role"] == "heading" for one in case["elements"])
        assert roles == [["group", None] if has_heading else ["heading", "2"],
                         ["group" if label else None, None]], (case, roles)


def says_what_the_oracle_finds(scene):
    """The elements of random contents."""
    scene.size(390, 3_000)
    stand_in(scene)
    make = random_accessible.generator(47)
    for _ in range(4):
        items, types, expected = [], {}, {}
        while len(items) < 140:
            case = make()
            query = {name: float(value) for name, value in case["query"].items()
                     if name != "rounding"} | {"rounding": "none"}
            # Numbers as JavaScript has them: 20.0 is 20.
            source = json.loads(case["page"], parse_float=lambda number: (
                int(float(number)) if float(number).is_integer() else float(number)))
            given = case["catalog"], json.dumps(source), query
            elements_of_items = random_accessible.expected(*given)["elements"]
            _, layouts = random_accessible.layouts(*given)
            cell = json.loads(case["catalog"])["cellTypes"]["Item"]
            posted = source["sections"][0]["units"][0]["unitData"]
            for data, layout, elements in zip(posted, layouts, elements_of_items):
                number = len(items)
                types[f"T{number}"] = cell
                items.append(cell_of(cell["content"], data, number, names_of(layout.root)))
                expected[f"i{number}"] = elements
        assert sum(len(elements) for elements in expected.values()) > 100
        show(scene, items, types)
        check(scene, expected)


IMAGE = {"image": "/photo", "name": "photo", "label": "/alt"}
TITLE = {"text": "/title", "font": "f", "name": "title", "role": "heading", "level": 3}
LIKE = {"box": "/id", "name": "heart", "action": "like", "input": {"on": [1, None]},
        "label": {"join": [{"constant": "Like"}, "/title"], "by": " "}, "style": "round big"}
OPEN = {"column": [{"text": "/more", "font": "f", "name": "more"}], "name": "open",
        "link": "/href"}
CARD = {"content": {"column": [IMAGE, TITLE, LIKE, OPEN]}, "style": "card"}
LABELLED = {"content": {"label": "/title", **CARD["content"]}}
HEADING = {"content": {"row": [
    {"text": "/title", "font": "f", "name": "title", "role": "heading", "level": 2},
    {"text": "/all", "font": "f", "name": "all", "action": "all"}]}}
FRAMES = {
    "photo": {"x": 0, "y": 0, "width": 160, "height": 100},
    "title": {"x": 0, "y": 100, "width": 160, "height": 30},
    "heart": {"x": 0, "y": 130, "width": 44, "height": 44},
    "open": {"x": 60, "y": 130, "width": 100, "height": 44},
    "more": {"x": 64, "y": 134, "width": 92, "height": 30}}


def parts_of(names):
    return {name: {"frame": FRAMES[name]} for name in names}


def card(number, kind="Card", names=tuple(FRAMES), **data):
    """Returns an item of the type `kind`, in two columns."""
    frame = {"x": number % 2 * 180, "y": 50 + number // 2 * 190, "width": 160, "height": 180}
    values = {"id": f"i{number}", "photo": "/dot.svg", "alt": f"Photo {number}",
              "title": f"Cup {number}", "more": "More", "href": f"/cups/{number}"}
    return {"id": f"i{number}", "type": kind, "frame": frame, "parts": parts_of(names),
            "data": {**values, **data}}


def heading(**data):
    """Returns a header with a heading and a control."""
    parts = {"title": {"frame": {"x": 0, "y": 0, "width": 200, "height": 44}},
             "all": {"frame": {"x": 250, "y": 0, "width": 80, "height": 44}}}
    return {"type": "Heading", "frame": {"x": 0, "y": 0, "width": 390, "height": 44},
            "parts": parts, "data": {"title": "Cups", "all": "All", **data}}


TYPES = {"Card": CARD, "Labelled": LABELLED, "Heading": HEADING}
# The name, or else the id or the class, of what has the focus.
FOCUS = """(({dataset, className}) => dataset.name ?? dataset.id ?? className)(
    document.activeElement)"""


def cards(scene, *items, **more):
    scene.site.pages["/dot.svg"] = (DOT, "image/svg+xml")
    stand_in(scene)
    show(scene, list(items), TYPES, header=heading(), **more)


def walks_to_controls(scene):
    """Tab leads to the controls of headers, to one item of a list, and to its controls."""
    cards(scene, card(0), card(1), card(2))

    def walk(count):
        found = []
        for _ in range(count):
            scene.key("Tab")
            found.append(scene.run(f"return {FOCUS}"))
        return found

    assert walk(5) == ["all", "i0", "heart", "open", ""], "the last is the page itself"
    scene.run("element.querySelector('[data-id=i0]').focus()")
    scene.key("ArrowRight")
    assert [scene.run(f"return {FOCUS}"), *walk(2)] == ["i1", "heart", "open"]
    # A control has its own keys.
    scene.key("ArrowRight")
    assert scene.run(f"return {FOCUS}") == "open"
    stops = """return [...element.querySelectorAll("button, a")].map((one) =>
        [one.closest("[data-id^=i], .header").dataset.id ?? "header", one.tabIndex].join())"""
    assert scene.run(stops) == [
        "header,0", "i0,-1", "i0,-1", "i1,0", "i1,0", "i2,-1", "i2,-1"], scene.run(stops)
    # A pointer may use the controls of all items, and then theirs are the tab stops.
    scene.click("[data-id=i2] [data-name=heart]")
    assert scene.run(f"return {FOCUS}") == "heart"
    assert scene.run(stops)[3:] == ["i1,-1", "i1,-1", "i2,0", "i2,0"]
    scene.run("element.setAttribute('passive', ''); await frame(); await frame()")
    assert {one.split(",")[1] for one in scene.run(stops)} == {"-1"}


def sends_what_controls_do(scene):
    """Clicks, Enter and Space send the action of a control once, and select nothing; a link is an
    event first, and followed unless that is cancelled."""
    cards(scene, card(0), card(1, href="#top"), footer={**heading(), "data": {
        "title": "End", "all": "All"}})
    scene.run("""window.told = [];
        for (const name of ["itemselect", "link"]) {
            document.addEventListener(name, (event) => {
                const {url, item, section, element} = event.detail;
                told.push([name, url ?? null, item.id, section.id, element.dataset.id]);
                if (window.isCancelled) event.preventDefault();
            });
        }""")
    like = {"type": "action", "name": "like", "section": "list", "item": "i0",
            "input": {"on": [1, None]}}
    scene.click("[data-id=i0] [data-name=heart]")
    for key in ["Enter", " "]:
        scene.run("element.querySelector('[data-id=i0] [data-name=heart]').focus()")
        scene.key(key)
    assert scene.run("return sent") == [like] * 3, scene.run("return sent")
    scene.run("sent.length = 0")
    for name in ["header", "footer"]:
        scene.run(f"element.querySelector('.{name} [data-name=all]').focus()")
        scene.key("Enter")
    assert scene.run("return sent") == [
        {"type": "action", "name": "all", "section": "list", "view": name}
        for name in ["header", "footer"]], scene.run("return sent")
    assert scene.run("return told") == []
    scene.run("window.isCancelled = true")
    scene.click("[data-id=i0] [data-name=open]")
    scene.run("element.querySelector('[data-id=i0] [data-name=open]').focus()")
    scene.key("Enter")
    assert scene.run("return told") == [["link", "/cups/0", "i0", "list", "i0"]] * 2
    scene.run("window.isCancelled = false; element.querySelector('[data-id=i1] a').focus()")
    scene.key("Enter")
    assert scene.run("return [location.hash, told.at(-1)]") == [
        "#top", ["link", "#top", "i1", "list", "i1"]]
    scene.click("[data-id=i1] [data-name=title]")
    assert scene.run("return told.at(-1)") == ["itemselect", None, "i1", "list", "i1"]


def keeps_the_focus_of_controls(scene):
    """A cell that is drawn again has the focus where it was, whatever of it changed."""
    cards(scene, card(0), card(1))
    for name in ["heart", "open"]:
        scene.run(f"element.querySelector('[data-id=i1] [data-name={name}]').focus()")
        for viewport, number, data in [
                (VIEWPORT, 0, {"title": "Tea"}), ({**VIEWPORT, "textScale": 2}, 0, {}),
                ({**VIEWPORT, "direction": "rtl"}, 2, {"more": "Less", "photo": 7})]:
            items = sorted([card(number), card(1, **data)], key=lambda item: item["id"])
            show(scene, items, TYPES, header=heading(), viewport=viewport)
            found = scene.run(f"""const item = document.activeElement.closest(".item");
                return [{FOCUS}, item.dataset.id, document.activeElement.tabIndex]""")
            assert found == [name, "i1", 0], (found, data)


def draws_controls(scene):
    """A control has the frame of its part, and what is in it; nothing of the browser's own style
    but the focus ring; names of styles are classes."""
    names = ["photo", "title", "heart", "open", "more"]
    types = {**TYPES, "Text": {"content": {"column": [
        {"text": "/title", "font": "f", "name": "title", "action": "all"},
        {"image": "/photo", "name": "photo", "link": "/href", "label": "/alt"}]}}}
    scene.site.pages["/dot.svg"] = (DOT, "image/svg+xml")
    stand_in(scene)
    show(scene, [card(0), card(1, "Text", ["title", "photo"])], types, header=heading())
    found = scene.run("""return [...element.querySelectorAll("[data-id=i0] [data-name]")].map(
        (one) => {
            const {left, top, width, height} = one.getBoundingClientRect();
            const cell = one.closest(".item").getBoundingClientRect();
            return [one.dataset.name, {x: left - cell.left, y: top - cell.top, width, height}];
        })""")
    assert found == [[name, FRAMES[name]] for name in names], found
    css = scene.run("""const one = element.querySelector("[data-id=i1] [data-name=title]");
        const other = one.firstChild;
        one.focus();
        const {borderTopWidth, paddingLeft, backgroundColor} = getComputedStyle(one);
        const text = getComputedStyle(other);
        const range = document.createRange();
        range.selectNodeContents(other);
        return [one.localName, one.type, borderTopWidth, paddingLeft, backgroundColor,
            text.fontSize, range.getBoundingClientRect().top - one.getBoundingClientRect().top < 4,
            other.getBoundingClientRect().height, one.className, other.className]""")
    assert css == ["button", "button", "0px", "0px", "rgba(0, 0, 0, 0)", "10px", True, 30, "part",
                   "part"], css
    classes = scene.run("""return ["[data-id=i0]", "[data-name=heart]"].map(
        (one) => element.querySelector(one).className)""")
    assert classes == ["item style-card", "part style-round style-big"], classes
    # Other names of another catalog replace these, and classes of the page stay.
    scene.run("element.querySelector('[data-id=i0]').classList.add('mine')")
    show(scene, [card(0)], {**TYPES, "Card": {**CARD, "style": "tile"}})
    assert scene.run("return element.querySelector('[data-id=i0]').className") == (
        "item mine style-tile")
    # The ring is the browser's, and a style of the page beats the rules of the element.
    scene.key("Tab")
    ring = scene.run("""const style = getComputedStyle(element.querySelector(":focus-visible"));
        return [style.outlineStyle, style.outlineWidth]""")
    assert ring[0] != "none" and ring[1] != "0px", ring


def leaves_cells_of_functions(scene):
    """A cell that a function draws has its classes, and says what its parts say if it has them."""
    scene.site.pages["/dot.svg"] = (DOT, "image/svg+xml")
    stand_in(scene)
    scene.run("""const {cells, drawParts} = await import("/element.js");
        cells.Heading = (element) => { element.textContent = "Own"; };
        cells.Labelled = (element, item) => {
            if (item.data.more) window.names = Object.keys(drawParts(element, item)).sort();
            else element.textContent = "Own";
        };""")
    show(scene, [card(0, "Labelled", more=""), card(1, "Labelled")], {
        **TYPES, "Labelled": {**LABELLED, "style": "card"}}, header=heading())
    found = scene.run("""return [element.querySelector(".section").ariaLabel,
        ...[".header", "[data-id=i0]", "[data-id=i1]"].map((one) => {
            const {className, role, ariaLevel, ariaLabel} = element.querySelector(one);
            return [className, role, ariaLevel, ariaLabel]; })]""")
    assert found == ["Own", ["header", "heading", "2", None],
                     ["item style-card", "listitem", None, None],
                     ["item style-card", "listitem", None, "Cup 1"]], found
    assert set(FRAMES) <= set(scene.run("return names"))


def refuses_hostile_addresses(scene):
    """Addresses other than http, https and relative ones are no links, and no labels are markup."""
    refused = [
        "javascript:broken()", " javascript:broken()", "\tjava\nscript:broken()", "JaVaScRiPt:1",
        "\x00javascript:broken()", "\x1f\x01 javascript:broken()", "java\tscript:broken()",
        "javascript\r:broken()", "data:text/html,x", "vbscript:x", "file:///etc/passwd",
        "ftp://x.example/", "mailto:a@x.example", "blob:https://x.example/1", "http://[", "", 7,
        None, {"toString": 1}, ["/a"]]
    followed = ["/a", "a?b#c", "#c", "//x.example/a", "https://x.example/a", "HTTP://x.example",
                " /a", "javascript/x", "./javascript:x", "\u202e/a", "?javascript:1"]
    labels = ["<img src=x onerror=broken()>", "\"'><script>broken()</script>", "x" * 5_000,
              "\u202e\u0000x", "\n\t a \n", "&lt;b&gt;"]
    items = [card(number, href=href, more=labels[number % len(labels)],
                  title=labels[-1 - number % len(labels)], alt=labels[number % len(labels)])
             for number, href in enumerate([*refused, *followed])]
    scene.size(390, 3_200)
    cards(scene, *items)
    scene.run("window.broken = () => { window.isBroken = true; }")
    found = scene.run("""return [...element.querySelectorAll("[data-name=open]")].map(
        (one) => [one.localName, one.getAttribute("href")])""")
    assert found == [["div", None]] * len(refused) + [["a", href] for href in followed], found
    assert scene.run("""return [...element.querySelectorAll("a")].every(
        (one) => /^https?:$/.test(one.protocol))""")
    scene.run("for (const one of element.querySelectorAll('button, .item')) one.click()")
    assert scene.run("return [window.isBroken, document.scripts.length]") == [None, 1]
    assert scene.run("return element.querySelectorAll('script, [onerror], b').length") == 0


def loads_images_that_are_near(scene):
    """Images further away than one length of the viewport are not loaded; all have their size."""
    column = [{"image": f"/{number}", "url": "/x/{value}", "name": f"p{number}"}
              for number in range(10)]
    places = [400 * number for number in range(10)]
    parts = {f"p{number}": {"frame": {"x": 0, "y": y, "width": 100.4, "height": 99.5},
                            "url": f"/photos/{number}.svg"} for number, y in enumerate(places)}
    for number in range(10):
        scene.site.pages[f"/photos/{number}.svg"] = (DOT, "image/svg+xml")
    stand_in(scene)
    item = {"id": "i", "type": "Wall", "parts": parts, "data": {},
            "frame": {"x": 0, "y": 0, "width": 390, "height": 4_000}}
    show(scene, [item], {"Wall": {"content": {"column": column}}})

    def loaded(count):
        scene.until(f"""[...element.querySelectorAll("img")].filter(
            (one) => one.naturalWidth).length === {count}""")
        scene.run("await frame(); await frame(); await frame()")
        names = scene.run("""return performance.getEntriesByType("resource").map(
            ({name}) => new URL(name).pathname).filter((name) => /photos/.test(name)).sort()""")
        assert names == [f"/photos/{number}.svg" for number in range(count)], names

    loaded(sum(y <= 2 * 844 for y in places))
    scene.run("scrollTo(0, 400)")
    loaded(sum(y <= 400 + 2 * 844 for y in places))
    sizes = scene.run("""return [...element.querySelectorAll("img")].map(
        (one) => [one.getAttribute("width"), one.getAttribute("height")].join("x"))""")
    assert sizes == ["100x100"] * 10, sizes
    # A list that scrolls draws what is within one width of it, and all of that is loaded.
    catalog = json.loads(json.dumps(CATALOG))
    catalog["cellTypes"]["Row"] = {"id": "/id", "content": {
        "column": [{"image": "/photo", "height": 60, "name": "photo"}]}}
    restart(scene, catalog)
    scene.site.pages["/dot.svg"] = (DOT, "image/svg+xml")
    scene.daemon.put("home", page(section("shelf", [
        {**row(number), "photo": "/dot.svg"} for number in range(40)])))
    scene.open()
    for offset in [0, 1_500]:
        scene.run(f"""const list = element.querySelector(".list");
            list.scrollTo({{left: {offset}, behavior: "instant"}});
            await frame(); await frame()""")
        scene.until("[...element.querySelectorAll('img')].every((one) => one.naturalWidth)")
        lefts = scene.run("""return [...element.querySelectorAll("img")].map(
            (one) => one.getBoundingClientRect().left)""")
        assert 512 < max(lefts) < 2 * 390 and min(lefts) > -390 - 120, lefts


def names_sections_by_headers(scene):
    """A section is named by its header's label, or else its text, without that of controls."""
    stand_in(scene)
    for data, root, expected in [
            ({}, {}, "Cups"), ({"said": "Cups of tea"}, {"label": "/said"}, "Cups of tea"),
            ({"list": [1]}, {"label": "/list/length"}, "Cups"), ({"title": " "}, {}, "All")]:
        types = {**TYPES, "Heading": {"content": {**HEADING["content"], **root}}}
        show(scene, [card(0)], types, header=heading(**data))
        name = "return element.querySelector('.section').getAttribute('aria-label')"
        assert scene.run(name) == expected, scene.run(name)


def passes_axe(scene):
    """axe-core finds nothing, in both directions, and at three text sizes."""
    scene.site.pages["/axe.js"] = (axe().read_bytes(), "text/javascript")
    scene.site.pages["/dot.svg"] = (DOT, "image/svg+xml")
    items = [card(0), card(1, "Labelled"), card(2, photo=7), card(3, photo="/none.svg"), card(4)]
    for direction in ["ltr", "rtl"]:
        for scale in [1, 1.5, 2.5]:
            stand_in(scene)
            show(scene, items, TYPES, header=heading(), footer=heading(),
                 viewport={**VIEWPORT, "direction": direction, "textScale": scale})
            scene.run("""const script = document.createElement("script");
                script.src = "/axe.js";
                document.head.append(script);
                document.querySelector("main").prepend(Object.assign(
                    document.createElement("h1"), {textContent: "A shop"}));
                await until(() => window.axe);
                element.querySelector("[data-name=heart]").focus();""")
            found = scene.run("""const {violations, passes} = await axe.run();
                return [violations.map(({id, nodes}) =>
                    `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`), passes.length]""")
            assert found[0] == [] and found[1] > 20, (direction, scale, found)


def open_shop(scene, *, width=390, height=844, scheme="light", query=""):
    """Opens Fixtures/web/shop.html on the pages of the storefront, and waits for its photos."""
    folder = ROOT / "Fixtures/web"
    for name, kind in [("html", "text/html"), ("css", "text/css"), ("js", "text/javascript")]:
        content = (folder / f"shop.{name}").read_text("utf-8").replace("http://127.0.0.1:8080", "")
        content = content.replace("?client=web/1.0", f"?client=web/1.0{query}")
        scene.site.pages[f"/shop.{name}"] = (content, f"{kind}; charset=utf-8")
    html = scene.site.pages["/shop.html"]
    scene.site.pages["/shop.html"] = (html[0].replace(
        "<script", '<script src="/axe.js"></script><script type="module" src="/probe.js"></script>'
        "<script", 1), html[1])
    scene.site.pages["/axe.js"] = (axe().read_bytes(), "text/javascript")
    scene.size(width, height, 2)
    scene.browser.call("Emulation.setEmulatedMedia", scene.page.session, features=[
        {"name": "prefers-color-scheme", "value": scheme}])
    scene.page.open(f"{scene.site.origin}/shop.html")
    scene.run("await until(() => window.ready)")
    scene.live()
    scene.until("document.fonts.size === 2 && element.querySelector('[data-name=price]')")
    scene.until("[...element.querySelectorAll('img')].some((one) => one.naturalWidth)")
    # Pages that come fade in.
    scene.until("!element.getAnimations({subtree: true}).length")
    scene.run("await frame(); await frame(); await frame()")


def start_shop(stage):
    """Starts a daemon with Fixtures/web/shop.json, and posts the pages of the storefront."""
    restart(stage, json.loads((ROOT / "Fixtures/web/shop.json").read_text("utf-8")),
            "--fonts", "/usr/share/fonts", "--serve-fonts")
    put_storefront(stage)


def buys_by_the_keyboard(scene):
    """A keyboard alone leads to a product of the shop, likes it and buys it."""
    start_shop(scene)
    open_shop(scene)
    item = "element.querySelector('[data-id=P0000015]')"
    for _ in range(20):
        scene.key("Tab")
        if scene.run("return document.activeElement.dataset.id") == "P0000013":
            break
    scene.key("ArrowRight")
    walked = []
    for _ in range(2):
        scene.key("Tab")
        walked.append(scene.run("""const control = document.activeElement;
            const {dataset, ariaLabel} = control;
            return [control.closest(".item").dataset.id, dataset.name, ariaLabel]"""))
        scene.key(" " if walked[-1][1] == "like" else "Enter")
    assert walked == [["P0000015", "like", "Like Scented candle"],
                      ["P0000015", "buy", "Buy Scented candle"]], walked
    scene.until(f"{item}.querySelector('[data-name=like]').ariaPressed === 'true'")
    scene.until(f"{item}.querySelector('[data-name=bought]')?.textContent === '✓ 1 in the cart'")
    assert scene.run("return document.activeElement.ariaLabel") == "Buy Scented candle"
    assert scene.run(f"return {item}.querySelector('[data-name=bought]').ariaLabel") == (
        "1 in the cart")
    # The link of a header is told to the page, which goes there itself.
    scene.run("element.querySelector('.header [data-name=all]').focus()")
    scene.key("Enter")
    assert scene.run("return location.hash") == "#/favourites"


def draws_the_shop(scene):
    """The shop on a phone and a tablet, light and dark, in both directions and three text sizes:
    axe-core finds nothing, and nothing is wider than the page."""
    css = (ROOT / "Fixtures/web/shop.css").read_text("utf-8")
    assert f"```css\n{css}```" in (ROOT / "docs/web.md").read_text("utf-8")
    start_shop(scene)
    sizes = [(390, 844, "light", ""), (390, 844, "dark", ""), (820, 1180, "light", ""),
             (820, 1180, "dark", ""), (1280, 800, "light", "")]
    sizes += [(390, 844, "light", f"&textScale={scale}&direction={direction}")
              for scale in [1, 1.5, 2] for direction in ["ltr", "rtl"]]
    for width, height, scheme, query in sizes:
        open_shop(scene, width=width, height=height, scheme=scheme, query=query)
        found = scene.run("""const {violations} = await axe.run();
            return [violations.map(
                ({id, nodes}) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`),
                document.documentElement.scrollWidth - innerWidth]""")
        assert found[0] == [] and found[1] <= 0, (width, scheme, query, found)
        names = scene.run("""return [...element.querySelectorAll(".section")].map(
            (one) => one.ariaLabel)""")
        assert "My favourites" in names, names
        if scene.pictures:
            name = re.sub(r"\W+", "-", f"{width}-{scheme}{query}")
            scene.picture(f"{scene.pictures}/shop-{name}.png")
            scene.run("scrollTo(0, 700); await frame(); await frame()")
            scene.until("[...element.querySelectorAll('img')].some((one) => one.naturalWidth)")
            scene.picture(f"{scene.pictures}/shop-{name}-2.png")
    scene.browser.call("Emulation.setEmulatedMedia", scene.page.session, features=[])


def keeps_copies_for_pointers(scene):
    """Controls of the copies of a list without an end are for pointers alone, and those of the item
    that is in view are reached by Tab."""
    catalog = json.loads(json.dumps(CATALOG))
    catalog["cellTypes"]["Row"] = {
        "id": "/id", "actions": CATALOG["cellTypes"]["Row"]["actions"], "content": {"column": [
            {"box": "/id", "height": 44, "action": "like", "label": "/title", "name": "like"}]}}
    restart(scene, catalog)
    scene.daemon.put("home", page(section("cards", [row(number) for number in range(5)])))
    scene.open()
    scene.until("element.querySelector('button')")
    scene.run("await frame(); await frame()")
    found = scene.run("""return [...element.querySelectorAll("button")].map((one) => {
        const item = one.closest(".item");
        return [item.ariaHidden, item.getAttribute("tabindex"), one.tabIndex, one.inert]; })""")
    assert {tuple(one) for one in found} == {
        (None, "0", 0, False), (None, "-1", -1, False), ("true", None, -1, False)}, found
    assert sum(one[2] == 0 for one in found) == 1 and len(found) > 5, found
    scene.key("Tab")
    scene.key("Tab")
    assert scene.run(f"return {FOCUS}") == "like"
    scene.run("""window.sent = [];
        const {send} = element.screen;
        element.screen.send = (event) => { sent.push(event.item); return send.call(
            element.screen, event); };
        [...element.querySelectorAll("[aria-hidden] button")].forEach((one) => one.click());""")
    assert len(scene.run("return sent")) == sum(one[0] == "true" for one in found)


def styles_the_cells(scene):
    """The sheet has a rule for each name of the fixtures, and axe-core finds nothing in the cells
    of Fixtures/cells with it, light and dark."""
    css = (ROOT / "Fixtures/web/shop.css").read_text("utf-8")
    catalog = (ROOT / "Fixtures/cells/catalog.json").read_text("utf-8")
    names = {name for text in [catalog, (ROOT / "Fixtures/web/shop.json").read_text("utf-8")]
             for names in re.findall(r'"style": "([^"]+)"', text) for name in names.split()}
    missing = {name for name in names if not re.search(rf"\.style-{name}\b(?!-)", css)}
    assert len(names) > 12 and not missing, missing
    restart(scene, json.loads(catalog), "--fonts", "/usr/share/fonts", "--serve-fonts")
    content = json.loads((ROOT / "Fixtures/cells/page-0.json").read_text("utf-8"))
    scene.daemon.put("home", content)
    scene.site.pages["/style.css"] = (css, "text/css")
    for scheme in ["light", "dark"]:
        scene.browser.call("Emulation.setEmulatedMedia", scene.page.session, features=[
            {"name": "prefers-color-scheme", "value": scheme}])
        scene.open()
        scene.until("element.querySelector('[class*=style-]') && document.fonts.size")
        scene.run("""element.before(Object.assign(
            document.createElement("h1"), {textContent: "Cells"}));
            await frame(); await frame()""")
        classes = scene.run("""return [...element.querySelectorAll("[class*=style-]")].map(
            (one) => one.className)""")
        assert "item style-card style-offer" in classes and "part style-badge" in classes, classes
        scene.page.run((axe()).read_text("utf-8") + "; window.axe = axe")
        found = scene.run("""const {violations} = await axe.run();
            return violations.map(({id, nodes}) =>
                `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`)""")
        assert not found, (scheme, found)
        if scene.pictures:
            scene.picture(f"{scene.pictures}/cells-{scheme}.png")
    scene.browser.call("Emulation.setEmulatedMedia", scene.page.session, features=[])
