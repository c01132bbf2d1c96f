"""The daemon under attack: its process, its memory, and the cgroup that it runs in."""

import ctypes
import hashlib
import os
import signal
import subprocess
import sys
import time

import tokens_loads
import wire

MIB = 1 << 20
# The peak may exceed the budget by this much (docs/operations.md, "Memory").
MARGIN = 128 * MIB
# Memory of a cgroup beside that of its processes: the file cache and the buffers of sockets.
KERNEL = 64 * MIB


# The keys of the daemon: one for all loads, which may do everything, and one that any visitor of a
# web page has.
KEYS = {"attack": "read,write,events,admin", "visitors": "read"}

PR_SET_PDEATHSIG = 1


def end_with_parent():
    """Has the kernel kill the calling process when its parent ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def key_flags(folder):
    """Writes a file of the keys and issuers, and returns the daemon's flags for it."""
    path = f"{folder}/keys"
    with open(path, "w", encoding="ascii") as file:
        for name, scopes in KEYS.items():
            digest = hashlib.sha256(wire.secret(name).encode()).hexdigest()
            file.write(f"{name} {scopes} * never {digest}\n")
        file.write(tokens_loads.lines())
    return ["--keys", path, "--trusted-proxies", "127.0.0.1"]


class Cgroup:
    """A cgroup with a limit of memory, of version 2 or 1."""

    def __init__(self, limit):
        name = f"broadsheet-attack-{os.getpid()}"
        self.path = None
        for root, files in [
                ("/sys/fs/cgroup", [("memory.max", limit), ("memory.swap.max", 0)]),
                ("/sys/fs/cgroup/memory", [("memory.limit_in_bytes", limit)])]:
            try:
                self.path = self._make(f"{root}/{name}", files)
                self.version = 2 if files[0][0] == "memory.max" else 1
                return
            except OSError as error:
                self.reason = error

    @staticmethod
    def _make(path, files):
        os.mkdir(path)
        try:
            for name, value in files:
                # The kernel makes the files of a cgroup; elsewhere there are none.
                with open(f"{path}/{name}", "r+", encoding="ascii") as file:
                    file.write(str(value))
        except OSError:
            os.rmdir(path)
            raise
        return path

    def enter(self):
        """Moves the calling process into the cgroup."""
        if self.path:
            with open(f"{self.path}/cgroup.procs", "r+", encoding="ascii") as file:
                file.write(str(os.getpid()))

    def remove(self):
        """Removes the cgroup once its last process has ended."""
        for _ in range(100):
            try:
                if self.path:
                    os.rmdir(self.path)
                return
            except OSError:
                time.sleep(0.05)

    def __str__(self):
        if self.path:
            return f"in a cgroup (version {self.version})"
        return f"without a cgroup ({self.reason})"


class Origin:
    """The origin of the daemon's pages (`Tests/Origin/origin.py`) on a free port."""

    def __init__(self):
        def prepare():
            end_with_parent()
            # Origins run elsewhere; here they leave the processors to the daemon.
            os.nice(5)

        program = os.path.join(os.path.dirname(__file__), "..", "Origin", "origin.py")
        self.process = subprocess.Popen(
            [sys.executable, program, "--quiet"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, preexec_fn=prepare)
        port = self.process.stdout.readline().split()[0].decode()
        self.flags = ["--origin", f"http://127.0.0.1:{port}/screens", "--origin-rest", "1"]

    def end(self):
        self.process.kill()
        self.process.wait()


class Daemon:
    """A running `broadsheet serve` on a free port."""

    def __init__(self, binary, store, options, cgroup=None, log=None):
        def prepare():
            end_with_parent()
            if cgroup:
                cgroup.enter()

        command = [binary, "serve", "--port", "0", "--store", f"sqlite:{store}", *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log or subprocess.DEVNULL,
            preexec_fn=prepare, env={**os.environ, "no_proxy": "*"})
        line = self.process.stdout.readline().decode()
        if not line.startswith("listening on "):
            self.end()
            raise SystemExit(f"the daemon did not start: {' '.join(command)}")
        self.port = int(line.rsplit(":", 1)[1])
        self.peak = 0

    @property
    def is_running(self):
        return self.process.poll() is None

    def note_peak(self):
        """Reads the peak of the resident memory, which is lost when the process ends."""
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
                for line in status:
                    if line.startswith("VmHWM:"):
                        self.peak = max(self.peak, int(line.split()[1]) * 1024)
        except OSError:
            pass

    def stop(self):
        """Sends SIGTERM, and returns the exit status, or -9 if that did not end the process."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.end()
            return -9

    def end(self):
        self.process.kill()
        self.process.wait()
