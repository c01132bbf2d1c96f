#!/usr/bin/env python3
"""Drives a daemon with the Python client that openapi-python-client generated from its document.

    python3 Tests/Clients/drive_client.py http://127.0.0.1:8080 FOLDER

FOLDER has the package `broadsheet_client`. Every operation and every model of the document is in
the client; the requests of an app and of its backend succeed, and errors become problems. The exit
status is 1, with an assertion's message, when anything differs.
"""

import enum
import importlib
import json
import re
import sys
import urllib.request


def snake_case(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def check_operations(document):
    """Checks that each operation has a function, and a type for each response with content."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            function = operation_function(document, operation["operationId"])
            assert callable(function), f"{method} {path}"


def operation_function(document, identifier):
    """Returns the function of an operation that returns the status, the headers and the content."""
    tag = next(
        operation["tags"][0]
        for item in document["paths"].values()
        for operation in item.values()
        if operation["operationId"] == identifier)
    module = importlib.import_module(f"broadsheet_client.api.{tag}.{snake_case(identifier)}")
    return module.sync_detailed


def check_models(document):
    """Checks that each object and each enumeration of the document is a class of its name."""
    models = importlib.import_module("broadsheet_client.models")
    by_name = {name.lower(): value for name, value in vars(models).items()}
    for name, schema in document["components"]["schemas"].items():
        types = schema.get("type", [])
        if "enum" not in schema and "object" not in ([types] if isinstance(types, str) else types):
            continue
        model = by_name.get(name.lower())
        assert model is not None, f"no model {name}"
        if "enum" in schema:
            assert issubclass(model, enum.Enum), name
        for member in schema.get("properties", {}):
            attribute = snake_case(member)
            fields = model.__annotations__
            assert attribute in fields or f"{attribute}_" in fields, f"{name}: {member}"


class Session:
    """Calls operations of one daemon, and checks the statuses of the responses."""

    def __init__(self, address, document):
        client = importlib.import_module("broadsheet_client")
        self.client = client.Client(base_url=address)
        self.document = document

    def call(self, identifier, *path, status=200, **arguments):
        """Returns the content of the response to an operation, and the whole response."""
        function = operation_function(self.document, identifier)
        response = function(*path, client=self.client, **arguments)
        assert response.status_code == status, (identifier, response.status_code, response.content)
        return response.parsed, response


def page(models, number, identifiers):
    """Returns a page of one section of products."""
    data = [{"id": identifier, "name": f"Product {identifier}"} for identifier in identifiers]
    unit = models.Unit(unit_type="SS_PRODUCT_LIST", unit_data=data)
    section = models.Section(
        section_id="Products", units=[unit],
        layout=models.SectionLayout(
            grid_column_count=models.FittingColumns(min_item_width=120.0, max_=3),
            inset=models.EdgeInsets(left=16.0, right=16.0)))
    return models.Page(page=number, has_next=number == 0, sections=[section])


def drive_pages(session, models):
    """Stores pages, follows the page token, and reads parts and pictures."""
    tree, response = session.call(
        "putPage", "home", 0, body=page(models, 0, "ab"), status=201, broadsheet_ttl="3600")
    assert isinstance(tree, models.Tree) and tree.page == 0
    assert response.headers["Broadsheet-Diagnostics"] == "0", tree.diagnostics
    first, response = session.call(
        "getLayout", "home", width=800.0, height=600.0, scale=2.625,
        direction=models.LayoutDirection.RTL, collapsed=["Other", "Third"])
    assert first.viewport.scale == 2.625 and first.has_next is True
    assert first.sections[0].items[0].data["name"] == "Product a"
    _, response = session.call(
        "getLayout", "home", width=800.0, height=600.0, scale=2.625,
        direction=models.LayoutDirection.RTL, collapsed=["Other", "Third"],
        if_none_match=response.headers["ETag"], status=304)
    problem, _ = session.call(
        "getLayout", "home", page_token=first.next_page_token, status=404)
    assert problem.code == models.ProblemCode.PAGE_NOT_LOADED
    stored, response = session.call("postPage", "home", body=page(models, 1, "cd"), status=201)
    assert response.headers["Location"].endswith("/pages/1") and stored.page == 1
    second, _ = session.call("getLayout", "home", page_token=first.next_page_token)
    assert [item.id for item in second.sections[0].items] == ["a", "b", "c", "d"]
    assert second.viewport == first.viewport and second.has_next is False
    part, _ = session.call(
        "getLayout", "home", pages=models.PageSelection.ALL, rect="0,0,390,1e2",
        fields=models.Fields.FRAMES)
    assert part.sections[0].items[0].frame.width > 0
    picture, _ = session.call("getPicture", "home", pretty=True)
    assert picture.startswith("<svg")


def drive_updates(session, models):
    """Edits a screen by its items, and reads the changes of the edit and those since then."""
    body = models.ScreenUpdate.from_dict({"operations": [
        {"op": "patchItem", "section": "Products", "item": "b", "patch": {"name": "Changed"}},
        {"op": "deleteItems", "section": "Products", "items": ["c"]}]})
    changes, response = session.call("updateScreen", "home", body=body, width=800.0)
    assert isinstance(changes, models.Changes), changes
    assert response.headers["ETag"] == f'"r{changes.to.revision}"'
    since, _ = session.call(
        "getChanges", "home", since=f"{changes.from_.revision}", width=800.0,
        pages=models.PageSelection.ALL)
    assert since.to_dict() == changes.to_dict()
    problem, _ = session.call("updateScreen", "home", body=body, status=409)
    assert problem.code == models.ProblemCode.UPDATE_FAILED
    assert problem.errors[0].pointer == "/operations/1/items/0"
    restored = models.ScreenUpdate.from_dict({"operations": [
        {"op": "insertItems", "section": "Products", "data": [{"id": "c"}], "before": "d"}]})
    session.call("updateScreen", "home", body=restored)


def drive_compositions(session, models):
    """Lays out pages without storing them, with a catalog, for one viewport and for several."""
    cases = models.SizeRules.from_dict({"tall": {"stack": [40, {"sum": [1, 2]}]}})
    rule = models.SwitchRule(switch="/kind", cases=cases)
    catalog = models.Catalog.from_dict({
        "screen": {"minimumLineSpacing": 0},
        "units": {"LIST": {"cells": {"type": "CARD"}}},
        "cellTypes": {"CARD": {"id": "/id", "size": {"width": {"fraction": 1}}}}})
    catalog.cell_types["CARD"].size.height = rule
    unit = models.Unit(unit_type="LIST", unit_data=[{"id": 1, "kind": "tall"}])
    plain = models.Page(sections=[[unit]])
    body = models.Composition(
        pages=[plain], catalog=catalog, viewport=models.Viewport(width=200.0, scale=1.25))
    tree, _ = session.call("compose", body=body)
    assert isinstance(tree, models.Tree), tree
    frame = tree.sections[0].items[0].frame
    assert (frame.width, frame.height) == (200, 43), frame
    body.viewport = models.Composition(pages=[]).viewport
    body.viewports = [models.Viewport(width=100.0), models.Viewport(width=50.0)]
    trees, _ = session.call("compose", body=body)
    assert [tree.viewport.width for tree in trees.layouts] == [100, 50]
    problem, _ = session.call(
        "compose", body=models.Composition.from_dict({"pages": [{"sections": [{"units": []}]}],
                                                      "viewports": []}), status=422)
    assert isinstance(problem, models.Problem), problem
    assert problem.code == models.ProblemCode.INVALID_CONTRACT
    assert problem.errors[0].pointer == "/viewports"


def drive_problems(session, models):
    """Checks that the problems of writes and reads are parsed."""
    problem, _ = session.call("getLayout", "nowhere", status=404)
    assert problem.code == models.ProblemCode.SCREEN_NOT_FOUND and problem.status == 404
    problem, _ = session.call("getLayout", "home", width=0.0, status=400)
    assert problem.code == models.ProblemCode.INVALID_PARAMETER
    problem, _ = session.call(
        "putPage", "home", 0, body=page(models, 0, "z"), if_match='"r0"', status=412)
    assert problem.code == models.ProblemCode.PRECONDITION_FAILED
    problem, _ = session.call("putPage", "home", 5, body=page(models, 0, "z"), status=400)
    assert problem.code == models.ProblemCode.PAGE_MISMATCH


def drive_screens(session, models):
    """Lists screens, reads the page state, removes a page and the screen."""
    session.call("putPage", "home2", 0, body=page(models, 0, "a"), status=201)
    whole = models.ScreenPages(pages=[page(models, 0, "a"), page(models, 1, "b")])
    tree, response = session.call("putScreen", "home2", body=whole)
    assert (tree.page_count, tree.has_next) == (2, False)
    tag = response.headers["ETag"]
    _, response = session.call("putScreen", "home2", body=whole, if_match=tag)
    assert response.headers["ETag"] == tag
    names, token = [], None
    while token is None or isinstance(token, str):
        arguments = {} if token is None else {"page_token": token}
        listed, _ = session.call("listScreens", prefix="home", page_size=1, **arguments)
        names += [screen.screen for screen in listed.screens]
        token = listed.next_page_token
    assert names == ["home", "home2"], names
    state, response = session.call("getPageState", "home")
    assert [(page.page, page.sections[0].items) for page in state.pages] == [(0, 2), (1, 2)]
    screen, _ = session.call("getScreen", "home")
    assert (screen.page_count, screen.revision) == (2, state.revision)
    stored, _ = session.call("getPage", "home", 0)
    assert stored.sections[0].section_id == "Products"
    session.call("deletePage", "home", 1, if_match=response.headers["ETag"], status=204)
    session.call("deletePages", "home", status=204)
    session.call("deleteScreen", "home", status=204)
    problem, _ = session.call("getScreen", "home", status=404)
    assert problem.code == models.ProblemCode.SCREEN_NOT_FOUND
    session.call("deleteScreen", "home2", status=204)


def drive_daemon(session, models):
    """Calls the operations on the daemon itself."""
    catalog, _ = session.call("getCatalog")
    assert isinstance(catalog, models.Catalog)
    assert session.call("getLiveness")[0] == session.call("getReadiness")[0] == "ok\n"
    assert "broadsheet_" in session.call("getMetrics")[0]
    document, _ = session.call("getOpenAPI")
    assert document.to_dict() == session.document


def main(address, folder):
    sys.path.insert(0, folder)
    with urllib.request.urlopen(f"{address}/openapi.json") as response:
        document = json.load(response)
    check_operations(document)
    check_models(document)
    models = importlib.import_module("broadsheet_client.models")
    session = Session(address, document)
    drive_pages(session, models)
    drive_updates(session, models)
    drive_compositions(session, models)
    drive_problems(session, models)
    drive_screens(session, models)
    drive_daemon(session, models)
    count = sum(len(item) for item in document["paths"].values())
    print(f"{count} operations, {len(document['components']['schemas'])} schemas")


if __name__ == "__main__":
    main(*sys.argv[1:])
