"""Benchmarks of the document knowledge: extraction, speed, retrieval, latency and crawling."""
