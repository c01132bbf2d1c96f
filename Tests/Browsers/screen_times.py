"""Prints times of <broadsheet-screen> in Chromium beside the same list by plain DOM, as JSON.

    screen_times.py CHROMIUM BROADSHEET

`paint` and `plainPaint` are the milliseconds from the tree to the first painted frame of 10,000
items, `frame` and `plainFrame` those of the scripts and the layout of a frame of a scroll, and
`frames` those of the element by the number of items.
"""

import json
import sys
import tempfile

import screens
from browser import Browser

PAINT = """
    const tree = await (await fetch("/v1/screens/%s/layout?width=390&height=844&scale=1")).json();
    const drawn = document.createElement("broadsheet-screen");
    const times = [];
    for (let round = 0; round < 7; round++) {
        document.querySelector("main").replaceChildren();
        await frame();
        const start = performance.now();
        if (%s) {
            const holder = document.createElement("div");
            holder.style.cssText = `position: relative; height: ${tree.contentSize.height}px`;
            for (const {frame, items} of tree.sections) for (const item of items) {
                const cell = document.createElement("div");
                cell.textContent = item.data.title;
                Object.assign(cell.style, {position: "absolute", left: `${item.frame.x}px`,
                    top: `${frame.y + item.frame.y}px`, width: `${item.frame.width}px`,
                    height: `${item.frame.height}px`, overflow: "hidden"});
                holder.append(cell);
            }
            document.querySelector("main").append(holder);
        } else {
            drawn.screen = {url: "width=&height=&scale=&direction=", tree, status: "live",
                set() {}, scrolled() {}, subscribe: () => () => {}};
            document.querySelector("main").append(drawn);
            while (!drawn.querySelector(".item")) await frame();
        }
        document.body.offsetHeight;
        await frame();
        await new Promise((done) => setTimeout(done));
        times.push(performance.now() - start);
    }
    return times.sort((one, other) => one - other)[3];
"""
SCROLL = """
    const times = [];
    scrollTo(0, 3000);
    await frame();
    for (let step = 0; step < 60; step++) {
        const start = performance.now();
        scrollBy(0, 120);
        document.dispatchEvent(new Event("scroll"));
        document.body.offsetHeight;
        times.push(performance.now() - start);
        await frame();
    }
    return times.sort((one, other) => one - other)[30];
"""


def main(program, broadsheet):
    results = {"frames": {}}
    with tempfile.TemporaryDirectory(prefix="broadsheet-times-") as folder:
        screens.Scene.folder = folder
        browser = Browser(program, ["--disable-smooth-scrolling"])
        try:
            scene = screens.Scene(browser, broadsheet)
            for count in [1_000, 10_000, 100_000]:
                scene.daemon.put(f"list{count}", screens.long_page(count))
                scene.open(f"/v1/screens/list{count}")
                results["frames"][count] = scene.run(SCROLL)
            results["frame"] = results["frames"][10_000]
            scene.site.has_policy = False
            scene.open(src=None)
            results["plainPaint"] = scene.run(PAINT % ("list10000", "true"))
            results["plainFrame"] = scene.run(SCROLL)
            scene.open(src=None)
            results["paint"] = scene.run(PAINT % ("list10000", "false"))
            scene.close()
        finally:
            browser.close()
    print(json.dumps(results))


if __name__ == "__main__":
    main(*sys.argv[1:])
