"""The results of loads, and the table of them."""

import collections

import loads
import probes
from daemon import MIB

# The name of all loads together.
EVERYTHING = "all-at-once"
# The 99th percentile of a cheap request is below the first, or at most the second times idle.
MAX_SECONDS = 0.02
MAX_RATIO = 5
# The largest duration of a request to /livez under a load that must not stall an event loop, or the
# second of the above times that of the idle daemon.
MAX_STALL = 0.05
# All loads at once need more processors than there are, so a request waits for some of them.
MAX_SECONDS_OF_EVERYTHING = 0.1
COLUMNS = [
    "load", "requests", "peak MiB", "/livez p50, p99, max ms", "…/layout p50, p99, max ms",
    "bounds"]
WIDTHS = [18, 8, 8, 23, 25, 6]


class Result:
    """The figures of a daemon under a load, or, without one, of an idle daemon."""

    def __init__(self, names, bound):
        self.name = names[0] if len(names) == 1 else EVERYTHING
        self.bound = bound
        self.outcomes = collections.Counter()
        self.latencies = probes.Latencies()
        self.peak = 0
        self.status = 0
        self.has_recovered = True
        self.failed_loads = 0

    @property
    def max_seconds(self):
        return MAX_SECONDS_OF_EVERYTHING if self.name == EVERYTHING else MAX_SECONDS

    def violations(self, idle):
        """Returns the bounds that were broken; without `idle`, durations have no bound."""
        found = []
        if self.peak > self.bound:
            found.append(f"the peak is above {self.bound // MIB} MiB")
        if self.status != 0:
            found.append(f"the daemon ended with status {self.status}")
        if self.failed_loads:
            found.append(f"{self.failed_loads} loads failed, or ended with the daemon")
        if not self.has_recovered:
            found.append("the daemon serves no large page after the load")
        if self.latencies.failures:
            found.append(f"{self.latencies.failures} cheap requests without a response")
        if self.outcomes["no response"]:
            found.append(f"{self.outcomes['no response']} requests without a response")
        if self.outcomes["slow and open"]:
            found.append(f"{self.outcomes['slow and open']} slow connections are open")
        if self.outcomes["lost feed events"]:
            found.append(f"{self.outcomes['lost feed events']} events of another feed are lost")
        # Requests for one screen share its memory, so there is enough for all of them.
        if self.name == "long-screens" and self.outcomes["200"] < self.outcomes["503"]:
            found.append("most readers of a screen had no memory")
        # The address that requests too much waits for itself.
        if self.name == "visitors" and self.outcomes["refused neighbours"]:
            found.append(f"{self.outcomes['refused neighbours']} visitors of other addresses, or "
                         "requests of the backend, were refused")
        if self.outcomes["500"]:
            found.append(f"{self.outcomes['500']} internal failures")
        for path in probes.PATHS if idle else ():
            seconds = self.latencies.quantile(path, 0.99)
            if seconds >= max(self.max_seconds, MAX_RATIO * idle.latencies.quantile(path, 0.99)):
                found.append(f"{path} is slow")
        if idle and self.name in loads.WITHOUT_STALLS:
            longest = self.latencies.quantile("/livez", 1)
            if longest >= max(MAX_STALL, MAX_RATIO * idle.latencies.quantile("/livez", 1)):
                found.append(f"an event loop stalled for {longest * 1_000:.0f} ms")
        return found

    def row(self):
        cells = [self.name, str(sum(self.outcomes.values())), str(-(-self.peak // MIB))]
        for path in probes.PATHS:
            parts = [self.latencies.quantile(path, part) * 1_000 for part in (0.5, 0.99, 1)]
            cells.append(", ".join(f"{part:.1f}" for part in parts))
        return cells


class Table:
    """Prints a row for each result; the first is that of the idle daemon."""

    def __init__(self, has_durations):
        self.has_durations = has_durations
        self.idle = None
        self.broken = []
        self._print(COLUMNS)
        self._print(["-" * width for width in WIDTHS])

    def add(self, result):
        self.idle = self.idle or result
        violations = result.violations(self.idle if self.has_durations else None)
        self.broken += [f"{result.name}: {violation}" for violation in violations]
        self._print(result.row() + ["broken" if violations else "hold"])
        if result.outcomes:
            outcomes = [f"{name} × {count}" for name, count in sorted(result.outcomes.items())]
            print("    " + ", ".join(outcomes), flush=True)
        for violation in violations:
            print(f"    BROKEN: {violation}", flush=True)

    @staticmethod
    def _print(cells):
        padded = [cell.ljust(width) for cell, width in zip(cells, WIDTHS)]
        print("| " + " | ".join(padded) + " |", flush=True)

    @property
    def is_complete(self):
        return not self.broken

    @property
    def conclusion(self):
        return "All bounds hold." if self.is_complete else "\n".join(self.broken)
