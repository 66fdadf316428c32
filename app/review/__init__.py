"""The review queue: uncertain or high-impact results go to an operator."""
