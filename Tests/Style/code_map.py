"""The map of the code: routes whose files follow from each other, and the table of locks.

docs/map.md has a level-2 heading for each route, whose numbered steps name one file each as a code
span from `Sources/`. Of two files in a row, one names a type that the other declares. The table under "Locks" has exactly the files of the service that hold a lock.
"""

import re

import folder_order

DOCUMENT = "docs/map.md"
ROUTES = ("A write: PUT of a page", "A read: GET of a layout", "An event of a stream")
LENGTHS = range(6, 21)
VERBS = ("edit", "patch", "update", "write", "commit", "changes")
SERVICE = "Sources/BroadsheetService/"
LOCK = re.compile(r"\bMutex\s*[<(]|\bKeyedAsyncLock\s*<")


def section(document, heading):
    """Returns the lines under a level-2 heading with their numbers; none without the heading."""
    lines, inside = [], False
    for number, line in enumerate(document.splitlines(), 1):
        if line.startswith("## "):
            inside = line[3:].strip() == heading
        elif inside:
            lines.append((number, line))
    return lines


def steps(document, route):
    """Returns the numbered steps of a route: the line and the file of each, or None."""
    found = []
    for number, line in section(document, route):
        if re.match(r"\d+\. ", line):
            found.append([number, None])
        match = re.search(r"`(Sources/[^`]+\.swift)`", line)
        if match and found and found[-1][1] is None:
            found[-1][1] = match[1]
    return found


class File:
    """The types that a file declares, and the names that it uses."""

    def __init__(self, text):
        source = folder_order.Source(text)
        code = folder_order.code_of(text)
        self.types = source.types | source.nested
        self.uses = {name for _, use in source.uses for name in folder_order.named(use, source)}
        self.uses |= set(re.findall(r"\bextension\s+(\w+)", code))


def related(one, other):
    """Returns whether one of two files names a type that the other declares."""
    return bool(one.uses & other.types or other.uses & one.types)


def route_violations(document, files):
    """Yields `(line, message)` for the routes; `files` are texts by path."""
    known = {}
    for route in ROUTES:
        found = steps(document, route)
        if len(found) not in LENGTHS:
            yield 1, (f"the route “{route}” has {len(found)} steps, "
                      f"not {LENGTHS.start} to {LENGTHS.stop - 1}")
        before = None
        for line, path in found:
            if path is None or path not in files:
                yield line, f"the step names no file of Sources ({path}): name the file of its type"
                before = None
                continue
            if path not in known:
                known[path] = File(files[path])
            if before and not related(known[before], known[path]):
                yield line, (f"neither {before} nor {path} names a type of the other: "
                             "name a file between them, or another one")
            before = path


def lock_violations(document, files):
    """Yields `(line, message)` for the table of locks."""
    lines = section(document, "Locks")
    first = lines[0][0] if lines else 1
    spans = re.findall(r"`(\w[\w+]*\.swift)`", "\n".join(
        line for _, line in lines if line.startswith("|")))
    holders = {path.rsplit("/", 1)[1] for path, text in files.items()
               if path.startswith(SERVICE) and LOCK.search(folder_order.code_of(text))}
    for name in sorted(holders - set(spans)):
        yield first, f"{name} of the service holds a lock and has no row under Locks"
    for name in sorted(set(spans) - holders):
        yield first, f"{name} has a row under Locks, and no file of that name holds one"
    for name in sorted({name for name in spans if spans.count(name) > 1}):
        yield first, f"{name} is twice under Locks"


def verb_violations(document):
    """Yields `(line, message)` for the words without exactly one row."""
    lines = section(document, "Verbs and types")
    rows = re.findall(r"^\| ([a-z]+) \|", "\n".join(line for _, line in lines), re.M)
    for verb in VERBS:
        if rows.count(verb) != 1:
            yield 1, f"“{verb}” has {rows.count(verb)} rows under Verbs and types, not 1"


def violations(document, files):
    """Yields `(line, message)` for the map, given the Swift files of Sources by path."""
    yield from route_violations(document, files)
    yield from verb_violations(document)
    yield from lock_violations(document, files)
