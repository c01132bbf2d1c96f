"""Draws the parts of a fixture's cells in Chromium with the script of docs/client.md, from a
daemon's tree and its `GET /v1/catalog/cells`, and compares what is drawn with the tree.

    python3 Tests/Browsers/drawn_cells.py CHROMIUM BROADSHEET [--photograph FILE.png]

prints, as JSON, the number of parts that were compared, and the differences.
"""

import argparse
import base64
import http.client
import json
import re
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from browser import Browser
from measured_lines import serve

ROOT = Path(__file__).resolve().parents[2]
FIXTURE = ROOT / "Fixtures/cells"
# The pages of the fixture's screens: a shop, and texts that are joined of empty parts.
SCREENS = {"shop": "page-0.json", "joined": "joined.json"}
# The viewports with their scales, and the text sizes.
REQUESTS = [(390, 2, "ltr", 1), (390, 3, "rtl", 1.5), (768, 2, "ltr", 1)]

# How the fixture's app paints its parts.
PAINT = """
    body { margin: 0; background: #fff; color: #1d1d1f; }
    .back, .card { border-radius: 16px; background: #ece7e1; }
    .Offer.back { border-radius: 8px; background: #fff; }
    .Product.back { border-radius: 12px; background: #b3412b; }
    .badge { color: #fff; }
    img { border-radius: 8px; background: #e4dccf; object-fit: cover; }
    .icon { background: none; }
    .Offer.photo { border-radius: 0 16px 16px 0; }
    .note, .until, .detail, .was { color: #6e6a65; }
    .was { text-decoration: line-through; }
    .more { color: #a0522d; }
"""

SCRIPT = """
    %s
    const [base, name, query, paint] = %s;
    const cells = await (await fetch(`${base}/v1/catalog/cells`)).json();
    const layout = `${base}/v1/screens/${name}/layout?coordinates=content&${query}`;
    const tree = await (await fetch(layout)).json();
    for (const { families } of Object.values(cells.fonts))
        for (const { family, weight, file } of families)
            document.fonts.add(
                await new FontFace(family, `url(${base}${file})`, { weight }).load());
    const style = document.createElement("style");
    style.textContent = paint;
    document.head.replaceChildren(style);
    const { width, height } = tree.contentSize;
    document.body.replaceChildren();
    const screen = place("div", { x: 0, y: 0, width, height }, document.body);
    const differences = [];
    let compared = 0;
    const bounds = (view) => {
        const { x, y, width, height } = view.getBoundingClientRect();
        return [x, y, width, height];
    };
    for (const section of tree.sections)
        for (const item of [section.header, ...section.items, section.footer]) {
            if (!item?.parts) continue;
            draw(item, cells, tree.viewport, screen);
            const views = [...screen.lastElementChild.children];
            for (const [index, [name, part]] of Object.entries(item.parts).entries()) {
                const view = views[index], where = `${item.id ?? section.id} ${name}`;
                const { x, y, width, height } = part.frame;
                const expected = [x + item.frame.x, y + item.frame.y, width, height];
                const drawn = bounds(view);
                compared += 1;
                if (expected.some((length, side) => Math.abs(length - drawn[side]) > 0.02))
                    differences.push(`${where}: ${expected}, drawn ${drawn}`);
                if (part.lines === undefined) continue;
                const range = document.createRange();
                range.selectNodeContents(view);
                const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
                const lines = part.truncated ? Math.min(tops.size, part.lines) : tops.size;
                if (lines !== part.lines || (part.truncated && tops.size < part.lines))
                    differences.push(`${where}: ${part.lines} lines, drawn ${tops.size}`);
            }
        }
    return { compared, differences, width, height };
"""


# The images of the fixture: lines of 24 by 24, as SVG has them.
SHAPES = {
    "cup": "M6 9h10v6a4 4 0 0 1-4 4h-2a4 4 0 0 1-4-4z M16 10h2a2 2 0 0 1 0 4h-2",
    "mug": "M6 6h9v13h-9z M15 9h2a3 3 0 0 1 0 6h-2",
    "plate": "M3 12a9 5 0 0 0 18 0a9 5 0 0 0-18 0 M7 12a5 2.5 0 0 0 10 0a5 2.5 0 0 0-10 0",
    "bowl": "M4 10h16a8 8 0 0 1-16 0z M9 18h6",
    "jug": "M7 5l9-1c-1 4 2 5 2 9s-2 6-3 6h-6c-1 0-3-2-3-6s2-4 1-8z M16 8h2a2 2 0 0 1 1 4",
    "vase": "M9 4h6c-2 4 3 6 3 10s-2 6-3 6h-6c-1 0-3-2-3-6s5-6 3-10z",
    "teapot": "M7 10h10v4a5 5 0 0 1-10 0z M17 11l4-2 M7 11h-2a2 2 0 0 0 1 5h1 M10 10a2 2 0 0 1 4 0",
    "tag": "M4 4h8l8 8-8 8-8-8z M8 8h.1",
    "box": "M4 8l8-4 8 4v9l-8 4-8-4z M4 8l8 4 8-4 M12 12v9",
}
SHAPE = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{}" fill="none" stroke="#7a5c3e" '
    'stroke-width="{}" stroke-linecap="round" stroke-linejoin="round"><path d="{}"/></svg>')


