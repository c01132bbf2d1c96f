"""Lays out the contents of cells in Chromium by the CSS of docs/layout.md, and compares every part
with the trees of the oracle and of the daemon.

    python3 Tests/Browsers/laid_out_cells.py CHROMIUM [--daemon BROADSHEET] [--seed 7] [--count 12]

prints, as JSON, the browser's version, and of each subject the number of items that were compared,
the number of those whose lines are too close to another number of lines, and the differences. The
subjects are random contents by the oracle and by the daemon, and fixtures by the daemon.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

from browser import Browser
from cell_styles import Styles, font_styles
from even_font import file as even_font
from measured_lines import Handler, serve

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Oracle"))

import broadsheet_oracle  # noqa: E402
from oracle import text  # noqa: E402
from random_contents import ContentGenerator  # noqa: E402

FONT_FOLDER = "/usr/share/fonts"
VIEWPORT = (390, 844)
VARIANTS = [(direction, scale) for direction in ("ltr", "rtl") for scale in (1, 1.5, 2)]
FONTS = {
    "small": {"files": ["even.ttf"], "size": 12, "lineHeight": 16},
    "body": {"files": ["even.ttf"], "size": 17, "lineHeight": 22.5, "letterSpacing": 0.5},
    "fixed": {"files": ["even.ttf"], "size": 14, "lineHeight": 20, "scales": False},
}
# The layouts of the sections of random contents: what they fix of an item, and the container.
SECTIONS = {
    "flow": ({"inset": {"left": 15, "right": 15}}, ("container", "natural"), (360, 844)),
    "grid": ({"gridColumnCount": 3, "minimumInteritemSpacing": 7}, ("fixed", "natural"), (0, 844)),
    "uniform": (
        {"kind": "compositional", "itemSize": {"uniform": {"columns": 2, "height": 130}}},
        ("fixed", "fixed"), (390, 844)),
    "dynamic": (
        {"kind": "compositional", "itemSize": "dynamic", "scrolling": "continuous",
         "sectionInset": {"left": 10}}, ("natural", "natural"), (380, 844)),
    "list": ({"kind": "list"}, ("fixed", "natural"), (390, 844)),
}
# The fixtures, and whether their fonts are even.
FIXTURES = {"cells": False, "layout/contents": True}

SCRIPT = """
const jobs = %s, boxes = [], texts = [];
const style = (box, css) => { box.element.style.cssText = "box-sizing: border-box; min-width: 0;"
    + "min-height: 0;" + css; };
function make(box, job) {
    box.element = document.createElement("div");
    style(box, box.style);
    if (box.text) {
        const clip = document.createElement("div"), lines = document.createElement("div");
        clip.style.cssText = box.text.clip;
        lines.style.cssText = box.text.style;
        lines.textContent = box.text.content;
        lines.dir = "auto";
        clip.append(lines);
        box.element.append(clip);
        box.lines = lines;
    }
    if (box.ratio !== undefined) {
        const inner = document.createElement("div");
        inner.style.paddingBottom = `${box.ratio}%%`;
        box.element.append(inner);
    }
    for (const child of box.children) box.element.append(make(child, job));
    job.boxes.push(box);
    return box.element;
}
document.body.replaceChildren();
for (const job of jobs) {
    job.boxes = [];
    const holder = document.createElement("div");
    holder.style.cssText = `position: absolute; left: 0; top: 0; width: ${job.container[0]}px;`
        + `height: ${job.container[1]}px;`;
    holder.append(make(job.root, job));
    job.root.element.dir = job.direction;
    document.body.append(holder);
}
// The widths first, for the heights that depend on them.
const setWidths = () => {
    const all = jobs.flatMap(job => job.boxes);
    const widths = all.map(box => box.element.getBoundingClientRect().width);
    all.forEach((box, index) => box.element.style.setProperty("--w", `${widths[index]}px`));
};
for (const job of jobs) style(job.root, job.root.style + job.natural);
setWidths();
const naturals = jobs.map(job => job.root.element.getBoundingClientRect());
for (const job of jobs) style(job.root, job.root.style + job.final);
setWidths();
return jobs.map((job, index) => {
    const root = job.root.element.getBoundingClientRect();
    const parts = {};
    for (const box of job.boxes) {
        if (!box.name) continue;
        const rect = box.element.getBoundingClientRect(), part = {depth: box.depth};
        part.frame = [rect.left - root.left, rect.top - root.top, rect.width, rect.height];
        if (box.lines) {
            const all = Math.round(box.lines.getBoundingClientRect().height / box.text.lineHeight);
            part.lines = Math.min(all, box.text.maxLines ?? all);
            part.truncated = part.lines < all;
        }
        parts[box.name] = part;
    }
    return {natural: [naturals[index].width, naturals[index].height], parts,
        count: job.boxes.length};
});
"""

LOAD = """
for (const [family, url] of %s)
    document.fonts.add(await new FontFace(family, `url(${url})`).load());
