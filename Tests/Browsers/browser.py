"""A headless Chromium that is driven by the DevTools protocol over a pipe, with the standard
library alone (https://chromedevtools.github.io/devtools-protocol/)."""

import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

# The names of the pages' hosts are those of this machine. Chromium's own protection of local
# networks is switched off, so that the daemon's is what is tested.
OPTIONS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
    "--no-first-run", "--no-proxy-server", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--remote-debugging-pipe",
    "--host-resolver-rules=MAP attacker.example 127.0.0.1, MAP shop.example 127.0.0.1",
    "--disable-features=LocalNetworkAccessChecks,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable",
]

# The longest time that a reply or an event may take, in seconds.
TIMEOUT = 120


class Browser:
    """A running browser."""

    def __init__(self, program, options=()):
        self.folder = tempfile.mkdtemp(prefix="broadsheet-chromium-")
        (their_input, self.output), (self.input, their_output) = os.pipe(), os.pipe()

        def prepare():
            # The protocol's descriptors: 3 for commands, 4 for replies and events. They are copied
            # to high numbers first, since one of them may be the other's target.
            for number, target in [
                (os.dup2(their_input, 100), 3), (os.dup2(their_output, 101), 4)
            ]:
                os.dup2(number, target)

        self.process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "--", program, f"--user-data-dir={self.folder}"]
            + OPTIONS + list(options) + ["about:blank"],
            # Its processes are a group, and its files are in one folder, so that none is left.
            preexec_fn=prepare, pass_fds=[3, 4], start_new_session=True,
            env=os.environ | {"TMPDIR": self.folder}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(their_input)
        os.close(their_output)
        self.received = b""
        self.events = []
        self.commands = 0
        self.context = {}

    def forget(self):
        """Closes the pages since the last call, and removes what they stored."""
        if self.context:
            self.call("Target.disposeBrowserContext", **self.context)
        self.context = self.call("Target.createBrowserContext")

    def page(self):
        """Returns a new page."""
        target = self.call(
            "Target.createTarget", url="about:blank", **self.context)["targetId"]
        return Page(self, self.call("Target.attachToTarget", targetId=target, flatten=True))

    def call(self, method, session=None, **parameters):
        """Sends a command, and returns its result."""
        self.commands += 1
        command = {"id": self.commands, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        message = json.dumps(command).encode() + b"\0"
        while message:
            message = message[os.write(self.output, message):]
        while True:
            message = self.message()
            if message.get("id") == command["id"]:
                assert "error" not in message, (method, message["error"])
                return message["result"]
            self.events.append(message)

    def wait(self, method, session):
        """Waits for an event, and forgets those before it."""
        while True:
            event = self.events.pop(0) if self.events else self.message()
            if event.get("method") == method and event.get("sessionId") == session:
                return event["params"]

    def message(self):
        """Returns the next message."""
        deadline = time.monotonic() + TIMEOUT
        while b"\0" not in self.received:
            rest = deadline - time.monotonic()
            assert rest > 0 and select.select([self.input], [], [], rest)[0], "Chromium is silent"
            received = os.read(self.input, 1 << 20)
            assert received, "Chromium has ended"
            self.received += received
        message, self.received = self.received.split(b"\0", 1)
        return json.loads(message)

    def close(self):
        """Ends the browser, and removes its files."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for descriptor in [self.input, self.output]:
            os.close(descriptor)
        shutil.rmtree(self.folder, ignore_errors=True)


class Page:
    """A page of a browser."""

    def __init__(self, browser, attached):
        self.browser = browser
        self.session = attached["sessionId"]
        browser.call("Page.enable", self.session)

    def open(self, url):
        """Opens a URL, and waits until it is loaded."""
        result = self.browser.call("Page.navigate", self.session, url=url)
        assert "errorText" not in result, (url, result)
        self.browser.wait("Page.loadEventFired", self.session)

    def run(self, script):
        """Runs the body of an async function in the page, and returns its result."""
        result = self.browser.call(
            "Runtime.evaluate", self.session, awaitPromise=True, returnByValue=True,
            expression=f"(async () => {{{script}}})()")
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")
