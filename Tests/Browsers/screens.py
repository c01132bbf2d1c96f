"""Opens screens in Chromium with <broadsheet-screen>, and drives them as a reader would.

    screens.py CHROMIUM BROADSHEET [SCENE ...]

Each scene is a function below, which asserts what it sees; its name is printed when it has passed.
"""

import inspect
import json
import random
import sys
import time
from pathlib import Path

from browser import Browser
from site_of_tests import Daemon, Site

ROOT = Path(__file__).resolve().parents[2]
CATALOG = {
    "screen": {"minimumLineSpacing": 0},
    "sections": {
        "grid": {"gridColumnCount": 2, "minimumInteritemSpacing": 8, "minimumLineSpacing": 8},
        "cards": {
            "kind": "compositional", "scrolling": "groupPagingCentered", "lineSpacing": 10,
            "itemSize": {"uniform": {"width": 200, "height": 120}},
            "paging": {"isInfinitePage": True, "isAlignCenter": True, "isLooping": True}},
        "shelf": {
            "kind": "compositional", "scrolling": "continuousGroupLeadingBoundary",
            "itemSize": {"uniform": {"width": 120, "height": 80}}, "lineSpacing": 8},
        "plain": {"kind": "list", "headerMode": "supplementary", "pinHeader": True},
    },
    "units": {
        "ROWS": {"cells": {"type": "Row", "data": "/rows"}},
        "TITLED": {"header": {"type": "Title", "data": "/title"},
                   "cells": {"type": "Row", "data": "/rows"}},
    },
    "cellTypes": {
        "Row": {"id": "/id", "size": {"height": {"value": "/h", "default": 60}},
                "actions": {"like": [{"op": "patchItem", "patch": {"title": "liked"}}]}},
        "Title": {"size": {"height": 40}},
    },
}
PAGE = """<!doctype html><html lang="en"><title>A screen</title><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/style.css"><script type="module" src="/probe.js"></script>
<body><main>%s</main></body></html>"""
STYLE = "body { margin: 0 } .item { outline: 1px solid #ccc }"


def row(number, height=60):
    return {"id": f"r{number}", "title": f"Row {number}", "h": height}


def section(name, rows, title=None, kind="ROWS"):
    data = {"rows": rows}
    if title:
        kind, data["title"] = "TITLED", {"title": title}
    return {"sectionId": name, "units": [{"unitType": kind, "unitData": data}]}


def page(*sections, **more):
    return {"sections": list(sections), **more}


class Scene:
    """A browser's page on a site with a daemon."""

    def __init__(self, browser, broadsheet, *options, catalog=CATALOG):
        self.folder = Path(Scene.folder)
        path = self.folder / "catalog.json"
        path.write_text(json.dumps(catalog))
        self.daemon = Daemon(broadsheet, "--catalog", str(path), *options)
        self.site = Site(self.daemon)
        self.site.pages["/probe.js"] = (
            (ROOT / "Tests/Browsers/probe.js").read_bytes(), "text/javascript")
        self.site.pages["/style.css"] = (STYLE, "text/css")
        self.browser = browser
        self.page = browser.page()
        self.size(390, 844)

    def size(self, width, height, scale=1, touch=False):
        self.browser.call(
            "Emulation.setDeviceMetricsOverride", self.page.session, width=width, height=height,
            deviceScaleFactor=scale, mobile=touch)
        self.browser.call("Emulation.setTouchEmulationEnabled", self.page.session, enabled=touch)

    def open(self, src="/v1/screens/home", attributes="", script=""):
        self.site.pages["/page"] = PAGE % (
            f'<broadsheet-screen src="{src}" {attributes}></broadsheet-screen>' if src else "")
        self.page.open(f"{self.site.origin}/page")
        self.run("await until(() => window.ready)")
        if script:
            self.run(script)
        if src:
            self.live()

    def live(self):
        self.run("""await until(() => document.querySelector("broadsheet-screen").screen?.status
            === "live", "live"); await frame(); await frame();""")

    def run(self, script):
        return self.page.run(
            f'const element = document.querySelector("broadsheet-screen"); {script}')

    def check(self):
        wrong = self.run("return differences()")
        assert not wrong, wrong

    def until(self, condition):
        self.run(f"await until(() => {condition}, {json.dumps(condition)})")

    def wheel(self, distance, x=200, y=400):
        self.browser.call(
            "Input.dispatchMouseEvent", self.page.session, type="mouseWheel", x=x, y=y, deltaX=0,
            deltaY=distance)

    def key(self, name):
        code = {"Enter": 13, " ": 32}.get(name, 0)
        text = {"Enter": "\r", " ": " "}.get(name, "")
        for kind in ["keyDown", "keyUp"]:
            self.browser.call(
                "Input.dispatchKeyEvent", self.page.session, type=kind, key=name, code=name,
                windowsVirtualKeyCode=code, text=text if kind == "keyDown" else "")

    def click(self, selector):
        place = self.run(f"""const box = document.querySelector({json.dumps(selector)})
            .getBoundingClientRect(); return [box.left + 5, box.top + 5]""")
        for kind in ["mousePressed", "mouseReleased"]:
            self.browser.call(
                "Input.dispatchMouseEvent", self.page.session, type=kind, x=place[0], y=place[1],
                button="left", clickCount=1)

    def picture(self, path):
        import base64
        shot = self.browser.call("Page.captureScreenshot", self.page.session)
        Path(path).write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        self.page.run("document.body.replaceChildren()")
        self.daemon.kill()


