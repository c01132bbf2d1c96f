"""Scenes of the inspector's devices: what they follow, how they fail, and how they recover."""

import copy
import json
import time

from inspector import CATALOG, card, page, store

PHONE = "#/screens/home?d=width%3D390%26height%3D844%26scale%3D3"


def recovers_from_problems(scene):
    """Try again, another catalog, and the next attempt bring back what was refused."""
    store(scene)
    scene.site.refuse("since=0", 400)
    scene.open(PHONE)
    scene.until("the problem", lambda: scene.alerts())
    assert "REFUSED" in scene.alerts()[0] and scene.captions() == [""], scene.alerts()
    scene.site.pass_all()
    scene.click("button", "Try again")
    scene.live()
    assert not scene.alerts()
    scene.option("Catalog", "nope")
    scene.until("the wrong catalog", lambda: "INVALID_PARAMETER" in "".join(scene.alerts()))
    scene.option("Catalog", "")
    scene.drawn()
    assert not scene.alerts()
    for revision, status in [(2, 503), (3, 0)]:
        scene.site.refuse("/changes?", status, 1)
        scene.daemon.put("home", page([card(number) for number in range(revision)]))
        scene.shows_revision(revision)
    scene.drawn()
    assert not scene.alerts() and scene.text("status") == "Live"
    assert not scene.problems()


def follows_from_the_first_byte(scene):
    """An update during the first load is not lost, and the frame says that it loads."""
    store(scene)
    scene.site.hold("since=0")
    scene.open(PHONE)
    scene.until("Live", lambda: scene.text("status") == "Live")
    assert scene.run("""const device = document.querySelector(".device");
        return device.ariaBusy === "true" && device.innerText.includes("Loading…")""")
    scene.daemon.put("home", page([card(1)]))
    scene.until("the revision", lambda: scene.run(
        "return document.querySelector('.screens .revision').textContent") == "r2")
    scene.site.pass_all()
    scene.shows_revision(2)
    assert not scene.problems()


def follows_a_reloaded_catalog(scene):
    """A catalog that the daemon loads again is followed and explained, at the same revision."""
    store(scene)
    scene.open(PHONE)
    scene.live()
    scene.item("c1")
    scene.until("the rule", lambda: '{"height": 90}' in scene.text("tabpanel"))
    catalog = copy.deepcopy(CATALOG)
    catalog["cellTypes"]["Card"]["size"] = {"height": 140}
    catalog["cellTypes"]["Card"]["picture"]["title"] = "/id"
    scene.load_catalog(catalog)
    scene.until("the frame", lambda: "height 140" in scene.text("group", "Frame"))
    scene.until("the new rule", lambda: '{"height": 140}' in scene.text("tabpanel"))
    assert scene.captions()[0].startswith("r1 "), scene.captions()
    assert "c1" in scene.run("return document.querySelectorAll('.port .title')[2].textContent")
    assert not scene.problems()


def adds_and_removes_devices(scene):
    """Up to six devices; Zoom and Fit; tags of the same size; a change of nothing loads nothing."""
    store(scene)
    scene.open(PHONE)
    scene.live()
    for _ in range(5):
        scene.click("button", "Add device")
    scene.drawn()
    names = [name for role, name, _ in scene.nodes() if role == "region"]
    assert {"Phone", "Small phone", "Large phone", "Fold", "Tablet", "Desktop"} <= set(names), names
    assert scene.on(scene.get("button", "Add device"), "return this.disabled")
    scene.until("the address", lambda: scene.run("return location.hash").count("d=") == 6)
    for _ in range(5):
        scene.run("[...document.querySelectorAll('.popover button')].at(-1).click()")
    assert scene.run("return document.querySelector('.popover button').disabled")
    scene.drawn()
    scene.item("c2")
    scene.until("its frame", lambda: scene.find("group", "Frame"))
    for zoom, width in [("0.5", 195), ("0.75", 292.5), ("1", 390)]:
        scene.choose("Zoom", zoom)
        scene.until("the size", lambda: scene.box(".port")["width"] == width)
        height = scene.until("the tag", lambda: scene.box(".mark .tag")["height"])
        assert 15 < height < 17, (zoom, height)
    scene.choose("Zoom", "fit")
    scene.until("all of it", lambda: scene.box(".port")["bottom"] < 900)
    # Neither the same width nor the end of the slider twice loads anything.
    scene.on(scene.get("spinbutton", "Width"), "this.dispatchEvent(new Event('change'))")
    scene.run("document.querySelector('.slider').focus()")
    scene.key("End")
    scene.until("the width", lambda: "2000 ×" in scene.captions()[0])
    scene.key("End")
    scene.drawn()
    assert not scene.problems()


