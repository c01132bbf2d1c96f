"""The loads of clients with tokens of readers."""

import base64
import hashlib
import hmac
import itertools
import json
import os
import time

import wire
from loads import load

# The issuers of the daemon: one whose secret backends have, and the public key of RFC 8037, A.2.
SECRET = b"the secret of an issuer: 32 bytes"
PUBLIC_KEY = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
SCREEN = "reader-{}-home"
PATH = "/v1/screens/home/layout"
READERS = itertools.count()


def encoded(data):
    """Base64URL without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def lines():
    """The lines of the issuers."""
    patterns = "home," + SCREEN.replace("{}", "{sub}")
    return (f"shop read {patterns} never HS256:shared:{encoded(SECRET)}\n"
            f"app read {patterns} never EdDSA:public:{PUBLIC_KEY}\n")


def token(algorithm, key, reader, signature=None):
    """A token of a reader, by default with a right signature of HS256."""
    now = int(time.time())
    parts = [{"alg": algorithm, "kid": key}, {"iat": now, "exp": now + 600, "sub": reader}]
    message = ".".join(encoded(json.dumps(part).encode()) for part in parts)
    code = signature or hmac.digest(SECRET, message.encode(), hashlib.sha256)
    return f"{message}.{encoded(code)}"


def get(value):
    """A request for a layout with a value of `Authorization`."""
    return (f"GET {PATH} HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {value}\r\n\r\n").encode()


@load
def forged_tokens(context):
    """48 connections that send tokens of both algorithms with signatures of others, tokens of
    unknown keys, and some of 8 KB."""
    kinds = [("EdDSA", "public", 64), ("HS256", "shared", 32), ("EdDSA", "unknown", 64),
             ("EdDSA", "public", 5_600)]

    def step(number):
        algorithm, key, length = kinds[number % len(kinds)]
        context.exchange(get(token(algorithm, key, f"r{next(READERS)}", os.urandom(length))))

    context.repeat(48, step)


@load
def distinct_tokens(context):
    """16 connections that send a new token of another reader with each request."""
    def step(number):
        with wire.Connection(context.port) as connection:
            for _ in range(100):
                connection.send(get(token("HS256", "shared", f"reader-{next(READERS):0200}")))
                context.tally.add(connection.receive())

    context.repeat(16, step)
