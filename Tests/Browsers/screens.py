"""Opens screens in Chromium with <broadsheet-screen>, and drives them as a reader would.

    screens.py CHROMIUM BROADSHEET [SCENE ...]

Each scene is a function below, which asserts what it sees; its name is printed when it has passed.
"""

import inspect
import json
import os
import random
import re
import sys
import tempfile
import time
import traceback
from pathlib import Path

from browser import TIMEOUT, Browser
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
        "wall": {
            "kind": "masonry", "gridColumnCount": 3, "placement": "inOrder",
            "minimumInteritemSpacing": 8, "minimumLineSpacing": 8},
        "tiles": {"gridColumnCount": 3, "itemAlignment": "stretch", "inset": 10},
    },
    "units": {
        "ROWS": {"cells": {"type": "Row", "data": "/rows"}},
        "FIXED": {"cells": {"type": "Fixed", "data": "/rows"}},
        "TILES": {"cells": {"type": "Tile", "data": "/rows"}},
        "END": {"footer": {"type": "Title"}},
        "TITLED": {"header": {"type": "Title", "data": "/title"},
                   "cells": {"type": "Row", "data": "/rows"}},
    },
    "cellTypes": {
        "Row": {"id": "/id", "size": {"height": {"value": "/h", "default": 60}},
                "actions": {"like": {
                    "operations": [{"op": "patchItem", "patch": {"title": "liked"}}]}}},
        "Fixed": {"id": "/id", "can": [], "size": {"height": 60}},
        "Tile": {"id": "/id", "span": {"value": "/columns"}, "content": {"column": [
            {"box": "", "height": {"value": "/h"}, "name": "photo"},
            {"box": "", "fill": 1, "name": "rest"}]}},
        "Title": {"size": {"height": 40}, "actions": {"more": {"forward": True}}},
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

    pictures = os.environ.get("BROADSHEET_PICTURES")
    axe = os.environ.get("BROADSHEET_AXE")

    def __init__(self, browser, broadsheet):
        self.folder = Path(Scene.folder)
        path = self.folder / "catalog.json"
        path.write_text(json.dumps(CATALOG))
        self.daemon = Daemon(broadsheet, "--catalog", str(path))
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

    def open(self, src="/v1/screens/home", attributes="", script="", is_live=True):
        self.site.pages["/page"] = PAGE % (
            f'<broadsheet-screen src="{src}" {attributes}></broadsheet-screen>' if src else "")
        self.page.open(f"{self.site.origin}/page")
        self.run("await until(() => window.ready)")
        if script:
            self.run(script)
        if src and is_live:
            self.live()

    def live(self):
        self.run("""const drawn = document.querySelector("broadsheet-screen");
            await until(() => drawn.screen?.status === "live", "live");
            await until(() => Math.abs(drawn.screen.tree.viewport.width - drawn.clientWidth) < 1,
                "its width");
            await frame(); await frame();""")

    def run(self, script):
        return self.page.run(
            f'const element = document.querySelector("broadsheet-screen"); {script}')

    def check(self):
        self.run("""const running = element.getAnimations({subtree: true});
            await Promise.all(running.map((one) => one.finished))""")
        wrong = self.run("return differences()")
        assert not wrong, wrong

    def until(self, condition):
        self.run(f"await until(() => {condition}, {json.dumps(condition)})")

    def moved(self, distance):
        """Waits until the watched anchor has moved by a distance, and for three more frames.

        A wheel step may take any number of frames. The caller checks the places in all of them."""
        self.run(f"""await until(() => Math.abs(watching.distance() - {distance}) < 0.02)
            .catch(() => null); await frame(); await frame(); await frame()""")

    def wheel(self, distance, x=200, y=400):
        self.browser.call(
            "Input.dispatchMouseEvent", self.page.session, type="mouseWheel", x=x, y=y, deltaX=0,
            deltaY=distance)

    def key(self, name):
        code = {"Enter": 13, " ": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
                "ArrowDown": 40, "Tab": 9}.get(name, 0)
        text = {"Enter": "\r", " ": " "}.get(name, "")
        for kind in ["keyDown", "keyUp"]:
            self.browser.call(
                "Input.dispatchKeyEvent", self.page.session, type=kind, key=name, code=name,
                windowsVirtualKeyCode=code, text=text if kind == "keyDown" else "")

    def point(self, x, y):
        """Moves the pointer."""
        self.browser.call(
            "Input.dispatchMouseEvent", self.page.session, type="mouseMoved", x=x, y=y)

    def touch(self, kind, *places):
        """Sends a touch event, with fingers at these places along y."""
        self.browser.call(
            "Input.dispatchTouchEvent", self.page.session, type=kind,
            touchPoints=[{"x": 200, "y": y} for y in places])

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
        section(
            "grid", [row(number, 70 + number % 5 * 20) for number in range(200, 320)], "Second"),
        section("plain2", [row(number) for number in range(400, 440)], "Third")))
    scene.open()
    scene.check()
    for place in [500, 3_000, 1e6, 1_234, 0]:
        scene.run(f"scrollTo(0, {place}); await frame(); await frame()")
        scene.check()
    query = next(path for _, path, _ in scene.site.requests if "/stream?" in path)
    assert "width=390&height=844&scale=1&direction=ltr" in query, query


def keeps_the_anchor(scene):
    """Edits above, in and below the viewport move the anchor by 0 px in all painted frames."""
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


def chat(scene, pages):
    """Posts pages of a hundred messages each, with earlier ones, and returns their rows."""
    rows = {number: [row(100 * number + place) for place in range(100)] for number in pages}
    for number in pages:
        scene.daemon.put("home", page(section("list", rows[number]), hasPrevious=True), number)
    return rows


def opens_a_chat_at_an_item(scene):
    """A chat opens at an item, and pages both ways: each wheel step moves it by its distance."""
    chat(scene, range(3, 9))
    scene.open(attributes='item="r550"')
    top = scene.run("return element.querySelector('[data-id=r550]').getBoundingClientRect().top")
    assert abs(top) < 0.02, top
    scene.check()
    above, below = "scrollY", "document.documentElement.scrollHeight - innerHeight - scrollY"
    for distance, end in [(-600, "r300"), (600, "r899")]:
        for _ in range(150):
            # The next page may not be loaded yet.
            scene.until(f"{above if distance < 0 else below} >= 600")
            scene.run("window.watching = watchAnchor(); await frame()")
            scene.wheel(distance)
            scene.moved(-distance)
            places = scene.run("return watching.stop()")
            assert None not in places, places
            moves = [after - before for before, after in zip(places, places[1:])]
            assert all(min(abs(move), abs(move + distance)) < 0.02 for move in moves), moves
            assert abs(places[-1] - places[0] + distance) < 0.02, places
            if scene.run(f"return !!element.querySelector('[data-id={end}]')"):
                break
        else:
            raise AssertionError(end)
        scene.check()
        length = scene.run("return element.querySelector('.content').clientHeight")
        assert length < 15_000, length


def keeps_the_anchor_in_a_window(scene):
    """Edits above, in and below a window move what is seen by 0 px, its own anchor's too."""
    source = random.Random(32)
    rows = chat(scene, range(3, 9))
    scene.open(attributes='item="r550"')
    scene.run("scrollBy(0, -200); await frame(); await frame()")
    for step in range(24):
        kept = scene.run("window.watching = watchAnchor(); return watching.id")
        number = 5 if step % 2 else source.choice([3, 4, 6, 7, 8])
        edited = rows[number]
        where = source.randrange(len(edited))
        if step == 11:
            where = next(index for index, one in enumerate(edited) if one["id"] == "r550")
        if step == 6:
            number, edited = 2, rows.setdefault(2, [row(200 + place) for place in range(9)])
        elif edited[where]["id"] != kept and (step == 11 or source.randrange(2)):
            edited.pop(where)
        else:
            edited.insert(where, row(9_000 + step, source.choice([45, 80.25])))
        before = scene.run("return element.screen.tree.revision")
        scene.daemon.put("home", page(section("list", edited), hasPrevious=True), number)
        scene.until(f"element.screen.tree.revision > {before}")
        scene.run("await frame(); await frame(); await frame()")
        still(scene.run("return watching.stop()"))
        scene.check()
    items = scene.run("return element.screen.tree.sections[0].itemCount")
    assert items == sum(map(len, rows.values())), items
    assert scene.run("return element.screen.tree.window.item") != "r550"


def stays_at_the_end_of_a_chat(scene):
    """A chat opened with edge=end follows its end; read further up it moves by 0 px."""
    rows = [row(number) for number in range(400)]
    scene.daemon.put("home", page(section("list", rows)))
    scene.open(attributes='edge="end"')
    last = "[...element.querySelectorAll('.item:not([inert])')].at(-1)"
    def bottom():
        return scene.run(f"return [{last}.dataset.id, {last}.getBoundingClientRect().bottom]")
    assert bottom() == ["r399", 844], bottom()
    rows.append(row(400))
    scene.daemon.put("home", page(section("list", rows)))
    scene.until(f"{last}.dataset.id === 'r400'")
    scene.check()
    assert bottom() == ["r400", 844], bottom()
    scene.run("scrollBy(0, -1200); await frame(); await frame(); window.watching = watchAnchor()")
    rows.insert(3, row("new", 75))
    rows.append(row(401))
    before = scene.run("return element.screen.tree.revision")
    scene.daemon.put("home", page(section("list", rows)))
    scene.until(f"element.screen.tree.revision > {before}")
    scene.run("await frame(); await frame(); await frame()")
    still(scene.run("return watching.stop()"))
    scene.check()


def follows_pages_by_the_wheel(scene):
    """The wheel loads page after page, and the number of elements stays."""
    for number in range(5):
        rows = [row(1_000 * number + place) for place in range(40)]
        scene.daemon.put("home", page(section("list", rows), hasNext=number < 4), number)
    scene.open()
    counts = []
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        scene.wheel(120)
        scene.run("await frame()")
        counts.append(scene.run("return element.querySelectorAll('*').length"))
        if scene.run("return element.screen.tree.page") == 4:
            break
    scene.until("element.screen.tree.page === 4 && !element.screen.tree.hasNext")
    scene.run("scrollTo(0, 1e6); await frame(); await frame()")
    scene.check()
    assert scene.run("return element.screen.tree.sections[0].items.length") == 200
    assert max(counts) < 100, counts
    place = scene.run("return [...element.querySelectorAll('.item')].at(-1).ariaSetSize")
    assert place == "200", place


class Edits:
    """A long list, and edits far above what is in view."""

    def __init__(self, scene, height=44):
        self.scene = scene
        self.height = height
        self.rows = [row(number) for number in range(500)]
        self.count = 0
        self.put()

    def put(self):
        self.scene.daemon.put("home", page(section("list", self.rows)))

    def edit(self):
        """Inserts a row, and sometimes deletes one."""
        self.rows.insert(5, row(9_000 + self.count, self.height))
        self.count += 1
        if self.count % 3 == 0:
            self.rows.pop(20)
        self.put()

    def arrived(self):
        """Waits until the last edit is drawn."""
        last = 9_000 + self.count - 1
        self.scene.until(f"element.screen.tree.sections[0].items[5].id === 'r{last}'")


def scroll_while_edited(scene, scroll, distance):
    """Checks that each of 12 steps moves the items by a distance alone, while rows above change."""
    edits = Edits(scene)
    scene.open()
    scene.run("scrollTo(0, 12000); await frame(); await frame()")
    start = scene.run("window.watching = watchAnchor(); await frame(); return watching.id")
    steps = 12
    for _ in range(steps):
        scroll()
        edits.edit()
    edits.arrived()
    scene.moved(distance * steps)
    places = scene.run("return watching.stop()")
    assert None not in places, (start, places)
    moves = [after - before for before, after in zip(places, places[1:])]
    assert all(abs(move - distance * round(move / distance)) < 0.02 and move > -0.02
               for move in moves), moves
    assert abs(places[-1] - places[0] - distance * steps) < 0.02, (places[0], places[-1])
    scene.check()


def wheels_while_edited(scene):
    """Each wheel step moves the items by its distance alone, while rows above come and go."""
    scroll_while_edited(scene, lambda: scene.wheel(-30), 30)


def scrolls_by_keys_while_edited(scene):
    """So does each arrow key, without a focus (40 px) and from item to item (60 px)."""
    scroll_while_edited(scene, lambda: scene.key("ArrowUp"), 40)
    edits = Edits(scene)
    scene.open()
    scene.run("element.reveal('list', 'r200'); await frame(); await frame()")
    focused = "document.activeElement"
    scene.run(f"""window.places = []; (function note() {{
        places.push({focused}.getBoundingClientRect().bottom);
        requestAnimationFrame(note);
    }})()""")
    for number in range(201, 213):
        scene.key("ArrowDown")
        edits.edit()
        assert scene.run(f"return {focused}.dataset.id") == f"r{number}"
    edits.arrived()
    scene.run("await frame(); await frame(); await frame()")
    still(scene.run("return places"))
    assert scene.run(f"return {focused}.getBoundingClientRect().bottom") == 844
    scene.check()


