"""Draws texts in Chromium with <broadsheet-screen>, with the inspector and with the script of
docs/client.md, and compares the lines and the width of each with its part in the tree.

    python3 Tests/Browsers/drawn_texts.py CHROMIUM BROADSHEET

The texts are those of all pages of the fixtures, and a corpus of several directions. Prints, as
JSON, the number of texts that were compared, and the differences (docs/layout.md, T8 and B8).
"""

import json
import sys
from pathlib import Path

from browser import Browser
from drawn_cells import client_script
from site_of_tests import Daemon, Site

ROOT = Path(__file__).resolve().parents[2]
NOTO = "truetype/noto/NotoSans"
FILES = ["opentype/inter/Inter-Regular.otf", f"{NOTO}Hebrew-Regular.ttf",
         f"{NOTO}Arabic-Regular.ttf", f"{NOTO}-Regular.ttf", f"{NOTO}Thai-Regular.ttf",
         {"file": "opentype/noto/NotoSansCJK-Regular.ttc", "index": 1}]
LETTERS = ["−20 %", "1 h ago", "€249", "P. T, V.", "שלום", "(א)", "مرحبا", "١٢ %", "L'été", "A/B-1"]
BIDI = [f"{first} {second}" for first in LETTERS for second in LETTERS] + [
    *LETTERS, "\u200f20 %", "\u2067שלום\u2069 P. T", "שלום\n−20 %", "−20 %\nשלום P.",
    "a\u2028b", "a\u2029א", "שולחן אוכל מעץ אלון ל־6 סועדים (180×90 ס״מ)",
    "طاولة طعام من خشب البلوط لـ 6 أشخاص (180×90 سم)"]
# Inherited styles that no text is measured with, on the page of the element.
STYLE = """
    body { margin: 0; font: italic 700 9px/11px serif; font-variant: small-caps tabular-nums;
        font-feature-settings: "zero"; font-kerning: none; letter-spacing: 3px; word-spacing: 5px;
        text-indent: 9px; text-transform: uppercase; text-align: center; white-space: pre;
        overflow-wrap: normal; line-break: anywhere; hyphens: auto; word-break: break-all;
        text-rendering: optimizeSpeed; text-autospace: normal; text-spacing-trim: trim-start }
"""
PAGE = """<!doctype html><html lang="en"><title>T</title><meta charset="utf-8"><body>"""
ELEMENT = """<link rel="stylesheet" href="/style.css">
<script type="module" src="/element.js"></script>
<broadsheet-screen src="/v1/screens/%s?%s"></broadsheet-screen>"""
SCALES, TEXT_SIZES = (1, 2, 3), (0.8, 1, 1.6)
ALL = [(scale, size, "rtl") for scale in SCALES for size in TEXT_SIZES] + [(2, 1, "ltr")]
SOME = [(1, 1.3, "rtl"), (3, 1, "rtl"), (2, 2, "ltr")]
HEIGHT = 3_000

# Compares texts that are drawn, and returns the differences.
COMPARE = """
const naturals = ["natural", "label", "badge", "more", "price", "was", "code"];
const { cellTypes } = await (await fetch("/v1/catalog/cells")).json();
const leaves = (type) => new Map(named(cellTypes[type].content)
    .filter((box) => !box.row && !box.column && !box.overlay).map((box) => [box.name, box]));
const length = (view, name) => parseFloat(getComputedStyle(view)[name]);
const sides = { ltr: "left", rtl: "right" };
let compared = 0;
const differences = [];
const add = (...words) => { differences.push(words.join(" ")); };
/** Compares the views of items, as [item, views], with those of leaves alone. */
function compare(items, { scale, direction: screenDirection }) {
    const texts = items.flatMap(([item, views]) => {
        const boxes = leaves(item.type);
        const parts = Object.entries(item.parts).filter(([name]) => boxes.has(name));
        // The element draws boxes of boxes, too.
        views = views.filter(({ dataset: { name } }) => name === undefined || boxes.has(name));
        if (parts.length !== views.length) {
            add(item.type, item.id, parts.length, "parts, drawn", views.length);
            return [];
        }
        return parts.flatMap(([name, part], index) => {
            if (boxes.get(name).text !== undefined)
                return [{ name, part, view: views[index], id: item.id }];
            if (views[index].textContent) add(item.id, name, "has a text");
            return [];
        });
    });
    for (const text of texts) {
        const whole = { display: "block", webkitLineClamp: "none", height: "auto" };
        text.clones = [whole, { ...whole, width: "max-content" }].map((style) => {
            const clone = text.view.cloneNode(true);
            Object.assign(clone.style, style);
            text.view.after(clone);
            return clone;
        });
    }
    for (const { name, part: { frame, lines, truncated }, view, id, clones } of texts) {
        const drawn = Math.round(length(clones[0], "height") / length(view, "lineHeight"));
        const width = length(clones[1], "width");
        const { direction, textAlign } = getComputedStyle(view);
        const where = [id, name, JSON.stringify(view.textContent), direction];
        compared += 1;
        // With another alignment browsers draw the ellipsis out of the frame.
        if (textAlign !== (truncated ? "start" : sides[screenDirection]))
            add(...where, "is aligned", textAlign);
        if (truncated ? drawn <= lines : drawn !== lines)
            add(...where, lines, "lines, drawn", drawn);
        if (lines === 1 && !truncated && width > frame.width + 0.05)
            add(...where, "is", frame.width, "wide, drawn", width);
        // Changes of the direction within a line have a length (docs/text.md).
        const allowed = 1 / scale + (/[\u0590-\u08ff]/.test(view.textContent) ? 0.7 : 0.02);
        if (naturals.includes(name) && Math.abs(frame.width - width) > allowed)
            add(...where, "has a natural width of", frame.width, "drawn", width);
    }
    for (const { clones } of texts) for (const clone of clones) clone.remove();
}
"""

