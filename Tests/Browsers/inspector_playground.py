"""Scenes of the playground: its drafts, its files, and its texts."""

import json
from pathlib import Path

from inspector import Scene, card, make_keys, page, store

EMPTY = '{"sections": []}'
BOTH = ("#/screens/home?d=width%3D390%26height%3D844%26scale%3D3"
        "&d=width%3D820%26height%3D1180%26scale%3D2")


def write(scene, text, name="Page"):
    """Replaces a text by another one."""
    scene.on(scene.get("textbox", name), f"""this.focus(); this.select();
        if ({len(text)} < 10_000) return;
        this.value = {json.dumps(text) if len(text) >= 10_000 else '""'};
        this.dispatchEvent(new Event("input"))""")
    if len(text) < 10_000:
        scene.write(text)


def kept(page, text):
    """Returns whether a page has a draft with a text, in either storage."""
    return page.run(f"""return [localStorage, sessionStorage].some((one) =>
        (one["broadsheet.drafts"] ?? "").includes({json.dumps(json.dumps(text)[1:-1])}))""")


def keeps_drafts_apart(scene):
    """Two tabs with one draft do not write over each other's text."""
    scene.open("#/playground")
    scene.drawn()
    write(scene, '{"sections": [], "x": "first"}')
    scene.until("its draft", lambda: kept(scene.page, '"first"'))
    other = scene.browser.page()
    other.open(f"{scene.site.origin}/inspector#/playground")
    own = scene.run("return sessionStorage['broadsheet.draft']")
    other.run(f"""
        const until = async (condition) => {{ while (!condition()) await new Promise(setTimeout) }};
        const list = () => document.querySelector("[aria-label=Draft]");
        await until(() => list()?.options.length > 1);
        list().value = {json.dumps(own)};
        list().dispatchEvent(new Event("change"));
        const text = document.querySelector("textarea");
        text.value = '{{"sections": [], "x": "second"}}';
        text.dispatchEvent(new Event("input"));""")
    scene.until("the other tab's", lambda: kept(scene.page, '"second"'))
    write(scene, '{"sections": [], "x": "third"}')
    scene.until("a draft of its own", lambda: "goes on as a new one" in scene.status())
    assert kept(scene.page, '"second"') and kept(scene.page, '"third"')
    assert scene.run("return sessionStorage['broadsheet.draft']") != own
    scene.open("#/playground")
    scene.until("its text", lambda: "third" in scene.text("textbox", "Page"))
    assert not scene.problems()


def keeps_private_drafts(scene):
    """A draft of a stored screen that a key was needed for never leaves the tab."""
    secrets = make_keys(scene, all="read,write,admin")
    scene.daemon.secret = secrets["all"]
    scene.daemon.put("home", page([card(1, title="CONFIDENTIAL")]))
    scene.open(BOTH)
    scene.until("the status", lambda: scene.text("status") == "A key is required")
    scene.click("button", "Key…")
    scene.get("dialog", "Key")
    scene.write(secrets["all"])
    scene.click("button", "Use key")
    scene.live()
    # The first device is opened, also if the other one was used last.
    scene.run("document.querySelectorAll('.device')[1].querySelector('.item').click()")
    scene.until("the frame", lambda: scene.find("group", "Frame"))
    scene.click("button", "Open in playground")
    scene.until("the page", lambda: scene.find("textbox", "Page")
                and "CONFIDENTIAL" in scene.text("textbox", "Page"))
    assert scene.text("spinbutton", "Width") == "390"
    assert json.loads(scene.text("textbox", "Catalog"))["cellTypes"]
    # Other tabs have begun so many drafts that its own public one is gone.
    scene.choose("Sample", "1")
    scene.drawn()
    others = json.dumps([{"id": f"{number}", "page": EMPTY} for number in range(10)])
    scene.run(f"localStorage['broadsheet.drafts'] = {json.dumps(others)}")
    scene.open("#/playground")
    scene.drawn()
    write(scene, scene.text("textbox", "Page") + " ")
    scene.until("its draft", lambda: kept(scene.page, scene.text("textbox", "Page")))
    assert "CONFIDENTIAL" in scene.run("return sessionStorage['broadsheet.drafts']")
    assert "CONFIDENTIAL" not in scene.run("return JSON.stringify({...localStorage})")
    assert not scene.problems()


