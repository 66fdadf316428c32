"""Random interleavings of what befalls a run that asks a person: over the real service and store."""
