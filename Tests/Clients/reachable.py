"""Hooks for Schemathesis that let more of its requests through to the layouts.

Its systematic requests have every parameter of an operation at once, so that they fail at once
where two exclude each other, and its entity tags are malformed or match nothing. These hooks remove
such parameters from the document; another run has the document as it is.
"""

import schemathesis

REMOVED = ("pageToken", "ifMatch", "ifNoneMatch")


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Removes the parameters from the operations."""
    for item in raw_schema["paths"].values():
        for operation in item.values():
            operation["parameters"] = [
                parameter
                for parameter in operation["parameters"]
                if parameter["$ref"].rsplit("/")[-1] not in REMOVED]
