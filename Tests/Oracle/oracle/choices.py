"""`switch`: a choice by a value in a cell's data (docs/catalog.md)."""

import re

from . import pointers

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")  # RFC 8259, section 6
KINDS = ("string", "number", "bool")  # the values that can select a case


def selected(rule, data):
    """Returns the value of the case that the data selects, the default, or None."""
    found = pointers.evaluate(rule.get("switch").inside, data)
    case = None
    if found is not None and found.kind == "string":
        case = rule.get("cases").get(found.inside)
    elif found is not None and found.kind == "bool":
        case = rule.get("cases").get("true" if found.inside else "false")
    elif found is not None and found.kind == "number":
        for name, value in rule.get("cases").members:
            if NUMBER.fullmatch(name) and float(name) == found.number:
                case = value
    if case is None or case.kind == "null":
        case = rule.get("default")
    return None if case is None or case.kind == "null" else case


def is_unusable(rule, data):
    """Returns whether the data has a value of a type that cannot select a case."""
    found = pointers.evaluate(rule.get("switch").inside, data)
    return found is not None and found.kind not in (*KINDS, "null")