def scrolls_by_touch_while_edited(scene):
    """A finger moves the items by its distance, and never back, while rows above come and go."""
    edits = Edits(scene, height=400)
    scene.size(390, 844, 1, touch=True)
    scene.open()
    scene.run("""scrollTo(0, 12000); await frame(); await frame();
        window.watching = watchAnchor(); await frame()""")
    scene.touch("touchStart", 300)
    for step in range(1, 13):
        scene.touch("touchMove", 300 + 25 * step)
        edits.edit()
        scene.run("await frame()")
    edits.arrived()
    # Chromium takes the first 15 px for a tap.
    scene.until("watching.distance() > 284")
    scene.run("await frame(); await frame(); await frame()")
    places = scene.run("return watching.stop()")
    assert None not in places, places
    # The drag may be a little longer, since Chromium predicts its steps.
    moves = [after - before for before, after in zip(places, places[1:])]
    assert min(moves) > -0.02 and sum(moves) < 330, [move for move in moves if move]
    scene.touch("touchEnd")
    scene.check()
    scene.size(390, 844)


def keeps_the_item_with_the_focus(scene):
    """The anchor is the item with the focus, though others begin before it in view."""
    rows = [row(number) for number in range(200)]
    scene.daemon.put("home", page(section("list", rows)))
    scene.open()
    scene.run("scrollTo(0, 3000); await frame(); await frame()")
    first, kept = scene.run("""const items = [...element.querySelectorAll(".item")].filter(
            (one) => one.getBoundingClientRect().top >= 0);
        items[5].focus({preventScroll: true});
        window.watching = watchAnchor(`[data-id=${items[5].dataset.id}]`);
        window.others = watchAnchor();
        return [items[0].dataset.id, items[5].dataset.id]""")
    place = [one["id"] for one in rows].index(kept)
    rows.insert(place - 2, row(900, 75))
    rows.insert(3, row(901, 33))
    scene.daemon.put("home", page(section("list", rows)))
    scene.until("element.querySelector('[data-id=r900]')")
    # The others move in 250 ms.
    scene.until("!element.getAnimations({subtree: true}).length")
    scene.run("await frame(); await frame(); await frame()")
    still(scene.run("return watching.stop()"))
    places = scene.run("return others.stop()")
    assert abs(places[-1] - places[0] + 75) < 0.02, (first, places)
    assert scene.run("return document.activeElement.dataset.id") == kept
    scene.check()


def keeps_what_covers_the_edge(scene):
    """Without an item that begins in view the anchor is one that covers it, else the section."""
    def put(*sections):
        before = scene.run("return element.screen.tree.revision")
        scene.daemon.put("home", page(*sections))
        scene.until(f"element.screen.tree.revision > {before}")
        scene.until("!element.getAnimations({subtree: true}).length")
        scene.run("await frame(); await frame(); await frame()")
        still(scene.run("return watching.stop()"))
        scene.check()

    rows = [row(number) for number in range(30)]
    rows[12] = row("tall", 4_000)
    scene.daemon.put("home", page(section("list", rows)))
    scene.open()
    scene.run("""scrollTo(0, 2000); await frame(); await frame();
        window.watching = watchAnchor("[data-id=rtall]")""")
    rows[3:5] = [row(100 + number, 75) for number in range(9)]
    put(section("list", rows))
    # One item covers the edge and stays, those that began in view are others afterwards.
    scene.run("""scrollTo(0, document.body.scrollHeight - 1300); await frame(); await frame();
        window.watching = watchAnchor("[data-id=rtall]")""")
    assert scene.run("""return [...element.querySelectorAll(".item")].some((one) => {
        const {top} = one.getBoundingClientRect(); return top > 0 && top < 844; })""")
    tall = [one["id"] for one in rows].index("rtall")
    put(section("list", [row(500), *rows[:tall + 1], *(row(600 + number) for number in range(30))]))

    def sections(offset, length):
        return [section("a", [row(offset + number) for number in range(length)]),
                section("b", [row(offset + 200 + number) for number in range(40)]),
                section("c", [row(offset + 300 + number) for number in range(40)])]

    scene.daemon.put("home", page(*sections(1_000, 30)))
    scene.open()
    scene.run("""scrollTo(0, 2500); await frame(); await frame();
        window.watching = watchAnchor(".section[data-id=b]")""")
    put(*sections(2_000, 37))


def survives_kills(scene):
    """The daemon is killed and started again: the screen goes on, and the anchor stays."""
    rows = [row(number) for number in range(300)]
    scene.daemon.put("home", page(section("list", rows)))
    scene.open()
    scene.run("scrollTo(0, 6000); await frame(); await frame(); window.watching = watchAnchor()")
    for step in range(3):
        scene.daemon.kill()
        rows.insert(3, row(5_000 + step))
        scene.daemon.start()
        scene.daemon.put("home", page(section("list", rows)))
        scene.run("element.screen.wake()")
        scene.until(f"element.screen.tree.sections[0].items[3].id === 'r{5_000 + step}'")
        scene.run("await frame(); await frame()")
    still(scene.run("return watching.stop()"))
    scene.live()
    scene.check()


def keeps_the_place_in_resets(scene):
    """A screen that is replaced as a whole, and one that is removed and comes back."""
    rows = [row(number, 50 + number % 7) for number in range(200)]
    scene.daemon.put("home", page(section("list", rows)))
    scene.open()
    scene.run("scrollTo(0, 5000); await frame(); await frame()")
    kept = scene.run("window.watching = watchAnchor(); return watching.id")
    others = [row(2_000 + number, 91) for number in range(100)]
    place = [one["id"] for one in rows].index(kept)
    scene.daemon.put("home", page(section("list", others + [rows[place]] + others[:0] + [
        row(4_000 + number) for number in range(50)])))
    scene.until("element.screen.tree.sections[0].items[0].id === 'r2000'")
    scene.run("await frame(); await frame()")
    still(scene.run("return watching.stop()"))
    scene.check()
    scene.daemon.send("DELETE", "/v1/screens/home")
    scene.until("!element.querySelector('.section')")
    assert scene.run("return element.screen.problem.code") == "SCREEN_NOT_FOUND"
    scene.daemon.put("home", page(section("list", rows)))
    scene.run("element.screen.wake()")
    scene.until("element.querySelector('.item')")
    scene.check()


def works_behind_proxies(scene):
    """A proxy that delays, cuts or buffers streams: each edit arrives."""
    rows = [row(number) for number in range(60)]
    scene.daemon.put("home", page(section("list", rows)))
    scene.site.pages["/fast.js"] = ("""
        const [timeout, now] = [window.setTimeout, performance.now.bind(performance)];
        window.setTimeout = (body, delay = 0) => timeout(body, delay / 20);
        performance.now = () => now() * 20;
        window.isFast = true;""", "text/javascript")
    for mode in ["delay", "cut", "buffer"]:
        scene.site.mode = mode
        scene.site.requests.clear()
        # Streams that are only late must not reach the timeouts, which are short if time is fast.
        fast = "" if mode == "delay" else '<script src="/fast.js"></script>'
        scene.site.pages["/page"] = (PAGE % (
            '<broadsheet-screen src="/v1/screens/home"></broadsheet-screen>')).replace(
            '<script type="module"', f'{fast}<script type="module"')
        scene.page.open(f"{scene.site.origin}/page")
        scene.run("await new Promise((done) => requestAnimationFrame(done))")
        deadline = time.monotonic() + TIMEOUT
        while not scene.run("return element.screen?.tree?.sections[0].items.length ?? 0"):
            assert time.monotonic() < deadline, mode
            time.sleep(0.05)
        for step in range(3):
            rows.insert(0, row(f"{mode}{step}"))
            scene.daemon.put("home", page(section("list", rows)))
            while scene.run("return element.screen.tree.sections[0].items[0].id") != rows[0]["id"]:
                assert time.monotonic() < deadline, (mode, step)
                time.sleep(0.02)
        scene.run("await new Promise((done) => requestAnimationFrame(done))")
        scene.check()
        polls = scene.site.count("changes")
        assert (polls > 0) == (mode != "delay"), (mode, polls)
    scene.site.mode = "pass"


def refreshes_tokens(scene):
    """After a 401 the token is asked for once more, and the request sent again at once."""
    scene.daemon.kill()
    keys = {}
    lines = []
    import subprocess
    for name, scopes in [("page", "read,events"), ("backend", "read,write")]:
        made = subprocess.run(
            [scene.daemon.words[0], "key", "new", name, "--scopes", scopes], capture_output=True,
            text=True, check=True).stdout
        secret, line = (text.split(": ", 1)[1] for text in made.splitlines())
        keys[name] = secret
        lines.append(line)
    path = scene.folder / "keys"
    path.write_text("\n".join(lines) + "\n")
    path.chmod(0o600)
    scene.daemon.words += ["--keys", str(path)]
    scene.daemon.secret = keys["backend"]
    scene.daemon.start()
    scene.daemon.put("home", long_page(30))
    scene.open(src=None)
    scene.run(f"""
        const {{Screen}} = await import("/client.js");
        const element = document.createElement("broadsheet-screen");
        window.asked = [];
        element.screen = new Screen("/v1/screens/home", {{headers: async (problem) => {{
            asked.push(problem?.status ?? 0);
            return {{Authorization: problem ? "Bearer {keys['page']}" : "Bearer old"}};
        }}}});
        document.querySelector("main").append(element);""".replace("const element", "const made", 1)
        .replace("element.screen =", "made.screen =").replace("append(element)", "append(made)"))
    scene.live()
    scene.check()
    assert scene.run("return asked.slice(0, 2)") == [0, 401]


def counts_no_more_than_near(scene):
    """A scroll costs the same among 1,000, 10,000 and 100,000 items."""
    seen = {}
    for count in [1_000, 10_000, 100_000]:
        scene.daemon.put(f"list{count}", long_page(count))
        scene.open(f"/v1/screens/list{count}")
        scene.run("scrollTo(0, 20000); await frame(); await frame()")
        seen[count] = scene.run("""
            let created = 0;
            const create = document.createElement;
            document.createElement = (name) => { created++; return create.call(document, name); };
            const result = await counted(async () => {
                for (let step = 0; step < 8; step++) {
                    scrollBy(0, 150);
                    await frame();
                    await frame();
                }
            });
            delete document.createElement;
            const {revision} = element.screen.tree;
            const edit = await counted(async () => {
                const operations = [{op: "deleteItems", section: "list", items: ["r5"]}];
                await fetch(`${element.screen.url}/updates`, {
                    method: "POST", body: JSON.stringify({operations}),
                    headers: {"Content-Type": "application/json", Prefer: "return=minimal"},
                });
                await until(() => element.screen.tree.revision > revision);
            });
            return {...result, created, readsOfEdit: edit.reads, changesOfEdit: edit.changes};""")
        scene.check()
        scene.run(f"scrollTo(0, {60 * count - 5_000}); await frame(); await frame()")
        scene.check()
    elements = [one["elements"] for one in seen.values()]
    changes = [one["changes"] for one in seen.values()]
    reads = [one["reads"] for one in seen.values()]
    assert max(one["created"] for one in seen.values()) < 12, seen
    # An item without parts has its text in an element of its own.
    assert max(elements) - min(elements) <= 2 and max(elements) < 100, seen
    assert max(changes) - min(changes) <= max(changes) * 0.1 and max(changes) < 3_000, seen
    # A frame reads the places of the content and its scroller; one with an edit, what is near, too.
    assert max(reads) < 60, seen
    for name, limit in [("readsOfEdit", 200), ("changesOfEdit", 300)]:
        assert max(one[name] for one in seen.values()) < limit, seen


def keeps_fifty_elements_of_a_type(scene):
    """Elements are used again for other items of their type, at most 50 of each are kept."""
    scene.daemon.put("home", page(
        section("small", [row(number, 10) for number in range(400)]),
        section("fixed", [row(1_000 + number) for number in range(200)], kind="FIXED"),
        section("more", [row(2_000 + number, 10) for number in range(400)])))
    scene.open()
    counts = scene.run("""
        const known = new WeakSet(element.querySelectorAll(".item"));
        const places = [0, 8_000, 19_000, 8_000, 0];
        const counts = [];
        for (const place of places) {
            scrollTo(0, place);
            await frame();
            await frame();
            const items = [...element.querySelectorAll(".item")];
            const fresh = items.filter((one) => !known.has(one));
            fresh.forEach((one) => known.add(one));
            const types = new Set(items.map((one) => one.dataset.type));
            counts.push([items.length, fresh.length, types.size]);
        }
        return counts;""")
    at_start, first, end, second, last = counts
    assert at_start[0] > 100 and at_start[1:] == [0, 1], counts
    # Elements of one type are not used for another.
    assert first[0] == first[1] < 50 and first[2] == 1, counts
    assert end[1] == end[0] - 50 and end[2] == 1, counts
    assert second[1] == 0 and last[1] == last[0] - 50, counts
    scene.check()


