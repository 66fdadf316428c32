"""The nodes of the chat. Each module holds the node of its name and returns a patch of the state."""
