"""The pages and tasks that `bench/cost/__main__.py` measures."""
