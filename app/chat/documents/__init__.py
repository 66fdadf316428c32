"""The documents that a message may be about."""
