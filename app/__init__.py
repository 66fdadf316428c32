"""The backend: what drives a person's browser, and the commands that start it."""

import gc

# Nearly all that importing makes stays: walking it again and again takes a fifth of a start. A server sets
# its own.
gc.set_threshold(50_000, 50, 100)
