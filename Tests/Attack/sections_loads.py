"""Loads of updates whose work follows from the stored screen, beside those in loads.py.

Each update is small: a key that may write one screen is enough for it.
"""

import json

import bodies
import wire
from loads import load, load_without_stalls

MINIMAL = "Prefer: return=minimal\r\n"
OPERATIONS = 1_000


def section(number):
    return {"sectionId": f"s{number}", "units": []}


def many_pages(count):
    """The pages of a screen with a section each."""
    return [json.dumps({"sections": [section(number)]}).encode() for number in range(count)]


def many_sections(count):
    """The page of a screen with so many sections."""
    return [json.dumps({"sections": [section(number) for number in range(count)]}).encode()]


def send(context, name, kinds):
    """Clients that apply operations to a screen of 10,000 pages and to one of 1,000 sections, one
    of each for each kind of operations."""
    sizes = (100, 50) if context.is_bounded else (10_000, 1_000)
    requests = []
    for number, kind in enumerate(kinds):
        for pages, count in [(many_pages(sizes[0]), sizes[0]), (many_sections(sizes[1]), sizes[1])]:
            screen = f"/v1/screens/{name}-{number}-{count}"
            context.exchange(wire.request(
                "PUT", screen, bodies.composition(pages), fields=MINIMAL), "PUT ")
            operations = [kind(index, count) for index in range(OPERATIONS)]
            body = json.dumps({"operations": operations}).encode()
            requests.append(wire.request("POST", f"{screen}/updates", body, fields=MINIMAL))
    context.send(len(requests), requests)


def move_by_id(number, count):
    return {"op": "moveSection", "section": f"s{number * 7 % count}",
            "after": f"s{(number * 7 + count // 2) % count}"}


def move_by_index(number, count):
    return {"op": "moveSection", "section": number * 7 % count, "before": count // 3}


def replace(number, count):
    return {"op": "replaceSection", "section": section(number * 7 % count), "before": 0}


def delete_and_insert(number, count):
    name = f"s{number // 2 * 7 % count}"
    if number % 2 == 0:
        return {"op": "deleteSections", "sections": [name]}
    return {"op": "insertSections", "sections": [{"sectionId": name, "units": []}], "before": 1}


def insert_units(number, count):
    return {"op": "insertItems", "section": f"s{number // 100 % count}",
            "units": [{"unitType": "NONE"}] * 2}


@load
def section_moves(context):
    """Updates of 1,000 moves of sections, by their ids and by their indexes."""
    send(context, "moved", [move_by_id, move_by_index])


@load
def section_edits(context):
    """Updates of 1,000 operations that replace sections, remove and insert them, and insert units
    that make no items."""
    send(context, "edited", [replace, delete_and_insert, insert_units])


load_without_stalls(section_moves, section_edits)
