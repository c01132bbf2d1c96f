"""Scenes of the list of screens, and of what is beside a screen."""

import copy

from inspector import CATALOG, DESKTOP, card, make_keys, page, store

PHONE = "#/screens/home?d=width%3D390%26height%3D844%26scale%3D3"


def lists_many_screens(scene):
    """Fifty screens at a time, and those whose names begin with a text."""
    for number in range(60):
        scene.daemon.put(f"s-{number:02}", page([card(1)]))
    scene.open()
    shown = 'return document.querySelectorAll(".screens a").length'
    scene.until("the first", lambda: scene.run(shown) == 50)
    scene.site.refuse("pageToken=")
    scene.click("button", "Show more")
    scene.until("the problem", lambda: scene.alerts())
    scene.site.pass_all()
    scene.click("button", "Try again")
    scene.until("the others", lambda: scene.run(shown) == 60)
    assert not scene.alerts() and not scene.find("button", "Show more")
    for text, count, note in [
            ("s-5", 10, ""), ("t", 0, "No name of a screen starts so."), ("", 50, "")]:
        scene.on(scene.get("searchbox", "Filter screens"), "this.focus(); this.select()")
        scene.write(text) if text else scene.run("document.execCommand('delete')")
        scene.until(f"the screens of {text}", lambda: scene.run(shown) == count)
        assert scene.run('return document.querySelector(".screens .hint").textContent') == note
    assert not scene.problems()


def retries_what_failed(scene):
    """A problem in Details has Try again, which brings what was asked for."""
    store(scene)
    scene.daemon.put("home", page([card(number) for number in range(11)]))
    scene.open(PHONE)
    scene.live()
    scene.until("its problems", lambda: scene.find("tab", "Problems 2"))

    def fails(part, then, what, condition):
        scene.site.refuse(part)
        then()
        scene.until(f"a problem of {part}", lambda: scene.alerts())
        scene.site.pass_all()
        scene.click("button", "Try again")
        scene.until(what, condition)
        assert not scene.alerts(), scene.alerts()

    fails("/pages/0", lambda: scene.item("c1"), "the bytes",
          lambda: scene.find("group", "Posted bytes"))
    scene.tab("Problems")
    fails("lint=true", lambda: store(scene), "the problems", lambda: scene.entries("Problems"))
    fails("/revisions", lambda: scene.tab("Changes"), "the revisions",
          lambda: len(scene.entries()) == 3)
    fails("revision=1", lambda: scene.choose("From", "1"), "the difference",
          lambda: "From revision 1" in scene.text("group", "Difference"))
    scene.daemon.put("home", {"sections": [{"units": [{"unitType": "NOTHING"}]}]})
    scene.tab("Problems")
    scene.until("the next problem", lambda: "UNKNOWN_UNIT" in "".join(scene.entries("Problems")))
    fails("explain=true", lambda: scene.click_entry("Problems", "UNKNOWN_UNIT"),
          "its bytes", lambda: scene.text("group", "Posted bytes") == '"NOTHING"')
    assert not scene.problems()


def shows_problems_of_the_revision(scene):
    """Item has the diagnostics of the revision that it shows; those of the catalog have bytes."""
    catalog = copy.deepcopy(CATALOG)
    catalog["cellTypes"]["Card"]["size"] = {"height": {"value": "/h", "default": 90}}
    scene.load_catalog(catalog)
    cards = [card(number) for number in range(4)]
    scene.daemon.put("home", page(cards))
    scene.open(PHONE)
    scene.live()
    scene.item("c1")
    scene.until("the bytes", lambda: scene.find("group", "Posted bytes"))
    for height, is_wrong in [("tall", True), (80, False)]:
        scene.daemon.put("home", page([cards[0], {**cards[1], "h": height}, *cards[2:]]))
        scene.until(height, lambda: f'"h": {height!r}'.replace("'", '"')
                    in scene.text("group", "Posted bytes"))
        scene.until(f"a problem: {is_wrong}", lambda: is_wrong == (
            "UNUSABLE_VALUE" in scene.text("tabpanel")))
    scene.tab("Problems")
    scene.until("the problem of the catalog", lambda: "catalog /cellTypes/Card/picture/image"
                in "".join(scene.entries("Problems")))
    scene.click_entry("Problems", "catalog")
    scene.until("the catalog", lambda: scene.find("heading", "Catalog"))
    assert scene.text("group", "Posted bytes") == '"/image"'
    # More of them than two digits fit beside the other tabs.
    units = [{"unitType": f"NO{number}"} for number in range(120)]
    scene.daemon.put("home", {"sections": [{"units": units}]})
    scene.until("their number", lambda: scene.find("tab", "Problems 99+"))
    for size in [DESKTOP, (390, 844)]:
        scene.size(*size)
        scene.tab("Problems")
        widths = scene.run("""const tabs = document.querySelector("[role=tablist]");
            return [tabs.scrollWidth, tabs.clientWidth]""")
        assert widths[0] <= widths[1], (size, widths)
    assert not scene.problems()


