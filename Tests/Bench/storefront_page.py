#!/usr/bin/env python3
"""Writes the page that the benchmarks post, to standard output.

    storefront_page.py [PRODUCTS [PAGE [VERSION]]]

A storefront of eight banners and PRODUCTS products (400 by default, about 85 kB) in compact JSON.
The same arguments give the same bytes on every machine and every Python 3. A PAGE other than 0 has
its own products and no banners, so that the pages form one long screen. Another VERSION than 0 has
other titles, prices and numbers, so its size differs, too.
"""

import json
import sys
from random import Random

VOCABULARY = [
    "Organic", "Cotton", "Crew", "Neck", "T-Shirt", "Summer", "Sale", "Limited", "Edition", "Slim",
    "Fit", "Navy", "Blue", "Large", "Size", "Free", "Shipping", "Best", "Seller", "Wireless",
    "Noise", "Cancelling", "Headphones",
]
BADGES = ["NEW", "SALE", "BEST", "PICK"]
IMAGES = "https://img.example.com"


def banner(number):
    """Returns a banner, which uses no random numbers."""
    return {"id": str(number), "title": "Summer Sale", "imgUrl": f"{IMAGES}/b/{number}.jpg"}


def product(number, random):
    """Returns a product; random numbers are drawn in the order of the members."""
    length = random.randint(3, 12)
    title = " ".join(random.choices(VOCABULARY, k=length))
    return {
        "id": f"P{number:07d}",
        "title": title,
        "price": random.randint(100, 99_999) / 100,
        "imgUrl": f"{IMAGES}/p/{number}.jpg?w=400",
        "rating": round(random.random() * 5, 1),
        "reviews": random.randint(0, 4_000),
        "badges": random.sample(BADGES, 2),
        "inStock": random.random() > 0.1,
    }


def section(identifier, unit_type, data):
    return {"sectionId": identifier, "units": [{"unitType": unit_type, "unitData": data}]}


def page(count, number, version):
    random = Random(number + 1 + 1_000 * version)
    first = number * count
    products = [product(first + index, random) for index in range(count)]
    banners = [section("TopBanner", "SS_TOP_BANNER", [banner(n) for n in range(8)])]
    sections = (banners if number == 0 else []) + [
        section("ProductList", "SS_PRODUCT_LIST", products)
    ]
    return {"page": number, "hasNext": True, "sections": sections}


if __name__ == "__main__":
    words = sys.argv[1:] + ["400", "0", "0"][len(sys.argv) - 1 :]
    json.dump(page(*map(int, words)), sys.stdout, separators=(",", ":"))