"""


# Trees


class Oracle:
    """The trees of the oracle."""

    def tree(self, catalog, page, query):
        case = {"catalog": json.dumps(catalog), "pages": [json.dumps(page)], "query": query}
        return json.loads(broadsheet_oracle.composition(case).tree())


class Daemon:
    """The trees of `broadsheet compose`."""

    def __init__(self, program, fonts):
        self.program = program
        self.fonts = fonts

    def tree(self, catalog, page, query):
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / name for name in ("catalog.json", "page.json")]
            for path, value in zip(files, (catalog, page)):
                path.write_text(json.dumps(value), "utf-8")
            flags = {"text-scale" if name == "textScale" else name: query[name] for name in query}
            output = subprocess.run(
                [self.program, "compose", "--catalog", files[0], "--fonts", self.fonts,
                 *(f"--{name}={value}" for name, value in flags.items()), files[1]],
                check=True, capture_output=True).stdout
        return json.loads(output)


# Subjects: jobs for the page's script, with the items that they are compared with


def random_subject(seed, count):
    """Returns a catalog of random contents, and a page with items of each in every layout."""
    generator = ContentGenerator(random.Random(seed), list(FONTS), is_css=True)
    names = [f"T{number}" for number in range(count)]
    catalog = {
        "fonts": FONTS,
        "sections": {name: layout for name, (layout, _, _) in SECTIONS.items()},
        "units": {name: {"cell": {"type": name}} for name in names},
        "cellTypes": {name: {"id": "/id", "content": generator.content()} for name in names},
    }
    sections = []
    for section in SECTIONS:
        units = [
            {"unitType": name, "unitData": {**generator.data(), "id": name}} for name in names]
        sections.append({"sectionId": section, "units": units})
    return catalog, {"sections": sections}


def natural_style(root, frame, fixed):
    """Returns the style of a root whose item has not its final size yet.

    `fixed` says of the width whether the layout has fixed it, or whether it is that of the
    container or natural without a rule; and the same of the height.
    """
    bounds = dict(part.split(": ", 1) for part in root["bounds"].split(";") if part)
    if fixed[0] == "fixed":
        css = f"width: {frame['width']}px;"
        bounds = {name: bounds[name] for name in bounds if "-width" not in name}
    elif root["width"] is None and (root["isNatural"] or fixed[0] == "natural"):
        css = "width: fit-content;"  # which is not narrower than the longest word
        bounds["max-width"] = f"min(100%, {bounds.get('max-width', '100%')})"
    else:
        css = f"width: {root['width'] or '100%'};"
    if fixed[1] == "fixed":
        css += f"height: {frame['height']}px;"
        bounds = {name: bounds[name] for name in bounds if "-height" not in name}
    else:
        css += f"height: {root['height'] or 'auto'};"
    return css + "".join(f"{name}: {bounds[name]};" for name in bounds)


def job(content, item, section, fonts, direction):
    """Returns an item as the page's script expects it."""
    root = Styles(item["data"], fonts).root(content)
    frame = item["frame"]
    final = f"width: {frame['width']}px; height: {frame['height']}px;"
    natural, container = final, VIEWPORT
    if section in SECTIONS:
        _, fixed, container = SECTIONS[section]
        natural = natural_style(root, frame, fixed)
    return {"root": root, "natural": natural, "final": final, "container": container,
            "direction": direction, "fonts": fonts, "item": item, "section": section}


