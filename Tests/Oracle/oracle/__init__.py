"""An independent reading of Broadsheet's rules, in plain Python.

Nothing here is fast and nothing here is shared with the Swift engine: the two were written from the
same rules (docs/api.md, docs/catalog.md, docs/layout.md) by different hands, so that an error in
one of them shows as a difference. Rule numbers in comments are docs/layout.md's.
"""
