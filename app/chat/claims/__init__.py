"""Certifies a model's claims in code: each claim needs quotes that are found in the sources."""