# Scrolls through a screen that <broadsheet-screen> draws.
SCROLL = """
const until = async (condition) => {
    for (const end = performance.now() + 60_000; !condition();) {
        if (performance.now() > end) throw new Error(`${condition}`);
        await new Promise((done) => setTimeout(done, 20));
    }
};
const frame = () => new Promise((done) => requestAnimationFrame(done));
// The element names parts. It draws what is in a control in it, and the text of one in a part
// without a name.
const viewsIn = (item, boxes) => {
    const named = [...item.querySelectorAll(".part[data-name]")];
    if (!named.length) return [...item.children].filter((one) => one.matches(".part"));
    return named.filter(({ dataset: { name } }) => boxes.has(name))
        .map((one) => one.querySelector(":scope > .part:not([data-name])") ?? one);
};
const tree = () => document.querySelector("broadsheet-screen")?.screen?.tree;
await until(() => tree() && document.querySelector(".item .part"));
const scroller = document.querySelector(".port") ?? document.scrollingElement;
const { viewport, sections } = tree();
const wanted = sections.flatMap(({ header, items }) => [header, ...items])
    .filter((one) => one?.parts);
const seen = new Set();
for (let last = -1; scroller.scrollTop !== last;) {
    last = scroller.scrollTop;
    const drawn = [...document.querySelectorAll(".item:not([aria-hidden]), .header")]
        .map((one) => [one.broadsheet?.item, one])
        .filter(([item]) => item?.parts && !seen.has(item));
    for (const [item] of drawn) seen.add(item);
    compare(drawn.map(([item, one]) => [item, viewsIn(one, leaves(item.type))]), viewport);
    scroller.scrollTop += viewport.height - 200;
    await frame();
    await frame();
}
const missed = wanted.filter((one) => !seen.has(one));
// Carousels draw what is near in them.
if (missed.length > wanted.length / 10) add(missed.length, "items were not drawn");
return { compared, differences, viewport };
"""

# Draws a screen with the script of docs/client.md.
SCRIPT = """
const base = "/v1/screens/" + %s;
const cells = await (await fetch("/v1/catalog/cells")).json();
const tree = await (await fetch(`${base}/layout?coordinates=content&${%s}`)).json();
for (const { families } of Object.values(cells.fonts))
    for (const { family, weight, file } of families.filter(({ file }) => file))
        document.fonts.add(await new FontFace(family, `url(${file})`, { weight }).load());
document.body.replaceChildren();
const screen = place("div", { x: 0, y: 0, ...tree.contentSize }, document.body);
const items = tree.sections.flatMap(({ header, items }) => [header, ...items])
    .filter((one) => one?.parts);
compare(items.map((item) => {
    draw(item, cells, tree.viewport, screen);
    const boxes = leaves(item.type), names = Object.keys(item.parts);
    return [item, [...screen.lastChild.children].filter((_, index) => boxes.has(names[index]))];
}), tree.viewport);
return { compared, differences, viewport: tree.viewport };
"""