def turns_pages_without_an_end(scene):
    """An infinite carousel starts centred, shows three copies, and moves to the middle one."""
    scene.daemon.put("home", page(
        section("cards", [row(number) for number in range(5)]),
        section("shelf", [row(number) for number in range(100, 140)]),
        section("grid", [row(number) for number in range(200, 240)])))
    scene.open()
    scene.check()
    state = """const list = element.querySelector('[data-id="cards"] .list');
        const tree = element.screen.tree, {Carousel} = await import("/client.js");
        const carousel = Carousel.of(tree.sections[0], tree);"""
    offset, length, middle = scene.run(f"""{state}
        const box = [...list.querySelectorAll('[data-id="r0"]')].map(
            (one) => one.getBoundingClientRect()).find((one) => one.left > 0 && one.right < 390);
        const middle = (box.left + box.right - list.clientWidth) / 2;
        return [list.scrollLeft, carousel.copyLength, middle]""")
    assert offset > length - 200 and abs(middle) < 1, (offset, length, middle)
    scene.run(f"{state} list.scrollLeft = 0; await until(() => list.scrollLeft >= {length - 60})")
    moved = scene.run(f"{state} return list.scrollLeft")
    assert moved >= length - 60, (moved, length)
    hidden = scene.run(f"""{state} return [...list.querySelectorAll(".item")].map(
        (one) => one.ariaHidden)""")
    assert "true" in hidden, hidden
    shelf = scene.run("""const list = element.querySelector('[data-id="shelf"] .list');
        const {snapOffsets} = element.screen.tree.sections[1].scroll;
        list.scrollLeft = 900;
        await frame(); await frame();
        await until(() => snapOffsets.some((one) => Math.abs(one - list.scrollLeft) < 1));
        return [list.scrollLeft, list.querySelectorAll(".item").length]""")
    assert shelf[1] < 16, shelf
    offsets = scene.run("return element.screen.tree.sections[1].scroll.snapOffsets")
    assert min(abs(one - shelf[0]) for one in offsets) < 1, (shelf, offsets[:12])


def keeps_a_fraction_below_a_pixel(scene):
    """Edits of fractions above what is in view move it by 0 px, and `.content` by less than one."""
    for scale in [1, 2, 3]:
        scene.size(390, 844, scale)
        rows = [row(number) for number in range(300)]
        scene.daemon.put("home", page(section("list", rows)))
        scene.open()
        scene.run("""scrollTo(0, 6000); await frame(); await frame();
            window.watching = watchAnchor()""")
        for step in range(24):
            rows[3]["h"] += 1 / 3 if step % 2 else 0.5
            before = scene.run("return element.screen.tree.revision")
            scene.daemon.put("home", page(section("list", rows)))
            scene.until(f"element.screen.tree.revision > {before}")
            top = scene.run("""await frame();
                return parseFloat(element.querySelector(".content").style.top)""")
            assert abs(top) < 1, (scale, step, top)
        scene.run("await frame(); await frame()")
        still(scene.run("return watching.stop()"))
        scene.check()
    scene.size(390, 844)


# The first item that begins in view of a list, and where it begins.
IN_VIEW = """
    const list = element.querySelector('[data-id="%s"] .list');
    const {left, right} = list.getBoundingClientRect();
    const isMirrored = list.dir === "rtl";
    const boxes = [...list.querySelectorAll(".item")].map((one) => {
        const box = one.getBoundingClientRect();
        return [one.dataset.id, isMirrored ? right - box.right : box.left - left, box.width];
    }).filter(([, start]) => start > -1.5 && start < right - left);
    return boxes.sort(([, one], [, other]) => one - other)[0];"""


def keeps_the_card_of_a_list(scene):
    """A list keeps the first item that begins in view: whatever comes and goes before it, whether
    or not the list is drawn meanwhile, and in another width."""
    cards = {"kind": "compositional", "lineSpacing": 10}
    layouts = {
        "free": cards | {
            "scrolling": "continuous", "itemSize": {"uniform": {"width": 130.5, "height": 80}}},
        "rests": cards | {
            "scrolling": "continuousGroupLeadingBoundary",
            "itemSize": {"uniform": {"width": {"fraction": 0.4}, "height": 80}}},
        "turns": cards | {
            "scrolling": "groupPagingCentered", "paging": {"isAlignCenter": True},
            "itemSize": {"uniform": {"width": 300, "height": 120}}},
        "endless": cards | {
            "scrolling": "groupPagingCentered",
            "paging": {"isAlignCenter": True, "isInfinitePage": True},
            "itemSize": {"uniform": {"width": 300, "height": 120}}}}
    rows = {name: [row(f"{name}{number}") for number in range(40)] for name in layouts}

    def put(isNew=True):
        # Lists that move in the document keep their cards, too.
        sections = [{**section(name, rows[name]), "layout": layout}
                    for name, layout in layouts.items()]
        more = section("list", [row(number) for number in range(60)])
        before = 0 if isNew else scene.run("return element.screen.tree.revision")
        scene.daemon.put("home", page(*sections, more))
        if not isNew:
            scene.until(f"element.screen.tree.revision > {before}")
            scene.run("await frame(); await frame(); await frame()")

    def places():
        scene.run("""await frame(); await frame();
            await until(() => !element.getAnimations({subtree: true}).length)""")
        return {name: scene.run(IN_VIEW % name) for name in layouts}

    def moved(before, tolerance=1):
        after = places()
        for name in layouts:
            assert after[name][0] == before[name][0], (name, before, after)
            assert abs(after[name][1] - before[name][1]) <= tolerance, (name, before, after)

    for direction in ["ltr", "rtl"]:
        put()
        scene.open(attributes=f'dir="{direction}"')
        sign = -1 if direction == "rtl" else 1
        # What is new at the start of a list is seen.
        rows["free"].insert(0, row(f"start{direction}"))
        put(isNew=False)
        assert places()["free"][0] == f"rstart{direction}", places()
        scene.run(f"""for (const list of element.querySelectorAll("[data-id] > .list")) {{
                if (list.scrollWidth > list.clientWidth) list.scrollLeft += {sign * 1_500};
            }}
            await new Promise((done) => setTimeout(done, 300));""")
        for step in range(8):
            before = places()
            for name, some in rows.items():
                kept = next(index for index, one in enumerate(some) if one["id"] == before[name][0])
                if step % 4 == 0:
                    some.insert(0, row(f"{name}{direction}{step}"))
                elif step % 4 == 1:
                    some.pop(kept - 1)
                elif step % 4 == 2:
                    some.append(some.pop(kept - 2))
                else:
                    some.insert(1, some.pop())
            if step == 5:
                layouts = dict(reversed(layouts.items()))
            put(isNew=False)
            moved(before)
        # A list that is not drawn, and another width.
        before = places()
        scene.run("scrollTo(0, 4000); await frame(); await frame()")
        for some in rows.values():
            some.insert(0, row(f"away{some[0]['id']}"))
        put(isNew=False)
        scene.run("scrollTo(0, 0); await frame(); await frame()")
        moved(before)
        for width in [768, 500, 390]:
            before = places()
            scene.size(width, 844)
            scene.live()
            scene.run("await new Promise((done) => setTimeout(done, 200))")
            moved(before, tolerance=400)
        # Where it may rest, it does.
        offsets = scene.run("""const list = element.querySelector('[data-id="rests"] .list');
            const {sections} = element.screen.tree;
            const {scroll} = sections.find(({id}) => id === "rests");
            return [Math.abs(list.scrollLeft), scroll.snapOffsets]""")
        assert min(abs(one - offsets[0]) for one in offsets[1]) < 1, offsets[0]
        # The item with the focus comes first.
        focused = scene.run("""const list = element.querySelector('[data-id="free"]');
            const items = [...list.querySelectorAll(".item")].filter((one) => {
                const {left, right} = one.getBoundingClientRect();
                return left > 0 && right < 390;
            });
            items.at(-1).focus({preventScroll: true});
            return [items.at(-1).dataset.id, items.at(-1).getBoundingClientRect().left]""")
        place = next(index for index, one in enumerate(rows["free"]) if one["id"] == focused[0])
        rows["free"].insert(place, row(f"beside{direction}"))
        put(isNew=False)
        left = scene.run("return document.activeElement.getBoundingClientRect().left")
        assert abs(left - focused[1]) <= 1, (focused, left)


def keeps_the_card_of_a_screen(scene):
    """A horizontal screen keeps the first item that begins in view, also in another width."""
    scene.site.pages["/style.css"] = (
        STYLE + " broadsheet-screen { overflow-x: auto; height: 200px }", "text/css")
    catalog = json.loads((ROOT / "Fixtures/carousel/catalog.json").read_text("utf-8"))
    content = json.loads((ROOT / "Fixtures/carousel/page-0.json").read_text("utf-8"))
    scene.daemon.kill()
    (scene.folder / "catalog.json").write_text(json.dumps(catalog))
    scene.daemon.start()
    in_view = """const isMirrored = getComputedStyle(element).direction === "rtl";
        const {left, right} = element.getBoundingClientRect();
        return [...element.querySelectorAll(".item")].map((one) => {
            const box = one.getBoundingClientRect();
            return [one.dataset.id, isMirrored ? right - box.right : box.left - left];
        }).filter(([, start]) => start > -1).sort(([, one], [, other]) => one - other)[0]"""
    for direction in ["ltr", "rtl"]:
        scene.daemon.put("home", content)
        scene.open(attributes=f'dir="{direction}"')
        tree = scene.run("return element.screen.tree")
        items = tree["sections"][0]["items"]
        sign = -1 if direction == "rtl" else 1
        scene.run(f"""element.scrollLeft = {sign * tree["sections"][0]["paging"]["pageLength"] * 2};
            await frame(); await frame()""")
        kept = scene.run(in_view)
        assert kept[0] == items[2]["id"], (kept, [one["id"] for one in items])
        scene.run(f"""await fetch(`${{element.screen.url}}/updates`, {{
                method: "POST", headers: {{"Content-Type": "application/json"}},
                body: JSON.stringify({{operations: [
                    {{op: "deleteItems", section: {json.dumps(tree["sections"][0]["id"])},
                     items: [{json.dumps(items[0]["id"])}]}}]}})}});
            await until(() => element.screen.tree.revision > {tree["revision"]});
            await frame(); await frame();""")
        after = scene.run(in_view)
        assert after[0] == kept[0] and abs(after[1] - kept[1]) < 1, (direction, kept, after)
        for width in [768, 390]:
            scene.size(width, 844)
            scene.live()
            after = scene.run(in_view)
            assert after[0] == kept[0], (direction, width, kept, after)
    scene.site.pages["/style.css"] = (STYLE, "text/css")


def jumps_far_in_a_list(scene):
    """A list that is scrolled far at once rests where the tree says, at the nearest card."""
    scene.daemon.put("home", page(
        section("shelf", [row(number) for number in range(300)]),
        section("cards", [row(number) for number in range(1_000, 1_200)])))
    for direction in ["ltr", "rtl"]:
        scene.open(attributes=f'dir="{direction}"')
        sign = -1 if direction == "rtl" else 1
        for place in [20_000, 3_000, 30_050, 0, 12_345]:
            for index, name in [(0, "shelf"), (1, "cards")]:
                found = scene.run(f"""
                    const list = element.querySelector('[data-id="{name}"] .list');
                    const tree = element.screen.tree, {{Carousel}} = await import("/client.js");
                    const section = tree.sections[{index}], carousel = Carousel.of(section, tree);
                    list.scrollLeft = {sign * place};
                    let last;
                    await until(async () => {{
                        await new Promise((done) => setTimeout(done, 200));
                        const isStill = last === list.scrollLeft;
                        last = list.scrollLeft;
                        return isStill;
                    }});
                    const at = Math.abs(list.scrollLeft), length = carousel?.copyLength ?? 0;
                    const rests = carousel
                        ? [at - {place}, at - {place} - length, at - {place} + length]
                        : [at - {place}];
                    const offsets = section.scroll.snapOffsets;
                    return [at, Math.min(...rests.map(Math.abs)),
                        list.querySelectorAll(".snap").length,
                        Math.min(...offsets.map((one) => Math.abs(one - at % (length || 1e9))))]""")
                pitch = 128 if name == "shelf" else 210
                # A list without an end does not rest at offset 0.
                assert found[1] <= max(pitch / 2 + 1, 116 - place), (direction, name, place, found)
                assert found[2] < 20, found
                if name == "shelf":
                    assert found[3] < 1, (direction, place, found)


REACHED = """
    const list = element.querySelector('[data-id="cards"] .list');
    const {left, right} = list.getBoundingClientRect();
    const items = [...list.querySelectorAll(".item")].map((one) => {
        const box = one.getBoundingClientRect();
        return {id: one.dataset.id, isHidden: one.getAttribute("aria-hidden") === "true",
            tabIndex: one.getAttribute("tabindex"),
            isIn: box.right > left + 1 && box.left < right - 1,
            inner: [...one.querySelectorAll("button")].map((button) => button.inert)};
    });
    return items;"""


