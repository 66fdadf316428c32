"""The conversation over the team's documents: a graph of its own, one thread a conversation."""