def fixture_texts():
    """Returns the texts of the pages of all fixtures."""
    found = {}

    def walk(value):
        if isinstance(value, str) and value.strip() and "://" not in value and len(value) <= 200:
            found[value] = None
        for child in value.values() if isinstance(value, dict) else (
                value if isinstance(value, list) else []):
            walk(child)

    for file in sorted((ROOT / "Fixtures").rglob("*.json")):
        if "hostile" in file.parts or "trees" in file.parts or file.name.endswith(".tree.json"):
            continue
        value = json.loads(file.read_text("utf-8"))
        if file.stem in ("hebrew", "arabic") or (
                isinstance(value, dict) and isinstance(value.get("sections"), list)):
            walk(value)
    return list(found)


def catalog():
    """Returns the catalog of the fixture `cells`, with a type for texts of any kind."""
    value = json.loads((ROOT / "Fixtures/cells/catalog.json").read_text("utf-8"))
    value["fonts"] |= {
        "any": {"files": FILES, "size": 15, "lineHeight": 20},
        "spaced": {"files": FILES, "size": 13, "lineHeight": 18, "letterSpacing": 0.4,
                   "features": ["tnum"]}}
    value["sections"]["texts"] = {"gridColumnCount": 2, "minimumInteritemSpacing": 8}
    value["units"]["TEXTS"] = {"cells": {"type": "Text"}}
    texts = [{"text": "/t", "font": "any", "name": "wrapped"},
             {"text": "/t", "font": "spaced", "maxLines": 1, "name": "cut"}]
    value["cellTypes"]["Text"] = {"id": "/id", "content": {"column": [
        {"row": [{"text": "/t", "font": "any", "shrink": False, "name": "natural"}]}, *texts]}}
    return value


def compared(browser, site, kind, screen, scale, size, direction):
    """Draws a screen in one way, in a page of its own, and returns the script's report."""
    browser.forget()
    page = browser.page()
    query = f"width=390&height={HEIGHT}&scale={scale}&textScale={size}&direction={direction}"
    browser.call(
        "Emulation.setDeviceMetricsOverride", page.session, width=1000 if kind == "inspector"
        else 390, height=HEIGHT, deviceScaleFactor=scale, mobile=False)
    site.pages["/page"] = PAGE + (ELEMENT % (screen, query) if kind == "element" else "")
    inspector = f"/inspector#/screens/{screen}?d={query.replace('&', '%26').replace('=', '%3D')}"
    page.open(site.origin + (inspector if kind == "inspector" else "/page"))
    own = SCROLL if kind != "script" else SCRIPT % (json.dumps(screen), json.dumps(query))
    report = page.run(client_script() + COMPARE + own)
    viewport = report["viewport"]
    assert (viewport["scale"], viewport.get("textScale", 1), viewport["direction"]) == (
        scale, size, direction), (viewport, query)
    report["differences"] = [
        f"{kind}, {screen}, scale {scale}, text size {size}, {direction}: {line}"
        for line in report["differences"]]
    return report


def main(program, broadsheet):
    daemon = Daemon(broadsheet, "--fonts", "/usr/share/fonts", "--serve-fonts")
    Path(daemon.folder.name, "catalog.json").write_text(json.dumps(catalog()))
    daemon.kill()
    daemon.words += ["--catalog", f"{daemon.folder.name}/catalog.json"]
    daemon.start()
    shop = json.loads((ROOT / "Fixtures/cells/page-0.json").read_text("utf-8"))
    texts = [{"id": f"t{number}", "t": text} for number, text in enumerate(BIDI + fixture_texts())]
    daemon.put("shop", shop)
    daemon.put("texts", {"sections": [
        {"sectionId": "texts", "units": [{"unitType": "TEXTS", "unitData": texts}]}]})
    site = Site(daemon)
    site.pages["/style.css"] = (STYLE, "text/css")
    browser = Browser(program, ["--font-render-hinting=none"])
    try:
        reports = [
            compared(browser, site, kind, screen, *request)
            for kind, requests in [("element", ALL), ("inspector", SOME), ("script", SOME)]
            for screen in ["shop", "texts"] for request in requests]
        print(json.dumps({
            "compared": sum(report["compared"] for report in reports),
            "differences": [line for report in reports for line in report["differences"]]}))
    finally:
        browser.close()
        daemon.kill()


if __name__ == "__main__":
    main(*sys.argv[1:])
