"""One name a type: no two types at file level have one name, across modules.

A type that is private to its file has no name outside of it.
"""

import folder_order


def violations(files):
    """Yields `(path, line, message)` for the files of all modules, a dictionary from paths to
    texts."""
    first = {}
    for path, text in sorted(files.items()):
        source = folder_order.Source(text)
        for name in sorted(source.types):
            if name in first:
                line = line_of(name, folder_order.code_of(text))
                yield path, line, f"the type {name} has the name of one in {first[name]}"
            first.setdefault(name, path)


def line_of(name, code):
    """Returns the line on which the type of a name is declared."""
    match = next(match for match in folder_order.DECLARATION.finditer(code)
                 if match[1].strip("`") == name)
    return code.count("\n", 0, match.start()) + 1
