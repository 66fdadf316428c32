"""The review queue: what the system is unsure of, or what matters too much, goes to an operator."""