def lays_out_with_options(scene):
    """Each option is a parameter of the layout; of many widths the last one wins."""
    store(scene)
    scene.open(PHONE)
    scene.live()
    for name, value, query in [
            ("Direction", "rtl", "direction=rtl"), ("Text size", "1.3", "textScale=1.3"),
            ("Pixels per point", "2", "scale=2"), ("Client", "ios/5.2", "client=ios%2F5.2"),
            ("Flags", "a,b", "flags=a%2Cb")]:
        scene.option(name, value)
        scene.drawn()
        last = [path for _, path, _ in scene.site.requests if "since=0" in path][-1]
        assert query in last, (query, last)
    assert scene.find("region", "Phone, right to left"), scene.names()
    caption = scene.captions()[0]
    for words in ["direction rtl", "textScale 1.3", "client ios/5.2", "flags a,b"]:
        assert words in caption, (words, caption)
    scene.option("Direction", "ltr")
    scene.run("document.querySelector('.options').open = false")
    scene.drawn()
    scene.site.hold("since=0")
    scene.site.requests.clear()
    scene.run("document.querySelector('.slider').focus()")
    for _ in range(8):
        scene.key("ArrowRight")
    time.sleep(0.2)
    assert scene.run("return document.querySelector('.device').ariaBusy") == "true"
    scene.site.pass_all()
    scene.until("the last width", lambda: "398 ×" in scene.captions()[0])
    scene.drawn()
    widths = [path.split("width=")[1][:3] for _, path, _ in scene.site.requests
              if "since=0" in path]
    assert widths[-1] == "398" and len(widths) <= 3, widths
    assert not scene.problems()


def loads_the_next_page(scene):
    """Pages load by the button alone; their items are explained, and lead to their bytes."""
    scene.daemon.put("home", page([card(number) for number in range(10)], hasNext=True))
    scene.daemon.put("home", page([card(number) for number in range(10, 20)]), 1)
    scene.open(PHONE)
    scene.live()
    assert "1 page · 10 items" in scene.captions()[0], scene.captions()
    scene.click("button", "Load next page")
    scene.until("both pages", lambda: "2 pages · 20 items" in scene.captions()[0])
    assert not scene.find("button", "Load next page")
    scene.run("document.querySelector('.port').scrollTop = 1e6")
    scene.item("c15")
    scene.until("its bytes", lambda: scene.find("group", "Posted bytes"))
    assert json.loads(scene.text("group", "Posted bytes"))["id"] == "c15"
    assert "of page 1," in scene.text("tabpanel"), scene.text("tabpanel")
    assert not scene.problems()


def rests_while_hidden(scene):
    """A hidden page has no stream, and goes on when it is shown; what is gone is not selected."""
    store(scene)
    scene.open(PHONE)
    scene.live()
    scene.item("c3")
    scene.until("its bytes", lambda: scene.find("group", "Posted bytes"))
    scene.until("its problems", lambda: scene.find("tab", "Problems 1"))
    show = """Object.defineProperty(document, "hidden", {value: %s, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"))"""
    scene.run(show % "true")
    scene.site.requests.clear()
    scene.daemon.put("home", page([card(number) for number in range(3)]))
    time.sleep(0.7)
    # Chromium alone requests the icon, when its tab is idle.
    sent = [request for request in scene.site.requests if "icon.svg" not in request[1]]
    assert not sent, sent
    scene.run(show % "false")
    scene.shows_revision(2)
    assert scene.site.count("stream") == 1, scene.site.requests
    scene.until("the status", lambda: scene.text("status") == "The selected item is gone")
    scene.until("the address", lambda: "at=" not in scene.run("return location.hash"))
    assert not scene.find("group", "Frame")
    assert not scene.problems()