def jobs_of(tree, catalog, fonts, direction):
    """Returns the jobs of the items whose types have a content."""
    found = []
    for section in tree["sections"]:
        views = [section.get("header"), *section["items"], section.get("footer")]
        for item in filter(None, views):
            content = catalog["cellTypes"][item["type"]].get("content")
            if content is not None:
                found.append(job(content, item, section["id"], fonts, direction))
    return found


# Comparison


def is_fragile(work, laid_out):
    """Returns whether a text is so close to another number of lines that they may differ."""
    def texts(box):
        if "text" in box:
            yield box
        for child in box["children"]:
            yield from texts(child)

    for box in texts(work["root"]):
        part = work["item"]["parts"].get(box["name"])
        if part is None or box["text"]["advance"] is None:
            continue
        content, advance = box["text"]["content"], box["text"]["advance"]
        natural = max((len(line) for line in content.split("\n")), default=0) * advance
        width, margin = part["frame"]["width"], laid_out["parts"][box["name"]]["depth"][0] / 64
        breaks = "overflow-wrap: normal" not in box["text"]["style"]
        lines = [
            len(text.fill(content, max(0, width + change), advance, breaks))
            for change in (-margin, 0.001, margin)]
        # A text fits in its natural width, unless the browser's lengths have made that smaller.
        theirs = laid_out["parts"][box["name"]]["frame"][2]
        fits = abs(width - natural) < 0.001 and theirs >= natural
        if not fits and len(set(lines)) > 1:
            return True
    return False


def differences(work, laid_out):
    """Yields the differences of an item's parts, as texts."""
    item = work["item"]
    parts = item.get("parts", {})
    if list(parts) != [name for name in parts if name in laid_out["parts"]]:
        yield f"parts {sorted(parts)}, Chromium {sorted(laid_out['parts'])}"
    for name in laid_out["parts"].keys() - parts.keys():
        yield f"no part {name}"
    margin = laid_out["count"] / 64 + 0.001
    for axis, length in zip(("width", "height"), laid_out["natural"]):
        if abs(item["frame"][axis] - length) > margin:
            yield f"{axis} {item['frame'][axis]}, Chromium {length}"
    for name, expected in laid_out["parts"].items():
        part = parts.get(name)
        if part is None:
            continue
        frame = [part["frame"][side] for side in ("x", "y", "width", "height")]
        theirs = expected["frame"]
        for axis in (0, 1):
            margin = expected["depth"][axis] / 64 + 0.001
            ends = (frame[axis] + frame[axis + 2], theirs[axis] + theirs[axis + 2])
            is_root = name == work["root"]["name"]
            furthest = max(abs(frame[axis] - theirs[axis]), abs(ends[0] - ends[1]))
            if not is_root and furthest > margin:
                yield f"{name} {frame}, Chromium {theirs}"
                break
        lines = [part.get("lines"), part.get("truncated", False)]
        if "lines" in expected and lines != [expected["lines"], expected["truncated"]]:
            yield f"{name} {lines}, Chromium {[expected['lines'], expected['truncated']]}"