class Images(BaseHTTPRequestHandler):
    """Serves an empty page, and the images of the fixture."""

    def do_GET(self):
        body, kind = b"<!doctype html><meta charset=utf-8><body>", "text/html"
        name = Path(self.path).stem
        if name in SHAPES:
            place = ("0 0 24 24", 2) if self.path.startswith("/icons") else ("-6 -6 36 36", 1)
            body, kind = SHAPE.format(*place, SHAPES[name]).encode(), "image/svg+xml"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Daemon:
    """A daemon with the fixture, which pages of an origin may read."""

    def __init__(self, program, origin):
        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", program, "serve", "--port", "0", "--store",
             "memory", "--catalog", FIXTURE / "catalog.json", "--fonts", "/usr/share/fonts",
             "--serve-fonts", "--cors-origin", origin],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        self.url = "http://" + line.rsplit(" ", 1)[1].strip().removeprefix("http://")
        connection = http.client.HTTPConnection("127.0.0.1", int(self.url.rsplit(":", 1)[1]))
        fields = {"Content-Type": "application/json"}
        for screen, file in SCREENS.items():
            body = (FIXTURE / file).read_bytes()
            connection.request("PUT", f"/v1/screens/{screen}/pages/0", body, fields)
            response = connection.getresponse()
            received = response.read()
            assert response.status == 201, received

    def close(self):
        self.process.kill()
        self.process.wait()


def client_script():
    """Returns the JavaScript of docs/client.md."""
    text = (ROOT / "docs/client.md").read_text("utf-8")
    return "\n".join(re.findall(r"^```js\n(.*?)^```$", text, re.S | re.M))


def drawn(page, daemon, screen, width, scale, direction, text_scale):
    """Draws a screen in a viewport, and returns the script's report."""
    page.browser.call(
        "Emulation.setDeviceMetricsOverride", page.session, width=width, height=844,
        deviceScaleFactor=scale, mobile=False)
    query = f"width={width}&scale={scale}&direction={direction}&textScale={text_scale}"
    values = [daemon.url, screen, query, PAINT]
    return page.run(SCRIPT % (client_script(), json.dumps(values)))


def photograph(page, report, file):
    """Writes a picture of what was drawn last."""
    page.run("await Promise.all([...document.images].map((image) => image.decode()))")
    page.browser.call("Emulation.setScrollbarsHidden", page.session, hidden=True)
    page.browser.call(
        "Emulation.setDeviceMetricsOverride", page.session, width=int(report["width"]),
        height=int(report["height"]), deviceScaleFactor=2, mobile=False)
    picture = page.browser.call("Page.captureScreenshot", page.session, format="png")
    Path(file).write_bytes(base64.b64decode(picture["data"]))


def main(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chromium")
    parser.add_argument("broadsheet")
    parser.add_argument("--photograph")
    parser.add_argument("--width", type=int, default=390)
    options = parser.parse_args(argv)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Images)
    threading.Thread(target=serve, args=(server,), daemon=True).start()
    origin = f"http://127.0.0.1:{server.server_port}"
    daemon = Daemon(options.broadsheet, origin)
    browser = Browser(options.chromium, ["--font-render-hinting=none"])
    try:
        page = browser.page()
        page.open(origin)
        if options.photograph:
            report = drawn(page, daemon, "shop", options.width, 2, "ltr", 1)
            photograph(page, report, options.photograph)
            return
        reports = [
            drawn(page, daemon, screen, *request) for screen in SCREENS for request in REQUESTS]
        print(json.dumps({
            "compared": sum(report["compared"] for report in reports),
            "differences": [line for report in reports for line in report["differences"]]}))
    finally:
        browser.close()
        daemon.close()


if __name__ == "__main__":
    main(sys.argv[1:])