def still(places):
    """Checks that an anchor was at one place in all painted frames."""
    assert places and None not in places and max(places) - min(places) < 0.02, places


def long_page(count, name="list"):
    return page(section(name, [row(number) for number in range(count)]))


# Scenes


def draws_what_is_near(scene):
    """The DOM is that of the tree, at the start, in the middle and at the end."""
    scene.daemon.put("home", page(
        section("plain", [row(number) for number in range(40)], "First"),
        section("grid", [row(number, 70 + number % 5 * 20) for number in range(200, 320)], "Second"),
        section("plain2", [row(number) for number in range(400, 440)], "Third")))
    scene.open()
    scene.check()
    for place in [500, 3_000, 1e6, 1_234, 0]:
        scene.run(f"scrollTo(0, {place}); await frame(); await frame()")
        scene.check()
    query = next(path for _, path, _ in scene.site.requests if "/stream?" in path)
    assert "width=390&height=844&scale=1&direction=ltr" in query, query


def keeps_the_anchor(scene):
    """Edits above the viewport, in it and below it move the anchor by 0 px in all painted frames."""
    source = random.Random(30)
    rows = [row(number, source.choice([40, 60.5, 80.25])) for number in range(600)]
    scene.daemon.put("home", page(section("list", rows)))
    scene.open()
    scene.run("scrollTo(0, 15000); await frame(); await frame()")
    for step in range(30):
        kept = scene.run("window.watching = watchAnchor(); return watching.id")
        ids = [one["id"] for one in rows]
        place = ids.index(kept)
        for _ in range(source.randint(1, 4)):
            kind = source.randrange(4)
            where = source.randrange(len(rows))
            if kind == 0:
                rows.insert(where, row(1_000 + step * 10 + source.randrange(9) * 1_000, 55))
            elif kind == 1 and rows[where]["id"] != kept:
                rows.pop(where)
            elif kind == 2:
                rows[max(0, place - 3)]["h"] = source.choice([30, 99.5])
            elif rows[where]["id"] != kept:
                rows.insert(source.randrange(len(rows)), rows.pop(where))
        unique = {one["id"]: one for one in rows}
        rows = list(unique.values())
        before = scene.run("return element.screen.tree.revision")
        scene.daemon.put("home", page(section("list", rows)))
        scene.until(f"element.screen.tree.revision > {before}")
        scene.run("await frame(); await frame(); await frame()")
        still(scene.run("return watching.stop()"))
        scene.check()


def main():
    program, broadsheet, *names = sys.argv[1:]
    scenes = [(name, value) for name, value in globals().items()
              if inspect.isfunction(value) and inspect.getfullargspec(value).args == ["scene"]]
    import tempfile
    with tempfile.TemporaryDirectory(prefix="broadsheet-scenes-") as folder:
        Scene.folder = folder
        browser = Browser(program, ["--disable-smooth-scrolling"])
        try:
            for name, body in scenes:
                if names and name not in names:
                    continue
                start = time.monotonic()
                scene = Scene(browser, broadsheet, *getattr(body, "options", []))
                try:
                    body(scene)
                finally:
                    scene.close()
                print(f"{name}: {time.monotonic() - start:.1f} s", flush=True)
        finally:
            browser.close()


if __name__ == "__main__":
    main()