def reaches_what_is_in_view(scene):
    """In a list without an end each item in view is reached exactly once, by readers and by Tab."""
    scene.daemon.put("home", page(
        section("cards", [row(number) for number in range(4)]),
        section("list", [row(number) for number in range(100, 110)])))
    scene.open(script="""
        const {cells} = await import("/element.js");
        cells.Row = (element, {data}) => {
            element.replaceChildren(data.title, document.createElement("button"));
            element.lastChild.append("Buy");
        };
        window.selected = [];
        element.addEventListener("itemselect", ({detail}) => selected.push(detail.item.id));
        element.screen = element.screen;""")
    for width in [390, 1_200]:
        scene.size(width, 844)
        scene.live()
        for step in range(14):
            items = scene.run(REACHED)
            shown = {one["id"] for one in items if one["isIn"]}
            reached = [one["id"] for one in items if not one["isHidden"]]
            assert len(reached) == len(set(reached)), (width, step, items)
            assert shown == {one["id"] for one in items if one["isIn"] and not one["isHidden"]}, (
                width, step, items)
            for one in items:
                assert (one["tabIndex"] is None) == one["isHidden"], one
                assert one["inner"] == [one["isHidden"]], one
            stops = [one for one in items if one["tabIndex"] == "0"]
            assert len(stops) == 1 and stops[0]["isIn"], (width, step, items)
            scene.run("""const list = element.querySelector('[data-id="cards"] .list');
                list.scrollBy({left: 210, behavior: "instant"});
                await new Promise((done) => setTimeout(done, 170)); await frame(); await frame()""")
    # A pointer selects a copy that no reader reaches.
    hidden = scene.run("""const list = element.querySelector('[data-id="cards"] .list');
        const copy = [...list.querySelectorAll("[aria-hidden=true].item")].find((one) => {
            const box = one.getBoundingClientRect(); return box.left > 0 && box.right < 1200; });
        const box = copy.getBoundingClientRect();
        return [copy.dataset.id, box.left + 5, box.top + 100]""")
    for kind in ["mousePressed", "mouseReleased"]:
        scene.browser.call(
            "Input.dispatchMouseEvent", scene.page.session, type=kind, x=hidden[1], y=hidden[2],
            button="left", clickCount=1)
    assert scene.run("return selected") == [hidden[0]], hidden
    # Arrows go on from the last card to the first one, to what is beside it.
    scene.size(390, 844)
    scene.live()
    scene.run("element.reveal('cards', 'r2')")
    for key, expected in [("ArrowRight", "r3"), ("ArrowRight", "r0"), ("ArrowRight", "r1"),
                          ("ArrowLeft", "r0"), ("ArrowLeft", "r3")]:
        before = scene.run("""return element.querySelector('[data-id="cards"] .list').scrollLeft""")
        scene.key(key)
        scene.run("await frame(); await frame()")
        found = scene.run("""const {left, right} = document.activeElement.getBoundingClientRect();
            return [document.activeElement.dataset.id, left, right,
                document.activeElement.ariaHidden,
                element.querySelector('[data-id="cards"] .list').scrollLeft]""")
        assert found[0] == expected and found[1] >= -1 and found[2] <= 391, (key, found)
        assert found[3] is None and abs(found[4] - before) < 300, (key, before, found)
    # An element that is used again is reached.
    scene.run("document.activeElement.blur(); scrollTo(0, 0)")
    scene.daemon.put("home", page(section("plain", [row(number) for number in range(60)])))
    scene.until("element.querySelector('[data-id=plain]')")
    assert scene.run("""return [...element.querySelectorAll(".item:not([inert])")].filter(
        (one) => one.ariaHidden || one.querySelector("button").inert).length""") == 0


def pauses_what_turns_by_itself(scene):
    """A list that turns by itself has a control that pauses it, unless nothing turns."""
    fast = """const timeout = window.setTimeout;
        window.setTimeout = (body, delay = 0) => {
            delays.push(delay);
            return timeout(body, delay / 10);
        };
        window.delays = [];"""
    scene.site.pages["/fast.js"] = (fast, "text/javascript")
    cards = section("cards", [row(number) for number in range(5)])
    cards["layout"] = {"paging": {"isInfinitePage": True, "isAlignCenter": True,
                                  "isAutoRolling": True, "autoRollingTimeInterval": 2}}
    still_cards = section("shelf", [row(number) for number in range(100, 140)])
    scene.daemon.put("home", page(cards, still_cards))

    def open(attributes=""):
        tag = f'<broadsheet-screen src="/v1/screens/home" {attributes}></broadsheet-screen>'
        scene.site.pages["/page"] = (PAGE % tag).replace(
            '<script type="module"', '<script src="/fast.js"></script><script type="module"')
        scene.page.open(f"{scene.site.origin}/page")
        scene.run("await until(() => window.ready)")
        scene.live()
        scene.point(200, 800)

    turns = """const list = element.querySelector(".list"), before = list.scrollLeft;
        await until(() => Math.abs(list.scrollLeft - before) > 100);"""
    stays = """const list = element.querySelector(".list");
        await new Promise((done) => setTimeout(done, 5_000));
        const before = list.scrollLeft;
        await new Promise((done) => setTimeout(done, 10_000));
        return Math.abs(list.scrollLeft - before) < 1"""
    for attributes in ['pause="none"', "passive"]:
        open(attributes)
        assert scene.run("return element.querySelectorAll('.pause').length") == 0, attributes
    open()
    scene.run(turns)
    found = scene.run("""return [...element.querySelectorAll(".pause")].map((one) => [
        one.localName, one.type, one.getAttribute("aria-label"), one.getAttribute("aria-pressed"),
        one.closest(".section").dataset.id, one.nextSibling.className,
        one.offsetWidth >= 24 && one.offsetHeight >= 24])""")
    assert found == [["button", "button", "Pause", "false", "cards", "list", True]], found
    scene.click(".pause")
    scene.point(200, 800)
    state = """const pause = element.querySelector(".pause");
        return [element.hasAttribute("paused"), pause.getAttribute("aria-pressed")]"""
    assert scene.run(state) == [True, "true"]
    assert scene.run(stays)
    # The focus on the control itself does not stop it again.
    scene.run("element.querySelector('.pause').focus()")
    scene.key(" ")
    assert scene.run(state) == [False, "false"]
    scene.run(turns)
    scene.run("element.querySelector('.item:not([aria-hidden])').focus({preventScroll: true})")
    assert scene.run(stays)
    scene.run("document.activeElement.blur(); element.setAttribute('pause', 'Anhalten')")
    scene.run(turns)
    assert scene.run("return element.querySelector('.pause').ariaLabel") == "Anhalten"
    scene.point(200, 60)
    assert scene.run(stays)
    scene.point(200, 800)
    # The page moves it.
    scene.site.pages["/style.css"] = (
        STYLE + " .pause { --pause-inset: 4px auto auto 4px; width: 44px; height: 44px }",
        "text/css")
    open()
    box = scene.run("""const own = element.querySelector(".pause").getBoundingClientRect();
        const section = element.querySelector(".section").getBoundingClientRect();
        return [own.left - section.left, own.top - section.top, own.width, own.height]""")
    assert box == [4, 4, 44, 44], box
    scene.site.pages["/style.css"] = (STYLE, "text/css")
    scene.browser.call("Emulation.setEmulatedMedia", scene.page.session, features=[
        {"name": "prefers-reduced-motion", "value": "reduce"}])
    open()
    assert scene.run("return element.querySelectorAll('.pause').length") == 0
    scene.browser.call("Emulation.setEmulatedMedia", scene.page.session, features=[])
    # An interval that no timer can have is one of 3 seconds.
    open()
    for interval in [1e7, 0, -5, 600, 601]:
        delays = scene.run(f"""const {{tree}} = element.screen, [first, ...others] = tree.sections;
            const paging = {{...first.paging, autoRollingTimeInterval: {interval}}};
            const changed = {{...tree, sections: [{{...first, paging}}, ...others]}};
            const made = document.createElement("broadsheet-screen");
            made.screen = {{url: "/v1/screens/home", tree: changed, status: "live", problem: null,
                set() {{}}, scrolled() {{}}, subscribe: () => () => {{}}}};
            document.querySelector("main").append(made);
            await until(() => made.querySelector(".item"));
            const list = made.querySelector(".list");
            delays.length = 0;
            list.scrollLeft += 210;
            await until(() => delays.some((one) => one >= 2_500));
            made.remove();
            return delays.filter((one) => one >= 2_500)""")
        expected = 600_000 if interval == 600 else 3_000
        assert set(delays) == {expected}, (interval, delays)


def follows_seven_links(scene):
    """Pages of the back/forward cache hold no connections: the seventh page in a tab is drawn."""
    scene.daemon.put("home", long_page(60))
    tag = '<broadsheet-screen src="/v1/screens/home"></broadsheet-screen>'
    for number in range(8):
        scene.site.pages[f"/page{number}"] = PAGE % f'<a href="/page{number + 1}">Next</a>{tag}'
    scene.page.open(f"{scene.site.origin}/page0")
    for number in range(8):
        start = time.monotonic()
        while not scene.page.run(f"""return location.pathname === "/page{number}"
                && !!document.querySelector(".item")"""):
            assert time.monotonic() - start < TIMEOUT, number
            time.sleep(0.02)
        if number < 7:
            scene.page.run("""addEventListener("pageshow", ({persisted}) => {
                window.wasKept = persisted; });
                setTimeout(() => document.querySelector("a").click())""")
    rows = [row("new"), *(row(number) for number in range(60))]
    scene.daemon.put("home", page(section("list", rows)))
    scene.until("element.querySelector('[data-id=rnew]')")
    before = scene.site.count("stream")
    scene.page.run("setTimeout(() => history.back())")
    start = time.monotonic()
    while not scene.page.run("""return location.pathname === "/page6"
            && !!document.querySelector("[data-id=rnew]")"""):
        assert time.monotonic() - start < TIMEOUT
        time.sleep(0.02)
    again = [path for _, path, _ in scene.site.requests if "/stream?" in path][before:]
    # It goes on with what it has; where its scroll bar appears, it also asks for another width.
    assert scene.run("return wasKept") and any("since=" in path for path in again), again


def obeys_the_keyboard(scene):
    """One tab stop a list; arrows, Home and End reach all items; Enter and Space select."""
    scene.daemon.put("home", page(
        section("plain", [row(number) for number in range(100)], "First"),
        section("grid", [row(number) for number in range(200, 260)]),
        section("fixed", [row(300)], kind="FIXED")))
    scene.open()
    stops = scene.run("return element.querySelectorAll('[tabindex=\"0\"]').length")
    assert stops == scene.run("return element.querySelectorAll('[role=list]').length"), stops
    focused = "document.activeElement.dataset.id"
    scene.key("Tab")
    scene.run("element.querySelector('[tabindex=\"0\"]').focus()")
    for key, expected in [("ArrowDown", "r1"), ("ArrowUp", "r0"), ("End", "r99"), ("Home", "r0"),
                          ("ArrowRight", "r1"), ("ArrowLeft", "r0")]:
        scene.key(key)
        scene.run("await frame()")
        assert scene.run(f"return {focused}") == expected, (key, scene.run(f"return {focused}"))
        box = scene.run("""const {top, bottom} = document.activeElement.getBoundingClientRect();
            return [top, bottom]""")
        assert box[0] >= -0.5 and box[1] <= 844.5, (key, box)
    assert scene.run("return element.reveal('grid', 'r250')") is True
    for key, expected in [("ArrowUp", "r248"), ("ArrowDown", "r250"), ("ArrowRight", "r251")]:
        scene.key(key)
        assert scene.run(f"return {focused}") == expected, key
    scene.run("""window.selected = []; element.addEventListener("itemselect", (event) =>
        selected.push(event.detail.item.id)); element.reveal("fixed", "r300")""")
    scene.key("Enter")
    scene.run("element.reveal('grid', 'r251')")
    scene.key("Enter")
    scene.key(" ")
    assert scene.run("return selected") == ["r251", "r251"]
    # An item with the focus stays, however far it is scrolled away.
    scene.run("scrollTo(0, 0); await frame(); await frame()")
    assert scene.run(f"return {focused}") == "r251"
    scene.check()
    assert scene.run("return element.reveal('grid', 'none')") is False
    scene.run("element.setAttribute('passive', ''); await frame()")
    assert scene.run("return element.querySelectorAll('[tabindex=\"0\"]').length") == 0


def is_accessible(scene):
    """axe-core finds no violation, with cards, headers, lists and a focused item."""
    scene.daemon.put("home", page(
        section("cards", [row(number) for number in range(5)]),
        section("plain", [row(number) for number in range(300, 330)], "Rows"),
        section("grid", [row(number) for number in range(200, 240)], "Grid")))
    scene.site.pages["/axe.js"] = (axe().read_bytes(), "text/javascript")
    scene.site.pages["/page"] = (PAGE % (
        '<h1>A shop</h1><broadsheet-screen src="/v1/screens/home"></broadsheet-screen>')).replace(
        "<script", '<script src="/axe.js"></script><script', 1)
    scene.page.open(f"{scene.site.origin}/page")
    scene.run("await until(() => window.ready)")
    scene.live()
    scene.run("element.querySelector('.item').focus()")
    found = scene.run("""const {violations} = await axe.run();
        return violations.map(
            ({id, nodes}) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`)""")
    assert not found, found
    names = scene.run("""return [...element.querySelectorAll("[role=group]")].map(
        (one) => one.getAttribute("aria-label"))""")
    assert names[:2] == ["cards", "Rows"], names
    order = scene.run("""const items = [...element.querySelectorAll(".item:not([aria-hidden])")];
        return items.every((one, index) => !index || one.closest(".section")
            !== items[index - 1].closest(".section")
            || +one.ariaPosInSet > +items[index - 1].ariaPosInSet)""")
    assert order, "the order of readers is that of the tree"


