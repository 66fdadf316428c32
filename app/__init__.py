"""The backend, which drives a person's browser, and the commands that start it."""

import gc

# Nearly everything that imports create is kept: collecting it again and again takes a fifth of the start-up.
# A server sets thresholds of its own.
gc.set_threshold(50_000, 50, 100)
