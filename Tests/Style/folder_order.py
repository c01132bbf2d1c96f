"""The order of folders: a file names only declarations of its own folder and of earlier ones.

docs/architecture.md has the order of the folders of two modules, lowest first. Names are compared
without a compiler: those of types at file level, and those of types that an extension declares in
another type, written `Outer.Inner`. A type or a generic parameter of the file's own with the same
name comes first, unless the module is named.
"""

import re

DOCUMENT = "docs/architecture.md"
MODULES = ("Broadsheet", "BroadsheetService")
TYPE = r"\b(?:struct|class|enum|actor|protocol|typealias|macro)\s+(`?\w+`?)"
DECLARATION = re.compile(TYPE)
GENERICS = re.compile(
    r"\b(?:func\s+(?:`?\w+`?|[^\w\s(<]+)|init[?!]?|subscript|"
    r"(?:struct|class|enum|actor|protocol|typealias|macro)\s+`?\w+`?)\s*<")
USE = re.compile(r"(?<![\w.`])`?[A-Z]\w*`?(?:\.`?[A-Z]\w*`?)*")
HIDDEN = re.compile(r"\b(?:private|fileprivate)\s+(?:final\s+|indirect\s+)*$")
TOKEN = re.compile(
    r'//[^\n]*|/\*|(#*)("""|")|\b(?:struct|class|enum|actor|protocol|typealias|extension)\b'
    r"|[A-Za-z_][\w]*|[{}.]|`\w+`")

# The modules whose tests have the folders of the module, and the folders that they have besides.
TEST_FOLDERS = {
    "Broadsheet": {"Documents", "Goldens", "Support"}, "BroadsheetService": {"Support"},
}

# What begins or ends something in Swift's code: a comment, a string, an interpolation.
MARK = re.compile(r'//|/\*|(#*)("""|")|[()]')


def code_of(text):
    """Returns Swift without comments and strings: spaces in their place, interpolated code kept."""
    out = list(text)

    def blank(start, end):
        for index in range(start, end):
            if out[index] != "\n":
                out[index] = " "

    def comment(start):
        depth, index = 1, start + 2
        while depth and index < len(text):
            if text.startswith("/*", index):
                depth, index = depth + 1, index + 2
            elif text.startswith("*/", index):
                depth, index = depth - 1, index + 2
            else:
                index += 1
        blank(start, index)
        return index

    def string(start, hashes, quotes):
        close, escape = quotes + hashes, "\\" + hashes
        index = start + len(hashes) + len(quotes)
        begin = start
        while index < len(text):
            if text.startswith(close, index):
                index += len(close)
                blank(begin, index)
                return index
            if text.startswith(escape + "(", index):
                blank(begin, index + len(escape) + 1)
                index = code(index + len(escape) + 1, until_parenthesis=True)
                begin = index
            elif text.startswith(escape, index):
                index += len(escape) + 1
            else:
                index += 1
        blank(begin, index)
        return index

    def code(index, until_parenthesis=False):
        depth = 0
        while match := MARK.search(text, index):
            index = match.end()
            if match[0] == "//":
                end = text.find("\n", index)
                index = len(text) if end < 0 else end
                blank(match.start(), index)
            elif match[0] == "/*":
                index = comment(match.start())
            elif match[0] == "(":
                depth += 1
            elif match[0] == ")":
                if until_parenthesis and depth == 0:
                    return index
                depth -= 1
            else:
                index = string(match.start(), match[1], match[2])
        return len(text)

    code(0)
    return "".join(out)


def generic_parameters(code):
    """Yields the names of the generic parameters that declarations have."""
    for match in GENERICS.finditer(code):
        depth, index, parts = 1, match.end(), [""]
        while depth and index < len(code):
            character = code[index]
            if character == "<":
                depth += 1
            elif character == ">" and code[index - 1] != "-":
                depth -= 1
            if character == "," and depth == 1:
                parts.append("")
            else:
                parts[-1] += character
            index += 1
        names = [re.match(r"\s*(?:each\s+|let\s+)?([A-Z]\w*)", part) for part in parts]
        yield from (name[1] for name in names if name)


