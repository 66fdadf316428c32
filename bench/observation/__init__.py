"""What an observation finds, and what it costs in tokens and time, over many pages."""
