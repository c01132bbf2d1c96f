"""Loads of texts that take long to shape, beside those in loads.py."""

import json
import os

import bodies
import wire
from loads import load

FONTS = "/usr/share/fonts"
FILES = [
    "truetype/noto/NotoSansKhmer-Regular.ttf", "truetype/noto/NotoSans-Regular.ttf",
    "truetype/noto/NotoSansHebrew-Regular.ttf", "opentype/inter/Inter-Regular.otf",
]
CATALOG = {
    "fonts": {"text": {"files": FILES, "size": 17},
              "heavy": {"files": [FILES[-1]], "size": 17}},
    "units": {name: {"cells": {"type": name}} for name in ("text", "heavy")},
    "cellTypes": {name: {"size": {"height": {"text": "", "font": name}}}
                  for name in ("text", "heavy")},
}
# A vowel of Khmer and a mark without letters; brackets that no other one closes, with a letter that
# is written from right to left; hyphens, with a font that has many arrows and lines.
TEXTS = [("text", "\u17be"), ("text", "\u0301"), ("text", "\u05d0" + "(" * 4_000),
         ("text", "\u1780\u17d2"), ("heavy", "-"), ("heavy", "->")]
# Each break between hyphens shapes them again, so their texts are shorter.
WEIGHTS = {"text": 1, "heavy": 4}


def flags(catalogs):
    """Adds a catalog with fonts to a folder, and returns the daemon's flags for it; none without
    the fonts."""
    if not all(os.path.exists(f"{FONTS}/{file}") for file in FILES):
        print("worst-texts and many-texts are left out: the fonts of docs/text.md are missing")
        return []
    with open(f"{catalogs}/texts.json", "w", encoding="utf-8") as file:
        json.dump(CATALOG, file)
    return ["--fonts", FONTS, "--text-cache-bytes", str(1 << 20)]


def page(font, texts):
    data = json.dumps(texts, ensure_ascii=False).encode()
    return bodies.composition([b'{"sections":[[{"unitType":"%b","unitData":%b}]]}' % (
        font.encode(), data)])


def repeated(part, size):
    return part * (size // len(part.encode()))


@load
def worst_texts(context):
    """Texts of 1 MB, or a quarter of it, that take long to shape, four at a time."""
    size = 1 << (16 if context.is_bounded else 20)
    texts = [page(font, [repeated(part, size // WEIGHTS[font])]) for font, part in TEXTS]
    context.post(4, *texts, target="/v1/layout?catalog=texts")


@load
def many_texts(context):
    """Up to a thousand such texts of 1 kB in a page, and short ones alone, twelve at a time."""
    def short(part, number):
        return f"{number} {repeated(part, 1_000)}"

    count = 50 if context.is_bounded else 1_000
    pages = [page(font, [short(part, number) for number in range(count // WEIGHTS[font])])
             for font, part in TEXTS]
    alone = [page(font, [repeated(part[:2], 700)]) for font, part in TEXTS]
    requests = [wire.request("POST", "/v1/layout?catalog=texts", text)
                for large, small in zip(pages, alone) for text in (large, small)]
    context.send(len(requests), requests)
