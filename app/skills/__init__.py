"""The skills library: what was learned on a site, kept and recalled."""