class Source:
    """The types that a file declares, and the names that it uses."""

    def __init__(self, text):
        code = code_of(text)
        self.types, self.nested, self.own = set(), set(), set()
        scopes, depth, waiting = [], 0, None
        for match in re.finditer(
                r"[{}]|" + TYPE + r"|\bextension\s+([\w.]+)|\b(?:associatedtype)\s+(\w+)", code):
            if match[0] == "{":
                depth += 1
                if waiting:
                    scopes.append((depth, waiting))
                    waiting = None
            elif match[0] == "}":
                if scopes and scopes[-1][0] == depth:
                    scopes.pop()
                depth -= 1
            elif match[2]:
                waiting = ("extension", match[2])
            elif match[3]:
                self.own.add(match[3])
            else:
                name = match[1].strip("`")
                is_hidden = HIDDEN.search(code[max(0, match.start() - 40):match.start()])
                if depth == 0 and not is_hidden:
                    self.types.add(name)
                else:
                    self.own.add(name)
                    if depth == 1 and not is_hidden and scopes and scopes[-1][1][0] == "extension":
                        self.nested.add(f"{scopes[-1][1][1]}.{name}")
                if "typealias" not in match[0]:
                    waiting = ("type", name)
        self.own |= set(generic_parameters(code))
        self.uses = []
        for number, line in enumerate(code.split("\n"), 1):
            for match in USE.finditer(line):
                self.uses.append((number, match[0].replace("`", "")))


def rows(document, module):
    """Returns the folders of the table of a module, lowest first."""
    match = re.search(
        rf"^#+ Folders of `{module}`\s*$(.*?)(?=^#+ |\Z)", document, re.S | re.M)
    return re.findall(r"^\| `([^`]+)` \|", match[1], re.M) if match else []


def folder_of(path, module):
    """Returns the folder of a file in its module, the module's name for a file directly in it."""
    parts = path.split("/")[2:]
    return parts[0] if len(parts) > 1 else module


def violations(module, order, files):
    """Yields `(path, line, message)` for the files of a module, a dictionary from paths to texts."""
    sources = {path: Source(text) for path, text in files.items()}
    folders = {path: folder_of(path, module) for path in files}
    for missing in sorted(set(folders.values()) - set(order)):
        yield DOCUMENT, 1, f"{missing} of {module} has no row"
    for missing in [row for row in order if row not in set(folders.values())]:
        yield DOCUMENT, 1, f"{missing} of {module} has a row and no folder"
    ranks = {folder: rank for rank, folder in enumerate(order)}
    places = {}
    for path, source in sources.items():
        for name in source.types | source.nested:
            rank = ranks.get(folders[path], 0)
            places[name] = min(places.get(name, (rank, folders[path])), (rank, folders[path]))
    for path, source in sorted(sources.items()):
        own = ranks.get(folders[path], len(order))
        for line, use in source.uses:
            for name in named(use, source, module):
                rank, folder = places.get(name, (0, ""))
                if rank > own:
                    yield path, line, f"names {name} of {folder}, a later row"


def test_violations(module, order, paths):
    """Yields `(path, line, message)` for the tests of a module that are in no folder of it."""
    for path in sorted(paths):
        folder = folder_of(path, module)
        if folder not in {*order, *TEST_FOLDERS[module]}:
            yield path, 1, f"{folder} is not a folder of {module}"


def named(use, source, module=None):
    """Returns the declarations that `A.B.C` may name: `A`, `A.B` and `B.C`."""
    parts = use.split(".")
    if parts[0] == module and len(parts) > 1:
        parts = parts[1:]
    elif parts[0] in source.own and parts[0] not in source.types:
        return []
    return [parts[0], *(".".join(pair) for pair in zip(parts, parts[1:]))]
