"""The pages and the tasks that `bench/cost.py` measures."""
