"""Random interleavings of events in a run that asks a person, over the real service and store."""
