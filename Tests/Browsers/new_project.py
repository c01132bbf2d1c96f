"""Creates a project with `broadsheet init`, follows its README in Chromium, and runs its CI.

    new_project.py CHROMIUM BROADSHEET PORT PORT

Prints what the page shows, and the steps of CI, as JSON. The ports are free ones, which replace
8080 and 8000 in the files."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

from browser import TIMEOUT, Browser

# What the page shows of its screen: the titles, in the order of the elements.
TITLES = """
    const titles = () => [...document.querySelectorAll('[data-name="title"]')].map(
        (element) => element.textContent);
    const deadline = Date.now() + 60000;
    while (titles().length < %d && Date.now() < deadline) {
        scrollTo(0, document.documentElement.scrollHeight);
        await new Promise((done) => setTimeout(done, 50));
    }
    return titles();
"""

LIKE = """
    const button = document.querySelector('[data-name="like"] button');
    const before = button.getAttribute("aria-pressed");
    button.click();
    const deadline = Date.now() + 60000;
    while (button.getAttribute("aria-pressed") === before && Date.now() < deadline) {
        await new Promise((done) => setTimeout(done, 50));
    }
    return [before, button.getAttribute("aria-pressed")];
"""


def wait_for(url, process):
    deadline = time.monotonic() + TIMEOUT
    while True:
        try:
            return urllib.request.urlopen(url, timeout=TIMEOUT).read()
        except OSError:
            assert process.poll() is None, (url, process.args, process.returncode)
            assert time.monotonic() < deadline, url
            time.sleep(0.05)


def create(broadsheet, parent):
    """Creates the project, and returns its folder and environment."""
    tools = pathlib.Path(parent, "tools")
    tools.mkdir()
    (tools / "broadsheet").symlink_to(os.path.abspath(broadsheet))
    environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"}
    folder = pathlib.Path(parent, "shop")
    subprocess.run(
        ["broadsheet", "init", folder], env=environment, check=True, stdout=subprocess.DEVNULL)
    return folder, environment


def follow(browser, folder, environment, ports):
    """Follows the README, and returns what the page shows, on a phone and on a desktop."""

    def with_ports(text):
        text = text.replace("broadsheet serve", f"broadsheet serve --port {ports['8080']}")
        text = text.replace("http.server 8000", f"http.server {ports['8000']}")
        return re.sub(r"(127\.0\.0\.1):(80[80]0)", lambda m: f"{m[1]}:{ports[m[2]]}", text)

    page = folder / "index.html"
    original = page.read_text()
    page.write_text(with_ports(original))
    blocks = re.findall(r"```sh\n(.*?)```", (folder / "README.md").read_text(), re.S)
    serve, post, files, generate = map(with_ports, blocks)
    start = time.monotonic()
    started = []

    def run(block):
        started.append(subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", "sh", "-c", "exec " + block], cwd=folder,
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        return started[-1]

    try:
        wait_for(f"http://127.0.0.1:{ports['8080']}/readyz", run(serve))
        subprocess.run(["sh", "-ec", post], cwd=folder, env=environment, check=True)
        wait_for(f"http://127.0.0.1:{ports['8000']}/", run(files))
        shown = []
        for width, height in [(390, 844), (1280, 800)]:
            tab = browser.page()
            browser.call(
                "Emulation.setDeviceMetricsOverride", tab.session, width=width, height=height,
                deviceScaleFactor=1, mobile=False)
            tab.open(f"http://127.0.0.1:{ports['8000']}/")
            titles, like = tab.run(TITLES % 9), tab.run(LIKE)
            terms = tab.run("return document.querySelector('[data-type=\"Terms\"]').textContent")
            shown.append({"titles": titles, "like": like, "terms": terms})
            if "PICTURES" in os.environ:
                tab.run("scrollTo(0, 0)")
                save(browser, tab, f"{os.environ['PICTURES']}/{width}.png")
        subprocess.run(["sh", "-ec", generate], cwd=folder, env=environment, check=True)
        return {"pages": shown, "seconds": time.monotonic() - start}
    finally:
        for process in started:
            process.send_signal(signal.SIGKILL)
            process.wait()
        page.write_text(original)
        (folder / "response.json").unlink(missing_ok=True)


def save(browser, tab, path):
    import base64
    picture = browser.call("Page.captureScreenshot", tab.session)["data"]
    pathlib.Path(path).write_bytes(base64.b64decode(picture))


def steps(text):
    """Returns the names and scripts of the steps of a workflow, which are its last members."""
    found = []
    for step in re.split(r"\n      - name: ", text)[1:]:
        name, script = step.split("\n        run: ", 1)
        found.append((name, re.sub(r"^\|\n", "", script).replace("\n          ", "\n")))
    return found


def check(folder, environment):
    """Runs the steps of CI in a repository, and returns their exit statuses; then once more, after
    a change of the catalog that breaks apps."""

    def git(*words):
        subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@example.com", *words], cwd=folder,
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    git("init", "-b", "main")
    git("add", "-A")
    git("commit", "-m", "Begin")
    git("update-ref", "refs/remotes/origin/main", "HEAD")

    def statuses():
        return {name: subprocess.run(
            ["sh", "-ec", script], cwd=folder, env=environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL).returncode
            for name, script in steps((folder / "ci.yml").read_text())}

    first = statuses()
    catalog = folder / "catalog.json"
    catalog.write_text(catalog.read_text().replace('"maxLength": 60', '"maxLength": 16'))
    catalog.write_text(catalog.read_text().replace('"liked": {', '"favourite": {'))
    return [first, statuses()]


def main():
    chromium, broadsheet, *ports = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="broadsheet-project-") as parent:
        folder, environment = create(broadsheet, parent)
        browser = Browser(chromium)
        try:
            result = follow(browser, folder, environment, dict(zip(["8080", "8000"], ports)))
        finally:
            browser.close()
        result["ci"] = check(folder, environment)
        print(json.dumps(result, indent=2))


main()
