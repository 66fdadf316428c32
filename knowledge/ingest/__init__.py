"""Turns a file or page into a published document: extract, chunk, embed, store, publish."""