def waits_for_the_page(scene):
    """Bytes that are not those of the tree are not shown; the update brings them."""
    store(scene)
    scene.open(PHONE)
    scene.live()
    scene.until("its problems", lambda: scene.find("tab", "Problems 1"))
    scene.site.refuse("/pages/0")
    scene.item("c1")
    scene.until("the problem", lambda: scene.alerts())
    scene.site.pass_all()
    scene.site.refuse("/changes?", 0)
    scene.daemon.put("home", page([card(9), *[card(number) for number in range(12)]]))
    scene.click("button", "Try again")
    scene.until("the change", lambda: "has changed meanwhile" in scene.text("tabpanel"))
    assert not scene.find("group", "Posted bytes")
    scene.site.pass_all()
    scene.daemon.put("home", page([card(9), card(8), *[card(number) for number in range(12)]]))
    scene.until("the bytes", lambda: scene.find("group", "Posted bytes"))
    assert '"id": "c1"' in scene.text("group", "Posted bytes")
    assert "list/3" in scene.text("tabpanel")
    assert not scene.problems()


def says_nothing_of_closed_lists(scene):
    """A key that reads alone sees no revisions, without a problem, and what readers report."""
    secrets = make_keys(scene, backend="read,write", reader="read")
    scene.daemon.secret = secrets["backend"]
    store(scene)
    scene.open(PHONE)
    scene.until("the status", lambda: scene.text("status") == "A key is required")
    scene.click("button", "Key…")
    scene.get("dialog", "Key")
    scene.write(secrets["reader"])
    scene.click("button", "Use key")
    scene.live()
    scene.tab("Changes")
    scene.until("the refusal", lambda: scene.site.count("revisions"))
    assert not scene.alerts() and "listed here" in scene.text("tabpanel")
    scene.daemon.put("home", page([card(99), *[card(number) for number in range(1, 12)]]))
    scene.until("the change", lambda: "1 inserted, 1 deleted" in "".join(scene.entries()))
    assert not scene.alerts() and not scene.find("combobox", "From")
    scene.click("switch", "Journey")
    scene.until("no events", lambda: scene.text("tabpanel") == "No reader has reported yet.")
    assert not scene.problems()


def zooms_without_loss(scene):
    """At 200 % everything is in reach, and the window does not scroll sideways."""
    store(scene)
    scene.size(DESKTOP[0] // 2, DESKTOP[1] // 2)
    for hash in [PHONE, "#/playground", "#/screens"]:
        scene.open(hash)
        if hash != "#/screens":
            scene.drawn()
        lost = scene.run("""const all = [...document.querySelectorAll("button, a, select, input")]
                .filter((one) => one.checkVisibility() && one.offsetWidth > 1);
            return all.filter((one) => {
                if (one.matches(".skip")) return false;
                one.scrollIntoView({block: "nearest", inline: "nearest"});
                const {left, top, right, bottom} = one.getBoundingClientRect();
                return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
            }).map((one) => one.outerHTML).concat(
                document.scrollingElement.scrollWidth > innerWidth ? ["sideways"] : [])""")
        assert not lost, (hash, lost)
    assert not scene.problems()
