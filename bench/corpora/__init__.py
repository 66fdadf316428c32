"""What real documents are asked: three corpora out of packages that others published, with questions, seeded
changes, rules to audit against, and messages. `bench/data/README.md` says what the files hold.
"""