def compared(page, name, works):
    """Lays items out in the page, and returns the report of a subject."""
    hidden = ("item", "fonts", "section")
    sent = [{key: work[key] for key in work if key not in hidden} for work in works]
    report = {"subject": name, "compared": 0, "fragile": 0, "differences": []}
    for work, laid_out in zip(works, page.run(SCRIPT % json.dumps(sent))):
        if is_fragile(work, laid_out):
            report["fragile"] += 1
            continue
        report["compared"] += 1
        for difference in differences(work, laid_out):
            where = f"{work['item']['id'] if 'id' in work['item'] else 'view'} in {work['section']}"
            report["differences"].append(f"{name}, {work['direction']}: {where}: {difference}")
    return report


class Fonts:
    """The fonts that the page has loaded."""

    def __init__(self, page):
        self.page = page

    def load(self, fonts, folder):
        """Loads the files of fonts, and returns the family of each."""
        families, loaded = {}, []
        for file in (file for font in fonts.values() for file in font["files"]):
            whole = file if isinstance(file, dict) else {"file": file}
            source = (f"{folder}/{whole['file']}", whole.get("index", 0))
            if source not in Handler.fonts:
                Handler.fonts.append(source)
                loaded.append((f"f{len(Handler.fonts)}", f"/font/{len(Handler.fonts) - 1}"))
            families[json.dumps(file)] = f"f{Handler.fonts.index(source) + 1}"
        self.page.run(LOAD % json.dumps(loaded))
        return families


def subject(page, name, engine, catalog, content, families, is_even):
    """Returns the report of a subject, a catalog with a page, in all variants."""
    works = []
    for direction, scale in VARIANTS:
        query = {"width": VIEWPORT[0], "height": VIEWPORT[1], "scale": 2, "direction": direction,
                 "textScale": scale, "rounding": "none"}
        fonts = font_styles(catalog["fonts"], scale, families)
        works += jobs_of(engine.tree(catalog, content, query), catalog, fonts, direction)
    for work in works:
        advances(work["root"], work["fonts"], is_even)
    return compared(page, name, works)


def advances(box, fonts, is_even):
    """Adds the advance of a character to the texts, if it is known."""
    if "text" in box:
        styles = [font for font in fonts.values() if box["text"]["style"].startswith(font["style"])]
        box["text"]["advance"] = styles[0]["advance"] if is_even else None
    for child in box["children"]:
        advances(child, fonts, is_even)


def reports(page, options, folder):
    """Returns the reports of all subjects."""
    fonts = Fonts(page)
    families = fonts.load(FONTS, folder)
    catalog, content = random_subject(options.seed, options.count)
    engines = {"oracle": Oracle()}
    if options.daemon:
        engines["daemon"] = Daemon(options.daemon, folder)
    for name, engine in engines.items():
        yield subject(page, f"random by the {name}", engine, catalog, content, families, True)
    for fixture, is_even in FIXTURES.items() if options.daemon else ():
        base = ROOT / "Fixtures" / fixture
        catalog = json.loads((base / "catalog.json").read_text("utf-8"))
        pages = [json.loads(path.read_text("utf-8")) for path in sorted(base.glob("*page*"))]
        sections = [section for one in pages for section in one["sections"]]
        if len(pages) > 1:  # into one page, so that the daemon is started once a variant
            for number, section in enumerate(sections):
                section["sectionId"] = str(number)
        content = {"sections": sections}
        font_folder = folder if is_even else FONT_FOLDER
        families = fonts.load(catalog["fonts"], font_folder)
        engine = Daemon(options.daemon, font_folder)
        yield subject(page, fixture, engine, catalog, content, families, is_even)


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chromium")
    parser.add_argument("--daemon")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=12)
    options = parser.parse_args(argv)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=serve, args=(server,), daemon=True).start()
    browser = Browser(options.chromium, ["--font-render-hinting=none"])
    try:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("even.ttf", "f.ttf"):
                (Path(folder) / name).write_bytes(even_font())
            page = browser.page()
            page.open(f"http://127.0.0.1:{server.server_port}/")
            version = browser.call("Browser.getVersion")["product"]
            print(json.dumps({"version": version, "reports": list(reports(page, options, folder))}))
    finally:
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
