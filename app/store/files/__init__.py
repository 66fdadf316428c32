"""Data stored in files."""
