"""Text formats: plain text, Markdown, CSV, JSON, YAML, XML and mail."""