def moves_unless_motion_is_reduced(scene):
    """Insertions and moves are animated, the anchor is not, and nothing with reduced motion."""
    rows = [row(number) for number in range(100)]
    for value, is_animated in [("no-preference", True), ("reduce", False)]:
        scene.browser.call("Emulation.setEmulatedMedia", scene.page.session, features=[
            {"name": "prefers-reduced-motion", "value": value}])
        scene.daemon.put("home", page(section("list", rows)))
        scene.open()
        scene.run("scrollTo(0, 1000); await frame(); await frame()")
        anchor = scene.run("window.watching = watchAnchor(); return watching.id")
        place = [one["id"] for one in rows].index(anchor)
        gone = rows[place + 4]["id"]
        rows.pop(place + 4)
        rows.insert(place + 2, row(f"new{value}", 60.5))
        # The animations begin with the insertion, and end soon.
        scene.run(f"""window.running = new Promise((done) => {{
            const observer = new MutationObserver(() => {{
                if (!element.querySelector('[data-id="rnew{value}"]')) return;
                observer.disconnect();
                done(element.getAnimations({{subtree: true}}).map(({{effect}}) => [
                    effect.target.dataset.id, effect.target.inert, effect.getTiming().duration]));
            }});
            observer.observe(element, {{subtree: true, childList: true}});
        }})""")
        scene.daemon.put("home", page(section("list", rows)))
        running = scene.run("return await window.running")
        ids = [one[0] for one in running]
        assert bool(running) == is_animated, (value, running)
        if is_animated:
            assert anchor not in ids and f"rnew{value}" in ids and gone in ids, running
            assert all(duration == 250 for _, _, duration in running), running
            assert [one[0] for one in running if one[1]] == [gone], running
        scene.run("""await until(() => !element.querySelector("[inert]")
                && !element.getAnimations({subtree: true}).length, "the end of animations");
            await frame(); await frame(); await frame()""")
        still(scene.run("return watching.stop()"))
        assert scene.run("return element.querySelectorAll('[inert]').length") == 0
        scene.check()
    scene.browser.call("Emulation.setEmulatedMedia", scene.page.session, features=[])


def keeps_hostile_data_out_of_markup(scene):
    """Data never becomes markup, and strange names are names."""
    texts = ["<img src=x onerror=window.broken=1>", "</div><script>window.broken=1</script>",
             "javascript:window.broken=1", "\u202e\u0000x", "&lt;b&gt;", "x" * 5_000]
    rows = [{"id": text, "title": text, "h": 40} for text in texts]
    catalog = json.loads(json.dumps(CATALOG))
    for name in ["constructor", "__proto__", "toString", "*"]:
        catalog["units"][f"U{name}"] = {"cells": {"type": name, "data": "/rows"}}
        catalog["cellTypes"][name] = {"id": "/id", "size": {"height": 30}}
    scene.daemon.kill()
    (scene.folder / "catalog.json").write_text(json.dumps(catalog))
    scene.daemon.start()
    strange = [{"sectionId": f"<{name}>\"'", "units": [
        {"unitType": f"U{name}", "unitData": {"rows": [{"id": f"__proto__", "title": name}]}}]}
        for name in ["constructor", "toString", "*"]]
    scene.daemon.put("home", page(
        section("<script>", rows, "<b>Title</b>"), section("__proto__", rows), *strange))
    scene.open()
    scene.check()
    assert scene.run("return window.broken") is None
    assert scene.run("return element.querySelectorAll('img, script, b').length") == 0


def sends_what_is_reported(scene):
    """Selections and actions arrive, refused ones are problems, and cells that throw are alone."""
    scene.daemon.put("home", page(section("list", [row(number) for number in range(40)])))
    scene.open(attributes='report="select willDisplay pageDidAppear failed"', script="""
        const {cells} = await import("/element.js");
        window.hasOwnCells = true;
        cells.Row = (element, item) => {
            if (item.id === "r2") throw new Error("broken");
            element.replaceChildren();
            for (const [name, input] of [["like", null], ["none", '{"a": 1}']]) {
                const button = document.createElement("button");
                button.dataset.action = name;
                if (input) button.dataset.input = input;
                button.textContent = `${name} ${item.data.title}`;
                element.append(button);
            }
        };
        window.problems = []; window.selected = [];
        element.addEventListener("problem", ({detail}) => problems.push(detail.code));
        document.addEventListener("itemselect", ({detail}) => selected.push(detail.item.id));
        element.screen = element.screen;""")
    assert scene.run("return element.querySelector('[data-id=r2]').childNodes.length") == 0
    assert scene.run("return element.querySelector('[data-id=r3]').childNodes.length") == 2
    scene.run("element.querySelector('[data-id=r1] [data-action=like]').click()")
    scene.until("element.screen.tree.sections[0].items[1].data.title === 'liked'")
    scene.until("element.querySelector('[data-id=r1]').textContent.includes('liked')")
    assert scene.run("return selected") == []
    scene.click("[data-id=r5]")
    box = scene.run("""const box = element.querySelector("[data-id=r5]").getBoundingClientRect();
        return [box.right - 8, box.bottom - 8]""")
    for kind in ["mousePressed", "mouseReleased"]:
        scene.browser.call(
            "Input.dispatchMouseEvent", scene.page.session, type=kind, x=box[0], y=box[1],
            button="left", clickCount=1)
    assert (selected := scene.run("return selected")) == ["r5"], selected
    deadline = time.monotonic() + TIMEOUT
    while True:
        # Events that are being sent are not waited for.
        scene.run("await element.screen.flush()")
        journey = json.loads(scene.daemon.send("GET", "/v1/screens/home/journey"))
        if {"r1", "r5"} <= {one["item"] for one in journey["items"]}:
            break
        assert time.monotonic() < deadline, journey
    assert [one["page"] for one in journey["pages"]] == [0], journey


def reports_what_is_displayed(scene):
    """Reports arrive: what is out of view, and what failed, but no selection that is cancelled."""
    scene.daemon.put("home", page(section("list", [row(number) for number in range(200)])))
    scene.open(attributes='report="select didEndDisplaying failed"', script="""
        const {cells} = await import("/element.js");
        cells.Row = (element, item) => {
            if (item.id === "r2") throw new Error("broken");
            element.textContent = item.data.title;
        };
        window.hasOwnCells = true;
        window.selected = [];
        document.addEventListener("itemselect", (event) => {
            selected.push(event.detail.item.id);
            if (event.detail.item.id === "r3") event.preventDefault();
        });
        element.screen = element.screen;""")
    for name in ["r3", "r4"]:
        scene.click(f"[data-id={name}]")
    scene.run("scrollTo(0, 3000); await frame(); await frame()")
    assert scene.run("return selected") == ["r3", "r4"]

    def counted(type):
        metrics = scene.daemon.send("GET", "/metrics").decode()
        return sum(float(line.split()[-1]) for line in metrics.splitlines()
                   if line.startswith("broadsheet_client_events_total") and f'"{type}"' in line)

    deadline = time.monotonic() + TIMEOUT
    while counted("didEndDisplaying") < 15:
        scene.run("await element.screen.flush()")
        assert time.monotonic() < deadline, scene.site.posted
    sent = [one for posted in scene.site.posted for one in json.loads(posted)["events"]]
    items = {type: [one["item"] for one in sent if one["type"] == type]
             for type in ["select", "failed", "didEndDisplaying", "willDisplay"]}
    assert items["select"] == ["r4"] and not items["willDisplay"], items
    assert items["didEndDisplaying"] == [f"r{number}" for number in range(15)], items
    # It is drawn again if its width changes.
    assert set(items["failed"]) == {"r2"}, items
    assert (counted("select"), counted("failed")) == (1, len(items["failed"]))


def names_items_of_a_window(scene):
    """An action in a section without id is done, though the window begins below other sections."""
    sections = [
        section("", [row(number + place) for place in range(10)]) for number in range(0, 600, 10)]
    for one in sections:
        del one["sectionId"]
    scene.daemon.put("home", page(*sections))
    scene.open(attributes='item="r405"', script="""
        const {cells} = await import("/element.js");
        cells.Row = (element, {data}) => {
            element.textContent = data.title;
            element.dataset.action = "like";
        };
        element.screen = element.screen;""")
    assert scene.run("return element.screen.tree.window.firstSection") > 20
    scene.click("[data-id=r405]")
    scene.until("element.querySelector('[data-id=r405]').textContent === 'liked'")


def scrolls_itself_or_its_parent(scene):
    """The scroller is the element, an ancestor, or the document; it follows its size."""
    scene.site.pages["/style.css"] = (
        STYLE + " .box { height: 400px; overflow-y: auto; width: 300px }", "text/css")
    scene.daemon.put("home", long_page(200))
    for attributes, holder in [('class="box"', "element"), ("", "element.parentElement")]:
        scene.open(attributes=attributes)
        if not attributes:
            scene.run("element.parentElement.className = 'box'; element.screen = element.screen")
            scene.run("await frame(); await frame()")
            scene.until("element.screen.tree?.viewport.height === 400")
        scene.until("element.screen.tree.viewport.width <= 300")
        scene.check()
        scene.run(f"{holder}.scrollTop = 3000; await frame(); await frame()")
        scene.check()
        scene.run("window.watching = watchAnchor()")
        scene.run(f"{holder}.style.width = '250px'")
        scene.until("element.screen.tree.viewport.width <= 250")
        scene.run("await frame(); await frame()")
        still(scene.run("return watching.stop()"))
        scene.check()
    scene.run("window.kept = element; element.remove()")
    assert scene.run("return [kept.screen.status, kept.childElementCount]") == ["closed", 0]
    before = scene.site.count("stream")
    scene.run("document.querySelector('main').append(kept)")
    scene.until("element.querySelector('.item')")
    scene.until("element.screen.status === 'live'")
    scene.check()
    assert scene.site.count("stream") == before + 1 and "since=" in scene.site.requests[-1][1]
    scene.site.pages["/style.css"] = (STYLE, "text/css")


def reads_from_right_to_left(scene):
    """From right to left items are mirrored, sections scroll from the right, and keys as well."""
    scene.daemon.put("home", page(
        section("shelf", [row(number) for number in range(30)]),
        section("grid", [row(number) for number in range(100, 160)])))
    scene.open(attributes='dir="rtl"')
    scene.check()
    assert scene.run("return element.screen.tree.viewport.direction") == "rtl"
    first, dir = scene.run("""const list = element.querySelector(".list");
        const box = list.querySelector("[data-id=r0]").getBoundingClientRect();
        return [box.right, list.dir]""")
    assert dir == "rtl" and first > 300, first
    scene.run("element.querySelector('[data-id=r0]').focus()")
    scene.key("ArrowLeft")
    assert scene.run("return document.activeElement.dataset.id") == "r1"
    scene.key("End")
    scene.run("await frame(); await frame()")
    box = scene.run("""const {left, right} = document.activeElement.getBoundingClientRect();
        return [document.activeElement.dataset.id, left, right]""")
    assert box[0] == "r29" and box[1] >= -1 and box[2] <= 391, box


def follows_the_direction(scene):
    """The tree is requested again when the direction of the page, or of a part of it, changes."""
    scene.daemon.put("home", page(
        section("grid", [row(number) for number in range(100, 160)])))
    scene.open()
    for holder, direction in [("document.documentElement", "rtl"), ("element.parentElement", "ltr"),
                              ("element", "rtl")]:
        scene.run(f"{holder}.dir = '{direction}'")
        scene.until(f"element.screen.tree.viewport.direction === '{direction}'")
        scene.check()
    # Also within a shadow tree, and not after the element is gone.
    scene.run("""const host = document.createElement("div");
        document.querySelector("main").append(host);
        const inner = document.createElement("div");
        host.attachShadow({mode: "open"}).append(inner);
        window.kept = element;
        inner.append(element);
        await until(() => kept.screen.tree?.viewport.direction === "rtl");
        kept.removeAttribute("dir");
        await until(() => kept.screen.tree.viewport.direction === "ltr");
        inner.dir = "rtl";
        await until(() => kept.screen.tree.viewport.direction === "rtl");
        kept.remove();
        inner.dir = "ltr";
        await frame(); await frame();""")
    assert scene.run("return kept.screen.status") == "closed"


def follows_touches(scene):
    """A touch scrolls, and pages load."""
    for number in range(2):
        rows = [row(1_000 * number + place) for place in range(60)]
        scene.daemon.put("home", page(section("list", rows), hasNext=number < 1), number)
    scene.size(390, 844, 3, touch=True)
    scene.open()
    for _ in range(4):
        scene.touch("touchStart", 750)
        for y in range(700, 49, -50):
            scene.touch("touchMove", y)
            scene.run("await frame()")
        scene.run("await frame(); await frame()")
        scene.touch("touchEnd")
        scene.run("await frame()")
    assert (moved := scene.run("return scrollY")) > 1_500, moved
    scene.until("element.screen.tree.page === 1")
    scene.check()
    scene.size(390, 844)


def shows_horizontal_screens(scene):
    """A screen that turns pages as a whole scrolls sideways, and shows one copy."""
    scene.site.pages["/style.css"] = (
        STYLE + " broadsheet-screen { overflow-x: auto; height: 200px }", "text/css")
    catalog = json.loads((ROOT / "Fixtures/carousel/catalog.json").read_text("utf-8"))
    content = json.loads((ROOT / "Fixtures/carousel/page-0.json").read_text("utf-8"))
    scene.daemon.kill()
    (scene.folder / "catalog.json").write_text(json.dumps(catalog))
    scene.daemon.start()
    scene.daemon.put("home", content)
    for direction in ["ltr", "rtl"]:
        scene.open(attributes=f'dir="{direction}"')
        tree = scene.run("return element.screen.tree")
        count = len(tree["sections"][0]["items"])
        assert tree["sections"][0]["paging"]["copies"] == 3
        ids = scene.run("""return [...element.querySelectorAll(".item")].map(
            (one) => one.dataset.id)""")
        assert ids == [one["id"] for one in tree["sections"][0]["items"]][:len(ids)], ids
        first, width, total = scene.run("""
            const box = element.querySelector(".item").getBoundingClientRect();
            return [box.left, element.clientWidth, element.scrollWidth]""")
        page_length = tree["sections"][0]["paging"]["pageLength"]
        assert 0 <= first < width, (direction, first)
        assert total < (count + 1) * page_length, (total, count, page_length)
        sign = -1 if direction == "rtl" else 1
        scene.run(f"element.scrollLeft = {sign * 350}; await frame(); await frame()")
        left = scene.run("""const box = element.querySelector(".item").getBoundingClientRect();
            return box.left""")
        assert abs(first - left - sign * 350) < 0.1, (direction, first, left)


