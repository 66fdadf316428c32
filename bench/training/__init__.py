"""Trains the classifier of consequential controls: `make train`."""
