"""A validator of JSON Schema 2020-12, written from the specification.

It has the keywords that docs/schemas.md names, and decides two things: whether a value keeps a
schema, and the places of its violations. Numbers are fractions, so that nothing is rounded.
"""
import json
import re
from decimal import Decimal
from fractions import Fraction
from urllib.parse import unquote, urldefrag, urljoin

# Keywords whose values are schemas, by their form.
ONE = [
    "items", "contains", "additionalProperties", "propertyNames", "unevaluatedItems",
    "unevaluatedProperties", "not", "if", "then", "else"]
MANY = ["allOf", "anyOf", "oneOf", "prefixItems"]
NAMED = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"]


def parse(text):
    """Returns the value of a JSON text, with exact numbers."""
    return json.loads(text, parse_int=number, parse_float=number)


def number(text):
    return Fraction(Decimal(text))


def kind(value):
    """Returns the type of a value; whole numbers are integers (validation 6.1.1)."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, Fraction):
        return "integer" if value.denominator == 1 else "number"
    return {str: "string", list: "array", dict: "object"}[type(value)]


def equal(left, right):
    """Returns whether two values are equal (core 4.2.2)."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    return type(left) is type(right) and left == right


def matches(pattern, text):
    """Returns whether a pattern, in the part of ECMA-262 that Python shares, is in a text."""
    return re.search(re.sub(r"(?<!\\)\$", r"\\Z", pattern), text, re.ASCII) is not None


def step(pointer, name):
    return pointer + "/" + str(name).replace("~", "~0").replace("/", "~1")


