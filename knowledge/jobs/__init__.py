"""Background jobs: queued in the store, worked on under a lease, reported as progress."""
