"""MongoDB repositories and the server that keeps them.

`repositories.Store` holds every repository, `batch.StoreBatch` runs several calls at once, and `open` opens
both for the composition root. Nothing is imported here, so that commands which only need a part start fast.
"""
