"""The skills library: lessons, episodes and recipes of a site, stored and recalled."""
