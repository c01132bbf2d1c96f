"""The products for apps: imports of what phones lack, and uses of what their systems lack.

A module imports without a condition only what its row in PERMITTED has. What its row in CONDITIONAL
has, it imports in a branch of `#if canImport(…)` of that very module, in each file; or in a branch
that phones do not compile, as the `#else` of `canImport(Darwin)`; `Foundation` also in the `#else`
of `canImport(FoundationEssentials)`.
"""

import re

PERMITTED = {
    "BroadsheetClient": set(),
    "BroadsheetKit": {"BroadsheetClient", "Foundation"},
    "BroadsheetCollections": set(),
    "Broadsheet": {"BroadsheetClient", "BroadsheetCollections", "CByteMasks"},
}
C_LIBRARIES = {"Android", "Darwin", "Glibc", "Musl"}
CONDITIONAL = {
    "BroadsheetClient": C_LIBRARIES | {"Synchronization"},
    "BroadsheetKit": {"FoundationNetworking", "UIKit"},
    "BroadsheetCollections": set(),
    "Broadsheet": C_LIBRARIES | {"Foundation", "FoundationEssentials"},
}
ATTRIBUTE = r"@\w+(?:\([^)]*\))?"
LEVEL = r"public|package|internal|private|fileprivate"
KIND = r"struct|class|enum|protocol|typealias|func|let|var"
IMPORT = re.compile(
    rf"^\s*(?:(?:{ATTRIBUTE}|{LEVEL})\s+)*import\s+(?:(?:{KIND})\s+)?(\w+)")
CONDITION = re.compile(r"^\s*#(if|elseif|else|endif)\b(.*)")
CAN_IMPORT = re.compile(r"\s*(!?)\s*canImport\((\w+)\)\s*")

# What the systems of Package.swift (macOS 13, iOS 16) lack of the standard library, with the first
# iOS that has it. The source are the declarations with a later `@available`, and without
# `@backDeployed`, in the .swiftinterface files of Swift, _Concurrency, Synchronization and
# Observation of Swift 6.3.1 (usr/lib/swift/linux/*.swiftmodule). Span itself is older than what
# returns one.
NEWER = [(re.compile(pattern), f"uses {name}, which is newer than iOS 16: it needs iOS {system}")
         for pattern, name, system in [
    (r"\bU?Int128\b", "128-bit integers", "18"),
    (r"\bStaticBigInt\b", "StaticBigInt", "16.4"),
    (r"\.span(?=\[|\.(?:with|extracting|count|bytes|indices|isEmpty)|\s*$)(?<!\?\.span)"
     r"|\.mutableSpan\b|\.utf8Span\b", "a span of a collection", "26"),
    (r"\bUTF8Span\b", "UTF8Span", "26"),
    (r"\bInlineArray\b|\[\s*\d+\s+of\s+\w", "InlineArray", "26"),
    (r"\bString\(\s*validating:", "String(validating:as:)", "18"),
    (r"\bRangeSet\b|\bDiscontiguousSlice\b|\.indices\((?:where|of):|\.removingSubranges\("
     r"|\.removeSubranges\(|\.moveSubranges\(", "RangeSet", "18"),
    (r"\.enumerated\(\)\s*(?:\[|\.(?:count|isEmpty|last|startIndex|endIndex)\b)",
     "a collection of enumerated()", "26"),
    (r"\battoseconds\b", "attoseconds of a Duration", "18"),
    (r"\bMutex\s*[<(]", "Mutex of Synchronization", "18"),
    (r"\bAtomic(?:LazyReference)?\s*[<(]|\bWordPair\b", "Atomic of Synchronization", "18"),
    (r"@Observable\b|\bObservation(?:s|Registrar)\b|\bwithObservationTracking\b", "Observation",
     "17"),
    (r"\b(?:with)?(?:Throwing)?DiscardingTaskGroup\b", "discarding task groups", "17"),
    (r"\bTaskExecutor\b|\bexecutorPreference\b|\bwithTaskExecutorPreference\b", "task executors",
     "18"),
    (r"\bExecutorJob\b|\bJobPriority\b", "jobs of executors", "17"),
    (r"\bAsync(?:Sequence|IteratorProtocol)<[^<>]*,|\.next\(isolation:", "the Failure of "
     "AsyncSequence", "18"),
    (r"\bisolated\s+deinit\b", "isolated deinit", "18.4"),
    (r"\bTask(?:\.detached)?\(\s*name:|\bTask\.(?:name|immediate)\b|\bescalatePriority\b"
     r"|\bwithTaskPriorityEscalationHandler\b", "names and escalation of tasks", "26"),
]]


class Branch:
    """A branch of a condition: the modules that can be imported in it, and those that cannot."""

    def __init__(self, condition, before=()):
        self.conditions = [*before, condition]
        self.present, self.absent = set(), set()
        self.assume(condition, True)
        for earlier in before:
            self.assume(earlier, False)

    def assume(self, condition, holds):
        """Takes what a condition implies: of several terms, only if all of them hold."""
        terms = condition.split("&&")
        if "||" in condition or (not holds and len(terms) > 1):
            return
        for match in filter(None, map(CAN_IMPORT.fullmatch, terms)):
            (self.present if (match[1] == "") == holds else self.absent).add(match[2])

    def next(self, condition):
        """Returns the branch after this one; the condition of `#else` is empty."""
        return Branch(condition, self.conditions)


def is_compiled(branches):
    """Returns whether a phone compiles what is in these branches: it has Darwin."""
    return not any("Darwin" in branch.absent for branch in branches)


def import_violation(module, name, branches):
    """Returns why an import in these branches is a violation, or `None`."""
    if name in PERMITTED[module]:
        return None
    if name not in CONDITIONAL[module]:
        return f"imports {name} although no row of {module} has it"
    present = any(name in branch.present for branch in branches)
    stands_in = name == "Foundation" and any(
        "FoundationEssentials" in branch.absent for branch in branches)
    if present or stands_in or not is_compiled(branches):
        return None
    return f"imports {name} without the condition canImport({name}); phones may lack it"


def violations(files):
    """Yields `(path, line, message)` for the files of the modules, a dictionary of texts."""
    for path, text in sorted(files.items()):
        module = path.split("/")[1]
        if module not in PERMITTED:
            continue
        branches = []
        for number, line in enumerate(text.split("\n"), 1):
            line = line.split("//")[0]
            directive = CONDITION.match(line)
            if directive and directive[1] == "if":
                branches.append(Branch(directive[2]))
            elif directive and branches:
                branch = branches.pop()
                if directive[1] != "endif":
                    branches.append(branch.next(directive[2]))
            match = IMPORT.match(line)
            message = match and import_violation(module, match[1], branches)
            if message:
                yield path, number, message
            if not is_compiled(branches):
                continue
            yield from ((path, number, message) for pattern, message in NEWER
                        if pattern.search(line))
