"""Check that every paid call is on record."""
