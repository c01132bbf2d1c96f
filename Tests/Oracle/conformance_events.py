"""The streams of the conformance kit: hand-written ones, and random ones."""

import random

HAND_WRITTEN = [
    ("an event with all fields", b"event: tree\nid: 12.q7\ndata: {\"a\":1}\nretry: 2500\n\n"),
    ("no type is the type message", b"data: x\n\n"),
    ("lines of data are joined", b"data: a\ndata: b\ndata:\ndata: c\n\n"),
    ("one blank after the colon is not part of the value", b"data:  x \ndata:y\n\n"),
    ("CR, LF and CRLF end lines", b"data: a\rdata: b\r\ndata: c\n\r\ndata: d\r\r\n\n"),
    ("CR CR is an empty line", b"data: a\r\rdata: b\r\r"),
    ("CRLF CRLF is an empty line", b"event: e\r\ndata: a\r\n\r\n"),
    ("LF CR LF is one empty line", b"data: a\n\r\ndata: b\n\r\n"),
    ("comments are ignored", b": hello\n:\ndata: x\n: y\n\n"),
    ("a byte order mark at the start is skipped", b"\xef\xbb\xbfdata: x\n\n"),
    ("only one byte order mark is skipped", b"\xef\xbb\xbf\xef\xbb\xbfdata: x\n\ndata: y\n\n"),
    ("a byte order mark later on is part of a name", b"data: x\n\xef\xbb\xbfdata: y\n\n"),
    ("an incomplete event at the end is none", b"data: x\n\ndata: y\nid: 2\n"),
    ("an incomplete line at the end is none", b"data: x\n\ndata: y"),
    ("an event without data is none", b"event: e\nid: 7\n\ndata: x\n\n"),
    ("the type of an event without data is forgotten", b"event: e\n\ndata: x\n\n"),
    ("an id remains until another one", b"id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n"),
    ("an id with NUL is ignored", b"id: 1\ndata: a\n\nid: 2\x003\ndata: b\n\n"),
    ("an empty id is an id", b"id: 1\ndata: a\n\nid:\ndata: b\n\n"),
    ("an empty data is an event", b"data\n\ndata:\n\n"),
    ("two lines of empty data are a line feed", b"data\ndata\n\n"),
    ("retry is digits", b"retry: 10\n\nretry: 1x\n\nretry: -5\n\nretry:\n\nretry: +7\n\n"),
    ("retry counts without data", b"retry: 1234\n"),
    ("digits of other scripts are none", "retry: 12\n\nretry: ٣\n\n".encode()),
    ("other fields are ignored", b"foo: bar\nDATA: x\n data: y\ndata: z\ndatas: w\n\n"),
    ("a value may have colons", b"data: a:b: c\n\n"),
    ("characters of several bytes", "data: é 日本 😀\nevent: ü\n\n".encode()),
    ("malformed UTF-8 becomes U+FFFD", b"data: a\xffb\xc3\ndata: \xe2\x82\n\n"),
    ("an overlong sequence and a surrogate", b"data: \xc0\xaf \xed\xa0\x80\n\n"),
    ("no byte", b""),
    ("only a byte order mark", b"\xef\xbb\xbf"),
    ("part of a byte order mark", b"\xef\xbbdata: x\n\n"),
    ("only ends of lines", b"\n\n\r\n\r\r"),
    ("other separators are text", "data: a\u2028b\u0085c\x0bd\n\n".encode()),
    ("NUL in data", b"data: a\x00b\n\n"),
]
PIECES = [
    b"data: ", b"data:", b"data", b"event: ", b"event", b"id: ", b"id", b"retry: ", b":", b"\n",
    b"\r", b"\r\n", b"\n\n", b"a", b"12", b"{}", "é".encode(), "😀".encode(), b"\xef\xbb\xbf",
    b" ", b"\x00",
]


def streams(seed):
    """Returns names and bytes."""
    source = random.Random(seed)
    random_ones = [
        (f"random stream {number}", b"".join(source.choices(PIECES, k=source.randint(3, 25))))
        for number in range(60)]
    return HAND_WRITTEN + random_ones