def turns_pages_by_itself(scene):
    """Automatic turns, paused by the pointer, by the focus and while the page is hidden.

    There are none with reduced motion or `passive`."""
    fast = """const timeout = window.setTimeout;
        window.setTimeout = (body, delay = 0) => timeout(body, delay / 10);"""
    scene.site.pages["/fast.js"] = (fast, "text/javascript")
    cards = section("cards", [row(number) for number in range(5)])
    cards["layout"] = {"paging": {
        "isInfinitePage": True, "isAlignCenter": True, "isAutoRolling": True,
        "autoRollingTimeInterval": 4}}
    scene.daemon.put("home", page(cards))

    def moves(attributes="", script="", limit=800, y=800):
        tag = f'<broadsheet-screen src="/v1/screens/home" {attributes}></broadsheet-screen>'
        scene.site.pages["/page"] = (PAGE % tag).replace(
            '<script type="module"', '<script src="/fast.js"></script><script type="module"')
        scene.page.open(f"{scene.site.origin}/page")
        scene.run("""while (!element.querySelector(".list")?.scrollLeft) {
            await new Promise((done) => requestAnimationFrame(done)); }""")
        scene.point(200, y)
        return scene.run(f"""
            const list = () => element.querySelector(".list");
            {script}
            // A turn that has begun ends.
            await new Promise((done) => setTimeout(done, 5_000));
            const places = new Set();
            for (let end = performance.now() + {limit}; performance.now() < end
                && places.size < 2;) {{
                places.add(Math.round(list().scrollLeft));
                await new Promise((done) => requestAnimationFrame(done));
            }}
            return places.size""")

    assert moves(limit=60_000) > 1
    assert moves('passive=""') == 1
    assert moves(y=60) == 1
    assert moves(script="Object.defineProperty(document, 'hidden', {value: true});") == 1
    assert moves(script="element.querySelector('[tabindex]').focus({preventScroll: true});") == 1
    scene.browser.call("Emulation.setEmulatedMedia", scene.page.session, features=[
        {"name": "prefers-reduced-motion", "value": "reduce"}])
    assert moves() == 1
    scene.browser.call("Emulation.setEmulatedMedia", scene.page.session, features=[])


def passes_the_kit(scene):
    """The core passes the conformance kit in the browser, too."""
    kit = ROOT / "Fixtures/conformance"
    for name in ["changes", "events", "carousel"]:
        scene.site.pages[f"/{name}.json"] = (
            (kit / f"{name}.json").read_bytes(), "application/json")
    scene.open(src=None)
    failed, moves = scene.run("""
        const {applyChanges, Carousel, EventDecoder} = await import("/client.js");
        const cases = async (name) => (await fetch(`/${name}.json`)).json();
        const sorted = (value) => Array.isArray(value) ? value.map(sorted)
            : typeof value === "object" && value !== null ? Object.fromEntries(
                Object.keys(value).sort().map((name) => [name, sorted(value[name])])) : value;
        const isSame = (one, other) =>
            JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        const failed = [];
        for (const {name, tree, changes, expected, error} of await cases("changes")) {
            let result;
            try { result = applyChanges(tree, changes); } catch (thrown) {
                if (error && thrown instanceof RangeError) continue;
            }
            if (error || !isSame(result, expected)) failed.push(name);
        }
        for (const {name, bytes, events, lastEventId, retry} of await cases("events")) {
            const content = Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0));
            const decoder = new EventDecoder();
            const found = [...content].flatMap((byte) => decoder.push(Uint8Array.of(byte)));
            const state = [found, decoder.lastEventId, decoder.retry];
            if (!isSame(state, [events, lastEventId, retry])) failed.push(name);
        }
        const moves = {};
        for (const {name, lengths, values, ...calls} of await cases("carousel")) {
            const carousel = new Carousel(lengths);
            const check = (member, value, expected) => {
                const isRight = expected === null || value === null
                    ? value === expected : Math.abs(value - expected) <= 1e-9;
                if (!isRight) failed.push(`${name}: ${member}`);
            };
            for (const [member, value] of Object.entries(values)) {
                check(member, carousel[member], value);
            }
            for (const [method, list] of Object.entries(calls)) {
                moves[method] = (moves[method] ?? 0) + list.length;
                for (const words of list) {
                    const expected = words.pop();
                    check(`${method}(${words})`, carousel[method](...words), expected);
                }
            }
        }
        return [failed, moves];""")
    assert failed == [], failed
    assert set(moves) == {"pageIndex", "release", "step", "remap"}, moves
    assert min(moves.values()) > 100, moves


DOT = ('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/>'
       "</svg>")
PARTS = {
    "photo": {"frame": {"x": 8, "y": 0, "width": 100, "height": 100}},
    "mark": {"frame": {"x": 90, "y": 4, "width": 12, "height": 12}},
    "title": {"frame": {"x": 8, "y": 104, "width": 100, "height": 44}, "lines": 2,
              "truncated": True},
    "row": {"frame": {"x": 0, "y": 150, "width": 116, "height": 20}}}
CELLS = {
    "cellTypes": {"Product": {"content": {"column": [
        {"overlay": [{"image": "/photo", "name": "photo"}, {"box": "/mark", "name": "mark"}]},
        {"text": {"join": ["/brand", "/title"], "by": " "}, "font": "body", "name": "title"},
        {"row": [{"space": 1}], "name": "row"}]}}},
    "fonts": {"body": {"size": 17, "lineHeight": 22, "letterSpacing": 0.5, "features": ["tnum"],
                       "scales": True, "families": [{"family": "Inter", "weight": 600}]}}}


def draws_parts(scene):
    """Items with parts are drawn by the content and the fonts of their type."""
    data = {"photo": "/photo.svg", "brand": "A&B", "title": "<b>Long</b> title", "mark": 1}
    scene.site.pages["/photo.svg"] = (DOT, "image/svg+xml")
    photos = ["/photo.svg", "javascript:alert(1)", "data:text/html,x", 7, None]
    items = [{
        "id": f"r{number}", "type": "Product", "parts": PARTS, "data": {**data, "photo": photo},
        "frame": {"x": 0, "y": 180 * number, "width": 116, "height": 170}}
        for number, photo in enumerate(photos)]
    tree = {
        "revision": 1, "page": 0, "pageCount": 1, "hasNext": False,
        "viewport": {"width": 390, "height": 844, "scale": 1, "direction": "ltr", "textScale": 2},
        "contentSize": {"width": 390, "height": 900}, "sections": [{
            "id": "list", "index": 0, "frame": {"x": 0, "y": 0, "width": 390, "height": 900},
            "collapsed": False, "items": items}]}
    scene.open(src=None)
    scene.run(f"""const made = document.createElement("broadsheet-screen");
        window.asked = [];
        made.screen = {{
            url: "/v1/screens/home", tree: {json.dumps(tree)}, status: "live", problem: null,
            set() {{}}, scrolled() {{}}, subscribe: () => () => {{}},
            request: async (path) => {{
                asked.push(path);
                await window.delay;
                return new Response(JSON.stringify({json.dumps(CELLS)}));
            }}}};
        window.delay = new Promise((done) => {{ window.go = done; }});
        document.querySelector("main").append(made);
        await until(() => made.querySelector(".item"));""")
    texts = scene.run("return [...element.querySelectorAll('.item')].map((one) => one.textContent)")
    assert texts == ["<b>Long</b> title"] * 5, texts
    scene.run("go(); await until(() => element.querySelector('.part'))")
    assert scene.run("return asked") == ["/v1/catalog/cells"]
    parts = scene.run("""return [...element.querySelector(".item").children].map((one) => [
        one.localName, one.dataset.name, one.textContent, one.style.left, one.style.height])""")
    assert parts == [
        ["img", "photo", "", "8px", "100px"],
        ["div", "mark", "", "90px", "12px"],
        ["div", "title", "A&B <b>Long</b> title", "8px", "44px"],
        ["div", "row", "", "0px", "20px"]], parts
    photos = scene.run("""return [...element.querySelectorAll("[data-name=photo]")].map(
        (one) => [one.localName, one.alt, one.getAttribute("width"), one.style.objectFit])""")
    assert photos == [["img", "", "100", "cover"]] + [["div", None, None, ""]] * 4, photos
    style = scene.run("""const css = getComputedStyle(element.querySelector("[data-name=title]"));
        return [css.fontSize, css.lineHeight, css.letterSpacing, css.fontWeight, css.fontFamily,
            css.fontFeatureSettings, css.webkitLineClamp, css.whiteSpace]""")
    assert style == ["34px", "44px", "1px", "600", "Inter", '"tnum"', "2", "pre-line"], style


def restart(scene, catalog, *options):
    """Starts the daemon again with another catalog, without screens."""
    scene.daemon.kill()
    (scene.folder / "catalog.json").write_text(json.dumps(catalog))
    store = Path(tempfile.mkdtemp(dir=scene.folder))
    scene.daemon.words[scene.daemon.words.index("--store") + 1] = f"sqlite:{store}/screens.db"
    scene.daemon.words += options
    scene.daemon.start()


def update(scene, *sections, screen="home", **more):
    """Replaces the page, and waits until it is drawn."""
    before = scene.run("return element.screen.tree.revision")
    scene.daemon.put(screen, page(*sections, **more))
    scene.until(f"element.screen.tree.revision > {before}")
    scene.run("await frame(); await frame()")


def adds_to_parts(scene):
    """A function draws a part, one of a cell adds to all of them, and numbers are names."""
    catalog = json.loads(json.dumps(CATALOG))
    catalog["cellTypes"]["Tile"] = {"id": "/id", "content": {"overlay": [
        {"column": [{"box": "", "height": 20, "name": "like"}], "name": "back"},
        {"box": "", "height": 20, "name": "7"}, {"box": "", "height": 20, "name": "2"},
        {"image": "/photo", "height": 20, "name": "photo"}]}}
    catalog["units"]["MORE"] = {"cells": {"type": "More", "data": "/rows"}}
    catalog["cellTypes"]["More"] = {**catalog["cellTypes"]["Tile"], "size": {"height": 30}}
    del catalog["cellTypes"]["More"]["size"]
    restart(scene, catalog)
    tiles = [{**row(number), "photo": 1} for number in range(4)]
    more = [{**row(number), "photo": 1} for number in range(10, 14)]
    scene.daemon.put("home", page(
        section("list", tiles, kind="TILES"), section("more", more, kind="MORE")))
    scene.open(src=None, script="""
        const {cells, drawParts, parts} = await import("/element.js");
        window.failed = [];
        window.reportError = (error) => failed.push(error.message);
        parts["Tile.like"] = (element, item, section) => {
            if (item.id === "r2") throw new Error("broken");
            element.textContent = `${section.id} ${item.data.title}`;
        };
        cells.More = (element, item) => {
            const {like, back} = drawParts(element, item);
            window.names ??= Object.keys(drawParts(element, item)).join();
            like.textContent = "like";
            back.title = item.id;
            element.lastChild.localName === "button"
                || element.append(document.createElement("button"));
        };
        const made = document.createElement("broadsheet-screen");
        made.setAttribute("src", "/v1/screens/home");
        document.querySelector("main").append(made);""")
    scene.until("element?.querySelector('[data-id=r1] [data-name=like]')?.textContent")
    names = ("[...element.querySelector('[data-id=%s]').children].map("
             "(one) => one.dataset.name ?? one.localName)")
    expected = ["back", "like", "7", "2", "photo"]
    assert scene.run("return " + names % "r1") == expected
    texts = scene.run("""return [...element.querySelectorAll("[data-type=Tile]")].map(
        (one) => one.textContent)""")
    assert texts == ["list Row 0", "list Row 1", "", "list Row 3"], texts
    assert scene.run("return failed") == ["broken"]
    scene.until("element.querySelector('[data-id=r13] [data-name=like]').textContent === 'like'")
    # The catalog has arrived meanwhile, and the cell was drawn again.
    assert scene.run("return " + names % "r13") == [*expected, "button"]
    assert set(scene.run("return names").split(",")) == set(expected)
    back = "element.querySelector('[data-id=r13] [data-name=back]')"
    assert scene.run(f"return {back}.title") == "r13"


