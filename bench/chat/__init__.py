"""Benchmarks of the chat: intents, answers and latency."""
