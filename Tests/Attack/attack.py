#!/usr/bin/env python3
"""Attacks a daemon with each load, and then with all of them at once, and prints a table.

    attack.py BINARY [--bounded] [--seconds N] [--memory MIB] [LOAD ...]

The daemon has a budget of 512 MiB, and runs in a cgroup with little more memory where one can be
made. While a load runs, /livez and a stored layout are requested every few milliseconds. The exit
status is 1 if the peak of the daemon's memory exceeds the budget by more than 128 MiB, if a cheap
request has no response or its 99th percentile is above the bound, if an event loop stalls under a
load that must not hold others, or if the daemon ends or does not serve a page of 8 MB after the
load. With --bounded each load is short and durations are not
compared with a bound, for machines that do other work, too.
"""

import argparse
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
import time

import bodies
import cells_loads  # registers its loads
import edits_loads  # registers its loads
import events_loads  # registers its loads
import history_loads  # registers its loads
import loads
import probes
import report
import schemas_loads  # registers its loads
import sections_loads  # registers its loads
import texts_loads
import tokens_loads  # registers its loads
import visitors_loads  # registers its loads
import windows_loads  # registers its loads
import wire
from daemon import KERNEL, MARGIN, MIB, Cgroup, Daemon, Origin, end_with_parent, key_flags

PROCESSES = multiprocessing.get_context("fork")
# The time in which a daemon has to serve a large page after a load.
RECOVERY = 30


class Attack:
    """The daemon's binary and options, and the store that all daemons use in turn."""

    def __init__(self, options, folder):
        self.options = options
        self.budget = options.memory * MIB
        self.store = f"{folder}/screens.db"
        self.log = open(f"{folder}/log", "wb")
        self.cgroup = Cgroup(self.budget + MARGIN + KERNEL)
        self.origin = Origin()
        self.flags = ["--memory", str(self.budget), *catalogs(folder), *key_flags(folder),
                      *self.origin.flags]

    def prepare(self):
        """Stores the screens, some of which exceed the limits of the daemons that follow."""
        limits = ["--max-screen-bytes", str(1 << 30), "--max-items", "10000000"]
        daemon = Daemon(self.options.binary, self.store, limits, log=self.log)
        try:
            loads.store(daemon.port)
        finally:
            daemon.stop()

    def run(self, names, seconds):
        """Runs loads at the same time against one daemon, and returns the result."""
        daemon = Daemon(self.options.binary, self.store, self.flags, self.cgroup, self.log)
        try:
            return self._run(daemon, names, seconds)
        finally:
            daemon.end()

    def _run(self, daemon, names, seconds):
        for _ in range(2):
            wire.exchange(daemon.port, wire.request("GET", probes.LAYOUT))
        result = report.Result(names or ["idle"], self.budget + MARGIN)
        end, queue = PROCESSES.Event(), PROCESSES.SimpleQueue()
        inner, outer = PROCESSES.Pipe(False)
        probe = start(probes.run, daemon.port, end, outer)
        values = (queue, daemon.port, seconds, self.options.bounded, len(names) == 1)
        processes = [start(run_load, name, *values) for name in names]
        if not names:
            time.sleep(seconds)
        while daemon.is_running and any(process.is_alive() for process in processes):
            daemon.note_peak()
            time.sleep(0.02)
        end.set()
        result.latencies = inner.recv()
        for process in [probe, *processes]:
            if not daemon.is_running:
                process.kill()
            process.join()
        result.failed_loads = sum(process.exitcode != 0 for process in processes)
        while not queue.empty():
            result.outcomes.update(queue.get())
        result.has_recovered = daemon.is_running and recovers(daemon)
        daemon.note_peak()
        result.peak = daemon.peak
        result.status = daemon.stop() if daemon.is_running else daemon.process.returncode
        return result


def catalogs(folder):
    """Makes a folder of catalogs, and returns the daemon's flags for it."""
    path = f"{folder}/catalogs"
    os.mkdir(path)
    fixtures = os.path.join(os.path.dirname(__file__), "..", "..", "Fixtures")
    for fixture, name in [("storefront", "default"), ("wishes", "wishes")]:
        shutil.copy(f"{fixtures}/{fixture}/catalog.json", f"{path}/{name}.json")
    return ["--catalog", path, *texts_loads.flags(path)]


def start(function, *values):
    """Starts a process that ends with this one."""
    def run():
        end_with_parent()
        function(*values)

    process = PROCESSES.Process(target=run, daemon=True)
    process.start()
    return process


def run_load(name, queue, *values):
    """The process of a load."""
    # The clients of an attack run elsewhere; here they leave the processors to the daemon.
    os.nice(5)
    context = loads.Context(*values, wire.Tally())
    loads.LOADS[name](context)
    queue.put(context.tally.counts)


def recovers(daemon):
    """Returns whether the daemon serves a large page again, and the stored layout."""
    page = wire.request("POST", "/v1/layout", bodies.large_page(8))
    deadline = time.monotonic() + RECOVERY
    while time.monotonic() < deadline and daemon.is_running:
        try:
            statuses = [wire.exchange(daemon.port, data, RECOVERY)
                        for data in (page, wire.request("GET", probes.LAYOUT))]
            if statuses == [200, 200]:
                return True
        except (wire.Ended, OSError):
            pass
        daemon.note_peak()
        time.sleep(0.1)
    return False


def arguments(words):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("loads", nargs="*", metavar="LOAD", help="all by default")
    parser.add_argument("--bounded", action="store_true", help="short loads, no durations")
    parser.add_argument("--seconds", type=float, help="the duration of a load")
    parser.add_argument("--memory", type=int, default=512, help="the budget in MiB")
    options = parser.parse_intermixed_args(words)
    every = [*loads.LOADS, report.EVERYTHING]
    unknown = [name for name in options.loads if name not in every]
    if unknown:
        parser.error(f"no load {unknown[0]}; there are {', '.join(every)}")
    options.loads = options.loads or every
    options.seconds = options.seconds or (0.1 if options.bounded else 25)
    return options


def main(words):
    options = arguments(words)
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    with tempfile.TemporaryDirectory(prefix="broadsheet-attack-") as folder:
        attack = Attack(options, folder)
        try:
            return run(attack, options)
        finally:
            attack.origin.end()
            attack.cgroup.remove()


def run(attack, options):
    print(f"budget {options.memory} MiB, {attack.cgroup}")
    attack.prepare()
    table = report.Table(has_durations=not options.bounded)
    table.add(attack.run([], 0.1 if options.bounded else 5))
    for name in options.loads:
        names = list(loads.LOADS) if name == report.EVERYTHING else [name]
        table.add(attack.run(names, options.seconds))
    print(table.conclusion)
    return 0 if table.is_complete else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
