#!/usr/bin/env python3
"""Checks the structure rules of CONTRIBUTING.md that a program can check.

    python3 Tests/Style/check_style.py [path ...]

Without paths, every file that git tracks is checked. Each violation is one line on standard
output, `path:line: message`; the exit status is 1 when there is any.
"""

import functools
import re
import subprocess
import sys
from pathlib import Path

import code_map
import folder_order
import phone_imports
import type_names

ROOT = Path(__file__).resolve().parents[2]
MAX_COLUMNS = 100
# A line of prose with a link may be longer than others, so that its target can stay whole.
MAX_LINK_COLUMNS = 120
MAX_FOLDERS = 2
CODE = {".swift", ".py", ".sh", ".h", ".c", ".lua", ".js", ".mjs", ".ts"}
SCRIPTS = {
    "Makefile", "run", "check-scripts", "install-packages", "package", "draw", "regenerate",
}
UNCHECKED = ("LICENSE", "Tests/Style/")
class Violation(Exception):
    """One line of the report is `str()` of this."""

    def __init__(self, path, line, message):
        super().__init__(f"{path}:{line}: {message}")


# Shape


def shape_violations(path, lines):
    in_fence = False
    for number, line in lines:
        if path.suffix == ".md":
            if line.lstrip().startswith("```"):
                in_fence = not in_fence
            is_code = in_fence or line.startswith("    ")
            if is_code or line.lstrip().startswith("|") or "<img" in line:
                continue
        is_prose = path.suffix in {".md", ".py"} or line.lstrip().startswith("//")
        has_link = path.suffix == ".md" and "](" in line
        limit = MAX_LINK_COLUMNS if has_link else MAX_COLUMNS
        if len(line) > limit and is_prose:
            yield Violation(path, number, f"{len(line)} columns, at most {limit}")
    if path.suffix == ".swift" and path.parts[0] in {"Sources", "Tests"}:
        if len(path.parts) - 3 > MAX_FOLDERS:
            yield Violation(path, 1, f"more than {MAX_FOLDERS} folders below the module")


# Test names


def test_name_violations(path, text):
    """Checks that the name of a test can be a sentence that is read alone."""
    if path.suffix != ".swift":
        return
    for match in re.finditer(r'@Test\(\s*#*"(?:""\s*)?([^"\s])', text):
        if not re.match(r"[A-Z0-9`\\/-]", match[1]):
            message = "a test's name is a sentence that begins with a capital letter"
            yield Violation(path, line_of(text, match), message)


def suspension_violations(path, lines):
    """Checks that tasks of Sources are suspended by `Waiter` alone; apps do not have its module."""
    if path.suffix != ".swift" or path.parts[0] != "Sources" or path.name == "Waiter.swift":
        return
    if path.parts[1] in ("BroadsheetClient", "BroadsheetKit"):
        return
    for number, line in lines:
        if re.search(r"\b(?:Checked|Unsafe)Continuation\b|\bwith(?:Checked|Unsafe)\w*Conti", line):
            yield Violation(path, number, "a task is suspended by Waiter")


def function_lock_violations(path, lines):
    """Checks that no lock has a function as its value: each access would wrap it once more."""
    if path.suffix != ".swift" or path.parts[0] != "Sources":
        return
    for number, line in lines:
        if re.search(r"\b(?:Mutex|LockedValue)<(?:\(*@Sendable|[\w.]*Handler\??>)", line):
            yield Violation(path, number, "a lock's function is in a structure, as in Observer")


# References


