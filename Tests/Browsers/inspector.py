"""Opens the inspector in Chromium, and uses it by roles and names, as people and readers do.

    inspector.py CHROMIUM BROADSHEET [SCENE ...]

Each scene is a function below, or of the modules `inspector_*.py`, which asserts what it sees; its
name is printed when it has passed. With BROADSHEET_PICTURES, a folder, the pictures are written
there instead of compared.
"""

import base64
import http.client
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from screens import axe, run_scenes
from site_of_tests import Daemon, Site

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "Tests/Browsers/pictures"
DESKTOP, PHONE = (1440, 900), (390, 844)
MAX_DIFFERENCE = 0.01
WAIT = 60
CATALOG = {
    "sections": {"Grid": {"gridColumnCount": 2, "minimumLineSpacing": 8,
                          "minimumInteritemSpacing": 8}},
    "units": {"CARDS": {"cells": {"type": "Card", "data": "/list"}},
              "TITLE": {"header": {"type": "Title"}}},
    "cellTypes": {
        "Card": {"id": "/id", "size": {"height": 90}, "picture": {
            "title": "/title", "subtitle": "/note", "image": "/image"}},
        "Title": {"size": {"height": 40}, "picture": {"title": "/title"}},
    },
}
LATER = ["inspector_devices", "inspector_details", "inspector_playground"]
KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "End": 35, "Home": 36,
        "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


def card(number, **members):
    return {"id": f"c{number}", "title": f"Card {number}", "note": f"Note {number}", **members}


def page(cards, title="Today", **members):
    unit = {"unitType": "CARDS", "unitData": {"list": cards}}
    return {"sections": [{"sectionId": "Grid", "units": [unit], "header": {
        "unitType": "TITLE", "unitData": {"title": title}}}], **members}


class RefusingSite(Site):
    """A site that can refuse requests, and hold them back."""

    def __init__(self, daemon):
        super().__init__(daemon)
        self.refused = {}
        self.held = {}

    def refuse(self, part, status=503, times=1_000_000):
        """Sends a problem to requests with a part in their path; 0 drops the connection."""
        self.refused[part] = [status, times]

    def hold(self, part):
        """Holds back the responses to such requests until the event is set."""
        self.held[part] = threading.Event()
        return self.held[part]

    def pass_all(self):
        """Forwards all requests again."""
        for event in self.held.values():
            event.set()
        self.held, self.refused = {}, {}

    def forward(self, handler, body):
        for part, event in list(self.held.items()):
            if part in handler.path:
                self.wait(handler, event, body)
                return
        for part, rule in list(self.refused.items()):
            if part in handler.path and rule[1] > 0:
                rule[1] -= 1
                self.send_problem(handler, rule[0])
                return
        super().forward(handler, body)

    def wait(self, handler, event, body):
        """Forwards a request at once, and its response when the event is set."""
        connection = http.client.HTTPConnection("127.0.0.1", self.daemon.port, timeout=WAIT)
        fields = {name: value for name, value in handler.headers.items()
                  if name.lower() in ("authorization", "content-type")}
        connection.request(handler.command, handler.path, body, fields)
        response = connection.getresponse()
        content = response.read()
        event.wait(WAIT)
        handler.send_response(response.status)
        for name in ["Content-Type", "ETag"]:
            if name in response.headers:
                handler.send_header(name, response.headers[name])
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    def send_problem(self, handler, status):
        if status == 0:
            return
        problem = {"status": status, "code": "REFUSED", "detail": "The site refuses it."}
        content = json.dumps(problem)
        handler.send_response(status)
        handler.send_header("Content-Type", "application/problem+json")
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content.encode())


