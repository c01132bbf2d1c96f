#!/usr/bin/env python3
"""Prints which values keep a JSON Schema.

    keeps_schema.py SCHEMA.json VALUES

The output is true or false for each line of VALUES, which is a JSON text.
"""
import sys
from pathlib import Path

from oracle.json_schema import Validator, parse

if __name__ == "__main__":
    validator = Validator(parse(Path(sys.argv[1]).read_text("utf-8")))
    for line in Path(sys.argv[2]).read_text("utf-8").splitlines():
        print("false" if validator.violations(parse(line)) else "true")
