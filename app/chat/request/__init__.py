"""Resolves what a message asks for: the action, the documents, and a self-contained question."""
