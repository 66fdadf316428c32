"""A page of HTML, or a captured piece of one, as Markdown with its metadata."""
