"""A strict RFC 8259 parser in which every value has its slice of the posted bytes.

`data` in a tree is a copy of the posted bytes, so nothing is encoded again.
"""

MAX_DEPTH = 128
WHITE_SPACE = b" \t\n\r"
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

LITERALS = (("true", "bool", True), ("false", "bool", False), ("null", "null", None))


class JSONError(Exception):
    """A text that is not valid JSON; `offset` is in bytes from the start of the source."""

    def __init__(self, offset, reason):
        super().__init__(f"offset {offset}: {reason}")
        self.offset = offset
        self.reason = reason


class Node:
    """A value: its kind, its bytes and its contents.

    kind    object, array, string, number, bool or null
    inside  object: list of (name, Node) with duplicates; array: list of Node; string: decoded text
    """

    def __init__(self, kind, source, start, end, inside=None):
        self.kind = kind
        self.source = source
        self.start = start
        self.end = end
        self.inside = inside

    @property
    def raw(self):
        """The posted bytes."""
        return self.source[self.start : self.end]

    @property
    def members(self):
        return self.inside if self.kind == "object" else []

    @property
    def elements(self):
        return self.inside if self.kind == "array" else []

    def get(self, name):
        """Returns the member of that name, the last one if there are several, or None."""
        found = None
        for member_name, value in self.members:
            if member_name == name:
                found = value
        return found

    @property
    def text(self):
        """The text of an id: a string's characters or a number's bytes; else None."""
        if self.kind == "string":
            return self.inside
        if self.kind == "number":
            return self.raw.decode("ascii")
        return None

    @property
    def number(self):
        """A number's value as a double, infinite if it is too large; else None."""
        return float(self.raw) if self.kind == "number" else None

    @property
    def integer(self):
        """The value of a number that is an integer, such as 2, 2.0 and 2e0; else None."""
        value = self.number
        if value is None or value in (float("inf"), float("-inf")) or value != int(value):
            return None
        return int(value)

    @property
    def bool(self):
        return self.inside if self.kind == "bool" else None


def parse(source):
    """Parses a JSON text given as bytes; one byte order mark before it is ignored."""
    reader = _Reader(source)
    if source.startswith(b"\xef\xbb\xbf"):
        reader.at = 3
    reader.skip_white_space()
    root = reader.value(depth=0)
    reader.skip_white_space()
    if reader.at < len(source):
        raise JSONError(reader.at, "text after the value")
    return root


class _Reader:
    def __init__(self, source):
        self.source = source
        self.at = 0

    def peek(self):
        """Returns the next byte as a character, or '' at the end."""
        return chr(self.source[self.at]) if self.at < len(self.source) else ""

    def skip_white_space(self):
        while self.at < len(self.source) and self.source[self.at] in WHITE_SPACE:
            self.at += 1

    def value(self, depth):
        start, char = self.at, self.peek()
        if char == "":
            raise JSONError(len(self.source), "the text ends too early")
        if char in "{[":
            if depth + 1 > MAX_DEPTH:
                raise JSONError(self.at, "nested too deep")
            inside = self.object(depth + 1) if char == "{" else self.array(depth + 1)
            kind = "object" if char == "{" else "array"
            return Node(kind, self.source, start, self.at, inside)
        if char == '"':
            text = self.string()
            return Node("string", self.source, start, self.at, text)
        if char == "-" or char.isdigit():
            self.number_literal()
            return Node("number", self.source, start, self.at)
        for word, kind, inside in LITERALS:
            if self.source.startswith(word.encode(), start):
                self.at += len(word)
                return Node(kind, self.source, start, self.at, inside)
        raise JSONError(start, "not the start of a value")

    def object(self, depth):
        members = []
        self.at += 1
        self.skip_white_space()
        if self.peek() == "}":
            self.at += 1
            return members
        while True:
            if self.peek() != '"':
                self.refuse("a member's name is expected")
            name = self.string()
            self.skip_white_space()
            self.expect(":")
            self.skip_white_space()
            members.append((name, self.value(depth)))
            self.skip_white_space()
            if self.peek() == "}":
                self.at += 1
                return members
            self.expect(",")
            self.skip_white_space()

    def array(self, depth):
        elements = []
        self.at += 1
        self.skip_white_space()
        if self.peek() == "]":
            self.at += 1
            return elements
        while True:
            elements.append(self.value(depth))
            self.skip_white_space()
            if self.peek() == "]":
                self.at += 1
                return elements
            self.expect(",")
            self.skip_white_space()

    def number_literal(self):
        start = self.at
        if self.peek() == "-":
            self.at += 1
        if self.peek() == "0":
            self.at += 1
        else:
            self.digits(start)
        if self.peek() == ".":
            self.at += 1
            self.digits(start)
        if self.peek() and self.peek() in "eE":
            self.at += 1
            if self.peek() and self.peek() in "+-":
                self.at += 1
            self.digits(start)

    def digits(self, start):
        first = self.at
        while self.at < len(self.source) and 0x30 <= self.source[self.at] <= 0x39:
            self.at += 1
        if self.at == first:
            end = len(self.source)
            raise JSONError(end if self.at >= end else start, "a digit is missing")

    def string(self):
        self.at += 1
        text = bytearray()
        while True:
            if self.at >= len(self.source):
                raise JSONError(len(self.source), "the text ends inside a string")
            byte = self.source[self.at]
            if byte == 0x22:
                self.at += 1
                return text.decode("utf-8")
            if byte < 0x20:
                raise JSONError(self.at, "a control character is in a string")
            if byte == 0x5C:
                text += self.escape().encode("utf-8")
            else:
                text += self.character()

    def character(self):
        """Reads the bytes of one code point (RFC 3629)."""
        for length in (1, 2, 3, 4):
            candidate = self.source[self.at : self.at + length]
            try:
                candidate.decode("utf-8")
            except UnicodeDecodeError:
                continue
            self.at += length
            return candidate
        raise JSONError(self.at, "a string is not UTF-8")

    def escape(self):
        start = self.at
        self.at += 1
        char = self.peek()
        self.at += 1
        if char in ESCAPES and char:
            return ESCAPES[char]
        if char != "u":
            raise JSONError(start, "no such escape")
        unit = self.hex4(start)
        if 0xDC00 <= unit <= 0xDFFF:
            raise JSONError(start, "a low surrogate without a high surrogate")
        if 0xD800 <= unit <= 0xDBFF:
            if self.source[self.at : self.at + 2] != b"\\u":
                raise JSONError(start, "a high surrogate without a low surrogate")
            self.at += 2
            low = self.hex4(start)
            if not 0xDC00 <= low <= 0xDFFF:
                raise JSONError(start, "a high surrogate without a low surrogate")
            unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)
        return chr(unit)

    def hex4(self, start):
        digits = self.source[self.at : self.at + 4]
        if len(digits) < 4 or any(chr(d) not in "0123456789abcdefABCDEF" for d in digits):
            raise JSONError(start, "an escape needs four hexadecimal digits")
        self.at += 4
        return int(digits, 16)

    def expect(self, char):
        if self.peek() != char:
            self.refuse(f"'{char}' is expected")
        self.at += 1

    def refuse(self, reason):
        raise JSONError(self.at, reason)