class Scene:
    """The inspector of a daemon, behind a site that can lose it."""

    def __init__(self, browser, broadsheet, options=()):
        catalog = Path(Scene.folder) / "catalog.json"
        catalog.write_text(json.dumps(CATALOG))
        self.program = broadsheet
        self.browser = browser
        self.begin("--catalog", str(catalog), *options)
        self.page = browser.page()
        self.call("Runtime.enable")
        self.call("Log.enable")
        self.size(*DESKTOP)

    def begin(self, *options):
        self.daemon = Daemon(self.program, *options)
        self.site = RefusingSite(self.daemon)

    def call(self, method, **parameters):
        return self.browser.call(method, self.page.session, **parameters)

    def size(self, width, height, scheme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def open(self, hash=""):
        self.page.open("about:blank")
        self.page.open(f"{self.site.origin}/inspector{hash}")

    def run(self, script):
        return self.page.run(script)

    def until(self, what, condition, limit=WAIT):
        """Waits until a function returns something true, and returns it."""
        end = time.monotonic() + limit
        while True:
            value = condition()
            if value:
                return value
            assert time.monotonic() < end, (what, self.names())
            time.sleep(0.03)

    # Roles and names

    def nodes(self):
        tree = self.call("Accessibility.getFullAXTree")["nodes"]
        for node in tree:
            if not node.get("ignored") and "backendDOMNodeId" in node:
                role, name = (node.get(key, {}).get("value", "") for key in ("role", "name"))
                yield role, name, node

    def names(self):
        return [(role, name) for role, name, _ in self.nodes()
                if name and role not in ("StaticText", "InlineTextBox")][:60]

    def find(self, role, name=None):
        return [node for one, other, node in self.nodes()
                if one == role and (name is None or other == name)]

    def get(self, role, name=None, index=0):
        """Waits for an element of a role and a name, and returns its object."""
        def resolved():
            found = self.find(role, name)[index:]
            try:
                return found and self.call(
                    "DOM.resolveNode", backendNodeId=found[0]["backendDOMNodeId"])
            except AssertionError:
                return None  # It was made again meanwhile.

        return self.until((role, name), resolved)["object"]["objectId"]

    def on(self, element, body):
        """Runs the body of a function of an element."""
        result = self.call("Runtime.callFunctionOn", objectId=element, returnByValue=True,
                           awaitPromise=True, functionDeclaration=f"function() {{ {body} }}")
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def text(self, role, name=None):
        return self.on(self.get(role, name), "return this.value ?? this.textContent")

    def click(self, role, name=None, index=0):
        self.press_mouse(self.get(role, name, index))

    def press_mouse(self, element):
        x, y = self.on(element, """this.scrollIntoView({block: "nearest", inline: "nearest"});
            const {left, top, width, height} = this.getBoundingClientRect();
            return [left + Math.min(width / 2, 30), top + Math.min(height / 2, 20)]""")
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                      button="none" if kind == "mouseMoved" else "left", clickCount=1)

    def choose(self, name, value):
        """Chooses a value of a combobox."""
        self.on(self.get("combobox", name), f"""this.value = {json.dumps(value)};
            this.dispatchEvent(new Event("change", {{bubbles: true}}))""")

    def key(self, name, shift=False, control=False):
        text = {"Enter": "\r", " ": " "}.get(name, "")
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name,
                      windowsVirtualKeyCode=KEYS[name], modifiers=8 * shift + 2 * control,
                      text=text if kind == "keyDown" and not control else "")

    def write(self, text):
        self.call("Input.insertText", text=text)

    @property
    def focused(self):
        return self.run("""const element = document.activeElement;
            return element.getAttribute("aria-label") || element.textContent.slice(0, 80)""")

    def tab_to(self, name, limit=80):
        """Presses Tab until an element has the focus."""
        seen = []
        for _ in range(limit):
            self.key("Tab")
            seen.append(self.focused)
            if seen[-1] == name:
                return
        raise AssertionError((name, seen))

    def captions(self):
        """Returns the lines below the devices."""
        return self.run("""return [...document.querySelectorAll(".device .caption")]
            .map((one) => one.textContent)""")

    def shows_revision(self, revision):
        """Waits until all devices show a revision."""
        self.until(f"r{revision}", lambda: all(
            caption.startswith(f"r{revision} ") for caption in self.captions()))

    def alerts(self):
        """Returns the visible problems."""
        return self.run("""return [...document.querySelectorAll("[role=alert]")]
            .filter((one) => one.checkVisibility()).map((one) => one.innerText)""")

    def option(self, name, value):
        """Sets a field of the options of the first device."""
        self.run(f"""document.querySelector(".options").open = true;
            const field = [...document.querySelectorAll(".device:first-child .field")]
                .find((one) => one.firstChild.textContent === {json.dumps(name)}).lastChild;
            field.value = {json.dumps(value)};
            field.dispatchEvent(new Event("change"))""")

    def load_catalog(self, catalog):
        """Makes the daemon load another catalog."""
        (Path(Scene.folder) / "catalog.json").write_text(json.dumps(catalog))
        self.daemon.process.send_signal(signal.SIGHUP)
        self.until("the catalog", lambda: json.loads(
            self.daemon.send("GET", "/v1/catalog")) == catalog)

    def box(self, selector):
        """Returns the rectangle of an element on the screen, as it is scaled."""
        return self.run(f"""const {{left, top, right, bottom, width, height}} =
                Element.prototype.getBoundingClientRect.call(document.querySelector("{selector}"));
            return {{left, top, right, bottom, width, height}}""")

    def tab(self, name):
        """Shows a tab of Details."""
        self.run(f"""
            const all = [...document.querySelectorAll("nav.panels button, [role=tab]")];
            for (const name of ["Details", "{name}"]) {{
                all.find((one) => one.textContent.startsWith(name)).click() }}""")

    def is_cut(self, selector):
        """Returns whether an element has more content than it shows."""
        return self.run(f"""const one = document.querySelector("{selector}");
            return one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight""")

    def small_targets(self):
        """Returns the visible controls of less than 40 by 40 pixels."""
        return self.run("""
            document.querySelector(".skip").focus();
            return [...document.querySelectorAll("button, a, select, summary, input, .button, "
                    + "[role=slider], [role=treeitem] > .row")]
                .filter((one) => one.checkVisibility())
                .map((one) => [one, one.getBoundingClientRect()])
                .filter(([one, {width, height}]) => width > 1 && Math.min(width, height) < 39.9)
                .map(([one, {width, height}]) => [width, height, one.outerHTML])""")

    def entries(self, name="Changes"):
        """Returns the texts of the entries of a list."""
        return self.run(f"""return [...document.querySelectorAll(
            "ul[aria-label='{name}'] button")]
                .map((one) => one.innerText.replaceAll(/\\s+/g, " "))""")

    def click_entry(self, name, words):
        """Clicks the entry of a list that contains words."""
        self.press_mouse(self.call("Runtime.evaluate", expression=f"""
            [...document.querySelectorAll("ul[aria-label='{name}'] button")]
                .find((one) => one.textContent.includes("{words}"))""")["result"]["objectId"])

    def tags(self):
        """Returns the words at the marks of the first device."""
        return self.run("""return [...document.querySelectorAll(".device:first-child .mark .tag")]
            .map((one) => one.textContent)""")

    def item(self, name):
        """Clicks the item of a name in the first device."""
        found = self.until(name, lambda: self.run(f"""
            return [...document.querySelectorAll(".device:first-child .item")]
                .findIndex((one) => one.dataset.id === {json.dumps(name)}) + 1"""))
        result = self.call("Runtime.evaluate", expression=f"""
            document.querySelectorAll(".device:first-child .item")[{found - 1}]""")
        self.press_mouse(result["result"]["objectId"])

    def drawn(self):
        """Waits until the devices are drawn and nothing is loading."""
        self.until("the layouts", lambda: self.run("""
            const all = [...document.querySelectorAll(".device, .layout")];
            return all.length > 0 && all.every((one) => one.querySelector(".port .item"))
                && !document.querySelector("[aria-busy]")"""))

    def live(self):
        self.drawn()
        self.until("Live", lambda: self.text("status") == "Live")

    def status(self):
        """Returns the texts of all status regions."""
        return self.run("""return [...document.querySelectorAll("[role=status]")]
            .map((one) => one.textContent).join(" ")""")

    def problems(self):
        """Returns the exceptions and the violations of the policy so far."""
        self.run("return 1")
        found = []
        for event in self.browser.events:
            text = json.dumps(event.get("params", {}))
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(text)
            if event.get("method") == "Log.entryAdded" and "ecurity" in text:
                found.append(text)
        self.browser.events = []
        return found

    def close(self):
        self.page.open("about:blank")
        if self.daemon.process.poll() is None:
            self.daemon.kill()