def keeps_what_is_typed(scene):
    """A change of data updates what differs: focus, selection and typed text stay in their item."""
    def tiles(title):
        return section("tiles", [
            {**row(number, 30), "title": f"{title} {number}"} for number in range(900)],
            kind="TILES")

    scene.daemon.put("home", page(tiles("Tile")))
    scene.open(src=None, script="""
        const {parts} = await import("/element.js");
        parts["Tile.rest"] = (element, item) => {
            if (!element.firstChild) {
                for (const name of ["input", "b"]) element.append(document.createElement(name));
            }
            element.lastChild.textContent = item.data.title;
        };
        const made = document.createElement("broadsheet-screen");
        made.setAttribute("src", "/v1/screens/home");
        document.querySelector("main").append(made);""")
    scene.until("element?.querySelector('input')")
    scene.run("""window.field = element.querySelector("[data-id=r4] input");
        field.focus(); field.value = "typed"; field.setSelectionRange(1, 3);
        window.kept = [...element.querySelectorAll(".part")];""")
    update(scene, tiles("New"))
    assert scene.run("""return [document.activeElement === field, field.value, field.selectionStart,
        field.selectionEnd, field.isConnected, field.nextSibling.textContent]""") == [
            True, "typed", 1, 3, True, "New 4"]
    assert scene.run("return kept.every((one) => one.isConnected)")
    scene.run("field.blur(); scrollTo(0, 1e6); await frame(); await frame()")
    assert scene.run("return [...element.querySelectorAll('input')].map((one) => one.value)").count(
        "typed") == 0
    scene.run("scrollTo(0, 0); await frame(); await frame()")
    assert "typed" not in scene.run(
        "return [...element.querySelectorAll('input')].map((one) => one.value)")


def loads_fonts_that_texts_need(scene):
    """A file of a font is loaded when a text needs it, once; texts keep their nodes."""
    restart(scene, json.loads((ROOT / "Fixtures/cells/catalog.json").read_text("utf-8")),
            "--fonts", "/usr/share/fonts", "--serve-fonts")
    content = json.loads((ROOT / "Fixtures/cells/page-0.json").read_text("utf-8"))

    def fonts():
        return [path for _, path, _ in scene.site.requests if path.startswith("/v1/fonts/")]

    scene.daemon.put("shop", page(content["sections"][0]))
    scene.open("/v1/screens/shop")
    scene.until("document.fonts.size === 1")
    assert len(fonts()) == 1, fonts()
    scene.run("""window.word = element.querySelector("[data-name=label]").firstChild;
        getSelection().setBaseAndExtent(word, 2, word, 6);""")
    content["sections"][0]["units"][0]["unitData"][1]["label"] = "Cups"
    update(scene, *content["sections"], screen="shop")
    scene.until("document.fonts.size === 3")
    assert len(set(fonts())) == len(fonts()) == 3, fonts()
    assert scene.run("return [word.isConnected, `${getSelection()}`]") == [True, "eryt"]
    assert scene.run("""return element.querySelector("[data-id=cups] [data-name=label]")
        .textContent""") == "Cups"
    containers = scene.run("""return [...element.querySelector("[data-type=Chip]").children].map(
        (one) => one.dataset.name)""")
    assert containers == ["back", "label"], containers


def has_events_of_its_own(scene):
    """No element of HTML has events of these names, and those of fields do not reach listeners."""
    scene.daemon.put("home", page(section("plain", [row(number) for number in range(9)], "First")))
    scene.open(attributes='report="select"', script="""
        const {cells} = await import("/element.js");
        window.selected = [];
        for (const name of ["itemselect", "update", "problem"]) {
            const owners = Object.getOwnPropertyNames(window).filter(
                (one) => /^HTML.*Element$/.test(one));
            for (const owner of owners) {
                if (`on${name}` in window[owner].prototype) throw new Error(`${owner} ${name}`);
            }
        }
        document.addEventListener("itemselect", ({detail}) =>
            selected.push([detail.item.id ?? null, detail.view ?? null, detail.item.data.title]));
        cells.Row = (element, {data}) => {
            element.replaceChildren(document.createElement("input"));
            element.firstChild.value = data.title;
        };
        cells.Title = (element, {data}) => {
            element.textContent = data.title;
            element.tabIndex = 0;
            const more = element.appendChild(document.createElement("button"));
            more.dataset.action = "more";
            more.textContent = "More";
        };
        window.hasOwnCells = true;
        element.screen = element.screen;""")
    scene.until("element.querySelector('.header button')")
    scene.run("""const field = element.querySelector("input");
        field.focus(); field.select(); await frame(); await frame()""")
    assert scene.run("return selected") == []
    scene.click(".header")
    scene.run("element.querySelector('.header').focus()")
    scene.key("Enter")
    assert scene.run("return selected") == [[None, "header", "First"]] * 2
    scene.run("element.querySelector('.header button').click(); await element.screen.flush()")
    scene.until("true")
    deadline = time.monotonic() + TIMEOUT
    while len(scene.site.posted) < 2:
        assert time.monotonic() < deadline, scene.site.posted
        time.sleep(0.02)
    sent = [one for posted in scene.site.posted for one in json.loads(posted)["events"]]
    sent = [{name: one.get(name) for name in ["type", "name", "section", "view", "item"]}
            for one in sent]
    header = {"section": "plain", "view": "header", "item": None}
    expected = [{"type": "select", "name": None, **header}] * 2 + [
        {"type": "action", "name": "more", **header}]
    assert sorted(map(str, sent)) == sorted(map(str, expected)), sent
    assert scene.run("return element.screen.problem") is None


def reports_mistakes_of_the_page(scene):
    """A misspelt name, an input that is not JSON, a wrong address: one event and one line each."""
    scene.daemon.put("home", page(
        section("plain", [row(number) for number in range(9)], "First"),
        section("tiles", [row(number) for number in range(20, 24)], kind="TILES")))
    scene.open(src=None, script="""
        const {cells, parts} = await import("/element.js");
        window.problems = []; window.lines = [];
        for (const name of ["log", "info", "warn", "error"]) {
            console[name] = (...words) => lines.push(words.join(" "));
        }
        document.addEventListener("problem", ({detail}) => problems.push(
            [detail.code, detail.message]), true);
        cells.Rwo = () => {};
        cells.Tilte = () => {};
        parts["Tile.Photo"] = () => {};
        parts["Tile.rest"] = () => {};
        cells.Row = (element, {data}) => {
            element.replaceChildren();
            for (const [name, input] of [["lik", null], ["like", "{a: 1}"]]) {
                const button = element.appendChild(document.createElement("button"));
                button.dataset.action = name;
                if (input) button.dataset.input = input;
            }
        };
        window.hasOwnCells = true;
        for (const src of ["/v1/screens/home", "/v1/screens", "/v1/screens/home/layout?a=1",
                "/v1/screens/layout"]) {
            const made = document.createElement("broadsheet-screen");
            made.setAttribute("src", src);
            if (src === "/v1/screens/home") made.setAttribute("report", "selct willDisplay");
            else made.className = "other";
            document.body.append(made);
        }""")
    scene.live()
    for _ in range(2):
        scene.run("for (const one of element.querySelectorAll('[data-id=r3] button')) one.click()")
        scene.until("problems.some(([code]) => code === 'UNKNOWN_ACTION')")
        scene.run("element.screen = element.screen")
        scene.live()
    scene.until("problems.length >= 9")
    found = {tuple(one) for one in scene.run("return problems")}
    details = {
        ("UNKNOWN_NAME", 'cells has "Rwo", which is unknown; the nearest name is "Row"'),
        ("UNKNOWN_NAME", 'cells has "Tilte", which is unknown; the nearest name is "Tile"'),
        ("UNKNOWN_NAME",
         'parts has "Tile.Photo", which is unknown; the nearest name is "Tile.photo"'),
        ("UNKNOWN_NAME", 'report has "selct", which is unknown; the nearest name is "select"'),
        ("INVALID_INPUT", 'data-input of "like" is not JSON: {a: 1}'),
        ("INVALID_SRC", 'src is "/v1/screens", which is not the URL of a screen; one is '
         '"/v1/screens/home"'),
        ("INVALID_SRC", 'src is "/v1/screens/home/layout", which is not the URL of a screen; one '
         'is "/v1/screens/home"'),
        ("UNKNOWN_ACTION",
         'the cell type "Row" binds no action "lik"; did you mean "like"?'),
    }
    assert details <= found, details - found
    # A screen may have the name of a part of the API.
    assert [code for code, _ in found - details] == ["SCREEN_NOT_FOUND"], found - details
    lines = scene.run("return lines")
    assert sorted(lines) == sorted(f"broadsheet-screen: {detail}" for _, detail in details), lines
    problems = scene.run("return problems")
    assert len([code for code, _ in problems if code != "SCREEN_NOT_FOUND"]) == 8, problems
    paths = [path for _, path, _ in scene.site.requests]
    wrong = [path for path in paths if "/home/layout/" in path or "/screens/stream" in path]
    assert not wrong, wrong
    states = scene.run("""return [...document.querySelectorAll(".other .state")].map(
        (one) => one.dataset.state)""")
    assert states == ["missing"] * 3, states


def shows_states(scene):
    """A screen without a tree, a connection, a right or items has an element, and so has an image
    that could not be loaded."""
    state = "element.querySelector(':scope > .state')"

    def shown(name):
        scene.until(f"{state}?.dataset.state === '{name}'")
        return scene.run(f"return {state}.textContent")

    scene.open(attributes="", script="""
        const {states} = await import("/element.js");
        for (const name of
            ["loading", "missing", "offline", "refused", "failed", "empty", "next"]) {
            states[name] = (element, problem, screen) => {
                element.textContent = `${name} ${problem?.code ?? screen.url}`;
            };
        }
        states.image = (element, item, section) => {
            element.textContent = `${section.id} ${item.data.title}`;
        };
        element.screen = element.screen;""", is_live=False)
    assert shown("missing") == "missing SCREEN_NOT_FOUND"
    assert scene.run(f"return {state}.role") == "status"
    scene.daemon.put("home", page())
    scene.run("element.screen.wake()")
    assert shown("empty") == "empty /v1/screens/home"
    tile = {**row(1), "photo": "/none.png"}
    scene.daemon.put("home", page(section("list", [tile, row(2)])))
    scene.until(f"{state}.dataset.state === '' && !{state}.textContent")
    scene.daemon.put("home", page(section("list", [row(3)]), hasNext=True))
    assert shown("next") == "next /v1/screens/home"
    # A viewport is reserved for the next page, and what was reserved is given back.
    assert scene.run("return document.documentElement.scrollHeight") == 60 + 844
    scene.daemon.put("home", page(section("list", [row(3)]), hasNext=False))
    scene.until("document.documentElement.scrollHeight === 844")
    scene.daemon.kill()
    assert shown("offline") == "offline NETWORK"
    assert scene.run("return element.querySelectorAll('.item').length") == 1
    # The first tree has the height of the viewport, before it is there.
    scene.site.mode = "buffer"
    scene.daemon.start()
    scene.open(is_live=False)
    scene.until(f"{state}?.dataset.state === 'loading'")
    assert scene.run(f"return {state}.clientHeight") == 844
    scene.site.mode = "pass"
    import subprocess
    made = subprocess.run([scene.daemon.words[0], "key", "new", "page"], capture_output=True,
                          text=True, check=True).stdout
    path = scene.folder / "keys"
    path.write_text(made.splitlines()[1].split(": ", 1)[1] + "\n")
    path.chmod(0o600)
    scene.daemon.kill()
    scene.daemon.words += ["--keys", str(path)]
    scene.daemon.start()
    scene.open(is_live=False)
    shown("refused")


def shows_images_that_failed(scene):
    """An image that could not be loaded has an element in its place, which is filled, and loaded
    again by reload()."""
    catalog = json.loads(json.dumps(CATALOG))
    catalog["cellTypes"]["Tile"]["content"] = {"image": "/photo", "height": 60, "name": "photo"}
    restart(scene, catalog)
    tiles = [{**row(number), "photo": f"/photo{number}.svg"} for number in range(3)]
    scene.site.pages["/photo1.svg"] = (DOT, "image/svg+xml")
    scene.daemon.put("home", page(section("list", tiles, kind="TILES")))
    scene.open(script="""
        const {states} = await import("/element.js");
        states.image = (element, item, section) => {
            element.textContent = `${section.id} ${item.data.title}`;
        };
        element.screen = element.screen;""")
    drawn = """[...element.querySelectorAll(".part")].map(
        (one) => [one.localName, one.dataset.state ?? "", one.textContent].join())"""
    failed = ["div,failed,list Row 0", "img,,", "div,failed,list Row 2"]
    scene.until(f"{drawn}.join('|') === '{'|'.join(failed)}'")
    box = scene.run("""const {width, height} = element.querySelector(".part[data-state]")
        .getBoundingClientRect(); return [width, height]""")
    assert box == [390, 60] or box[1] == 60, box
    scene.site.pages["/photo0.svg"] = (DOT, "image/svg+xml")
    tiles[1]["title"] = "Other"
    update(scene, section("list", tiles, kind="TILES"))
    assert scene.run(f"return {drawn}") == failed
    assert scene.run("return await element.reload()") is True
    failed[0] = "img,,"
    scene.until(f"{drawn}.join('|') === '{'|'.join(failed)}'")
    scene.until("element.querySelector('img').naturalWidth === 8")


