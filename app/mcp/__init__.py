"""Tabwright over the Model Context Protocol: two servers of the review queue, one of the agent itself."""
