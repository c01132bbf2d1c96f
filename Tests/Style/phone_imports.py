"""The imports of the products for apps: none without a condition that a phone lacks.

Unconditionally, a module may import only those of its row in PERMITTED. Everything else is under
`#if canImport(…)`, in each file. 128-bit integers need newer systems, too.
"""

import re

PERMITTED = {
    "BroadsheetClient": set(),
    "BroadsheetKit": {"BroadsheetClient", "Foundation"},
    "BroadsheetCollections": set(),
    "Broadsheet": {"BroadsheetClient", "BroadsheetCollections", "CByteMasks"},
}
IMPORT = re.compile(r"^\s*(?:@\w+\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+(?:\w+\s+)?(\w+)")
WIDE = re.compile(r"\bU?Int128\b")


def violations(files):
    """Yields `(path, line, message)` for the files of the modules, a dictionary of texts."""
    for path, text in sorted(files.items()):
        module = path.split("/")[1]
        if module not in PERMITTED:
            continue
        depth = 0
        for number, line in enumerate(text.split("\n"), 1):
            stripped = line.strip()
            if stripped.startswith("#if"):
                depth += 1
            elif stripped.startswith("#endif"):
                depth -= 1
            match = IMPORT.match(line)
            if match and match[1] not in PERMITTED[module] and not depth:
                yield path, number, f"imports {match[1]} without a condition; phones may lack it"
            if WIDE.search(line.split("//")[0]):
                yield path, number, "uses 128-bit integers, which phones may lack"