class Validator:
    """One schema."""

    def __init__(self, schema):
        self.root = schema
        self.named = {}
        self.bases = {}
        self.collect(schema, "")

    def collect(self, schema, base):
        """Finds the identifiers and anchors of a schema and of those in it (core 8.2)."""
        if not isinstance(schema, dict):
            return
        if "$id" in schema:
            base = urljoin(base, schema["$id"])
        if "$id" in schema or schema is self.root:
            self.named[base] = schema
        self.bases[id(schema)] = base
        for keyword in ("$anchor", "$dynamicAnchor"):
            if keyword in schema:
                self.named[base + "#" + schema[keyword]] = schema
        for keyword in ONE:
            self.collect(schema.get(keyword), base)
        for keyword in MANY:
            for one in schema.get(keyword, []):
                self.collect(one, base)
        for keyword in NAMED:
            for one in schema.get(keyword, {}).values():
                self.collect(one, base)

    def target(self, schema):
        """Returns the schema that `$ref` refers to (core 8.2.3)."""
        base, reference = self.bases[id(schema)], schema["$ref"]
        # To a URN only fragments can be joined.
        uri = base + reference if reference.startswith("#") else urljoin(base, reference)
        document, fragment = urldefrag(uri)
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            return self.named[document + "#" + fragment]
        found = self.named[document]
        for token in fragment.split("/")[1:]:
            token = token.replace("~1", "/").replace("~0", "~")
            found = found[int(token)] if isinstance(found, list) else found[token]
        return found

    def violations(self, value):
        """Returns the pointers of the values with a violation; none if the schema is kept."""
        return sorted(set(self.check(self.root, value, "")[0]))

    def check(self, schema, value, at):
        """Returns the pointers of violations, and the parts that were evaluated: the names of
        members, or the indexes of elements."""
        if schema is True:
            return [], set()
        if schema is False:
            return [at], set()
        types = schema.get("type")
        if types is not None and not self.has_type(value, types):
            # Nothing else is said about a value of another type.
            return [at], set()
        places = [at] * (not self.is_accepted(schema, value))
        seen = set()
        for part in (self.members, self.elements, self.same_value):
            found, evaluated = part(schema, value, at)
            places += found
            seen |= evaluated
        for part in (self.unevaluated_members, self.unevaluated_elements):
            found, evaluated = part(schema, value, at, seen)
            places += found
            seen |= evaluated
        return places, (set() if places else seen)

    def keeps(self, schema, value):
        found, evaluated = self.check(schema, value, "")
        return not found, evaluated

    @staticmethod
    def has_type(value, types):
        types = [types] if isinstance(types, str) else types
        own = kind(value)
        return own in types or own == "integer" and "number" in types

    @staticmethod
    def is_accepted(schema, value):
        """Returns whether the keywords without subschemas accept a value."""
        if "const" in schema and not equal(value, schema["const"]):
            return False
        if "enum" in schema and not any(equal(value, one) for one in schema["enum"]):
            return False
        limit = lambda name: schema.get(name)
        own = kind(value)
        if own in ("integer", "number"):
            for name, holds in [
                    ("minimum", lambda bound: value >= bound),
                    ("maximum", lambda bound: value <= bound),
                    ("exclusiveMinimum", lambda bound: value > bound),
                    ("exclusiveMaximum", lambda bound: value < bound),
                    ("multipleOf", lambda bound: (value / bound).denominator == 1)]:
                if limit(name) is not None and not holds(limit(name)):
                    return False
        sizes = {
            "string": ("minLength", "maxLength"), "array": ("minItems", "maxItems"),
            "object": ("minProperties", "maxProperties")}
        if own in sizes:
            least, most = sizes[own]
            if len(value) < schema.get(least, 0) or len(value) > schema.get(most, len(value)):
                return False
        if own == "string" and "pattern" in schema:
            return matches(schema["pattern"], value)
        if own == "array" and schema.get("uniqueItems"):
            return not any(
                equal(one, other) for index, one in enumerate(value) for other in value[:index])
        if own == "object":
            dependents = [
                name for key, names in schema.get("dependentRequired", {}).items()
                if key in value for name in names]
            return all(name in value for name in schema.get("required", []) + dependents)
        return True

    def members(self, schema, value, at):
        """Checks members by their names (core 10.3.2)."""
        places, seen = [], set()
        if not isinstance(value, dict):
            return places, seen
        for name, member in value.items():
            schemas = [
                one for key, one in schema.get("properties", {}).items() if key == name]
            schemas += [
                one for key, one in schema.get("patternProperties", {}).items()
                if matches(key, name)]
            if not schemas and "additionalProperties" in schema:
                schemas = [schema["additionalProperties"]]
            for one in schemas:
                seen.add(name)
                places += self.check(one, member, step(at, name))[0]
            if "propertyNames" in schema:
                places += [at] * (not self.keeps(schema["propertyNames"], name)[0])
        return places, seen

    def elements(self, schema, value, at):
        """Checks elements by their places, and those that must be among them (core 10.3.1)."""
        places, seen = [], set()
        if not isinstance(value, list):
            return places, seen
        prefix = schema.get("prefixItems", [])
        for index, element in enumerate(value):
            if index < len(prefix):
                one = prefix[index]
            elif "items" in schema:
                one = schema["items"]
            else:
                break
            seen.add(index)
            places += self.check(one, element, step(at, index))[0]
        if "contains" in schema:
            matching = {
                index for index, element in enumerate(value)
                if self.keeps(schema["contains"], element)[0]}
            seen |= matching
            least, most = schema.get("minContains", 1), schema.get("maxContains", len(value))
            places += [at] * (not least <= len(matching) <= most)
        return places, seen

    def same_value(self, schema, value, at):
        """Checks the value by the subschemas that are about the same value (core 10.2)."""
        places, seen = [], set()

        def all_of(one):
            found, evaluated = self.check(one, value, at)
            places.extend(found)
            seen.update(evaluated)

        if "$ref" in schema:
            all_of(self.target(schema))
        for one in schema.get("allOf", []):
            all_of(one)
        for name, least, most in (("anyOf", 1, None), ("oneOf", 1, 1)):
            if name not in schema:
                continue
            results = [self.keeps(one, value) for one in schema[name]]
            count = sum(holds for holds, _ in results)
            for holds, evaluated in results:
                seen |= evaluated if holds else set()
            places += [at] * (count < least or most is not None and count > most)
        if "not" in schema:
            places += [at] * self.keeps(schema["not"], value)[0]
        if "if" in schema:
            holds, evaluated = self.keeps(schema["if"], value)
            seen |= evaluated
            branch = "then" if holds else "else"
            if branch in schema:
                all_of(schema[branch])
        if isinstance(value, dict):
            for name, one in schema.get("dependentSchemas", {}).items():
                if name in value:
                    all_of(one)
        return places, seen

    def unevaluated_members(self, schema, value, at, seen):
        """Checks the members that nothing else has evaluated (core 11.3)."""
        if "unevaluatedProperties" not in schema or not isinstance(value, dict):
            return [], set()
        places = []
        for name in value.keys() - seen:
            places += self.check(
                schema["unevaluatedProperties"], value[name], step(at, name))[0]
        return places, set(value)

    def unevaluated_elements(self, schema, value, at, seen):
        """Checks the elements that nothing else has evaluated (core 11.2)."""
        if "unevaluatedItems" not in schema or not isinstance(value, list):
            return [], set()
        places = []
        for index in set(range(len(value))) - seen:
            places += self.check(schema["unevaluatedItems"], value[index], step(at, index))[0]
        return places, set(range(len(value)))
