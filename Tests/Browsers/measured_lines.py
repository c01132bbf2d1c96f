"""Measures in Chromium how many lines texts have, or how wide they are: the reference of
BroadsheetText's tests.

    python3 Tests/Browsers/measured_lines.py PROGRAM < jobs.json > lines.json

The input is `{"ratios": [1, 2], "jobs": [{"files": [{"file": path, "index": 0}], "size": 17,
"letterSpacing": 0, "css": "", "texts": [...], "widths": [...]}]}`; the output has the browser's
version and, for each ratio and job, the lines of each text at each width, or the width of each text
in 1/64 pixels if a job has no widths.
"""

import http.server
import json
import struct
import sys
import threading

from browser import Browser

# The options of the style in which a text is measured (docs/text.md, "Agreement").
STYLE = (
    "font-kerning: normal; overflow-wrap: anywhere; line-break: auto; white-space: pre-line;"
    "text-spacing-trim: space-all; text-autospace: no-autospace; font-synthesis: none;")

LINE_HEIGHT = 20

SCRIPT = """
const job = %s;
const families = [];
for (const [index, url] of job.urls.entries()) {
    const family = url.replaceAll("/", "_");
    families.push(family);
    if (document.fonts.check(`10px ${family}`) && [...document.fonts].some(
        font => font.family === family)) continue;
    const face = new FontFace(family, `url(${url})`);
    document.fonts.add(await face.load());
}
const holder = document.createElement("div");
holder.style.cssText = job.style + `position: absolute; font-family: ${families.join(", ")};`;
for (const text of job.texts) {
    const line = document.createElement("div");
    line.textContent = text;
    line.dir = "auto";
    if (!job.widths.length) line.style.width = "max-content";
    holder.append(line);
}
document.body.replaceChildren(holder);
if (!job.widths.length)
    return [...holder.children].map((line) => [line.getBoundingClientRect().width * 64]);
const result = job.texts.map(() => []);
for (const width of job.widths) {
    holder.style.width = `${width}px`;
    for (let index = 0; index < result.length; index++)
        result[index].push(Math.round(
            holder.children[index].getBoundingClientRect().height / job.lineHeight));
}
return result;
"""


def single_font(data, index):
    """Returns one font of a collection as a file of its own (OpenType, "Font Collections")."""
    if data[:4] != b"ttcf":
        return data
    (start,) = struct.unpack_from(">L", data, 12 + 4 * index)
    (count,) = struct.unpack_from(">H", data, start + 4)
    tables = [
        struct.unpack_from(">4sLLL", data, start + 12 + 16 * number) for number in range(count)]
    head, position, bodies = [data[start:start + 12]], 12 + 16 * count, []
    for tag, checksum, offset, length in tables:
        head.append(struct.pack(">4sLLL", tag, checksum, position, length))
        bodies.append(data[offset:offset + length] + bytes(-length % 4))
        position += len(bodies[-1])
    return b"".join(head + bodies)


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves an empty page, and the fonts by their places in the list."""

    fonts = []

    def do_GET(self):
        body, kind = b"<!doctype html><meta charset=utf-8><body>", "text/html"
        if self.path.startswith("/font/"):
            file, index = self.fonts[int(self.path[6:])]
            with open(file, "rb") as source:
                body, kind = single_font(source.read(), index), "font/sfnt"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def prepared(job, fonts):
    """Returns a job as the page's script expects it, with its fonts added to a list."""
    urls = []
    for file in job["files"]:
        font = (file["file"], file.get("index", 0))
        if font not in fonts:
            fonts.append(font)
        urls.append(f"/font/{fonts.index(font)}")
    return {
        "urls": urls, "texts": job["texts"], "widths": job["widths"], "lineHeight": LINE_HEIGHT,
        "style": STYLE + f"font-size: {job['size']}px; line-height: {LINE_HEIGHT}px;"
        f"letter-spacing: {job.get('letterSpacing', 0)}px;" + job.get("css", "")}


def serve(server):
    """Handles requests until the process ends."""
    while True:
        server.handle_request()


def main(program):
    request = json.load(sys.stdin)
    jobs = [prepared(job, Handler.fonts) for job in request["jobs"]]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=serve, args=(server,), daemon=True).start()
    browser = Browser(program, ["--font-render-hinting=none"])
    try:
        page = browser.page()
        version = browser.call("Browser.getVersion")["product"]
        ratios = []
        for ratio in request["ratios"]:
            browser.call(
                "Emulation.setDeviceMetricsOverride", page.session, width=1000, height=1000,
                deviceScaleFactor=ratio, mobile=False)
            page.open(f"http://127.0.0.1:{server.server_port}/")
            ratios.append([page.run(SCRIPT % json.dumps(job)) for job in jobs])
        json.dump({"version": version, "ratios": ratios}, sys.stdout)
    finally:
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])
