#!/usr/bin/env python3
"""Prints random patterns of issuers with the screens of random readers (docs/operations.md,
"Issuers").

    random_readers.py --seed 7 --count 200      one JSON object in each line

Each has `patterns` (a text), `valid`, and `readers`: a `sub` or null, the patterns of `screens` or
null, and `screens`, the names that both permit, out of the `names` of the case.
"""

import random
import re

from random_output import print_cases

WORDS = ["u", "user", "a", "b", "a-b", "home", "x.y", "_", "~"]
SEPARATORS = ["-", ".", "_", "~", ""]
SUBS = ["a", "b", "a-b", "a.b", "a_b", "x~", "", "é", "user", "ab", "A9", "{sub}", "*"]
PLACE = "{sub}"
NAME = re.compile(r"[A-Za-z0-9._~-]{1,128}")
PREFIX = re.compile(r"[A-Za-z0-9._~-]{0,128}")
READER = re.compile(r"[A-Za-z0-9_-]+")


def is_name(text):
    return bool(NAME.fullmatch(text)) and text not in (".", "..")


def is_plain(pattern):
    if pattern.endswith("*"):
        return bool(PREFIX.fullmatch(pattern[:-1]))
    return is_name(pattern)


def is_valid(text):
    """Returns whether a line may have the patterns."""
    patterns = text.split(",")
    if len(patterns) > 100:
        return False
    before = []
    for pattern in patterns:
        if PLACE not in pattern:
            if not is_plain(pattern):
                return False
            continue
        if pattern.count(PLACE) > 1 or PLACE + "*" in pattern:
            return False
        if not is_plain(pattern.replace(PLACE, "x")):
            return False
        before.append(pattern.split(PLACE)[0])
    return all(
        one == other or not other.startswith(one) for one in before for other in before
    )


def matches(pattern, name):
    if pattern.endswith("*"):
        return name.startswith(pattern[:-1])
    return name == pattern


def is_own(text, sub, screens, name):
    """Returns whether a name is one of a reader's."""
    patterns = text.split(",")
    following = {rest[:1] for _, _, rest in (p.partition(PLACE) for p in patterns if PLACE in p)}
    named = sub is not None and READER.fullmatch(sub) and not following & set(sub)
    own = [p.replace(PLACE, sub) if PLACE in p else p for p in patterns if named or PLACE not in p]
    return any(matches(p, name) for p in own) and (
        screens is None or any(matches(p, name) for p in screens)
    )


def pattern(source):
    text = source.choice(WORDS) + source.choice(SEPARATORS)
    if source.random() < 0.6:
        text += PLACE + source.choice(SEPARATORS)
        if source.random() < 0.5:
            text += source.choice(WORDS)
        if source.random() < 0.05:
            text += PLACE
    if source.random() < 0.1:
        text = text.replace(source.choice(WORDS), "")
    return text + source.choice(["", "*"])


def case(source):
    text = ",".join(pattern(source) for _ in range(source.choice([1, 1, 2, 2, 3])))
    if not is_valid(text):
        return {"patterns": text, "valid": False, "names": [], "readers": []}
    names = set()
    for one in text.split(","):
        for sub in source.sample(SUBS, 6):
            name = one.replace(PLACE, sub).rstrip("*")
            names |= {name, name + source.choice(WORDS), name[:-1]}
    names = sorted(filter(is_name, names))
    readers = []
    for sub in source.sample(SUBS, 6) + [None]:
        screens = None
        if source.random() < 0.4:
            count = source.randint(0, 3)
            screens = [source.choice(names)[: source.randint(1, 9)] for _ in range(count)]
            screens = [s + "*" if source.random() < 0.5 else s for s in screens]
            screens = list(filter(is_plain, screens))
        own = [name for name in names if is_own(text, sub, screens, name)]
        readers.append({"sub": sub, "patterns": screens, "screens": own})
    return {"patterns": text, "valid": True, "names": names, "readers": readers}


if __name__ == "__main__":

    def generator(seed):
        source = random.Random(seed)
        return lambda: case(source)

    print_cases(__doc__, generator)
