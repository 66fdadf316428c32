"""Runs in the worker process that reads documents: confinement and the protocol of frames."""
