"""Loads of updates that search for items, beside those in loads.py."""

import json

import bodies
import wire
from loads import load

CLIENTS = 4
MINIMAL = "Prefer: return=minimal\r\n"


def send(context, name, ids, operations):
    """Clients with a screen of their own each, to which they apply the operations again and
    again."""
    page = bodies.page(b",".join(b'{"id":"%b"}' % item.encode() for item in ids))
    body = json.dumps({"operations": operations}).encode()
    screens = [f"/v1/screens/{name}-{number}" for number in range(CLIENTS)]
    for screen in screens:
        context.exchange(wire.request("PUT", f"{screen}/pages/0", page, fields=MINIMAL), "PUT ")
    context.send(
        CLIENTS,
        [wire.request("POST", f"{screen}/updates", body, fields=MINIMAL) for screen in screens])


def operation(kind, **members):
    return {"op": kind, "section": "S", **members}


@load
def numbered_ids(context):
    """A thousand patches of items by ids that have numbers, among 30,000 items of one id."""
    send(context, "numbered", ["a"] * 30_000, [
        operation("patchItem", item=f"a#{2 + 29 * number}", patch={"v": number})
        for number in range(1_000)])


@load
def numbered_moves(context):
    """A thousand moves of items by ids that have numbers, among 120,000 items of one id."""
    send(context, "numbered-moves", ["a"] * 120_000, [
        operation("moveItems", items=[f"a#{2 + 11 * number}"], before=0)
        for number in range(1_000)])


@load
def many_upserts(context):
    """A thousand operations that give 17 of 16,000 items other data."""
    send(context, "upserts", [f"P{number}" for number in range(16_000)], [
        operation("upsertItems", unitType=bodies.PRODUCTS.decode(), data=[
            {"id": f"P{(17 * number + index) % 16_000}", "v": number} for index in range(17)])
        for number in range(1_000)])


@load
def many_moves(context):
    """300 operations that move 257 of 30,000 items each."""
    send(context, "moves", [f"P{number}" for number in range(30_000)], [
        operation("moveItems", items=[
            f"P{(257 * number + index) % 30_000}" for index in range(257)])
        for number in range(300)])


@load
def id_chains(context):
    """A thousand operations on ids that consist of up to 1,500 numbers; half of them move items,
    after which all ids are read again."""
    ids = ["a" + "#2" * number for number in range(1_500)]
    send(context, "chains", ids, [
        operation("patchItem", item=ids[-1 - number % 50], patch={"v": number})
        if number % 2 else operation("moveItems", items=[ids[1 + number % 1_400]], before=0)
        for number in range(1_000)])
