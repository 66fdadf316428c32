"""Finds the documents that a message refers to, and reads them."""