def store(scene, count=12):
    scene.daemon.put("home", page([card(number) for number in range(count)]))


def make_keys(scene, **scopes):
    """Begins a daemon with keys of these scopes, and returns their secrets."""
    lines, secrets = [], {}
    for name, own in scopes.items():
        made = subprocess.run([scene.program, "key", "new", name, "--scopes", own],
                              capture_output=True, text=True, check=True).stdout
        secrets[name] = re.search("secret: (.*)", made)[1]
        lines.append(re.search("line: (.*)", made)[1])
    keys = Path(Scene.folder) / "keys"
    keys.write_text("\n".join(lines) + "\n")
    scene.daemon.kill()
    scene.begin("--catalog", str(Path(Scene.folder) / "catalog.json"), "--keys", str(keys))
    return secrets


# Scenes


def explains_an_item(scene):
    """A click shows the frame, what made it, and the bytes as they were posted."""
    posted = """{"sections": [{"sectionId": "Grid", "units": [
      {"unitType": "CARDS", "unitData": {"list": [
        null,
        {
          "id": "x", "price": 1.50, "n": 12345678901234567890,
          "price": 1.50
        }
      ]}}
    ]}]}"""
    connection = http.client.HTTPConnection("127.0.0.1", scene.daemon.port)
    connection.request("PUT", "/v1/screens/home/pages/0", posted,
                       {"Content-Type": "application/json"})
    assert connection.getresponse().status == 201
    scene.open()
    scene.click("link", "home")
    scene.live()
    for name in ["Phone", "Tablet"]:
        assert scene.find("region", name), scene.names()
    scene.item("x")
    scene.until("the bytes", lambda: scene.find("group", "Posted bytes"))
    frame = scene.text("group", "Frame")
    assert frame == "x 199 y 0 width 191 height 90", frame
    assert scene.text("group", "Posted bytes") == """{
  "id": "x", "price": 1.50, "n": 12345678901234567890,
  "price": 1.50
}"""
    details = scene.text("tabpanel")
    for word in ["/sections/0/units/0/unitData/list/1", "/units/CARDS/cells", ", line 4",
                 "/cellTypes/Card/size", "/sections/Grid", "CARDS"]:
        assert word in details, (word, details)
    scene.until("the address", lambda: "at=0/1" in scene.run("return location.hash"))
    scene.open(scene.run("return location.hash"))
    scene.until("the selection", lambda: scene.find("group", "Frame"))
    assert not scene.problems()


def follows_a_screen(scene):
    """One stream for all devices; an update keeps what is selected, and is listed and marked."""
    store(scene)
    scene.open("#/screens/home?d=width%3D390%26height%3D844&d=width%3D820&d=width%3D1280")
    scene.live()
    scene.item("c3")
    scene.until("its frame", lambda: scene.find("group", "Frame"))
    streams = [path for _, path, _ in scene.site.requests if "/stream" in path]
    assert len(streams) == 1, streams
    cards = [card(number) for number in range(12)]
    scene.daemon.put("home", page([card(99), *cards[:5], card(5, title="New"), *cards[7:]]))
    scene.click("tab", "Changes")
    # The kept revisions come before or after the changes of the tree, with the comparison above the
    # list, which moves the entry.
    scene.until("the entries", lambda: any(
        role == "button" and name.startswith("r1") for role, name, _ in scene.nodes()) and any(
        role == "button" and name.startswith("r2") and "inserted" in name
        for role, name, _ in scene.nodes()))
    entry = next(
        name for role, name, _ in scene.nodes() if role == "button" and name.startswith("r2"))
    for words in ["1 inserted", "1 deleted", "1 reloaded"]:
        assert words in entry, entry
    scene.click_entry("Changes", "r2")
    scene.until("marks", lambda: {"inserted", "deleted", "reloaded"} <= set(scene.tags()))
    scene.until("its new place in the address", lambda: scene.run(
        "return location.hash").endswith("at=0/4"))
    scene.daemon.send("DELETE", "/v1/screens/home")
    scene.until("the removal", lambda: scene.text("status") == "The screen was removed")
    assert scene.run("return document.querySelectorAll('.port .item').length") > 0
    store(scene)
    scene.live()
    assert not scene.problems()