def reloads_from_the_origin(scene):
    """reload() of a page on demand asks the origin, and what the reader looks at stays."""
    path = "/origin/home/pages/0"
    rows = [row(number) for number in range(100)]
    scene.site.pages[path] = (json.dumps(page(section("list", rows))), "application/json")
    restart(scene, CATALOG, "--origin", f"{scene.site.origin}/origin")
    scene.open()
    scene.run("scrollTo(0, 2000); await frame(); await frame(); window.watching = watchAnchor()")
    rows.insert(3, row("new", 75))
    scene.site.pages[path] = (json.dumps(page(section("list", rows))), "application/json")
    assert scene.run("return await element.reload()") is True
    assert scene.run("return element.screen.tree.sections[0].items[3].id") == "rnew"
    scene.run("await frame(); await frame(); await frame()")
    still(scene.run("return watching.stop()"))
    scene.check()
    del scene.site.pages[path]
    # The origin does not have the page any more: what is stored stays.
    scene.run("await new Promise((done) => setTimeout(done, 600))")
    assert scene.run("return await element.screen.reload()") is True
    assert scene.run("return element.screen.tree.sections[0].items.length") == 101
    scene.run("element.remove(); window.kept = element")
    assert scene.run("return await kept.reload()") is False


def draws_masonry_beside_a_notch(scene):
    """Items in any order of y are drawn where they are near, and parts fill stretched items.

    The safe area is that of the URL (G9), and the element spans the whole screen.
    """
    tiles = [{**row(number, 30 + number % 4 * 20), "columns": 1 + number % 3 // 2}
             for number in range(300, 330)]
    scene.daemon.put("home", page(
        section("wall", [row(number, 40 + number * 37 % 150) for number in range(150)]),
        section("tiles", tiles, kind="TILES")))
    for direction in ["ltr", "rtl"]:
        scene.open("/v1/screens/home?safeArea=0,44,21,30", f'dir="{direction}"')
        for place in [0, 700, 2_345, 1e6]:
            scene.run(f"scrollTo(0, {place}); await frame(); await frame()")
            scene.check()
        query = [path for _, path, _ in scene.site.requests if "/stream?" in path][-1]
        assert "?safeArea=0,44,21,30&width=" in query, query
        width, left, right = scene.run("""
            const items = [...element.querySelectorAll("[data-id=tiles] .item")];
            const boxes = items.map((one) => one.getBoundingClientRect());
            return [element.clientWidth, Math.min(...boxes.map((one) => one.left)),
                Math.max(...boxes.map((one) => one.right))]""")
        assert abs(left - 54) < 1 and abs(width - right - 40) < 1, (direction, left, right)
        wrong = scene.run("""await until(() => element.querySelector(".part"));
            const cells = [...element.querySelectorAll("[data-type=Tile]")];
            return cells.filter((one) => Math.abs(one.lastChild.getBoundingClientRect().bottom
                - one.getBoundingClientRect().bottom) > 0.05).map((one) => one.dataset.id)""")
        assert not wrong, wrong
        scene.run("scrollTo(0, 0); await frame(); element.reveal('wall', 'r4'); await frame()")
        scene.key("ArrowDown")
        assert scene.run("return document.activeElement.dataset.id") == "r7"


def pins_headers(scene):
    """A pinned header stays in its section, and items are revealed below it."""
    scene.daemon.put("home", page(
        section("plain", [row(number) for number in range(50)], "First"),
        section("grid", [row(number) for number in range(100, 160)])))
    scene.open()
    for place, expected in [(500, 0), (1_200, 0), (3_040, None)]:
        scene.run(f"scrollTo(0, {place}); await frame(); await frame()")
        top, end, section_end = scene.run("""
            const header = element.querySelector(".header").getBoundingClientRect();
            const section = element.querySelector(".section").getBoundingClientRect();
            return [header.top, header.bottom, section.bottom]""")
        if expected is None:
            assert abs(end - section_end) < 0.05, (end, section_end)
        else:
            assert abs(top - expected) < 0.05, (place, top)
    scene.run("scrollTo(0, 1500); await frame(); element.reveal('plain', 'r5'); await frame()")
    assert scene.run("return document.activeElement.getBoundingClientRect().top") >= 39.9
    # D5 and D6, of a header and a footer, at offsets before, in and behind their section.
    both = section("both", [row(number) for number in range(200, 240)], "Both")
    both["footer"] = {"unitType": "END", "unitData": {"title": "End"}}
    both["layout"] = {"pinHeader": True, "pinFooter": True, "inset": 6}
    scene.daemon.put("home", page(
        section("grid", [row(number) for number in range(100, 140)]), both,
        section("list", [row(number) for number in range(300, 340)])))
    scene.until("element.screen.tree.sections[1].footer")
    for offset in [0, 400, 700, 1_300, 1_380, 2_000, 3_000, 3_760, 3_800, 3_850]:
        scene.run(f"scrollTo(0, {offset}); await frame(); await frame()")
        wrong = scene.run("""
            const {frame, header, footer} = element.screen.tree.sections[1];
            const [o, view] = [scrollY, document.documentElement.clientHeight];
            const end = frame.y + frame.height;
            const top = Math.max(frame.y + header.frame.y,
                Math.min(Math.max(o, frame.y + header.frame.y), end - header.frame.height));
            const rest = frame.y + footer.frame.y;
            const bottom = Math.min(rest, Math.max(
                Math.min(o + view - footer.frame.height, rest), frame.y + header.frame.height));
            const drawn = element.querySelector('[data-id="both"]');
            if (!drawn) return [];
            const at = (name) => drawn.querySelector(name).getBoundingClientRect().top + o;
            return [[at(".header"), top], [at(".footer"), bottom]].filter(
                ([found, expected]) => Math.abs(found - expected) > 0.05)""")
        assert not wrong, (offset, wrong)


def draws_the_documented_page(scene):
    """The page of docs/web.md, which Fixtures/web has."""
    folder = ROOT / "Fixtures/web"
    text = (ROOT / "docs/web.md").read_text("utf-8")
    example = text.split("```html index\n", 1)[1].split("```", 1)[0]
    assert example == (folder / "index.html").read_text("utf-8")
    scene.daemon.kill()
    index = scene.daemon.words.index("--catalog")
    scene.daemon.words[index + 1] = str(ROOT / "Fixtures/storefront/catalog.json")
    scene.daemon.words += ["--cors-origin", scene.site.origin]
    scene.daemon.start()
    for number in range(3):
        content = json.loads((ROOT / f"Fixtures/storefront/page-{number}.json").read_text("utf-8"))
        scene.daemon.put("home", content, number)
    daemon = f"http://127.0.0.1:{scene.daemon.port}"
    scene.site.pages["/index.html"] = example.replace("http://127.0.0.1:8080", daemon)
    scene.site.has_policy = False
    scene.page.open(f"{scene.site.origin}/index.html")
    for _ in range(20 * TIMEOUT):
        found = scene.page.run("return document.querySelector('.item')?.parentNode.textContent")
        if found:
            break
        time.sleep(0.05)
    text = scene.page.run("return document.querySelector('broadsheet-screen').textContent")
    assert "49000 ₩" in text and "Oversized linen shirt" in text, text
    for width, height in [(390, 844), (1280, 800)]:
        scene.size(width, height, 2)
        time.sleep(0.5)
        if Scene.pictures:
            scene.picture(f"{Scene.pictures}/index.html-{width}.png")
    # The address of README.md, behind its first request.
    readme = (ROOT / "README.md").read_text("utf-8")
    first = readme.split("```console\n", 2)[1].split("```\n", 1)[1].split("```", 1)[0]
    [address] = re.findall(r"Open `http://127\.0\.0\.1:8080([^`]+)`", first)
    scene.page.open(f"{daemon}{address}")
    scene.page.run("""for (let end = performance.now() + 60_000; performance.now() < end;) {
            if (document.querySelector("main")?.textContent.includes("Autumn sale")) return;
            await new Promise((done) => setTimeout(done, 50));
        }
        throw new Error(document.body.textContent);""")


# A photo of a product: a shape on a background, of another colour for each number.
PHOTO = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200">
<rect width="200" height="200" fill="hsl({0} 32% 82%)"/>
<path d="M60 70h80l-10 90h-60z M80 70a20 26 0 0 1 40 0" fill="hsl({0} 30% 62%)"
 stroke="hsl({0} 30% 38%)" stroke-width="4"/></svg>"""


def put_storefront(scene):
    """Posts the pages of the storefront, with drawn photos for all images but one."""
    for number in range(3):
        content = (ROOT / f"Fixtures/storefront/page-{number}.json").read_text("utf-8")
        content = content.replace("https://img.example.com", "")
        scene.daemon.put("home", json.loads(content), number)
        for path in re.findall(r'"image": "([^"]*)"', content):
            if not path.endswith("3.webp"):
                hue = int(re.sub(r"\D", "", path) or 5) * 47 % 360
                scene.site.pages[path] = (PHOTO.format(hue), "image/svg+xml")


def draws_the_storefront_by_its_parts(scene):
    """The page with its styles, light and dark, on a phone and a tablet: no price is cut, the
    contrast is enough, and a like is one tap."""
    folder = ROOT / "Fixtures/web"
    restart(scene, json.loads((folder / "catalog.json").read_text("utf-8")),
            "--fonts", "/usr/share/fonts", "--serve-fonts")
    put_storefront(scene)
    for name, kind in [("storefront.html", "text/html"), ("storefront.css", "text/css"),
                       ("storefront.js", "text/javascript")]:
        content = (folder / name).read_text("utf-8").replace("http://127.0.0.1:8080", "")
        scene.site.pages[f"/{name}"] = (content, f"{kind}; charset=utf-8")
    scene.site.pages["/axe.js"] = (axe().read_bytes(), "text/javascript")
    html = scene.site.pages["/storefront.html"][0]
    scene.site.pages["/storefront.html"] = html.replace(
        "<script", '<script src="/axe.js"></script><script type="module" src="/probe.js"></script>'
        "<script", 1)
    for width, height, scheme in [(390, 844, "light"), (390, 844, "dark"), (820, 1180, "light"),
                                  (820, 1180, "dark")]:
        scene.size(width, height, 2)
        scene.browser.call("Emulation.setEmulatedMedia", scene.page.session, features=[
            {"name": "prefers-color-scheme", "value": scheme}])
        scene.page.open(f"{scene.site.origin}/storefront.html")
        scene.run("await until(() => window.ready)")
        scene.live()
        scene.until("document.fonts.size === 2 && element.querySelector('[data-name=price]')")
        scene.until("[...element.querySelectorAll('img')].every((one) => one.complete)")
        scene.until("element.querySelector('.part[data-state=failed]')?.textContent")
        # Pages that come fade in.
        scene.until("!element.getAnimations({subtree: true}).length")
        scene.run("await frame(); await frame()")
        wrong = scene.run("""const cut = [...element.querySelectorAll("[data-name=price]")].filter(
                (one) => one.scrollWidth > one.clientWidth
                    || one.scrollHeight > one.clientHeight + 1);
            const wide = document.documentElement.scrollWidth > innerWidth;
            return [cut.map((one) => one.textContent), wide]""")
        assert wrong == [[], False], wrong
        assert "49,000 ₩" in scene.run("return element.textContent")
        found = scene.run("""const {violations} = await axe.run({rules: {
                "page-has-heading-one": {enabled: false}, region: {enabled: false},
                "landmark-one-main": {enabled: false}}});
            return violations.map(
                ({id, nodes}) => `${id}: ${nodes[0].html} ${nodes[0].failureSummary}`)""")
        assert not found, found
        if Scene.pictures:
            scene.picture(f"{Scene.pictures}/storefront-{width}-{scheme}.png")
            scene.run("scrollTo(0, 700); await frame(); await frame()")
            scene.until("[...element.querySelectorAll('img')].every((one) => one.complete)")
            scene.picture(f"{Scene.pictures}/storefront-{width}-{scheme}-2.png")
            scene.run("scrollTo(0, 0); await frame(); await frame()")
    scene.browser.call("Emulation.setEmulatedMedia", scene.page.session, features=[])
    like = "element.querySelector('[data-id=P0000013] [data-name=like] button')"
    scene.run(f"window.button = {like}; button.focus(); button.click()")
    scene.until("button.textContent === '♥'")
    assert scene.run("return button.isConnected && document.activeElement === button")


def axe():
    """Returns the file of axe-core, which `make test-deps` installs."""
    folders = [ROOT / ".build/client-tools", Path(Scene.axe)] if Scene.axe else [
        ROOT / ".build/client-tools"]
    for folder in folders:
        for file in sorted(folder.rglob("axe_playwright_python/axe.min.js")):
            return file
    raise AssertionError("make test-deps has not installed axe-core")


def run_scenes(kind, modules):
    """Runs the scenes of modules that the command line names, or all, each with a `kind` of scene
    of its own, and returns the exit status."""
    program, broadsheet, *names = sys.argv[1:]
    scenes = {name: value for module in modules for name, value in vars(module).items()
              if inspect.isfunction(value) and [*inspect.signature(value).parameters] == ["scene"]}
    failed = 0
    with tempfile.TemporaryDirectory(prefix="broadsheet-scenes-") as folder:
        kind.folder = folder
        browser = Browser(program, ["--disable-smooth-scrolling"])
        try:
            for name, body in scenes.items():
                if names and name not in names:
                    continue
                start = time.monotonic()
                # Nothing that another scene stored is there.
                browser.forget()
                scene = kind(browser, broadsheet)
                try:
                    body(scene)
                except Exception:
                    failed += 1
                    print(f"{name} FAILED: {traceback.format_exc()}", flush=True)
                else:
                    print(f"{name}: {time.monotonic() - start:.1f} s", flush=True)
                finally:
                    scene.close()
        finally:
            browser.close()
    return 1 if failed else 0


if __name__ == "__main__":
    # The other scenes import this module by its name.
    import screens_accessible
    sys.exit(run_scenes(Scene, [sys.modules[__name__], screens_accessible]))
