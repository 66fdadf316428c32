"""The team's documents: extracted, cleaned, cut into chunks, embedded, stored, and found again."""
