"""Fuzzing: mutated bodies, and requests generated from the OpenAPI document."""
