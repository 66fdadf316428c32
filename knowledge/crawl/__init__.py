"""From an address to its pages: one page, a site by its sitemap, or a site by its links."""
