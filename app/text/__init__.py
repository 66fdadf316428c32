"""Text as such: what every room may read of it, without knowing what it is about."""
