"""Evaluation on three corpora of published packages: questions, seeded changes, audit rules and messages.

`bench/data/README.md` describes the files.
"""
