"""An independent implementation of Broadsheet's rules in Python.

It is slow, and shares nothing with the Swift engine: the two were written separately from the same
rules (docs/api.md, docs/catalog.md, docs/layout.md), so that an error in one of them becomes
visible as a difference. Rule numbers in comments are those of docs/layout.md.
"""
