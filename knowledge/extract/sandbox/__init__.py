"""The reader process: confinement and the frame protocol."""
