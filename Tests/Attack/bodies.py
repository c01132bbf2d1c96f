"""Bodies of requests, each of which is expensive for the daemon in one respect."""

import json

PRODUCTS = b"SS_PRODUCT_LIST"


def page(items, unit_type=PRODUCTS):
    """Returns a page with one section of one unit, from the text of its items."""
    units = b'[{"unitType":"%b","unitData":[%b]}]' % (unit_type, items)
    return b'{"sections":[{"sectionId":"S","units":%b}]}' % units


def repeated(item, count):
    """Returns the text of `count` equal items."""
    return (item + b",") * (count - 1) + item


def numbered(item, count):
    """Returns the text of items, in each of which %d is its number."""
    return b",".join(item % number for number in range(count))


def numbered_pages(count):
    """Returns the texts of pages of one item, which all differ."""
    return [page(b'{"id":"P%d"}' % number) for number in range(count)]


def composition(pages, **members):
    """Returns a body for POST /v1/layout, or PUT of a screen: pages, with the JSON of others."""
    others = b"".join(b',"%b":%b' % (name.encode(), text) for name, text in members.items())
    return b'{"pages":[%b]%b}' % (b",".join(pages), others)


def catalog(cell_type, placement="", size="", identifier=""):
    """Returns the JSON of a catalog with the unit type U, from the members of its two entries."""
    entry = ",".join(part for part in (size, identifier) if part)
    cells = '{"type":"%s"%s}' % (cell_type, placement)
    return ('{"units":{"U":{"cells":%s}},"cellTypes":{"%s":{%s}}}'
            % (cells, cell_type, entry)).encode()


def large_page(megabytes=15, text=200):
    """Returns a page of products with texts of so many bytes."""
    item = b'{"id":"P%d","title":"' + b"x" * text + b'"}'
    return page(numbered(item, int(megabytes * 1_000_000 / (text + 27))))


def many_items(count=1_000_000):
    """A page of small items; the tree of 600,000 is a little shorter than 64 MiB."""
    return page(repeated(b"{}", count))


def equal_ids(count=1_000_000):
    return page(repeated(b'{"id":"x"}', count))


def long_type_name():
    """A cell type whose name, of 1 MB, each item of the tree would repeat."""
    return composition(
        [page(repeated(b"{}", 20_000), b"U")], catalog=catalog("n" * (1 << 20)))


def longest_type_name(items=150_000):
    """A cell type with a name of the maximum length, and a tree of a little less than 64 MiB."""
    return composition([page(repeated(b"{}", items), b"U")], catalog=catalog("n" * 256))


def viewports(count, width=300):
    """Returns the JSON of viewports of different widths."""
    return json.dumps([{"width": width + index} for index in range(count)]).encode()


def many_viewports(items):
    return composition([page(repeated(b"{}", items))], viewports=viewports(16))


def wide_cards(sections, views):
    """Sections with one card each, which is millions of times as wide as the viewports."""
    layout = (b'{"kind":"compositional","scrolling":"paging",'
              b'"itemSize":{"uniform":{"width":1000000000}}}')
    section = b'{"layout":%b,"units":[{"unitType":"%b","unitData":[1]}]}' % (layout, PRODUCTS)
    pages = [b'{"sections":[%b]}' % repeated(section, sections)]
    return composition(pages, viewports=viewports(views, width=1))


def long_data_pointer():
    """A pointer of 1 MB to data that is missing in a thousand units: a diagnostic each."""
    units = repeated(b'{"unitType":"U","unitData":{"a":1}}', 1_000)
    placement = ',"data":"/%s"' % ("a" * (1 << 20))
    return composition(
        [b'{"sections":[[%b]]}' % units], catalog=catalog("C", placement=placement))


def long_unknown_names():
    """Unknown unit types and members with names of 1 MB."""
    name = b"n" * (1 << 20)
    units = b",".join(b'{"unitType":"%b%d","unitData":[]}' % (name, n) for n in range(6))
    sections = b",".join(b'{"%b%d":1,"units":[]}' % (name, n) for n in range(6))
    return b'{"sections":[[%b],%b]}' % (units, sections)


def long_id_pointer():
    pointer = '"id":"/%s"' % ("a" * (8 << 20))
    return composition([page(b"{},{},{}", b"U")], catalog=catalog("C", identifier=pointer))


def many_violations():
    """A cell type with a name of 1 MB whose size has 255 violations."""
    rules = ",".join(['{"value":7}'] * 255)
    size = '"size":{"height":{"sum":[%s]}}' % rules
    return composition([page(b"{}", b"U")], catalog=catalog("n" * (1 << 20), size=size))


def violations_of_a_page():
    """A page in which each of 100,000 units violates the contract."""
    return b'{"sections":[{"units":[%b]}]}' % repeated(b'{"unitType":7}', 100_000)


def deepest_nesting():
    """Arrays as deep as the body is long."""
    return b"[" * (15 << 20)


def nested_objects():
    """Objects as deep as the body is long."""
    return b'{"a":' * (3 << 20)


def nested_data():
    """A page of items with arrays that are nested as deep as is permitted."""
    depth = 110
    return page(repeated(b"[" * depth + b"]" * depth, 60_000))


def client_events(name, count=1_000, size=4_096):
    """Events of items that the screen does not have, each with an input of the maximum size."""
    value = b"1," * ((size - 8) // 2)
    event = (b'{"type":"action","name":"x","section":"S","item":"' + name
             + b'","input":{"a":[' + value[:-1] + b"]}}")
    return b'{"events":[%b]}' % numbered(event, count)