def slug(heading):
    """Returns the anchor that GitHub gives a heading."""
    text = re.sub(r"[`*]|\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


@functools.cache
def headings(path):
    text = re.sub(r"^```.*?^```", "", path.read_text("utf-8"), flags=re.S | re.M)
    return tuple(re.findall(r"^#+ +(.*?)\s*$", text, re.M))


@functools.cache
def anchors(path):
    explicit = re.findall(r'<a (?:id|name)="([^"]+)"', path.read_text("utf-8"))
    return {slug(heading) for heading in headings(path)} | set(explicit)


@functools.cache
def rules():
    """Returns the numbers of the layout rules, as docs/layout.md defines them in bold."""
    text = (ROOT / "docs/layout.md").read_text("utf-8")
    return set(re.findall(r"\*\*([A-Z]\d{1,2})\*\*", text))


def heading_reference_violations(path, text):
    # A comment may continue on the next line, before the heading as well as inside of it.
    margin = r"\s*(?://+|#)?\s*"
    pattern = rf"docs/([\w-]+\.md),?\s{margin}\"([^\"\n]+(?:\n[^\"\n]+)?)\""
    for match in re.finditer(pattern, text):
        target = ROOT / "docs" / match[1]
        heading = re.sub(rf"\n{margin}", " ", match[2])
        if not target.exists() or heading not in headings(target):
            yield Violation(path, line_of(text, match), f"no heading “{heading}” in {match[1]}")


def anchor_reference_violations(path, text):
    if path.suffix == ".md":
        pattern, base = r"\]\(([\w./-]*?)(?:#([\w-]+))?\)", ROOT / path.parent
    else:
        pattern, base = r"\b(docs/[\w-]+\.md)(?:#([\w-]+))?", ROOT
    for match in re.finditer(pattern, text):
        target = (base / match[1]) if match[1] else ROOT / path
        if not target.exists():
            yield Violation(path, line_of(text, match), f"{match[1]} does not exist")
        elif match[2] and target.suffix == ".md" and match[2] not in anchors(target):
            yield Violation(path, line_of(text, match), f"{match[1]} has no anchor #{match[2]}")


def rule_reference_violations(path, lines):
    """Checks layout rules that comments and test names refer to by number."""
    if path.suffix != ".swift" or "Broadsheet" not in str(path):
        return
    for number, line in lines:
        cited = re.search(r"//.*|@(?:Test|Suite)\(\"[^\"]*", line)
        if not cited:
            continue
        for rule in re.findall(r"(?<![\w.])([GFCLPDRTV]\d{1,2})\b(?!\.)", cited.group()):
            if rule not in rules():
                yield Violation(path, number, f"docs/layout.md has no rule {rule}")


def path_violations(path, text):
    """Checks that the files and folders that a document names exist."""
    if path.suffix != ".md":
        return
    for match in re.finditer(r"`((?:Sources|Tests|Fixtures|docs)/[\w+./-]*)`", text):
        if not (ROOT / match[1]).exists():
            yield Violation(path, line_of(text, match), f"{match[1]} does not exist")


def diff_violations(path, text):
    """Checks that the diffs of a document apply to the tree, so that they show current code."""
    if path.suffix != ".md":
        return
    for match in re.finditer(r"^```diff\n(.*?)^```$", text, re.S | re.M):
        command = ["git", "apply", "--check", "-"]
        result = subprocess.run(
            command, cwd=ROOT, input=match[1], capture_output=True, text=True)
        if result.returncode != 0:
            reason = result.stderr.strip().splitlines()[0]
            yield Violation(path, line_of(text, match), f"the diff does not apply: {reason}")


def line_of(text, match):
    return text.count("\n", 0, match.start()) + 1


# All of it


def violations(path, text):
    """Returns the violations in a file, `path` being relative to the repository."""
    lines = list(enumerate(text.splitlines(), 1))
    found = list(shape_violations(path, lines))
    found += test_name_violations(path, text)
    found += suspension_violations(path, lines)
    found += function_lock_violations(path, lines)
    found += heading_reference_violations(path, text)
    found += anchor_reference_violations(path, text)
    found += rule_reference_violations(path, lines)
    found += path_violations(path, text)
    found += diff_violations(path, text)
    return found


def sources(module=""):
    """Returns the texts of the Swift files of a module, or of all modules, by their paths."""
    paths = [path for path in tracked([f"Sources/{module}"]) if path.suffix == ".swift"]
    return {str(path): (ROOT / path).read_text("utf-8") for path in paths
            if (ROOT / path).is_file()}


def import_violations():
    """Returns the imports without a condition in the modules for apps."""
    found = []
    for module in phone_imports.PERMITTED:
        found += [Violation(*each) for each in phone_imports.violations(sources(module))]
    return found


def folder_violations():
    """Returns the violations of the order of folders, and those of the folders of tests."""
    document = (ROOT / folder_order.DOCUMENT).read_text("utf-8")
    found = []
    for module in folder_order.MODULES:
        order = folder_order.rows(document, module)
        found += [Violation(*each) for each in folder_order.violations(
            module, order, sources(module))]
    for module in folder_order.TEST_FOLDERS:
        order = folder_order.rows(document, module)
        tests = [str(path) for path in tracked([f"Tests/{module}Tests"])
                 if (ROOT / path).is_file()]
        found += [
            Violation(*each) for each in folder_order.test_violations(module, order, tests)]
    return found


def map_violations():
    """Returns the violations of the map of the code, and of one name a type."""
    document = (ROOT / code_map.DOCUMENT).read_text("utf-8")
    files = sources()
    found = [Violation(code_map.DOCUMENT, *each) for each in code_map.violations(document, files)]
    return found + [Violation(*each) for each in type_names.violations(files)]


def budget():
    """Returns the number of lines that docs/architecture.md allows for Sources."""
    text = (ROOT / "docs/architecture.md").read_text("utf-8")
    return re.search(r"at most ([\d,]+) lines of Swift", text)[1]


def is_checked(path):
    if str(path).startswith(UNCHECKED):
        return False
    return path.suffix in CODE | {".md"} or path.name in SCRIPTS


def tracked(arguments):
    command = ["git", "ls-files", "-co", "--exclude-standard", "--", *arguments]
    names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [Path(name) for name in sorted(set(names.stdout.splitlines()))]


def main(arguments):
    arguments = [str(Path(argument).resolve().relative_to(ROOT)) for argument in arguments]
    found = []
    for path in tracked(arguments):
        if is_checked(path) and (ROOT / path).is_file():
            found += violations(path, (ROOT / path).read_text("utf-8"))
    if not arguments:
        found += folder_violations() + map_violations() + import_violations()
    for violation in found:
        print(violation)
    if not arguments:
        count = sum(text.count("\n") for text in sources().values())
        print(f"Sources: {count:,} lines of Swift; the budget is {budget()} (docs/architecture.md)")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
