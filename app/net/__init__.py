"""Fetches URLs chosen by others: a page, a user, a sitemap."""
