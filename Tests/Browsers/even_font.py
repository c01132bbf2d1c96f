"""A TrueType font whose characters from U+0020 to U+007E are all half as wide as its size, so that
the oracle's measurer, the daemon's and a browser's measure alike."""

import struct

UNITS = 1000
FIRST, LAST = 0x20, 0x7E
GLYPHS = LAST - FIRST + 2
ASCENT, DESCENT = 800, -200


def file():
    """Returns the file."""
    square = struct.pack(">hhhhhHH", 1, 0, 0, 400, 700, 3, 0) + bytes([1] * 4) + struct.pack(
        ">hhhhhhhh", 0, 400, 0, -400, 0, 0, 700, 0)
    codes = struct.pack(
        ">HHHHHHHHHHHHHHHH", 4, 32, 0, 4, 4, 1, 0, LAST, 0xFFFF, 0, FIRST, 0xFFFF,
        (1 - FIRST) & 0xFFFF, 1, 0, 0)
    tables = {
        b"OS/2": struct.pack(
            ">HhHHHhhhhhhhhhhh10sLLLL4sHHHhhhHH", 3, UNITS // 2, 400, 5, 0, *[0] * 11, bytes(10),
            1, 0, 0, 0, b"EVEN", 64, FIRST, LAST, ASCENT, DESCENT, 0, ASCENT, -DESCENT)
            + struct.pack(">LLhhHHH", 1, 0, 500, 700, 0, FIRST, 0),
        b"cmap": struct.pack(">HHHHL", 0, 1, 3, 1, 12) + codes,
        b"glyf": square,
        b"head": struct.pack(
            ">LLLLHHQQhhhhHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 3, UNITS, 0, 0, 0, 0, 400, 700,
            0, 8, 2, 1, 0),
        b"hhea": struct.pack(
            ">LhhhHhhhhhhhhhhhH", 0x10000, ASCENT, DESCENT, 0, UNITS // 2, 0, 0, 400, 1,
            *[0] * 7, 1),
        b"hmtx": struct.pack(">Hh", UNITS // 2, 0) + bytes(2 * (GLYPHS - 1)),
        b"loca": struct.pack(f">{GLYPHS + 1}L", *[0, *[len(square)] * GLYPHS]),
        b"maxp": struct.pack(">LHHHHHHHHHHHHHH", 0x10000, GLYPHS, 4, 1, 0, 0, 2, *[0] * 8),
        b"name": names("Even"),
        b"post": struct.pack(">LLhhLLLLL", 0x30000, 0, 0, 0, 1, 0, 0, 0, 0),
    }
    head, body = struct.pack(">LHHHH", 0x10000, len(tables), 0, 0, 0), b""
    for tag, table in tables.items():
        padded = table + bytes(-len(table) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}L", padded)) & 0xFFFFFFFF
        place = 12 + 16 * len(tables) + len(body)
        head += struct.pack(">4sLLL", tag, total, place, len(table))
        body += padded
    return head + body


def names(family):
    """Returns a table `name` with the names that a font has to have."""
    texts = {1: family, 2: "Regular", 3: family, 4: family, 5: "Version 1", 6: family}
    records, storage = b"", b""
    for number, text in texts.items():
        encoded = text.encode("utf-16-be")
        records += struct.pack(">HHHHHH", 3, 1, 0x409, number, len(encoded), len(storage))
        storage += encoded
    return struct.pack(">HHH", 0, len(texts), 6 + len(records)) + records + storage
