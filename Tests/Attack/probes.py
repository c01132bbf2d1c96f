"""Latencies of cheap requests while the daemon is under attack."""

import gc
import os
import time

import wire

LAYOUT = "/v1/screens/home/layout"
PATHS = ("/livez", LAYOUT)
INTERVAL = 0.005


class Latencies:
    """The durations of requests in seconds, and the requests without a proper response."""

    def __init__(self):
        self.seconds = {path: [] for path in PATHS}
        self.failures = 0

    def quantile(self, path, part):
        values = sorted(self.seconds[path])
        return values[min(len(values) - 1, int(len(values) * part))] if values else float("inf")


def measure(port, is_over):
    """Requests the paths in turns, a request every few milliseconds, until the end."""
    gc.disable()
    latencies = Latencies()
    connection = None
    while not is_over():
        for path in PATHS:
            time.sleep(INTERVAL)
            start = time.perf_counter()
            try:
                connection = connection or wire.Connection(port)
                connection.send(wire.request("GET", path))
                status = connection.receive()
            except (wire.Ended, OSError):
                status, connection = 0, None
            latencies.seconds[path].append(time.perf_counter() - start)
            latencies.failures += status != 200
    return latencies


def run(port, end, pipe):
    """The process of a probe: measures until the event `end`, and sends the latencies."""
    try:
        # Clients of an attack are elsewhere; here they must not delay the measurement.
        os.nice(-5)
    except OSError:
        pass
    pipe.send(measure(port, end.is_set))
