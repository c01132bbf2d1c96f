#!/usr/bin/env python3
"""Random JSON Schemas with values, and which of them are kept (docs/schemas.md).

Each line has a schema and its values; of each value whether it keeps the schema, and the pointers
of its violations, or null for a schema of which the text does not say where they are; and a schema
of which parts are changed.
"""
import json
import random

from oracle.json_schema import Validator, parse
from random_output import print_cases

NAMES = ["a", "b", "cd", "a/b", "m~n", "é", "x 1"]
TEXTS = ["", "a", "ab", "b1", "é", "a/b", "😀😀", "x 1", "2026"]
NUMBERS = [
    "0", "-0.0", "1", "1.0", "10e-1", "2", "3", "-1", "0.1", "0.3", "1.5", "1e2", "100",
    "12345678901234567890", "12345678901234567891", "1e400"]
PATTERNS = ["^a", "b$", "[0-9]+", "^.?$", "a|é", "^(ab)*$", "^[^a]{1,2}$", "^😀"]
NUMBERED = [
    "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
    "minContains", "maxContains"]
TYPES = ["null", "boolean", "object", "array", "number", "integer", "string"]


class Raw(str):
    """The text of a number."""


def text(value):
    """Returns JSON, with numbers as they were written."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(text, value)) + "]"
    if isinstance(value, dict):
        members = (json.dumps(key) + ": " + text(one) for key, one in value.items())
        return "{" + ", ".join(members) + "}"
    return json.dumps(value)


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def maybe(self, chance):
        return self.random.random() < chance

    def some(self, values, least, most):
        return self.random.sample(values, self.random.randint(least, most))

    # Values

    def value(self, depth=3):
        choice = self.random.randrange(8 if depth > 0 else 5)
        if choice == 0:
            return self.random.choice([None, True, False])
        if choice in (1, 2):
            return Raw(self.random.choice(NUMBERS))
        if choice in (3, 4):
            return self.random.choice(TEXTS)
        if choice == 5:
            return [self.value(depth - 1) for _ in range(self.random.randint(0, 3))]
        return {name: self.value(depth - 1) for name in self.some(NAMES, 0, 4)}

    def like(self, schema, depth=4):
        """Returns a value that often keeps a schema."""
        if not isinstance(schema, dict) or depth == 0 or self.maybe(0.12):
            return self.value(1)
        if "$ref" in schema:
            return self.like(self.targets.get(schema["$ref"], True), depth - 1)
        for name in ("const", "enum"):
            if name in schema:
                return schema[name] if name == "const" else self.random.choice(schema[name])
        for name in ("allOf", "anyOf", "oneOf"):
            if name in schema and self.maybe(0.6):
                return self.like(self.random.choice(schema[name]), depth - 1)
        types = schema.get("type", self.likely(schema))
        one = types if isinstance(types, str) else self.random.choice(types)
        if one == "object":
            return self.object(schema, depth)
        if one == "array":
            prefix = schema.get("prefixItems", [])
            rest = [schema.get("items", schema.get("contains", True))] * self.random.randint(0, 2)
            return [self.like(each, depth - 1) for each in prefix + rest]
        if one in ("integer", "number"):
            return Raw(self.random.choice(NUMBERS))
        return self.random.choice(TEXTS) if one == "string" else self.random.choice([None, True])

    def object(self, schema, depth):
        value = {}
        for name, member in schema.get("properties", {}).items():
            if name in schema.get("required", []) or self.maybe(0.6):
                value[name] = self.like(member, depth - 1)
        for name in schema.get("required", []) if self.maybe(0.8) else []:
            value.setdefault(name, self.value(1))
        if self.maybe(0.4):
            value[self.random.choice(NAMES)] = self.like(
                schema.get("additionalProperties", True), depth - 1)
        return value

    def likely(self, schema):
        if any(name in schema for name in ("properties", "required", "additionalProperties")):
            return "object"
        if any(name in schema for name in ("items", "prefixItems", "contains")):
            return "array"
        return self.random.choice(TYPES)

    # Schemas

    def schema(self, depth=3):
        if depth == 0 or self.maybe(0.1):
            return self.random.choice([True, {}, False, {"type": self.random.choice(TYPES)}])
        schema = {}
        if self.maybe(0.4):
            schema["type"] = (
                self.random.choice(TYPES) if self.maybe(0.7) else self.some(TYPES, 1, 3))
        groups = [self.scalars, self.members, self.members, self.elements, self.same_value]
        for group in self.some(groups, 1, 2):
            group(schema, depth - 1)
        return schema

    def scalars(self, schema, _):
        group = self.random.randrange(4)
        if group == 0:
            for name in self.some(
                    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"], 1, 2):
                schema[name] = Raw(self.random.choice(NUMBERS))
        elif group == 1:
            schema["multipleOf"] = Raw(self.random.choice(["1", "0.1", "0.3", "2", "1e-3"]))
        elif group == 2:
            schema.update({
                "minLength": self.random.randint(0, 2), "maxLength": self.random.randint(0, 4)})
            if self.maybe(0.5):
                schema["pattern"] = self.random.choice(PATTERNS)
        elif self.maybe(0.5):
            schema["const"] = self.value(2)
        else:
            schema["enum"] = [self.value(1) for _ in range(self.random.randint(1, 4))]

    def members(self, schema, depth):
        schema["properties"] = {
            name: self.schema(depth) for name in self.some(NAMES, 0, 3)}
        if self.maybe(0.4):
            schema["required"] = self.some(NAMES, 0, 2)
        if self.maybe(0.3):
            schema["additionalProperties"] = self.schema(depth)
        if self.maybe(0.2):
            schema["patternProperties"] = {
                pattern: self.schema(depth) for pattern in self.some(PATTERNS, 1, 2)}
        if not self.is_plain and self.maybe(0.1):
            schema["propertyNames"] = {"maxLength": self.random.randint(1, 3)}
        if self.maybe(0.15):
            schema["minProperties"] = self.random.randint(0, 2)
            schema["maxProperties"] = self.random.randint(1, 4)
        if self.maybe(0.15):
            schema["dependentRequired"] = {self.random.choice(NAMES): self.some(NAMES, 0, 2)}
        if self.maybe(0.15):
            schema["dependentSchemas"] = {self.random.choice(NAMES): self.schema(depth)}
        if not self.is_plain and self.maybe(0.15):
            schema["unevaluatedProperties"] = self.schema(min(depth, 1))

    def elements(self, schema, depth):
        if self.maybe(0.4):
            schema["prefixItems"] = [self.schema(depth) for _ in range(self.random.randint(1, 2))]
        if self.maybe(0.6):
            schema["items"] = self.schema(depth)
        if self.maybe(0.3):
            schema["contains"] = self.schema(depth)
            if self.maybe(0.5):
                schema["minContains"] = self.random.randint(0, 2)
            if self.maybe(0.5):
                schema["maxContains"] = self.random.randint(0, 2)
        if not self.is_plain and self.maybe(0.2):
            schema["uniqueItems"] = self.maybe(0.8)
        if self.maybe(0.2):
            schema["minItems"], schema["maxItems"] = (
                self.random.randint(0, 2), self.random.randint(1, 4))
        if not self.is_plain and self.maybe(0.15):
            schema["unevaluatedItems"] = self.schema(min(depth, 1))

    def same_value(self, schema, depth):
        group = self.random.randrange(6)
        if group < 3:
            schema[["allOf", "anyOf", "oneOf"][group]] = [
                self.schema(depth) for _ in range(self.random.randint(1, 3))]
        elif group == 3:
            schema["not"] = self.schema(depth)
        elif group == 4:
            schema["if"] = self.schema(depth)
            for name in self.some(["then", "else"], 1, 2):
                schema[name] = self.schema(depth)
        else:
            schema["$ref"] = self.random.choice(list(self.targets))

    def whole(self):
        """Returns a schema with definitions; references lead to later ones, so that there is no
        circle, except from an element or a member to the whole schema."""
        names = ["d0", "d~1", "d 2"]
        places = ["#/$defs/d0", "#/$defs/d~01", "#/$defs/d%202"]
        definitions = {}
        self.targets = {"#late": {"type": "string"}}
        for name, place in reversed(list(zip(names, places))):
            definitions[name] = self.schema(2)
            self.targets[place] = definitions[name]
        self.definitions = definitions
        definitions["late"] = {"$anchor": "late", "type": "string"}
        schema = self.schema(4)
        if not isinstance(schema, dict):
            schema = {"allOf": [schema]}
        if self.maybe(0.3):
            schema.setdefault("properties", {})["cd"] = {"$ref": "#"}
        schema["$defs"] = definitions
        return schema

    def changed(self, value, depth=0):
        """Returns a schema of which some parts are changed: wider, narrower, or only otherwise."""
        if isinstance(value, list):
            return [self.changed(one, depth + 1) for one in value]
        if isinstance(value, Raw) and self.maybe(0.1):
            return Raw(self.random.choice(NUMBERS[2:7]))
        if not isinstance(value, dict):
            return value
        kept = {}
        for name, one in value.items():
            if name != "$defs" and name not in self.definitions and self.maybe(0.08):
                continue
            kept[name] = self.changed(one, depth + 1)
            if name in NUMBERED and self.maybe(0.15):
                kept[name] = self.random.randint(0, 4)
            if name == "type" and self.maybe(0.15):
                kept[name] = self.some(TYPES, 2, 5)
        return kept

    def case(self):
        # Without the keywords of which the text does not say where all violations are.
        self.is_plain = self.maybe(0.5)
        schema = self.whole()
        source = text(schema)
        validator = Validator(parse(source))
        values = []
        for index in range(12):
            value = text(self.value() if index < 3 else self.like(schema))
            found = validator.violations(parse(value))
            values.append({
                "json": value, "isKept": not found, "pointers": found if self.is_plain else None})
        return {"schema": source, "changed": text(self.changed(schema)), "values": values}


if __name__ == "__main__":
    print_cases(__doc__, lambda seed: Generator(seed).case)
