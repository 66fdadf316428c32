"""The pages and the tasks that `bench/cost/__main__.py` measures."""