def shows_kept_revisions(scene):
    """Kept revisions continue the list; any two are compared, and a command leads back."""
    store(scene)
    cards = [card(number) for number in range(12)]
    scene.daemon.put("home", page([card(99), *cards[:5], card(5, title="New"), *cards[7:]]))
    scene.open("#/screens/home?d=width%3D390%26height%3D844")
    scene.live()
    scene.click("tab", "Changes")
    scene.until("the list", lambda: len(scene.entries()) == 2)
    scene.daemon.put("home", page([*cards[6:], *cards[:6]]))
    entries = scene.until("all of it", lambda: len(found := scene.entries()) == 3
                          and found[0].startswith("r3") and "putPage" in found[0] and found)
    assert [entry[:2] for entry in entries] == ["r3", "r2", "r1"], entries
    assert "moved" in entries[0], entries
    assert all("putPage: page 0 of" in entry for entry in entries), entries
    scene.click_entry("Changes", "r1")
    difference = scene.until("the difference", lambda: (
        "From revision 1 to revision 3: 6 moved" in (text := scene.text("group", "Difference"))
        and text))
    assert '-d \'{"revision": 1}\'' in difference and 'If-Match: "r3"' in difference, difference
    assert (scene.text("combobox", "From"), scene.text("combobox", "To")) == ("1", "3")
    scene.until("marks", lambda: "moved" in scene.tags())
    scene.choose("To", "2")
    difference = scene.until("the other difference", lambda: (
        "From revision 1 to revision 2: " in (text := scene.text("group", "Difference"))
        and text))
    for words in ["1 inserted", "1 deleted", "1 reloaded", "inserted c99"]:
        assert words in difference, difference
    assert not scene.tags(), scene.tags()
    scene.choose("From", "3")
    scene.until("the later change", lambda: "From revision 2 to revision 3" in scene.text(
        "group", "Difference"))
    # An entry that came while the screen was open is marked instead.
    scene.click_entry("Changes", "r3")
    scene.until("its marks", lambda: "moved" in scene.tags())
    assert scene.text("combobox", "From") == "" and not scene.text("group", "Difference")
    assert not scene.problems()


def counts_what_readers_see(scene):
    """The journey tints what readers have seen, with the number; the tab has all of it."""
    store(scene)
    events = [{"type": "willDisplay", "section": "Grid", "item": f"c{number}"}
              for number in [1, 1, 1, 2]]
    scene.daemon.send("POST", "/v1/screens/home/events", {"events": [
        *events, {"type": "pageDidAppear", "page": 0},
        {"type": "willDisplay", "section": "Grid", "item": "gone"}]})
    scene.open("#/screens/home?d=width%3D390%26height%3D844")
    scene.live()
    scene.click("switch", "Journey")
    tags = scene.until("the tints", lambda: scene.run("""
        return [...document.querySelectorAll(".mark.seen .tag")].map((one) => one.textContent)"""))
    assert tags == ["3", "1"], tags
    panel = scene.text("tabpanel")
    assert "Gridgone1" in panel and "Gridc13" in panel, panel
    scene.click("switch", "Journey")
    scene.until("no tints", lambda: scene.run("return !document.querySelector('.mark.seen')"))