def opens_and_saves_files(scene):
    """A file or a dropped one begins a draft; a download is the same texts."""
    folder = Path(Scene.folder) / "files"
    folder.mkdir()
    text = '{"sections": [],\n  "x": 1.50}'
    (folder / "page.json").write_text(text)
    scene.open("#/playground")
    scene.drawn()
    before = scene.text("textbox", "Page")
    node = scene.call("DOM.describeNode", objectId=scene.call(
        "Runtime.evaluate", expression="document.querySelector('#open-file')")
        ["result"]["objectId"])["node"]["backendNodeId"]
    scene.call("DOM.setFileInputFiles", files=[str(folder / "page.json")], backendNodeId=node)
    scene.until("the file", lambda: scene.text("textbox", "Page") == text)
    assert scene.text("textbox", "Catalog") == ""
    write(scene, '{"cellTypes": {}}', "Catalog")
    scene.choose("Device", "Fold")
    scene.browser.call(
        "Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder),
        **scene.browser.context)
    scene.click("button", "Download")
    saved = folder / "playground.json"
    scene.until("the download", saved.exists)
    made = json.loads(saved.read_text())
    assert (made["page"], made["catalog"]) == (text, '{"cellTypes": {}}'), made
    assert "width=673" in made["query"], made
    made["page"] = EMPTY
    scene.run(f"""const files = new DataTransfer();
        files.items.add(new File([{json.dumps(json.dumps(made))}], "playground.json"));
        document.querySelector(".playground").dispatchEvent(
            new DragEvent("drop", {{dataTransfer: files, bubbles: true, cancelable: true}}))""")
    scene.until("the dropped file", lambda: scene.text("textbox", "Page") == EMPTY)
    assert scene.text("textbox", "Catalog") == made["catalog"]
    assert scene.text("spinbutton", "Width") == "673"
    # Nothing was written over.
    assert kept(scene.page, before) and kept(scene.page, text)
    assert not scene.problems()


def leads_to_lines(scene):
    """Problems of the catalog lead to their column; an array is several pages."""
    store(scene)
    scene.open("#/playground")
    scene.drawn()
    pages = [page([card(1)]), page([card(2)], title="Later")]
    write(scene, json.dumps(pages, indent=1))
    catalog = json.loads(scene.daemon.send("GET", "/v1/catalog"))
    write(scene, json.dumps(catalog), "Catalog")
    scene.until("both pages", lambda: scene.run(
        "return document.querySelector('.layout .caption').textContent").startswith("2 items"))
    scene.until("their items", lambda: scene.run(
        "return document.querySelectorAll('.layout .item').length") == 2)
    scene.run("[...document.querySelectorAll('.layout .item')].at(-1).click()")
    start = scene.on(scene.get("textbox", "Page"), "return this.selectionStart")
    text = scene.text("textbox", "Page")
    assert json.loads(text[start:text.index("}", start) + 1])["id"] == "c2", text[start:]
    catalog["cellTypes"]["Card"]["size"] = {"height": "tall"}
    write(scene, json.dumps(catalog), "Catalog")
    entry = scene.until("the problem", lambda: [
        one for one in scene.entries("Catalog problems") if "INVALID_CATALOG" in one])[0]
    assert entry.startswith("Line 1 ") and not scene.entries("Page problems"), entry
    scene.click_entry("Catalog problems", "INVALID_CATALOG")
    text, offset = scene.run("""const text = document.activeElement;
        return [text.value.slice(text.selectionStart), text.scrollLeft]""")
    assert text.startswith('"tall"') and offset > 100, (text, offset)
    assert not scene.problems()


def keeps_long_texts(scene):
    """Long texts are laid out by Ctrl+Enter; without space the oldest drafts go, never the text."""
    scene.open("#/playground")
    scene.drawn()
    for index in ["1", "2"]:
        scene.choose("Sample", index)
        scene.drawn()
    text = json.dumps({"sections": [], "x": "y" * 262_144})
    write(scene, text)
    scene.until("the hint", lambda: "Ctrl+Enter" in scene.status())
    scene.until("its draft", lambda: scene.run(
        "return localStorage['broadsheet.drafts'].length") > 262_144)
    assert "Ctrl+Enter" in scene.status(), scene.status()
    count = sum(method == "POST" for method, _, _ in scene.site.requests)
    scene.key("Enter", control=True)
    scene.until("the layout", lambda: sum(
        method == "POST" for method, _, _ in scene.site.requests) == count + 1)
    scene.until("no items", lambda: "0 items" in scene.run("return document.body.innerText"))
    # The quota is 5 MiB of characters.
    scene.run("""let rest = "z".repeat(1 << 22);
        for (localStorage.other = ""; rest.length > 1000;) {
            try { localStorage.other += rest } catch { rest = rest.slice(rest.length / 2) }
        }""")
    write(scene, json.dumps({"sections": [], "x": "y" * 264_500}))
    scene.until("the oldest to go", lambda: scene.run("""
        const [own, ...others] = JSON.parse(localStorage["broadsheet.drafts"]);
        return own.page.length > 264_500 && others.length < 2"""))
    assert "Not saved" not in scene.status(), scene.status()
    write(scene, json.dumps({"sections": [], "x": "y" * 400_000}))
    scene.until("the status", lambda: "Not saved" in scene.status())
    scene.run("delete localStorage.other")
    scene.key(" ")
    scene.until("its draft", lambda: scene.run("""
        return localStorage["broadsheet.drafts"].length""") > 400_000)
    scene.until("the status", lambda: "Not saved" not in scene.status())
    assert not scene.problems()
