"""The benchmarks of knowledge together, and the questions of the one of retrieval."""
