"""Loads of schemas that are expensive to judge by, beside those in loads.py."""

import itertools
import json

import bodies
import wire
from loads import load

PAGES = 7


def judged_pages(schema, data):
    """Pages with a catalog of their own, whose only unit type has a schema."""
    catalog = {"units": {"U": {"cells": {"type": "C"}, "schema": schema}}, "cellTypes": {"C": {}}}
    unit = b'{"unitType":"U","unitData":%b}' % data
    pages = [b'{"sections":[[%b]]}' % unit] * PAGES
    return bodies.composition(pages, catalog=json.dumps(catalog).encode())


def many_judgements():
    """100,000 values in each page, by ten subschemas each."""
    condition = {"minimum": 0, "type": "integer"}
    schema = {"items": {"allOf": [condition] * 9}}
    return judged_pages(schema, b"[%b]" % bodies.repeated(b"1", 100_000))


def long_match():
    """A text of 1 MB in each page, by a pattern that has too many states for a table."""
    schema = {"items": {"pattern": "(a|b)*a(a|b){1200}$"}}
    return judged_pages(schema, b'["%b"]' % (b"ab" * 500_000))


def missing_members():
    """50,000 objects in each page, which lack 100,000 members each."""
    schema = {"items": {"required": [f"m{number}" for number in range(100_000)]}}
    return judged_pages(schema, b"[%b]" % bodies.repeated(b"{}", 50_000))


def long_numbers():
    """A number of a million digits in each page, with 9,000 conditions."""
    schema = {"allOf": [{"minimum": -number} for number in range(9_000)]}
    return judged_pages(schema, b"1" * 1_000_000)


@load
def schemas(context):
    """Four clients that post pages with expensive schemas, while another one writes a screen."""
    pages = [many_judgements(), long_match(), missing_members(), long_numbers()]
    targets = ["/v1/layout", "/v1/layout?strict=true", "/v1/layout", "/v1/changes"]
    numbers = itertools.count()

    def request(target, body):
        if target == "/v1/changes":
            pages, catalog = body.split(b',"catalog":')
            body = b'{"from":%b},"to":%b},"catalog":%b' % (pages, pages, catalog)
        return wire.request("POST", target, body)

    expensive = [request(target, body) for target, body in zip(targets, pages)]

    def step(number):
        if number < len(expensive):
            return context.exchange(expensive[number])
        page = bodies.page(b'{"id":"P%d"}' % next(numbers))
        return context.exchange(wire.request("PUT", "/v1/screens/judged/pages/0", page))

    context.repeat(len(expensive) + 1, step)
