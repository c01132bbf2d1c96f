"""JSON Pointer, RFC 6901."""


def escape(name):
    """Returns a member's name as a reference token (section 3)."""
    return name.replace("~", "~0").replace("/", "~1")


def evaluate(pointer, node):
    """Returns the value of a pointer in `node`, or None (section 4)."""
    if pointer == "":
        return node
    for token in pointer.split("/")[1:]:
        if node.kind == "object":
            node = node.get(token.replace("~1", "/").replace("~0", "~"))
        elif node.kind == "array":
            plain = token == "0" or (token.isascii() and token.isdigit() and token[0] != "0")
            node = node.elements[int(token)] if plain and int(token) < len(node.elements) else None
        else:
            node = None
        if node is None:
            return None
    return node


def is_valid(text):
    """Returns whether a text is a pointer: empty or begins with a slash, ~ only as ~0 and ~1."""
    if text == "":
        return True
    bare = text.replace("~0", "").replace("~1", "")
    return text.startswith("/") and "~" not in bare
