"""Requests that nobody meant: mutated bodies, and whatever the OpenAPI document allows."""
