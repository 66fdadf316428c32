"""Many concurrent tasks: the users, the model that answers them, and the resources measured meanwhile."""
