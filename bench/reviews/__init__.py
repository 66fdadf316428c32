"""Many processes at the review queue at once, and what they left."""
