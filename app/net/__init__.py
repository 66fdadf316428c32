"""Reaching out to addresses that others chose: a page, a person, a sitemap."""