def measures_distances(scene):
    """Pointing outlines an item in every device; with a selection it shows the gap between both."""
    store(scene)
    scene.open("#/screens/home")
    scene.live()
    scene.item("c0")
    scene.until("its frame", lambda: scene.find("group", "Frame"))
    box = scene.run("""const {left, top} = document.querySelectorAll(".device:first-child .item")[3]
        .getBoundingClientRect(); return [left + 20, top + 20]""")
    scene.call("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])
    tags = scene.until("the tags", lambda: scene.run("""
        return [...document.querySelectorAll(".mark.pointed .tag")]
            .map((one) => one.textContent)"""))
    assert tags == ["8 across, 8 down", "8 across, 8 down"], tags
    chosen = scene.run("""return [...document.querySelectorAll(".mark.selected .tag")]
        .map((one) => one.textContent)""")
    assert chosen == ["Card 191 × 90", "Card 406 × 90"], chosen


def leads_from_problems(scene):
    """A problem leads to the item that it is about, or else to the posted bytes."""
    listed = [{"id": "a"}, {"id": "b"}]
    scene.daemon.put("home", {"sections": [{"sectionId": "Grid", "colour": 1, "units": [
        {"unitType": "CARDS", "unitData": {"list": listed}}, {"unitType": "NOTHING"}]}]})
    scene.open("#/screens/home?d=width%3D390%26height%3D844")
    scene.live()
    scene.until("the number", lambda: any(
        name.startswith("Problems ") for role, name, _ in scene.nodes() if role == "tab"))
    scene.on(scene.get("tab", index=2), "this.click()")
    unknown = scene.until("the entry", lambda: [
        name for role, name, _ in scene.nodes()
        if role == "button" and name.startswith("UNKNOWN_UNIT_TYPE")])[0]
    scene.click("button", unknown)
    scene.until("the bytes", lambda: scene.find("group", "Posted bytes"))
    assert scene.text("group", "Posted bytes") == '"NOTHING"'
    scene.on(scene.get("tab", index=2), "this.click()")
    scene.click("button", next(name for role, name, _ in scene.nodes()
                               if role == "button" and name.startswith("UNKNOWN_MEMBER")))
    scene.until("the first item below", lambda: "at=0/0" in scene.run("return location.hash")
                or scene.find("group", "Posted bytes"))
    assert not scene.problems()


def stays_without_a_daemon(scene):
    """Offline, the last layouts stay; afterwards it goes on by itself."""
    store(scene)
    scene.open("#/screens/home")
    scene.live()
    count = scene.run("return document.querySelectorAll('.port .item').length")
    scene.daemon.kill()
    scene.until("offline", lambda: scene.text("status") == "Offline. Reconnecting…")
    assert scene.run("return document.querySelectorAll('.port .item').length") == count
    scene.daemon.start()
    scene.until("live again", lambda: scene.text("status") == "Live")
    scene.daemon.put("home", page([card(1)]))
    scene.until("the change", lambda: scene.run(
        "return document.querySelectorAll('.device:first-child .item').length") == 1)


def works_by_keyboard(scene):
    """Everything is reached and used by the keyboard alone, in the order of the regions."""
    store(scene, 450)
    scene.open("#/screens/home?d=width%3D390%26height%3D844")
    scene.live()
    scene.run("document.body.focus(); getSelection().removeAllRanges()")
    order = ["Skip to the screen", "Screens", "Playground", "Filter screens", "Journey",
             "Open in playground", "Zoom", "Add device", "Device", "Width", "Height", "Layout",
             "Width of Phone", "Item"]
    for name in order:
        scene.tab_to(name, 6)
    scene.key("ArrowRight")
    assert scene.focused == "Outline", scene.focused
    scene.tab_to("Grid, 450 items", 3)
    scene.key("ArrowDown")
    assert scene.focused == "Title header", scene.focused
    for _ in range(3):
        scene.key("ArrowDown")
    assert scene.focused == "Card c2", scene.focused
    scene.key("Enter")
    scene.until("the selection", lambda: "at=0/2" in scene.run("return location.hash"))
    scene.key("End")
    assert scene.focused == "Show 200 more of 250", scene.focused
    scene.key("Enter")
    scene.until("more", lambda: len(scene.find("treeitem")) > 400)
    scene.run("document.querySelector('.slider').focus()")
    scene.key("ArrowLeft")
    scene.key("ArrowLeft", shift=True)
    scene.key("PageUp")
    scene.until("the width", lambda: scene.on(scene.get("spinbutton", "Width"),
                                              "return this.value") == "419")
    assert scene.focused.startswith("Width of"), scene.focused
    scene.drawn()
    # Requests that were sent before, and ended by later ones, may arrive after them.
    assert any("since=0" in path and "width=419" in path for _, path, _ in scene.site.requests)
    assert not scene.problems()


def lays_out_what_is_typed(scene):
    """The playground: problems with their lines, drafts that survive, links and damaged links."""
    scene.open("#/playground")
    scene.drawn()
    text = scene.text("textbox", "Page")
    assert json.loads(text)["sections"], text
    for label in ["A shop", "A list", "A carousel", "Chips", "The fallbacks of an old app"]:
        value = scene.run(f"""return [...document.querySelector("[aria-label=Sample]").options]
            .find((one) => one.textContent === {json.dumps(label)}).value""")
        scene.choose("Sample", value)
        scene.drawn()
        listed = [name for role, name, _ in scene.nodes() if role == "button"
                  and name.startswith("Line")]
        assert not listed, (label, listed)
    scene.on(scene.get("textbox", "Page"), "this.focus(); this.select()")
    scene.write('{"sections": [\n  {"units": [{"unitType": "NO"}]}\n')
    problem = scene.until("the error", lambda: [
        name for role, name, _ in scene.nodes() if role == "button" and name.startswith("Line 3")])
    assert "INVALID_JSON" in problem[0], problem
    scene.write("]}")
    scene.until("the diagnostic", lambda: [
        name for role, name, _ in scene.nodes()
        if role == "button" and name.startswith("Line 2") and "UNKNOWN_UNIT_TYPE" in name])
    scene.click("button", next(name for role, name, _ in scene.nodes()
                               if role == "button" and name.startswith("Line 2")))
    line = scene.on(scene.get("textbox", "Page"),
                    "return this.value.slice(0, this.selectionStart).split('\\n').length")
    assert line == 2, line
    scene.key("Tab")
    typed = scene.text("textbox", "Page")
    assert "  " in typed and scene.focused == "Page"
    scene.key("Escape")
    scene.key("Tab")
    assert scene.focused != "Page"
    kept = json.dumps(typed)
    scene.until("a kept draft", lambda: kept in scene.run(
        "return Object.values(localStorage).join()"))
    scene.open("#/playground")
    scene.until("the draft", lambda: scene.text("textbox", "Page") == typed)
    draft = {"page": '{"sections": [ ]}', "catalog": "", "query": "width=500&height=600"}
    link = scene.run(f"""
        const stream = new Blob([{json.dumps(json.dumps(draft))}]).stream()
            .pipeThrough(new CompressionStream("deflate-raw"));
        const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
        return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_")
            .replaceAll("=", "")""")
    scene.open(f"#/playground?s={link}")
    scene.until("the link", lambda: scene.text("textbox", "Page") == draft["page"])
    assert scene.on(scene.get("spinbutton", "Width"), "return this.value") == "500"
    # Cut off, and one that would inflate to more than 16 MiB.
    bomb = scene.run("""
        const text = JSON.stringify({page: " ".repeat(17 << 20), catalog: "", query: ""});
        const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
        const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
        let binary = "";
        for (const byte of bytes) binary += String.fromCharCode(byte);
        return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")""")
    for damaged in [link[:-6], "!", bomb]:
        scene.open(f"#/playground?s={damaged}")
        scene.until("the damage", lambda: "damaged or cut off" in scene.status())
        assert scene.text("textbox", "Page") == draft["page"]
    scene.on(scene.get("textbox", "Page"), "this.focus(); this.select()")
    scene.write(json.dumps({"sections": [], "x-noise": [hash(str(n)) for n in range(2_000)]}))
    scene.click("button", "Copy link")
    scene.until("its length", lambda: "use Download" in scene.status())
    saved = scene.run("return JSON.parse(localStorage['broadsheet.drafts']).length")
    assert 3 <= saved <= 10, saved
    assert not scene.problems()


def opens_a_screen_in_the_playground(scene):
    """The pages are those that were posted, byte for byte, and other drafts stay."""
    store(scene)
    scene.open("#/screens/home")
    scene.live()
    scene.click("button", "Open in playground")
    text = scene.until("the page", lambda: scene.find("textbox", "Page")
                       and scene.text("textbox", "Page"))
    assert json.loads(text) == page([card(number) for number in range(12)])
    scene.drawn()
    scene.run("document.querySelector('.layout .item').click()")
    line = scene.on(scene.get("textbox", "Page"), "return this.selectionStart")
    assert text[line:].startswith('{"id": "c0"'), text[line:line + 40]


def asks_for_a_key(scene):
    """With keys the page does what its key may, and the secret stays in the tab."""
    secrets = make_keys(scene, backend="read,write", reader="read", all="read,admin")
    scene.daemon.secret = secrets["backend"]
    store(scene)
    scene.open("#/screens/home")
    scene.until("the status", lambda: scene.text("status") == "A key is required")
    for name, word in [("reader", "may not read the catalog"), ("all", "/cellTypes/Card/size")]:
        scene.click("button", "Key…")
        scene.get("dialog", "Key")
        assert scene.focused == "" or scene.find("textbox", "Secret")
        scene.write(secrets[name])
        scene.click("button", "Use key")
        scene.live()
        scene.item("c1")
        if not scene.find("group", "Frame"):
            scene.item("c1")
        scene.until(word, lambda: word in scene.text("tabpanel"))
    scene.click("button", "Open in playground")
    scene.until("the page", lambda: scene.find("textbox", "Page"))
    scene.drawn()
    scene.until("a draft for this window", lambda: "Card 1" in scene.run(
        "return Object.values(sessionStorage).join()"))
    kept = scene.run("""return JSON.stringify([{...localStorage}, document.cookie, location.href,
        (await (await fetch("inspector")).text())])""")
    assert secrets["all"] not in kept and "Card 1" not in kept, kept
    assert secrets["all"] in scene.run("return JSON.stringify({...sessionStorage})")
    assert all(secrets["all"] not in path for _, path, _ in scene.site.requests)
    methods = {(method, path.split("?")[0]) for method, path, _ in scene.site.requests}
    assert all(method == "GET" or (method, path) == ("POST", "/v1/layout")
               for method, path in methods), methods


def shows_hostile_screens(scene):
    """Markup in every string is text; 100,000 items and absurd numbers are drawn in time."""
    evil = '"><img src=x onerror=window.evil=1><script>window.evil=1</script>javascript:alert(1)'
    cards = [card(0, title=evil, note=evil, image="https://evil.example/x.png", id=evil),
             card(1, title=1e308, note=-1e308)]
    scene.daemon.put("home", page(cards, title=evil))
    scene.open("#/screens/home")
    scene.live()
    scene.item(evil)
    scene.until("its bytes", lambda: scene.find("group", "Posted bytes"))
    assert json.loads(scene.text("group", "Posted bytes")) == cards[0]
    shown = scene.run("""return [".title", ".subtitle", ".address", ".tabpanel .id"].map(
        (one) => document.querySelectorAll(one)[one === ".title" ? 1 : 0].textContent)""")
    assert shown == [evil, evil, "https://evil.example/x.png", evil], shown
    assert scene.run("return document.querySelectorAll('.title')[2].textContent") == "1e+308"
    scene.tab("Outline")
    scene.get("treeitem", f"Card {evil}")
    for name in ["Problems", "Changes", "Item"]:
        scene.tab(name)
    found = scene.run("""return {evil: window.evil ?? null,
        images: document.querySelectorAll("img, script:not([type=module]), iframe").length,
        links: [...document.querySelectorAll("a")]
            .filter((one) => /evil|alert/.test(one.href)).length}""")
    assert found == {"evil": None, "images": 0, "links": 0}, found
    requests = [path for _, path, _ in scene.site.requests if "evil.example" in path]
    assert not requests
    scene.open("#/screens/home?d=width%3D390%26height%3D844")
    scene.live()
    scene.daemon.put("home", page([card(number) for number in range(100_000)]))
    scene.until("all items", lambda: "100000 items" in scene.run(
        "return document.querySelector('.caption').textContent"), 180)
    scene.run("document.querySelector('.port').scrollTop = 2e6")
    scene.until("items there", lambda: scene.run("""
        const port = document.querySelector(".port").getBoundingClientRect();
        return [...document.querySelectorAll(".device:first-child .item")].some((one) => {
            const {top, bottom} = one.getBoundingClientRect();
            return bottom > port.top && top < port.bottom})"""))
    elements = scene.run("return document.querySelectorAll('*').length")
    assert elements < 3_000, elements
    scene.choose("Device", "Desktop")
    for width in ["1", "100000", "1e-9", "-5", "NaN", "1e99"]:
        scene.on(scene.get("spinbutton", "Width"), f"""this.value = "{width}";
            this.dispatchEvent(new Event("change"))""")
    scene.until("the problem of the last one", lambda: scene.alerts())
    assert "INVALID_PARAMETER" in scene.alerts()[0], scene.alerts()
    scene.choose("Device", "Desktop")
    scene.drawn()
    assert "100000 items · 1280 ×" in scene.captions()[0], scene.captions()
    assert not scene.alerts() and not scene.problems()


def fits_a_phone(scene):
    """Below 900 pixels one part fills the window, which never scrolls sideways."""
    store(scene)
    scene.size(*PHONE)
    scene.open()
    for name in ["Screens", "Screen", "Details"]:
        assert scene.find("button", name), scene.names()
    scene.click("link", "home")
    scene.live()
    assert scene.find("region", "Phone") and not scene.find("region", "Tablet")
    scene.item("c1")
    scene.until("the details", lambda: scene.find("group", "Frame"))
    home = scene.run("return location.hash")
    for hash, panels in [("#/screens", ["Screens", "Screen"]), ("#/playground", [None]),
                         (home, ["Screens", "Details", "Screen"])]:
        scene.open(hash)
        if hash != "#/screens":
            scene.drawn()
        sideways = scene.run("""scrollTo(500, 0);
            return [scrollX, document.scrollingElement.scrollWidth - innerWidth]""")
        assert sideways == [0, 0], (hash, sideways)
        for panel in panels:
            if panel:
                scene.click("button", panel)
            assert not scene.small_targets(), (hash, panel, scene.small_targets())
        if hash == "#/playground":
            assert scene.run("""return innerHeight
                - document.querySelector("main").getBoundingClientRect().bottom""") == 0
        if hash == "#/screens":
            assert scene.on(scene.get("button", "Details"), "return this.disabled")
            assert not scene.is_cut(".welcome pre")
    scene.run("document.querySelector('.options').open = true")
    assert not scene.small_targets(), scene.small_targets()
    wrapped = scene.run("""return new Set([...document.querySelector(".device-head").children]
        .map((one) => Math.round(one.getBoundingClientRect().top / 20))).size""")
    assert wrapped == 1, wrapped
    assert scene.box(".popover select")["width"] == scene.box(".popover input")["width"]
    scene.tab("Outline")
    assert not scene.small_targets(), scene.small_targets()
    scene.open("#/screens/nothing")
    scene.until("the status", lambda: scene.text("status") == "There is no screen of this name")
    assert not scene.is_cut(".status")


ALL = [(DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark")]
TWO = [ALL[0], ALL[3]]
STATES = {
    "nothing": TWO, "empty": ALL, "screen": ALL, "item": ALL, "outline": ALL[:2], "changes": TWO,
    "compared": TWO, "problem": ALL, "playground": ALL, "missing": TWO, "loading": TWO,
    "offline": TWO, "failing": TWO, "problems": TWO, "journey": ALL, "key": TWO, "options": TWO,
}
LIVE = {"screen", "item", "outline", "changes", "compared", "offline", "problems", "journey",
        "options"}
ADDRESSES = {
    "nothing": "#/screens", "empty": "#/screens", "playground": "#/playground",
    "problem": "#/playground", "missing": "#/screens/nothing",
    "failing": "#/screens/home?d=width%3D390%26height%3D844%26scale%3D99",
}


def show(scene, state):
    """Opens the inspector in a state, without the drafts of others."""
    scene.run("try { localStorage.clear(); sessionStorage.clear() } catch {}")
    if state == "loading":
        scene.site.hold("since=0")
    if state == "key":
        scene.site.refuse("/v1/", 401)
    scene.open(ADDRESSES.get(state, "#/screens/home"))
    if state in LIVE:
        scene.live()
    if state in ("item", "outline"):
        scene.item("c2")
        scene.until("the bytes", lambda: scene.find("group", "Posted bytes"))
    if state == "outline":
        scene.tab("Outline")
        scene.get("tree", "Outline")
    if state == "changes":
        show_changes(scene, [card(number) for number in range(12)])
    if state == "compared":
        scene.tab("Changes")
        scene.until("the kept revisions", lambda: scene.entries())
        scene.click_entry("Changes", "r4")
        scene.until("the difference", lambda: "inserted c5" in scene.text("group", "Difference"))
    if state == "problem":
        # The sample that it opens with would replace what is typed before.
        scene.drawn()
        scene.on(scene.get("textbox", "Page"), "this.focus(); this.select()")
        scene.write('{"sections": [\n  {"units": [{"unitType": "NO"}]},\n  {"units": 5}\n]}')
        scene.until("the problem", lambda: [
            name for role, name, _ in scene.nodes() if role == "button" and name[:5] == "Line "])
    if state == "playground":
        scene.drawn()
    if state in ("missing", "failing"):
        scene.get("alert")
    if state == "loading":
        scene.until("it to load", lambda: "Loading…" in scene.run("return document.body.innerText"))
    if state == "offline":
        scene.daemon.kill()
        scene.until("offline", lambda: scene.text("status") == "Offline. Reconnecting…")
    if state == "problems":
        scene.tab("Problems")
        scene.until("the problems", lambda: scene.entries("Problems"))
    if state == "journey":
        scene.click("switch", "Journey")
        scene.until("the tints", lambda: len(scene.tags()) == 5)
    if state == "key":
        scene.until("the status", lambda: scene.text("status") == "A key is required")
        scene.click("button", "Key…")
        scene.get("dialog", "Key")
    if state == "options":
        scene.run("document.querySelector('.options summary').click()")
    if state not in ("loading", "key", "nothing"):
        scene.until("the list of screens", lambda: scene.run("""
            return !!document.querySelector(".screens a")
                && ![...document.querySelectorAll("[aria-busy]")].some(
                    (one) => one.checkVisibility())"""))
    time.sleep(0.3)


def show_changes(scene, cards):
    """Marks a change, after which another one comes."""
    scene.tab("Changes")
    count = len(scene.until("the kept revisions", lambda: scene.entries()))
    scene.daemon.put("home", page([card(99), *cards[:4], *cards[6:], cards[4]]))
    scene.until("the entry", lambda: "inserted" in scene.entries()[0])
    scene.run("document.querySelector('ul[aria-label=Changes] button').click()")
    store(scene)
    # Both changes are listed with what was written, and all devices show the newest revision.
    scene.until("the next entry", lambda: scene.run(f"""
        const entries = [...document.querySelectorAll("ul[aria-label=Changes] button")];
        return entries.length === {count + 2}
            && entries.slice(0, 2).every((one) => /inserted.*putPage/.test(one.textContent))
            && [...document.querySelectorAll(".device .caption")].every(
                (one) => one.textContent.startsWith(`${{entries[0].firstChild.textContent}} `))"""))


def is_accessible_and_looks_as_it_did(scene):
    """Each state at two widths, light and dark: axe-core finds nothing serious or critical, and at
    most 1 % of the pixels differ from the picture that is kept."""
    folder = Path(os.environ.get("BROADSHEET_PICTURES", PICTURES))
    folder.mkdir(exist_ok=True)
    source = axe().read_text("utf-8")
    shots, found = {}, []
    for state, views in STATES.items():
        if state == "journey":
            scene.daemon.send("POST", "/v1/screens/home/events", {"events": [
                {"type": "willDisplay", "section": "Grid", "item": f"c{number}"}
                for number in range(5) for _ in range(number + 1)]})
        for (width, height), scheme in views:
            scene.size(width, height, scheme)
            show(scene, state)
            # What changes from run to run is not compared.
            scene.run("""for (const one of document.querySelectorAll("[aria-label=Draft]")) {
                    one.options[0].textContent = "Draft" }
                for (const one of document.querySelectorAll(".welcome pre")) {
                    one.textContent = "curl" }
                for (const one of document.querySelectorAll("time")) one.textContent = "12:00";
                if (!document.querySelector("dialog")) document.activeElement.blur()""")
            shot = scene.call("Page.captureScreenshot")["data"]
            shots[folder / f"{state}-{width}-{scheme}.png"] = shot
            scene.call("Page.setBypassCSP", enabled=True)
            scene.run(f"{source}; window.axe = axe")
            found += scene.run(f"""
                const {{violations}} = await axe.run({{resultTypes: ["violations"]}});
                return violations.filter(({{impact}}) => /serious|critical/.test(impact))
                    .map(({{id, nodes}}) => ["{state}", {width}, "{scheme}", id,
                        nodes.map(({{html}}) => html.slice(0, 200))])""")
            scene.site.pass_all()
            if state == "offline":
                scene.daemon.start()
        if state == "nothing":
            store(scene)
    assert not found, found
    if "BROADSHEET_PICTURES" in os.environ:
        for path, shot in shots.items():
            path.write_bytes(base64.b64decode(shot))
        return
    # A page of its own, beside which the inspector is hidden.
    page = scene.browser.page()
    page.open("about:blank")
    shares = {path.name: difference(page, shot, base64.b64encode(path.read_bytes()).decode())
              for path, shot in shots.items()}
    wrong = {name: share for name, share in shares.items() if share > MAX_DIFFERENCE}
    assert not wrong, wrong
    kept = {path.name for path in PICTURES.iterdir()}
    assert kept == set(shares), kept ^ set(shares)


def difference(page, one, other):
    """Returns the share of the pixels of two pictures that differ visibly."""
    return page.run(f"""
        const pixels = async (data) => {{
            const image = new Image();
            image.src = "data:image/png;base64," + data;
            await image.decode();
            const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
            canvas.drawImage(image, 0, 0);
            return canvas.getImageData(0, 0, image.width, image.height);
        }};
        const [one, other] = [await pixels("{one}"), await pixels("{other}")];
        if (one.data.length !== other.data.length) return 1;
        let count = 0;
        for (let at = 0; at < one.data.length; at += 4) {{
            const parts = [0, 1, 2].map((part) => one.data[at + part] - other.data[at + part]);
            if (parts.some((part) => Math.abs(part) > 24)) count++;
        }}
        return count / (one.data.length / 4)""")


def main():
    return run_scenes(Scene, [sys.modules[__name__], *map(importlib.import_module, LATER)])


if __name__ == "__main__":
    # The modules of the other scenes import this one by its name.
    sys.exit(importlib.import_module("inspector").main())
